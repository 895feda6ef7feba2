package rule

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold makes texts equal that differ in case, the two small sigmas and ß as ss included, in accents
// of Latin and Greek letters, or in compatibility forms of characters such as ﬁ. Marks of other
// scripts stay: й is not и.
func fold(text string) string {
	ascii := true
	for i := 0; i < len(text) && ascii; i++ {
		ascii = text[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(text)
	}
	var b strings.Builder
	bare := false // marks that follow are left out
	for _, c := range strings.ToLower(strings.ToUpper(norm.NFKD.String(text))) {
		switch {
		case !unicode.IsMark(c):
			bare = unicode.In(c, unicode.Latin, unicode.Greek)
		case bare && unicode.Is(unicode.Inherited, c):
			continue
		}
		if c == 'ß' {
			b.WriteByte('s')
			c = 's'
		}
		b.WriteRune(c)
	}
	return norm.NFC.String(b.String())
}

func isBreak(c rune) bool {
	return !unicode.IsLetter(c) && !unicode.IsDigit(c) && !unicode.IsMark(c)
}
