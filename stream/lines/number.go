package lines

import "github.com/kindred-go/kindred/dataset"

// tenths holds powers of ten, which float64 represents exactly.
var tenths = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// shortNumber reads the decimal number at text[i], as [dataset.ScanNumber] does; it is quicker where there are few digits,
// as mostly. Behind the number text must hold a byte that is not part of one.
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
		v = float64(m) / tenths[n] // both are exact, so one rounding gives the nearest
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
