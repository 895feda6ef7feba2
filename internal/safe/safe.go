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
// direction, �.
func Line(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case !unicode.IsPrint(r):
			return unicode.ReplacementChar
		}
		return r
	}, s)
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
