package dataset

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unsafe"
)

// pow10 holds the powers of ten that float64 represents exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// scanNumber reads the decimal number that starts at b[i] and gives the place after it. b must hold,
// after the number, at least one byte that is not part of one. ok is false when there is no number
// there; the caller judges what follows.
//
// A mantissa below 2⁵³ with a power of ten of at most 22 is exact in one multiplication or division;
// all else goes through strconv, so every value is the nearest float64.
func scanNumber(b []byte, i int) (v float64, next int, ok bool) {
	start := i
	c := b[i]
	negative := c == '-'
	if negative || c == '+' {
		i++
		c = b[i]
	}
	var mantissa uint64
	first := i
	for c-'0' <= 9 {
		mantissa = mantissa*10 + uint64(c-'0')
		i++
		c = b[i]
	}
	digits := i - first
	exponent := 0
	if c == '.' {
		i++
		c = b[i]
		first = i
		for c-'0' <= 9 {
			mantissa = mantissa*10 + uint64(c-'0')
			i++
			c = b[i]
		}
		exponent = first - i
		digits += i - first
	}
	if digits == 0 {
		return 0, start, false
	}
	if c == 'e' || c == 'E' {
		j := i + 1
		if b[j] == '-' || b[j] == '+' {
			j++
		}
		if b[j]-'0' > 9 {
			return 0, start, false
		}
		power := 0
		for j0 := i + 1; b[j]-'0' <= 9; j++ {
			if j-j0 < 8 {
				power = power*10 + int(b[j]-'0')
			}
		}
		if b[i+1] == '-' {
			power = -power
		}
		exponent += power
		i = j
	}
	// 19 digits fit uint64; leading zeros may make digits larger than it need be, which costs only time.
	if digits <= 19 && mantissa < 1<<53 && exponent >= -22 && exponent <= 22 {
		v = float64(mantissa)
		if exponent < 0 {
			v /= pow10[-exponent]
		} else {
			v *= pow10[exponent]
		}
		if negative {
			v = -v
		}
		return v, i, true
	}
	v, _ = strconv.ParseFloat(unsafe.String(&b[start], i-start), 64) // too large gives ±Inf, which the caller refuses
	return v, i, true
}

// parseNumber reads s, all of it, as a decimal number; it may be ±Inf when too large.
func parseNumber(s []byte) (float64, bool) {
	var local [32]byte
	v, next, ok := scanNumber(append(append(local[:0], s...), 0), 0)
	return v, ok && next == len(s)
}

// isMissing tells whether s is one of the ways to write that there is no value:
// nothing, NA, N/A, null, NaN (in any case) or ?.
func isMissing(s []byte) bool {
	switch len(s) {
	case 0:
		return true
	case 1:
		return s[0] == '?'
	case 2:
		return s[0]|0x20 == 'n' && s[1]|0x20 == 'a'
	case 3:
		return s[0]|0x20 == 'n' && (s[1]|0x20 == 'a' && s[2]|0x20 == 'n' || s[1] == '/' && s[2]|0x20 == 'a')
	case 4:
		return s[0]|0x20 == 'n' && bytes.EqualFold(s, []byte("null"))
	}
	return false
}

// parseBool reads true, yes, t, false, no and f, in any case.
func parseBool(s string) (value, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "t":
		return true, true
	case "false", "no", "f":
		return false, true
	}
	return false, false
}

// isInfinite tells whether s spells an infinity.
func isInfinite(s []byte) bool {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return bytes.EqualFold(s, []byte("inf")) || bytes.EqualFold(s, []byte("infinity"))
}

// hasDecimalComma tells whether s would be a number but for commas.
func hasDecimalComma(s []byte) bool {
	if bytes.IndexByte(s, ',') < 0 {
		return false
	}
	plain := bytes.ReplaceAll(s, []byte{','}, nil)
	_, ok := parseNumber(plain)
	return ok
}

// meansNumber tells whether s is, or was meant to be, a number: the vote that decides a column's type.
func meansNumber(s []byte) bool {
	_, ok := parseNumber(s)
	return ok || isInfinite(s) || hasDecimalComma(s)
}

// numberFault says why s is not a number that can be used, and what to do.
func numberFault(s []byte) *textFault {
	switch {
	case hasDecimalComma(s):
		point := strings.Replace(string(s), ",", ".", 1)
		return &textFault{problem: quote(s) + " has a comma in a number",
			mend: "write it with a decimal point, as in " + point + ", and without thousands separators"}
	case isInfinite(s):
		return &textFault{problem: quote(s) + " is infinite",
			mend: "give a finite number, or leave the field empty for a missing value"}
	}
	if v, ok := parseNumber(s); ok && math.IsInf(v, 0) {
		return &textFault{problem: quote(s) + " is too large for a 64-bit number",
			mend: "give a number below 1.8e308, or leave the field empty for a missing value"}
	}
	return &textFault{problem: quote(s) + " is not a number",
		mend: "mend the value, leave it empty if it is missing, or leave the column out (--drop)"}
}

// quote shows a value in an error message, shortened to something a line can hold.
func quote(s []byte) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(string(s[:most]), "")) + "…"
	}
	return strconv.Quote(string(s))
}
