package lines

import (
	"math"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
)

// shortNumber reads the decimal number at text[i], as [dataset.ScanNumber] does; it is quicker
// where there are few digits, as mostly. Behind the number text must hold a byte that is not part
// of one.
func shortNumber(text []byte, i int) (v float64, next int, ok bool) {
	start := i
	c := text[i]
	if c == '-' {
		i++
		c = text[i]
	}
	first := i
	var m uint64
	for c-'0' <= 9 {
		m = m*10 + uint64(c-'0')
		i++
		c = text[i]
	}
	whole := i - first
	if c == '.' {
		i++
		dot := i
		for c = text[i]; c-'0' <= 9; c = text[i] {
			m = m*10 + uint64(c-'0')
			i++
		}
		n := i - dot
		if digits := whole + n; digits > 15 || digits == 0 || c|0x20 == 'e' {
			return dataset.ScanNumber(text, start)
		}
		v = float64(m) / powers[n] // both are exact, so one rounding yields the nearest
	} else {
		if whole == 0 || whole > 15 || c|0x20 == 'e' {
			return dataset.ScanNumber(text, start)
		}
		v = float64(m)
	}
	if text[start] == '-' {
		v = -v
	}
	return v, i, true
}

// powers holds the powers of ten that float64 represents exactly.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// pairs holds the numbers from 00 to 99.
const pairs = "00010203040506070809" + "10111213141516171819" + "20212223242526272829" +
	"30313233343536373839" +
	"40414243444546474849" + "50515253545556575859" + "60616263646566676869" +
	"70717273747576777879" +
	"80818283848586878889" + "90919293949596979899"

// appendSix appends v with six significant digits, as strconv.AppendFloat(dst, v, 'g', 6, 64) does,
// but quicker for numbers from 0.0001 to a million.
func appendSix(dst []byte, v float64) []byte {
	if v == 0 && !math.Signbit(v) {
		return append(dst, '0')
	}
	if !(v >= 1e-4 && v < 999999) {
		return strconv.AppendFloat(dst, v, 'g', 6, 64)
	}
	// v = n·10^(e−5), n of six digits.
	e := -4
	for v >= firstOf[e+4+1] {
		e++
	}
	// the power is exact, so the product is wrong by half a unit of its last place at most
	scaled := v * powers[5-e]
	n := uint32(scaled)
	rest := scaled - float64(n)
	if math.Abs(rest-0.5) < 1e-6 { // too close a call
		return strconv.AppendFloat(dst, v, 'g', 6, 64)
	}
	if rest > 0.5 {
		n++
	}
	if n >= 1e6 {
		n, e = n/10, e+1
	}
	if n < 1e5 { // the product fell below the power of ten that v is at or above
		return strconv.AppendFloat(dst, v, 'g', 6, 64)
	}
	var d [6]byte
	copy(d[0:], pairs[2*(n/10000):2*(n/10000)+2])
	copy(d[2:], pairs[2*(n/100%100):2*(n/100%100)+2])
	copy(d[4:], pairs[2*(n%100):2*(n%100)+2])
	last := 6
	for d[last-1] == '0' {
		last--
	}
	switch {
	case e < 0:
		dst = append(append(dst, "0.000"[:1-e]...), d[:last]...)
	case last <= e+1:
		dst = append(dst, d[:e+1]...)
	default:
		dst = append(dst, d[:e+1]...)
		dst = append(append(dst, '.'), d[e+1:last]...)
	}
	return dst
}

// firstOf holds the first numbers of the decades from 10⁻⁴ on.
var firstOf = [...]float64{1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6}
