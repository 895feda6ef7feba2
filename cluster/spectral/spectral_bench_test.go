package spectral_test

import (
	"testing"

	"github.com/kindred-go/kindred/cluster/spectral"
)

// Neighbours of 20 000 rows, exactly by all pairs and by the tree, and approximately.
func BenchmarkNearest(b *testing.B) {
	for _, c := range []struct {
		name string
		d    int
		how  spectral.Search
	}{{"pairs", 16, spectral.Exact}, {"tree", 2, spectral.Exact},
		{"approximate", 16, spectral.Approximate}} {
		x := cloud(20_000, c.d, 1)
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := spectral.Nearest(ctx, x, 20, c.how, 1, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
