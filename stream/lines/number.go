package lines

import "github.com/kindred-go/kindred/data/dataset"

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
