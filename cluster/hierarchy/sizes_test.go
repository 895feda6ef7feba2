package hierarchy_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
)

// TestSizes: the two clusters are joined whose union costs least, each time, as trying all pairs
// finds them, each object counting for as many rows as it has.
func TestSizes(t *testing.T) {
	const m = 24
	rng := rand.New(rand.NewPCG(9, 1))
	x, rows := make([]float64, 2*m), make([]float64, m)
	for i := range rows {
		x[2*i], x[2*i+1], rows[i] = rng.Float64(), rng.Float64(), float64(1+i%4)
	}
	copy(x[2*7:], x[2*3:2*3+2]) // two are equal
	tree, err := hierarchy.Fit(t.Context(), dataset.Matrix{Rows: m, Cols: 2, F64: x},
		hierarchy.Config{Sizes: rows})
	if err != nil {
		t.Fatal(err)
	}
	cost := func(c []int) (sum float64) { // sum of squared distances to the mean
		mean, all := make([]float64, 2), 0.0
		for _, i := range c {
			all += rows[i]
			mean[0] += rows[i] * x[2*i]
			mean[1] += rows[i] * x[2*i+1]
		}
		linalg.Divide(mean, all)
		for _, i := range c {
			sum += rows[i] * linalg.SquaredDistance(mean, x[2*i:2*i+2])
		}
		return sum
	}
	for k := m; k > 1; k-- {
		label, err := tree.Cut(k)
		if err != nil {
			t.Fatal(err)
		}
		clusters, least := make([][]int, k), math.Inf(1)
		for i, c := range label {
			clusters[c] = append(clusters[c], i)
		}
		for a, c := range clusters {
			for _, o := range clusters[:a] {
				both := append(append([]int{}, c...), o...)
				least = min(least, cost(both)-cost(c)-cost(o))
			}
		}
		if got := tree.Merges[m-k].Height; math.Abs(got*got/2-least) > 1e-9 {
			t.Fatalf("%d clusters join at %g, want the root of twice %g", k, got, least)
		}
	}
}

// TestRefusedSizes: sizes are above 0, one an object, and for Ward's linkage of vectors.
func TestRefusedSizes(t *testing.T) {
	x := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 1, 5}}
	for name, cfg := range map[string]hierarchy.Config{
		"too few":     {Sizes: []float64{1, 1}},
		"none":        {Sizes: []float64{1, 0, 1}},
		"no number":   {Sizes: []float64{1, 1, math.NaN()}},
		"single link": {Sizes: []float64{1, 1, 1}, Linkage: hierarchy.Single},
	} {
		if _, err := hierarchy.Fit(t.Context(), x, cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
