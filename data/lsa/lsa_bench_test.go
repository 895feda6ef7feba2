package lsa

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkFit turns made-up texts of fifty words, of ten topics, into vectors.
func BenchmarkFit(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			texts := bench(n)
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Fit(b.Context(), texts, Config{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

// bench makes texts whose words are as common as in a language: the rank of a word is that of
// Zipf's law.
func bench(n int) []string {
	rng := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(rng, 1.1, 3, 30_000)
	texts := make([]string, n)
	for i := range texts {
		var text []byte
		for range 50 {
			word := zipf.Uint64()
			if word > 100 && rng.IntN(3) > 0 { // a word of the topic
				word = word/10*10 + uint64(i%10)
			}
			text = fmt.Appendf(text, "w%dx ", word)
		}
		texts[i] = string(text)
	}
	return texts
}

func BenchmarkTransform(b *testing.B) {
	texts := bench(10_000)
	m, _, err := Fit(b.Context(), texts, Config{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.Transform(b.Context(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
}
