package dataset

import (
	"bytes"
	"context"
	"io"
	"strings"
	letters "unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// decodeText turns a text that is not in UTF-8 into a stream that is. A byte order mark, or else
// the option, the first bytes or the letters beyond ASCII show the encoding, which the note states.
func (s *source) decodeText(ctx context.Context, o ReadOptions) (note string, err error) {
	head, over, err := s.peek(sampleBytes)
	if err != nil {
		return "", err
	}
	code, name, err := findEncoding(head, over, o)
	if err != nil || code == nil {
		return "", err
	}
	if !strings.HasPrefix(name, "UTF-16") {
		s.charset, _ = htmlindex.Name(code) // "": it has none there
	}
	s.streamed(ctx)
	s.stream = transform.NewReader(s.stream, code.NewDecoder())
	return "the text was read as " + name + " (--encoding reads it as another)", nil
}

// FindEncoding returns the encoding of a text that begins with head, nil for UTF-8, and its name in
// the WHATWG standard. asked is such a name, or "" for one to be found; whole reports that head is
// all of the text. It fails with a [*fault.Setting] for a name that is not known.
func FindEncoding(head []byte, whole bool, asked string) (encoding.Encoding, string, error) {
	code, name, err := findEncoding(head, whole, ReadOptions{Encoding: asked})
	switch {
	case err != nil || code == nil:
		return nil, "", err
	case code == charmap.Windows1252, code == charmap.Windows1250, code == charmap.ISO8859_2:
		name, err = htmlindex.Name(code)
		return code, name, err
	case strings.HasPrefix(name, "UTF-16"):
		name = "utf-16le"
		if bytes.HasPrefix(head, []byte("\xfe\xff")) || len(head) > 0 && head[0] == 0 {
			name = "utf-16be"
		}
	}
	return code, name, nil
}

// streamed makes a stream of the input, which begins at its first byte.
func (s *source) streamed(ctx context.Context) {
	if s.file != nil {
		s.raw = infile.NewReader(ctx, io.NewSectionReader(s.file, 0, s.size), s.size, s.progress)
		s.stream, s.file, s.parts = s.raw, nil, nil
	} else {
		s.stream = s.readFrom(0)
	}
	s.head, s.over = nil, false
}

// findEncoding returns the encoding of a text that begins with head, nil for UTF-8, and what to
// call it.
func findEncoding(head []byte, over bool, o ReadOptions) (code encoding.Encoding, name string,
	err error) {
	wide := func(order unicode.Endianness) encoding.Encoding {
		return unicode.UTF16(order, unicode.UseBOM)
	}
	switch {
	case o.Plain:
		return nil, "", nil
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")),
		bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		return nil, "", nil // UTF-32, which is refused for its NULs
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return wide(unicode.LittleEndian), "UTF-16", nil
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return wide(unicode.BigEndian), "UTF-16", nil
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		return nil, "", nil
	case o.Encoding != "":
		asked := strings.ToLower(o.Encoding)
		if asked == "utf-16" || asked == "utf16" {
			return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "UTF-16", nil
		}
		if name, ok := otherNames[asked]; ok {
			asked = name
		}
		code, err := htmlindex.Get(asked)
		if err != nil {
			return nil, "", fault.Settingf("the encoding %q is not known: give utf-8, utf-16le, "+
				"%s or another name of the WHATWG standard", o.Encoding, someEncodings)
		}
		if canonical, _ := htmlindex.Name(code); canonical != "utf-8" {
			return code, canonical, nil
		}
		return nil, "", nil
	}
	if order, ok := looksWide(head); ok {
		return unicode.UTF16(order, unicode.IgnoreBOM), "UTF-16", nil
	}
	if isUTF8(head, over) {
		return nil, "", nil
	}
	if assumed := o.Assume.Encoding; assumed != "" {
		code, err := htmlindex.Get(assumed)
		return code, assumed + ", as the rows that the model was made from", err
	}
	if !looksWestern(head, over) || !o.Earlier && looksForeign(head) {
		return nil, "", nil
	}
	central := centralEuropean(head)
	if o.Earlier {
		central = nil
	}
	switch central {
	case charmap.Windows1250:
		return charmap.Windows1250, "Windows-1250, as its letters show", nil
	case charmap.ISO8859_2:
		return charmap.ISO8859_2, "ISO 8859-2, as its letters show", nil
	}
	return charmap.Windows1252, "Windows-1252, as some of its bytes are no UTF-8", nil
}

// someEncodings are those that messages name.
const someEncodings = "windows-1252, windows-1250, iso-8859-2, iso-8859-15, windows-1251, " +
	"koi8-r, windows-1253, mac-roman, shift_jis, gbk, big5, euc-kr"

// otherNames are names of encodings that the WHATWG standard does not have, and the ones it has.
var otherNames = map[string]string{"mac-roman": "macintosh", "macroman": "macintosh",
	"latin-1": "latin1", "latin-2": "latin2", "cp932": "shift_jis", "cp936": "gbk",
	"cp949": "euc-kr", "cp950": "big5"}

// isUTF8 reports whether a text that begins with head may be UTF-8, of which head, unless it is all,
// may end within a letter.
func isUTF8(head []byte, over bool) bool {
	if !over {
		for last := range min(len(head), utf8.UTFMax) {
			if at := len(head) - 1 - last; utf8.RuneStart(head[at]) {
				if !utf8.FullRune(head[at:]) {
					head = head[:at]
				}
				break
			}
		}
	}
	return utf8.Valid(head)
}

// looksWide reports whether a text without a mark is UTF-16: every other byte of what is mostly
// ASCII is NUL.
func looksWide(head []byte) (order unicode.Endianness, ok bool) {
	head = head[:min(len(head), 4096)&^1]
	var nuls [2]int
	for i, b := range head {
		if b == 0 {
			nuls[i%2]++
		}
	}
	pairs := len(head) / 2
	switch {
	case pairs < 2:
	case nuls[1] > pairs/2 && nuls[0] <= nuls[1]/64:
		return unicode.LittleEndian, true
	case nuls[0] > pairs/2 && nuls[1] <= nuls[0]/64:
		return unicode.BigEndian, true
	}
	return unicode.BigEndian, false
}

// looksWestern reports whether a text that is not UTF-8 can be Windows-1252, of which Latin-1 is
// nearly a part: it has no byte that stands for nothing there, or for a letter that hardly any word
// has, and is not rather UTF-8 with a fault in it.
func looksWestern(head []byte, over bool) bool {
	high, whole := 0, 0 // bytes that are not part of UTF-8, and letters that are
	for i := 0; i < len(head); {
		b := head[i]
		if b < utf8.RuneSelf {
			if b == 0 {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(head[i:])
		if r != utf8.RuneError || size > 1 {
			whole++
			i += size
			continue
		}
		if !over && !utf8.FullRune(head[i:]) {
			break // cut
		}
		switch b {
		case 0x81, 0x8d, 0x8f, 0x90, 0x9d, 0xff:
			return false
		}
		high++
		i++
	}
	return high > 0 && whole <= high/8
}

// looksForeign reports whether the letters beyond ASCII mostly stand in runs of four or more, as
// those of scripts other than the Latin one do.
func looksForeign(head []byte) bool {
	high, within := 0, 0
	for i := 0; i < len(head); {
		k := i
		mixed := false
		for k < len(head) && head[k] > 0xa0 {
			mixed = mixed || head[k] != head[i]
			k++
		}
		high += k - i
		if k-i > 3 && mixed {
			within += k - i
		}
		i = k + 1
	}
	return 2*within > high
}

// centralEuropean returns Windows-1250 or ISO 8859-2 where the letters of a text that could be
// Windows-1252 show that it is one of these, else nil: where one of its signs would stand within
// words, or letters that no language has together.
func centralEuropean(head []byte) *charmap.Charmap {
	var count [256]int // of bytes within words
	letter := func(i int) bool {
		return i >= 0 && i < len(head) && (head[i] >= utf8.RuneSelf || head[i]|0x20 >= 'a' &&
			head[i]|0x20 <= 'z')
	}
	for i, b := range head {
		if b >= utf8.RuneSelf && letter(i-1) && letter(i+1) {
			count[b]++
		}
	}
	signs := func(code *charmap.Charmap) (n int) {
		for b, k := range count {
			if k > 0 && !letters.IsLetter(code.DecodeByte(byte(b))) {
				n += k
			}
		}
		return n
	}
	const few = 2
	switch {
	case signs(charmap.Windows1252) >= few:
	case count[0xf8] >= few && count[0xec] >= few && // ø and ì, or ř and ě
		count[0xe5]+count[0xe6] == 0: // å and æ
	case count[0xf5] > few && count[0xfb] > 0 && // õ and û, or ő and ű
		count[0xe3]+count[0xe4]+count[0xe8]+count[0xea] == 0: // ã, ä, è and ê
	default:
		return nil
	}
	// š and ž, which only the one has beyond ASCII as it has the others
	windows := signs(charmap.Windows1250)
	czech := count[0xb9] > 0 && (count[0xbe] > 0 || count[0xec] > 0) && count[0x9a]+count[0x9e] == 0
	switch {
	case windows == 0 && !czech:
		return charmap.Windows1250
	case signs(charmap.ISO8859_2) == 0:
		return charmap.ISO8859_2
	}
	return nil
}
