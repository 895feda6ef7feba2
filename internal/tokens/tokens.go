// Package tokens takes texts apart into words.
package tokens

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	minRunes = 2       // of a word; characters of scripts without blanks count alone
	maxRunes = 64      // what is longer is no word: an address, a key, encoded bytes
	maxBytes = 512     // of a word, with its marks, of which a letter may have any number
	maxText  = 1 << 20 // bytes of a text that are read
)

// Cutter takes texts apart into words. The zero value works; it is used by one goroutine at a time.
//
// A word is a run of letters, marks and digits of any script, in lower case and compatibility form
// (NFKC). Scripts that are written without blanks have no such runs: of theirs, each pair of
// neighbouring characters counts as a word, and each Han character as one, too. Bytes that are not
// UTF-8 part words.
type Cutter struct {
	word  []byte // the word, or the run of a script without blanks, at hand
	runes int    // of word, marks aside
	start []int  // in a run without blanks: where its characters begin
	han   []bool // and whether each is a Han character
	apart bool   // the word at hand does not follow another of the same phrase
}

// Each calls yield for every word of text in order. The slice is only good during the call.
func (t *Cutter) Each(text string, yield func(word []byte)) {
	t.apart = true
	text = text[:min(len(text), maxText)]
	if !norm.NFKC.IsNormalString(text) {
		text = norm.NFKC.String(text)
	}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf &&
			!('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'):
			t.flush(yield)
			t.part(r)
		case unicode.IsMark(r):
			if len(t.word) > 0 {
				t.word = utf8.AppendRune(t.word, r)
			}
		case unicode.Is(unicode.Cf, r): // soft hyphens and joiners, within words
		case Unspaced(r):
			if len(t.start) == 0 {
				t.flush(yield)
			}
			t.start = append(t.start, len(t.word))
			t.han = append(t.han, unicode.Is(unicode.Han, r))
			t.word = utf8.AppendRune(t.word, r)
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			if len(t.start) > 0 {
				t.flush(yield)
			}
			if t.runes++; t.runes <= maxRunes {
				t.word = utf8.AppendRune(t.word, lower(r))
			}
		default:
			t.flush(yield)
			t.part(r)
		}
	}
	t.flush(yield)
}

// Apart reports, while Each calls yield, whether the word does not follow the one before it in the
// same phrase: more than blanks and hyphens lie between the two, such as a full stop or a word of
// one letter. Words of scripts without blanks are apart from all others.
func (t *Cutter) Apart() bool { return t.apart }

// part notes what stands between two words.
func (t *Cutter) part(r rune) {
	if !unicode.IsSpace(r) && r != '-' && r != '_' && r != '/' {
		t.apart = true
	}
}

// flush hands on what is at hand.
func (t *Cutter) flush(hand func(word []byte)) {
	yield := func(word []byte) {
		if len(word) <= maxBytes {
			hand(word)
		}
	}
	if count := len(t.start); count > 0 {
		t.apart = true
		t.start = append(t.start, len(t.word))
		if count == 1 {
			yield(t.word)
		}
		for i := range count {
			if t.han[i] && count > 1 {
				yield(t.word[t.start[i]:t.start[i+1]])
			}
			if i+2 <= count {
				yield(t.word[t.start[i]:t.start[i+2]])
			}
		}
	} else if t.runes >= minRunes && t.runes <= maxRunes {
		yield(t.word)
		t.apart = len(t.word) > maxBytes
	} else if t.runes > 0 {
		t.apart = true
	}
	t.word, t.runes, t.start, t.han = t.word[:0], 0, t.start[:0], t.han[:0]
}

// Unspaced reports whether r is written without blanks between words.
func Unspaced(r rune) bool {
	const prolonged = 'ー' // of katakana and hiragana alike
	return r >= 0x0e00 &&
		(r == prolonged || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
			unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

func lower(r rune) rune {
	if r = unicode.ToLower(r); r == 'ς' {
		return 'σ' // the same letter at the end of a word
	}
	return r
}
