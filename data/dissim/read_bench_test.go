package dissim

import (
	"bytes"
	"testing"
)

// BenchmarkReadText reads a matrix of 2000 rows, about 20 MB of text.
func BenchmarkReadText(b *testing.B) {
	text, _ := square(2000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := ReadStream(b.Context(), bytes.NewReader(text), "a.csv",
			ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCycles compares two outlines of 60 angles.
func BenchmarkCycles(b *testing.B) {
	strings := make([][]float64, 2)
	for i := range 120 {
		strings[i%2] = append(strings[i%2], float64(i*i*37%360))
	}
	src, err := Cycles(strings, 0)
	if err != nil {
		b.Fatal(err)
	}
	var dst [1]float32
	for b.Loop() {
		src.Row(dst[:], 0, []int32{1})
	}
}
