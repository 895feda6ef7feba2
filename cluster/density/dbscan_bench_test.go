package density_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
)

// labelledClouds draws n rows of k normal clouds in a cube of side 100, a tenth of the rows being
// noise all over it, whose class is −1.
func labelledClouds(n, d, k int) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(1, 2))
	middle := make([]float64, k*d)
	for i := range middle {
		middle[i] = 100 * rng.Float64()
	}
	m, truth := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, 0, n*d)}, make([]int32, n)
	for i := range n {
		c := rng.IntN(k)
		truth[i] = int32(c)
		if i%10 == 0 {
			truth[i] = -1
		}
		for j := range d {
			if i%10 == 0 {
				m.F64 = append(m.F64, 100*rng.Float64())
				continue
			}
			m.F64 = append(m.F64, middle[c*d+j]+rng.NormFloat64())
		}
	}
	return m, truth
}

func clouds(n, d, k int) dataset.Matrix {
	m, _ := labelledClouds(n, d, k)
	return m
}

func benchmarkDBSCAN(b *testing.B, m dataset.Matrix, cfg density.Config) {
	for b.Loop() {
		r, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: m}, cfg)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Clusters), "clusters")
	}
}

// A million rows of two columns, by radius: neighbourhoods of some ten to some ten thousand rows.
func BenchmarkDBSCANMillion(b *testing.B) {
	m := clouds(1_000_000, 2, 50)
	for _, eps := range []float64{0, 0.02, 0.1, 0.5} {
		b.Run(fmt.Sprintf("eps=%g", eps),
			func(b *testing.B) { benchmarkDBSCAN(b, m, density.Config{Eps: eps, MinPoints: 10}) })
	}
}

// More columns, by number of rows.
func BenchmarkDBSCANColumns(b *testing.B) {
	for _, c := range []struct {
		n, d int
		eps  float64
	}{{100_000, 3, .3}, {100_000, 5, .7}, {100_000, 10, 2}, {30_000, 16, 3}, {30_000, 20, 4},
		{30_000, 24, 4.5}, {30_000, 64, 9}, {20_000, 384, 30}} {
		b.Run(fmt.Sprintf("%dx%d", c.n, c.d), func(b *testing.B) {
			benchmarkDBSCAN(b, clouds(c.n, c.d, 20), density.Config{Eps: c.eps, MinPoints: 10})
		})
	}
}
