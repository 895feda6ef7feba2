package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
)

// TestErrorsByLeavingOut: the errors are those found by leaving out each row in turn and scoring
// the rest afresh.
func TestErrorsByLeavingOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes, of := []int{9, 2, 1, 14, 2}, []int64{30, 5, 1, 14, 2}
	k := jackknife{x: dataset.Matrix{Cols: 2}, of: of}
	var labels []int
	for c, m := range sizes {
		k.starts = append(k.starts, len(labels))
		for range m {
			k.x.F64 = append(k.x.F64, rng.NormFloat64()+float64(c%3), rng.NormFloat64()+float64(c))
			labels = append(labels, c+1)
		}
	}
	k.starts, k.x.Rows = append(k.starts, len(labels)), len(labels)
	means := func(x dataset.Matrix, labels []int) (each []float64, all float64, values []float64) {
		s, err := eval.Silhouette(t.Context(), x, labels, eval.SilhouetteConfig{})
		if err != nil {
			t.Fatal(err)
		}
		each = make([]float64, len(of))
		for _, c := range s.Clusters {
			each[c.Label-1] = c.Mean
		}
		for c, m := range each {
			all += m * float64(of[c]) / 52
		}
		return each, all, s.Values
	}
	each, all, values := means(k.x, labels)
	k.values = values
	variance, overall := make([]float64, len(of)), 0.0
	for j := range labels {
		rows := []int{}
		for i := range labels {
			if i != j {
				rows = append(rows, i)
			}
		}
		g := labels[j] - 1
		m := float64(sizes[g])
		weight := (1 - m/float64(of[g])) * (m - 1) / m
		if weight == 0 {
			continue
		}
		less, lessAll, _ := means(k.x.Subset(rows), slices.Delete(slices.Clone(labels), j, j+1))
		for c := range of {
			variance[c] += weight * math.Pow(less[c]-each[c], 2)
		}
		overall += weight * math.Pow(lessAll-all, 2)
	}
	for _, threads := range []int{1, 3} {
		got, gotAll, err := k.errors(t.Context(), threads)
		if err != nil {
			t.Fatal(err)
		}
		for c, v := range variance {
			if math.Abs(got[c]-math.Sqrt(v)) > 1e-12 {
				t.Errorf("cluster %d: %v, want %v", c, got[c], math.Sqrt(v))
			}
		}
		if math.Abs(gotAll-math.Sqrt(overall)) > 1e-12 {
			t.Errorf("mean: %v, want %v", gotAll, math.Sqrt(overall))
		}
	}
}
