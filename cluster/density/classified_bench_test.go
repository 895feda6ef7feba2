package density_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dissim"
)

var benchSizes = []struct{ n, d int }{{100_000, 2}, {100_000, 5}, {10_000, 32}}

// Twenty clouds of which ten rows each are labelled; a tenth of the rows is noise.
func BenchmarkSSDBSCAN(b *testing.B) {
	for _, c := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", c.n, c.d), func(b *testing.B) {
			m, truth := labelledClouds(c.n, c.d, 20)
			for b.Loop() {
				if _, err := density.FitSSDBSCAN(context.Background(), density.Objects{Vectors: m},
					labelSome(1, truth, 10), density.Config{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkMultiDensity(b *testing.B) {
	for _, c := range benchSizes {
		b.Run(fmt.Sprintf("%dx%d", c.n, c.d), func(b *testing.B) {
			m, truth := labelledClouds(c.n, c.d, 20)
			for b.Loop() {
				if _, err := density.FitMultiDensity(context.Background(),
					density.Objects{Vectors: m}, labelSome(1, truth, 10),
					density.MultiDensityConfig{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// Dissimilarities are looked at pair by pair.
func BenchmarkSSDBSCANDissimilarities(b *testing.B) {
	m, truth := labelledClouds(10_000, 8, 20)
	src, err := dissim.Vectors(m, dissim.Manhattan)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := density.FitSSDBSCAN(context.Background(), density.Objects{Source: src},
			labelSome(1, truth, 10), density.Config{}); err != nil {
			b.Fatal(err)
		}
	}
}
