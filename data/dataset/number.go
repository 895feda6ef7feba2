package dataset

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// pow10 holds the powers of ten that float64 represents exactly.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// ScanNumber reads the decimal number that starts at b[i] and returns the position after it. b must
// hold, after the number, at least one byte that is not part of one. ok is false when there is no
// number there; the caller judges what follows. The value is the nearest float64, ±Inf when too
// large.
func ScanNumber(b []byte, i int) (v float64, next int, ok bool) {
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
		fraction := i
		for i+8 <= len(b) {
			eight, all := eightDigits(binary.LittleEndian.Uint64(b[i:]))
			if !all {
				break
			}
			mantissa = mantissa*1e8 + eight
			i += 8
		}
		for c = b[i]; c-'0' <= 9; c = b[i] {
			mantissa = mantissa*10 + uint64(c-'0')
			i++
		}
		exponent = fraction - i
		digits += i - fraction
	}
	if digits == 0 {
		return 0, start, false
	}
	if c == 'e' || c == 'E' {
		power, after := scanPower(b, i+1)
		if after < 0 {
			return 0, start, false
		}
		exponent += power
		i = after
	}
	if digits > 19 {
		digits -= leadingZeros(b[first:i])
	}
	// 19 digits fit the mantissa; with more it has wrapped around.
	if digits <= 19 && exponent >= -22 && exponent <= 22 {
		if mantissa < 1<<53 {
			v = float64(mantissa) // exact, as are the powers, so one rounding yields the nearest
			if exponent < 0 {
				v /= pow10[-exponent]
			} else {
				v *= pow10[exponent]
			}
			ok = true
		} else if mantissa < 1<<62 && exponent < 0 {
			v, ok = divide(mantissa, pow10[-exponent])
		}
		if ok {
			if negative {
				v = -v
			}
			return v, i, true
		}
	}
	// too large is ±Inf, which the caller refuses
	v, _ = strconv.ParseFloat(unsafe.String(&b[start], i-start), 64)
	return v, i, true
}

// scanPower reads the power of ten after an e; after is −1 when there is none. Powers beyond eight
// digits are cut, which leaves them out of all bounds.
func scanPower(b []byte, i int) (power, after int) {
	negative := b[i] == '-'
	if negative || b[i] == '+' {
		i++
	}
	first := i
	for ; b[i]-'0' <= 9; i++ {
		if i-first < 8 {
			power = power*10 + int(b[i]-'0')
		}
	}
	if i == first {
		return 0, -1
	}
	if negative {
		power = -power
	}
	return power, i
}

// eightDigits reads eight digits at once; all is false unless every byte of x is one.
func eightDigits(x uint64) (v uint64, all bool) {
	const (
		zeros = 0x3030303030303030
		high  = 0xf0f0f0f0f0f0f0f0
		six   = 0x0606060606060606
	)
	if x&high != zeros || (x+six)&high != zeros {
		return 0, false
	}
	x -= zeros
	x = x*10 + x>>8 // pairs, in every other byte
	const pairs = 0x000000ff000000ff
	return (x&pairs*(100+1000000<<32) + x>>16&pairs*(1+10000<<32)) >> 32, true
}

// leadingZeros counts the zeros before the first other digit.
func leadingZeros(number []byte) int {
	n := 0
	for _, c := range number {
		if c == '0' {
			n++
		} else if c != '.' {
			break
		}
	}
	return n
}

// divide returns the float64 nearest to m/p, for m from 2⁵³ to 2⁶² and p an exact power of ten; ok
// is false when that is too close a call. The quotient of the leading part of m is corrected by
// what the remainder adds; the sum rounds to the nearest unless it lies within 2⁻³⁰ of the middle
// between two floats, while the correction is wrong by less than 2⁻⁵⁰ of itself.
func divide(m uint64, p float64) (v float64, ok bool) {
	lead := float64(m)
	rest := float64(int64(m) - int64(lead))
	q := lead / p
	correction := (math.FMA(-q, p, lead) + rest) / p // the remainder of a division is exact
	v = q + correction
	lost := math.Abs(correction - (v - q))
	bits := math.Float64bits(v)
	half := math.Float64frombits(bits&^(1<<52-1)) * (0x1p-53 * (1 - 0x1p-30))
	return v, lost < half && bits&(1<<52-1) != 0 // below a power of two the floats lie closer
}

// ParseNumber reads s, all of it, as a decimal number; it may be ±Inf when too large.
func ParseNumber(s []byte) (float64, bool) {
	if len(s) > longText && len(bytes.TrimLeft(s, "+-.0123456789eE")) > 0 {
		return 0, false // and is not copied
	}
	var local [32]byte
	v, next, ok := ScanNumber(append(append(local[:0], s...), 0), 0)
	return v, ok && next == len(s)
}

// longText is how long a text is that is looked at before it is copied.
const longText = 1 << 12

// isInfinite reports whether s spells an infinity.
func isInfinite(s []byte) bool {
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	return bytes.EqualFold(s, []byte("inf")) || bytes.EqualFold(s, []byte("infinity"))
}

// hasDecimalComma reports whether s would be a number but for commas.
func hasDecimalComma(s []byte) bool {
	if bytes.IndexByte(s, ',') < 0 {
		return false
	}
	plain := bytes.ReplaceAll(s, []byte{','}, nil)
	_, ok := ParseNumber(plain)
	return ok
}

// isDecimalComma reports whether the comma between two parts of a number can only stand for a
// point: it is the only mark, and not three digits follow, as after one between thousands.
func isDecimalComma(before, after []byte) bool {
	digits := 0
	for digits < len(after) && after[digits]-'0' <= 9 {
		digits++
	}
	return digits != 3 && bytes.IndexByte(before, '.') < 0 && !bytes.ContainsAny(after, ",.")
}

// meansNumber reports whether s is, or was meant to be, a number: the vote that decides a column's
// type.
func meansNumber(s []byte) bool {
	_, ok := ParseNumber(s)
	return ok || isInfinite(s) || hasDecimalComma(s)
}

// numberFault explains why s is not a number that can be used, and what to do.
func numberFault(s []byte) *fault.Input {
	switch {
	case hasDecimalComma(s):
		fix := "write it with a decimal point and without thousands separators"
		if before, after, _ := bytes.Cut(s, []byte{','}); isDecimalComma(before, after) {
			fix = "write it with a decimal point, as in " + string(before) + "." + string(after) +
				", and without thousands separators"
		}
		return &fault.Input{Problem: quote(s) + " has a comma in a number", Fix: fix}
	case isInfinite(s):
		return &fault.Input{Problem: quote(s) + " is infinite",
			Fix: "give a finite number, or leave the field empty for a missing value"}
	}
	if v, ok := ParseNumber(s); ok && math.IsInf(v, 0) {
		return &fault.Input{Problem: quote(s) + " is too large for a 64-bit number",
			Fix: "give a number below 1.8e308, or leave the field empty for a missing value"}
	}
	return &fault.Input{Problem: quote(s) + " is not a number", Fix: fixValue}
}

// fixValue is what to do about a value that is no number, wherever it stands.
const fixValue = "fix the value, leave it empty if it is missing, or leave the column out (--drop)"

// wordFault is numberFault for a cell of a column whose type was found from its values; odd are
// words among the first of them, which are named together.
func wordFault(s []byte, column string, odd []string) *fault.Input {
	in := numberFault(s)
	name := shell(s)
	if slices.Contains(odd, string(s)) && len(odd) > 1 {
		name = words.Shell(strings.Join(odd, ","))
	}
	switch {
	case isInfinite(s):
		in.Fix = "give a finite number, or name it if it means a missing one (--na " + name + ")"
	case in.Fix == fixValue:
		in.Fix = "fix the value"
		if MeansTotal(string(s)) {
			in.Fix = "take the line out of the file if it holds totals of the others"
		}
		in.Fix += ", name it if it means a missing one (--na " + name +
			"), read the column as text (--types " + words.Shell(column) +
			"=text), or leave it out (--drop)"
	}
	return in
}

// totalWords are those that lines of totals have, in spreadsheets of several languages.
var totalWords = []string{"total", "totals", "grand total", "sum", "summe", "gesamt", "gesamtsumme",
	"insgesamt", "somme", "total général", "totale", "suma", "total general", "totaal", "som",
	"soma", "average", "mean", "mittelwert", "durchschnitt", "moyenne", "media", "promedio"}

// MeansTotal reports whether a word is one of those that stand in a line of totals, such as Total:
// or Summe.
func MeansTotal(word string) bool {
	plain := strings.ToLower(strings.TrimRight(strings.TrimSpace(word), ":"))
	return slices.Contains(totalWords, plain)
}

// shell shows a value as a shell takes it.
func shell(s []byte) string {
	const most = 40
	text := string(s)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return words.Shell(text)
}

// quote shows a value in an error message, shortened to something a line can hold.
func quote(s []byte) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(strings.ToValidUTF8(string(s[:most]), "")) + "…"
	}
	return strconv.Quote(string(s))
}
