package eknn

import (
	"testing"

	"github.com/kindred-go/kindred/dissim"
)

// BenchmarkFit is one start on 2000 rows with 100 neighbours, for which R's evclust 2.0.3 takes 2.8 s.
func BenchmarkFit(b *testing.B) {
	data, _ := tails(b)
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Fit(b.Context(), src, Config{Neighbours: 100, Starts: 1}); err != nil {
			b.Fatal(err)
		}
	}
}
