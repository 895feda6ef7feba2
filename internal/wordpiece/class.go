package wordpiece

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// kind is what a character does to the word under way.
type kind uint8

const (
	letter      kind = iota // belongs to it
	blank                   // ends it
	punctuation             // ends it, and is a word
	dropped                 // vanishes, unless controls are kept
)

var ascii = func() (kinds [utf8.RuneSelf]kind) {
	for c := range kinds {
		if kinds[c] = kindOf(rune(c)); isControl(rune(c)) {
			kinds[c] = dropped
		}
	}
	return kinds
}()

// kindOf returns the kind of a character that was not dropped.
func kindOf(c rune) kind {
	switch {
	case unicode.IsSpace(c):
		return blank
	case '!' <= c && c <= '/', ':' <= c && c <= '@', '[' <= c && c <= '`', '{' <= c && c <= '~',
		c >= utf8.RuneSelf && isPunctuation(c):
		return punctuation
	}
	return letter
}

// isPunctuation reports whether c was punctuation in Unicode 8, which the reference goes by.
func isPunctuation(c rune) bool {
	const chaksu, sandhi = 0x166d, 0x111c9 // symbols and marks since
	return c == chaksu || c == sandhi || unicode.IsPunct(c) && !unicode.Is(later, c)
}

// isControl reports whether c is dropped: NUL, U+FFFD, and all that Unicode calls a control
// character, a format or for private use, but for tabs and ends of lines.
func isControl(c rune) bool {
	switch c {
	case '\t', '\n', '\r':
		return false
	case utf8.RuneError:
		return true
	}
	return unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co) && !unicode.Is(later, c)
}

// isHan reports whether c is a Han character as the reference counts them.
func isHan(c rune) bool {
	switch {
	case 0x4e00 <= c && c <= 0x9fff, 0x3400 <= c && c <= 0x4dbf, 0x20000 <= c && c <= 0x2a6df,
		0x2a700 <= c && c <= 0x2b81f, 0x2b920 <= c && c <= 0x2ceaf, 0xf900 <= c && c <= 0xfaff,
		0x2f800 <= c && c <= 0x2fa1f:
		return true
	}
	return false
}

// normalize drops, separates, decomposes and lowers the characters of a text.
func (t *Tokenizer) normalize(text string) string {
	clean := make([]byte, 0, len(text)+len(text)/2)
	for _, c := range text {
		switch {
		case !t.o.KeepControls && isControl(c):
		case !t.o.KeepControls && unicode.IsSpace(c):
			clean = append(clean, ' ')
		case !t.o.JoinHan && isHan(c):
			clean = append(utf8.AppendRune(append(clean, ' '), c), ' ')
		default:
			clean = utf8.AppendRune(clean, c)
		}
	}
	if !t.o.KeepAccents {
		clean = norm.NFD.Append(make([]byte, 0, len(clean)+len(clean)/4), clean...)
	}
	out := make([]byte, 0, len(clean))
	for len(clean) > 0 {
		c, size := utf8.DecodeRune(clean)
		clean = clean[size:]
		switch {
		case c < utf8.RuneSelf:
			if 'A' <= c && c <= 'Z' && !t.o.KeepCase {
				c += 'a' - 'A'
			}
			out = append(out, byte(c))
		case !t.o.KeepAccents && isAccent(c):
		case t.o.KeepCase:
			out = utf8.AppendRune(out, c)
		case c == 'İ': // two characters in lower case
			out = append(out, "i̇"...)
		default:
			out = utf8.AppendRune(out, unicode.ToLower(c))
		}
	}
	return string(out)
}

// isAccent reports whether c is a mark that takes no room of its own, by the Unicode of the
// reference.
func isAccent(c rune) bool {
	const pamudpod = 0x1734 // takes room since Unicode 14
	return c == pamudpod || unicode.Is(unicode.Mn, c) && !unicode.Is(later, c)
}
