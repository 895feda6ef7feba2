// Package safe keeps text that comes from data harmless: it does not run as a formula in a
// spreadsheet, and does not steer a terminal.
package safe

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes text one line that a terminal only shows: line breaks and tabs become blanks, and
// other characters that are not printed, such as control characters and changes of writing
// direction, �. What joins emoji into one stays.
func Line(s string) string {
	const joiner = '\u200d'
	var b strings.Builder
	b.Grow(len(s))
	before := rune(0)
	for i, r := range s {
		shown := r
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			shown = ' '
		case r == joiner && joins(before):
			next, _ := utf8.DecodeRuneInString(s[i+len(string(joiner)):])
			if !unicode.Is(unicode.So, next) {
				shown = unicode.ReplacementChar
			}
		case !unicode.IsPrint(r):
			shown = unicode.ReplacementChar
		}
		b.WriteRune(shown)
		before = r
	}
	return b.String()
}

// joins reports whether a character may stand before what joins emoji: a symbol, a colour of skin, or
// the sign that a symbol is to be shown as an emoji.
func joins(r rune) bool {
	return unicode.Is(unicode.So, r) || r >= 0x1f3fb && r <= 0x1f3ff || r == 0xfe0f
}

// starts are the characters a formula may begin with, the full-width forms included.
const starts = "=+-@\t\r\n＝＋－＠"

// number is a plain decimal number, which spreadsheets take as such.
var number = regexp.MustCompile(`^[+-]?[0-9]+(\.[0-9]+)?$`)

// runs reports whether a cell, without apostrophes in front, would be run.
func runs(cell string) bool {
	cell = strings.TrimLeft(cell, "'")
	r, size := utf8.DecodeRuneInString(cell)
	return size > 0 && strings.ContainsRune(starts, r) && !number.MatchString(cell)
}

// Guard puts an apostrophe, which spreadsheets read as "this is text", before a cell that would be
// run. A cell that has the apostrophe already gets one more, so that [Unguard] returns every cell
// back.
func Guard(cell string) string {
	if runs(cell) {
		return "'" + cell
	}
	return cell
}

// Unguard takes off what [Guard] put before a cell.
func Unguard(cell string) string {
	if strings.HasPrefix(cell, "'") && runs(cell) {
		return cell[1:]
	}
	return cell
}
