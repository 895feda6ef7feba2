package encode

import (
	"math"
	"unicode/utf8"
)

// maxText bounds the bytes of a text that are read.
const maxText = 1 << 20

// Front returns the part of a text that encoders read, its first MiB.
func Front(text string) string {
	if len(text) <= maxText {
		return text
	}
	end := maxText
	for end > maxText-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// Distinct returns the different texts in the order of their first places, and for each text its
// place among them.
func Distinct(texts []string) (different []string, of []int) {
	at := make(map[string]int, len(texts))
	of = make([]int, len(texts))
	for i, text := range texts {
		place, ok := at[text]
		if !ok {
			place = len(different)
			at[text] = place
			different = append(different, text)
		}
		of[i] = place
	}
	return different, of
}

// Unit sets dst to x brought to length 1, or to 0 where x is 0. They may be the same.
func Unit(dst, x []float32) {
	squares := 0.0
	for _, v := range x {
		squares += float64(float64(v) * float64(v))
	}
	by := 0.0
	if squares > 0 {
		by = 1 / math.Sqrt(squares)
	}
	for j, v := range x {
		dst[j] = float32(float64(v) * by)
	}
}
