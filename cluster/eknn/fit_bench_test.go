package eknn

import (
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
)

// BenchmarkFit is one start on 2000 rows with 100 neighbours, for which R's evclust 2.0.3 takes 2.8
// s, and the ten of the default. The search for neighbours is most of one start, and half of ten.
func BenchmarkFit(b *testing.B) {
	data, _ := tails(b)
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		b.Fatal(err)
	}
	for _, starts := range []int{1, 10} {
		b.Run(fmt.Sprintf("starts=%d", starts), func(b *testing.B) {
			for b.Loop() {
				if _, err := FitSource(b.Context(), src,
					Config{Neighbours: 100, Limits: fit.Limits{Starts: starts}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
