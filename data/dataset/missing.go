package dataset

import "bytes"

// isMissing reports whether s is one of the ways to write that there is no value, whatever its
// column holds: nothing, NA, N/A, n.a., null, NaN (in any case), ?, #N/A, <NA> or \N.
func isMissing(s []byte) bool {
	switch len(s) {
	case 0:
		return true
	case 1:
		return s[0] == '?'
	case 2:
		return s[0]|0x20 == 'n' && s[1]|0x20 == 'a' || s[0] == '\\' && s[1] == 'N'
	case 3:
		return s[0]|0x20 == 'n' &&
			(s[1]|0x20 == 'a' && s[2]|0x20 == 'n' || s[1] == '/' && s[2]|0x20 == 'a') ||
			s[0] == '#' && s[1]|0x20 == 'n' && s[2]|0x20 == 'a'
	case 4:
		switch s[0] | 0x20 {
		case 'n':
			return bytes.EqualFold(s, []byte("null")) || bytes.EqualFold(s, []byte("n.a."))
		case '#', '<' | 0x20:
			return string(s) == "#N/A" || string(s) == "<NA>"
		}
	case 8:
		return string(s) == "#N/A N/A"
	}
	return false
}

// softness is how far words count as missing in a column.
type softness int

const (
	onlyEmpty   softness = iota // what isMissing knows
	softErrors                  // and errors of spreadsheets
	softSigns                   // and dashes and points
	softAnyWord                 // and words such as none
)

// meansNothing reports whether s says that there is no value where something else than a text is
// expected, which in a column of texts may be a text.
func (soft softness) meansNothing(s []byte) bool {
	switch {
	case soft == onlyEmpty:
		return false
	case soft == softErrors:
		return isExcelError(s)
	case len(s) > 0 && s[0] == '#':
		return looksLikeError(s)
	case len(s) > len("not a number"), endsWithDigit(s):
		return false
	}
	switch string(s) {
	case "-", "--", "---", "–", "—", ".", "..", "...", "*", "/":
		return true
	}
	if len(s) < 3 {
		return false
	}
	switch string(bytes.ToLower(s)) {
	case "(blank)", "(null)", "(none)", "<null>", "<none>", "[null]", "(empty)":
		return true
	case "none", "nil", "n.d.", "n.d", "n/d", "n.v.", "n/v", "k.a.", "k. a.", "s/d", "n.a",
		"unknown", "missing", "not a number", "nat", "<nat>":
		return soft == softAnyWord
	}
	return false
}
