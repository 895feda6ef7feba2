package dataset

import (
	"bytes"
	"math"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// numeral is a number as people write it: with a decimal comma, with marks between thousands, with
// a currency or a per-cent sign, negative in parentheses or with the minus behind it.
type numeral struct {
	value   float64
	unit    string // the currency, as it is written; "" for none
	percent bool   // or per mille; the value is the share: 0.12 for 12 %
	grouped bool   // has marks between thousands
	marked  bool   // has a point or a comma
}

// parseNumeral reads all of s, where decimal, a point or a comma, is the decimal mark. Thousands
// are groups of three digits, or as in India of two but for the last, between which the same mark
// stands: the comma or the point that is not the decimal mark, an apostrophe or a blank.
func parseNumeral(s []byte, decimal byte) (n numeral, ok bool) {
	const most = 100 // bytes; no number of this kind is longer
	if len(s) == 0 || len(s) > most {
		return n, false
	}
	if v, plain := ParseNumber(s); plain {
		if n.marked = bytes.IndexByte(s, '.') >= 0; !n.marked || decimal == '.' {
			n.value = v
			return n, true
		}
		n.marked = false
	}
	var local [most + 8]byte
	out := local[:0]
	negative, signed := false, false
	if s[0] == '(' && s[len(s)-1] == ')' {
		negative, signed = true, true
		s = trimBlanks(s[1 : len(s)-1])
	}
	sign := func() {
		if signed {
			return
		}
		if rest, minus, found := cutSign(s); found {
			s, negative, signed = trimBlanks(rest), minus, true
		}
	}
	sign()
	if unit := currencyBefore(s); unit > 0 {
		n.unit = string(s[:unit])
		s = trimBlanks(s[unit:])
		sign()
	}
	if endsWithDigit(s) {
		// as almost all do: nothing stands behind it
	} else if cut, found := cutDash(s, decimal); found {
		s = cut
	} else if cut, found := bytes.CutSuffix(s, []byte("-")); found && !signed {
		s, negative, signed = trimBlanks(cut), true, true
	}
	power := ""
	if endsWithDigit(s) {
		// nor does a per-cent sign or a currency
	} else if cut, found := bytes.CutSuffix(s, []byte("%")); found {
		s, power = trimBlanks(cut), "e-2"
	} else if cut, found := bytes.CutSuffix(s, []byte("‰")); found {
		s, power = trimBlanks(cut), "e-3"
	} else if unit := currencyBehind(s); unit > 0 && n.unit == "" {
		n.unit = string(s[len(s)-unit:])
		s = trimBlanks(s[:len(s)-unit])
		if cut, found := cutDash(s, decimal); found {
			s = cut
		} else if cut, found := bytes.CutSuffix(s, []byte("-")); found && !signed {
			s, negative = trimBlanks(cut), true
		}
	}
	if n.percent = power != ""; n.percent && n.unit != "" {
		return n, false
	}
	if negative {
		out = append(out, '-')
	}
	out, ok = n.digits(out, s, decimal)
	if !ok || power != "" && bytes.ContainsAny(out, "eE") {
		return n, false
	}
	n.value, ok = ParseNumber(append(out, power...))
	return n, ok
}

// digits appends the digits of s, all of it, as a plain number.
func (n *numeral) digits(out, s []byte, decimal byte) ([]byte, bool) {
	i := 0
	run := func() []byte {
		first := i
		for i < len(s) && s[i]-'0' <= 9 {
			i++
		}
		return s[first:i]
	}
	group := run()
	out = append(out, group...)
	first, mark := group, ""
	var sizes [40]uint8
	groups := 0
	for i < len(s) && s[i] != decimal && len(group) > 0 {
		size := groupMark(s[i:], decimal)
		if size == 0 {
			break
		}
		if mark == "" {
			mark = string(s[i : i+size])
		}
		if string(s[i:i+size]) != mark {
			return nil, false
		}
		i += size
		if group = run(); groups == len(sizes) || len(group) != 2 && len(group) != 3 {
			return nil, false
		}
		sizes[groups] = uint8(len(group))
		groups++
		out = append(out, group...)
	}
	if groups > 0 {
		n.grouped = true
		n.marked = mark == "," || mark == "."
		indian := false
		for k, size := range sizes[:groups] {
			if last := k == groups-1; last && size != 3 {
				return nil, false
			} else if !last {
				if k > 0 && (size == 2) != indian {
					return nil, false
				}
				indian = size == 2
			}
		}
		if len(first) > 3 || indian && (len(first) > 2 || mark != ",") || first[0] == '0' {
			return nil, false
		}
	}
	if i < len(s) && s[i] == decimal {
		n.marked = true
		i++
		fraction := run()
		if len(fraction) == 0 && len(first) == 0 {
			return nil, false
		}
		out = append(append(out, '.'), fraction...)
	} else if len(first) == 0 {
		return nil, false
	}
	if i < len(s) && s[i]|0x20 == 'e' && groups == 0 && n.unit == "" {
		rest := s[i+1:]
		if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
			rest = rest[1:]
		}
		for _, c := range rest {
			if c-'0' > 9 {
				return nil, false
			}
		}
		out = append(out, s[i:]...)
		i = len(s)
		if len(rest) == 0 {
			return nil, false
		}
	}
	return out, i == len(s)
}

// endsWithDigit reports whether the last byte of s is a digit.
func endsWithDigit(s []byte) bool { return len(s) > 0 && s[len(s)-1]-'0' <= 9 }

// isAddress reports whether s is an IPv4 address, which some ways of writing numbers would make a
// number with marks between thousands.
func isAddress(s []byte) bool {
	parts, part, digits := 1, 0, 0
	for _, c := range s {
		switch {
		case c == '.' && digits > 0:
			parts, part, digits = parts+1, 0, 0
		case c-'0' <= 9 && (digits == 0 || part > 0) && part*10+int(c-'0') < 256:
			part, digits = part*10+int(c-'0'), digits+1
		default:
			return false
		}
	}
	return parts == 4 && digits > 0
}

// groupMark returns the length of the mark between thousands that s begins with; 0 for none.
func groupMark(s []byte, decimal byte) int {
	switch s[0] {
	case ',', '.':
		if s[0] != decimal {
			return 1
		}
	case ' ', '\'':
		return 1
	case 0xc2: // U+00A0
		if bytes.HasPrefix(s, []byte("\u00a0")) {
			return 2
		}
	case 0xe2: // ’, and the thin blanks with and without a break
		for _, mark := range []string{"’", "\u202f", "\u2009"} {
			if bytes.HasPrefix(s, []byte(mark)) {
				return len(mark)
			}
		}
	}
	return 0
}

// cutSign takes off a sign in front.
func cutSign(s []byte) (rest []byte, minus, found bool) {
	switch {
	case len(s) == 0:
	case s[0] == '-' || s[0] == '+':
		return s[1:], s[0] == '-', true
	case bytes.HasPrefix(s, []byte("−")):
		return s[len("−"):], true, true
	}
	return s, false, false
}

// cutDash takes off the dash that stands for no cents, as in "5,–", and the mark before it.
func cutDash(s []byte, decimal byte) (rest []byte, found bool) {
	for _, dash := range []string{"-", "–", "—"} {
		if cut, ends := bytes.CutSuffix(s, []byte(dash)); ends && len(cut) > 1 &&
			cut[len(cut)-1] == decimal {
			return cut[:len(cut)-1], true
		}
	}
	return s, false
}

// trimBlanks takes blanks off both ends, those that do not break a line too.
func trimBlanks(s []byte) []byte {
	if len(s) > 0 && (s[0] == ' ' || s[0] >= utf8.RuneSelf || s[len(s)-1] == ' ' ||
		s[len(s)-1] >= utf8.RuneSelf) {
		return bytes.TrimSpace(s)
	}
	return s
}

// currencies are the signs and words for money, the longer before those they begin or end with.
var currencies = []string{"R$", "US$", "A$", "C$", "HK$", "NZ$", "S$", "NT$", "$", "€", "£", "¥",
	"₹", "₽", "₩", "₺", "₴", "₪", "₫", "₱", "฿", "₦", "₡", "₲", "₵", "₸", "₼", "₾", "zł", "Kč",
	"kr.", "kr", "Ft", "лв", "руб.", "руб", "SFr.", "Fr.", "Rs.", "Rs",
	"EUR", "USD", "GBP", "JPY", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN",
	"TRY", "RUB", "UAH", "INR", "CNY", "BRL", "MXN", "ARS", "CLP", "COP", "AUD", "CAD", "NZD",
	"ZAR", "KRW", "SGD", "HKD", "TWD", "ILS", "AED", "SAR", "THB", "IDR", "MYR", "PHP", "VND",
	"EGP", "NGN", "KES", "ISK"}

// currencyBefore returns the length of the currency that s begins with, 0 for none.
func currencyBefore(s []byte) int {
	if len(s) == 0 || s[0]-'0' <= 9 {
		return 0
	}
	for _, c := range currencies {
		if len(s) > len(c) && string(s[:len(c)]) == c {
			return len(c)
		}
	}
	return 0
}

// currencyBehind returns the length of the currency that s ends with, 0 for none.
func currencyBehind(s []byte) int {
	if len(s) == 0 || s[len(s)-1]-'0' <= 9 {
		return 0
	}
	for _, c := range currencies {
		if len(s) > len(c) && string(s[len(s)-len(c):]) == c {
			return len(c)
		}
	}
	return 0
}

// numeralReader reads the cells of a column of numerals.
type numeralReader struct {
	name    string   // of the column
	odd     []string // words among the first numbers
	decimal byte
	unit    string // the currency; "" for none
	percent bool   // all are per cents; else none is
}

// read reads a cell that is not missing.
func (r *numeralReader) read(s []byte) (float64, *fault.Input) {
	n, ok := parseNumeral(s, r.decimal)
	switch {
	case ok && math.IsInf(n.value, 0):
		return 0, wordFault(s, r.name, nil)
	case ok && n.unit != "" && n.unit != r.unit:
		in := &fault.Input{Problem: quote(s) + " is an amount of money among plain numbers",
			Fix: "write it as the other values of the column are, or leave the column out (--drop)"}
		if r.unit != "" {
			in.Problem = quote(s) + " is in another currency than the first rows, which are in " +
				r.unit
			in.Fix = "give a column for each currency, or convert them first"
		}
		return 0, in
	case ok && n.percent && !r.percent:
		return 0, &fault.Input{Problem: quote(s) + " is a per cent among plain numbers",
			Fix: "write it as the other values of the column are, or leave the column out (--drop)"}
	case ok && r.percent && !n.percent && n.value != 0:
		return 0, &fault.Input{Problem: quote(s) + " is a plain number among per cents",
			Fix: "write it as the other values of the column are, or leave the column out (--drop)"}
	case ok:
		return n.value, nil
	}
	return 0, numeralFault(s, r.decimal, r.name, r.odd)
}

// numeralFault explains why a cell is no number of a column whose type was found from its values.
func numeralFault(s []byte, decimal byte, column string, odd []string) *fault.Input {
	if n, ok := parseNumeral(s, '.'); ok && decimal == '.' && n.grouped && !math.IsInf(n.value, 0) {
		return &fault.Input{
			Problem: quote(s) + " has marks between thousands, and the first rows have none",
			Fix:     "write it without them, or name the decimal mark (--decimal .)"}
	}
	if n, ok := parseNumeral(s, '.'+','-decimal); ok && n.marked && !math.IsInf(n.value, 0) {
		mark, other := "point", ","
		if decimal == ',' {
			mark, other = "comma", "."
		}
		return &fault.Input{Problem: quote(s) + " is no number with a decimal " + mark +
			", as the first rows have it",
			Fix: "write it as they are, or name the decimal mark of all (--decimal " + other + ")"}
	}
	return wordFault(s, column, odd)
}
