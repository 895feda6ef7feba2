package cobras

import (
	"github.com/kindred-go/kindred/fit"

	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// TestTheClusteringOutlivesItsRepresentatives: when a row that questions were about turns out to be
// bad data, what was answered about it still tells the clusters apart, from the first split on.
func TestTheClusteringOutlivesItsRepresentatives(t *testing.T) {
	const each = 20
	rng := rand.New(rand.NewPCG(1, 2))
	x := dataset.Matrix{Rows: 3 * each, Cols: 2, F64: make([]float64, 6*each)}
	classes := make([]int32, x.Rows)
	for i := range classes {
		classes[i] = int32(i / each)
		x.F64[2*i], x.F64[2*i+1] = float64(10*classes[i])+rng.NormFloat64(), rng.NormFloat64()
	}
	r := start(t, x, Config{})
	first, _ := r.Next()
	asked := drive(t, r, 10, func(a, b int) link.Kind { return truth(classes, a, b) })
	before := result(t, r)
	if before.Clusters != 3 || len(asked) != 10 {
		t.Fatalf("%d clusters after %d answers", before.Clusters, len(asked))
	}
	for _, row := range []int{first.A, first.B} {
		r.Exclude([]int{row})
		after := result(t, r)
		if after.Clusters != 3 {
			t.Errorf("without row %d there are %d clusters", row, after.Clusters)
		}
		for i, l := range after.Labels {
			if i != row && (l == after.Labels[1]) != (before.Labels[i] == before.Labels[1]) {
				t.Errorf("without row %d, row %d changes its cluster", row, i)
			}
		}
	}
}

// TestEveryRowIsLeftOut: where nobody can be asked about any row there is no question and no
// cluster, even if links contradict each other; what was left out comes back.
func TestEveryRowIsLeftOut(t *testing.T) {
	x := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 1, 5}}
	links := []link.Link{{A: 0, B: 1, Kind: same}, {A: 1, B: 2, Kind: same},
		{A: 0, B: 2, Kind: different}}
	for _, rate := range []float64{0, 0.1} {
		r := start(t, x, Config{ErrorRate: rate,
			Knowledge: fit.Knowledge{Links: links, Contradictions: link.Keep}})
		before, _ := r.Next()
		r.Exclude([]int{0, 1, 2})
		if q, ok := r.Next(); ok {
			t.Errorf("rate %g: asks %+v", rate, q)
		}
		if res := result(t, r); res.Clusters != 0 || !res.Complete {
			t.Errorf("rate %g: %+v", rate, res)
		}
		r.Exclude(nil)
		if after, _ := r.Next(); after != before {
			t.Errorf("rate %g: asks %+v, and %+v before", rate, after, before)
		}
	}
}
