package nearest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/nearest"
)

// hidden is a source of which nothing but the dissimilarities is known.
type hidden struct{ dissim.Source }

// narrow returns the matrix as float32.
func narrow(x dataset.Matrix) dataset.Matrix {
	out := dataset.Matrix{Rows: x.Rows, Cols: x.Cols}
	for _, v := range x.F64 {
		out.F32 = append(out.F32, float32(v))
	}
	return out
}

// Bounds leave out pairs and change nothing: neither equal distances, nor rows that are equal or
// nearly so, far from the origin or not.
func TestNeighboursByBounds(t *testing.T) {
	metrics := []dissim.Metric{dissim.Euclidean, dissim.SqEuclidean, dissim.Cosine,
		dissim.Correlation, dissim.BinaryCorrelation, dissim.Tanimoto}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{256, 300, 700, 1500}).Draw(t, "n")
		d := rapid.SampledFrom([]int{2, 9, 16, 70, 200}).Draw(t, "d")
		k := rapid.SampledFrom([]int{1, 7, 40}).Draw(t, "k")
		metric := rapid.SampledFrom(metrics).Draw(t, "metric")
		x := cloud(n, d, rapid.Uint64().Draw(t, "values"))
		kind := rapid.SampledFrom([]string{"cloud", "grid", "copies", "far", "mixed"}).Draw(t, "kind")
		rng := rand.New(rand.NewPCG(1, 2))
		for i, v := range x.F64 {
			switch kind {
			case "grid":
				x.F64[i] = math.Round(2 * v)
			case "copies":
				if i >= 20*d {
					x.F64[i] = x.F64[i-rng.IntN(2)*d-d]
				}
			case "far":
				x.F64[i] = 1e4 + v
			case "mixed":
				x.F64[i] = v * math.Pow(10, float64(i/d%7-3))
			}
			if metric == dissim.BinaryCorrelation {
				x.F64[i] = math.Abs(math.Mod(math.Round(x.F64[i]), 2))
			}
		}
		if rapid.Bool().Draw(t, "single") {
			x = narrow(x)
		}
		src, err := dissim.Vectors(x, metric)
		if err != nil {
			t.Fatal(err)
		}
		want, err := nearest.AllPairs(ctx, hidden{src}, nil, k, 2, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 3} {
			got, err := nearest.AllPairs(ctx, src, nil, k, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Dist, want.Dist) || !slices.Equal(got.Index, want.Index) {
				t.Fatalf("%d threads: other neighbours", threads)
			}
		}
	})
}

// Every pair comes once.
func TestSweepMeetsEveryPair(t *testing.T) {
	for _, n := range []int{1, 2, 97, 500, 1011} {
		for _, threads := range []int{1, 2, 5} {
			t.Run(fmt.Sprintf("%d/%d", n, threads), func(t *testing.T) {
				x := cloud(n, 5, 1)
				s := nearest.NewSweep(x, threads)
				if s == nil {
					t.Skip("no assembly here")
				}
				reach := slices.Repeat([]float32{math.MaxFloat32}, n)
				var lock sync.Mutex
				met, shares := make([]int, n*n), []float64{}
				err := s.Near(ctx, reach, func(share float64) { shares = append(shares, share) },
					func(_, j int, within []int32, low []float32) {
						lock.Lock()
						defer lock.Unlock()
						for t, i := range within {
							met[int(i)*n+j]++
							half := 0.0
							for c := range x.Cols {
								v := x.At(int(i), c) - x.At(j, c)
								half += v * v / 2
							}
							at := float64(low[t])
							if at > half || at+float64(s.Slack(i))+float64(s.Slack(int32(j))) < half {
								panic("no bound")
							}
						}
					})
				if err != nil {
					t.Fatal(err)
				}
				for i := range n {
					for j := range n {
						want := 0
						if i < j {
							want = 1
						}
						if met[i*n+j] != want {
							t.Fatalf("rows %d and %d met %d times", i, j, met[i*n+j])
						}
					}
				}
				if !slices.IsSorted(shares) || shares[len(shares)-1] != 1 {
					t.Errorf("progress %v", shares)
				}
			})
		}
	}
}
