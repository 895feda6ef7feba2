package nearest

import (
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// counted counts the pairs that are looked at in detail.
type counted struct {
	dissim.Source
	pairs *atomic.Int64
}

func (c counted) Row(dst []float32, i int, js []int32) {
	c.pairs.Add(int64(len(dst)))
	c.Source.Row(dst, i, js)
}

// An exact search after rounds of an approximate one knows from the first how far neighbours are.
func TestExactSearchBeginsWithKnownNeighbours(t *testing.T) {
	n, d := 3000, 12
	rng := rand.New(rand.NewPCG(1, 1))
	x := dataset.Matrix{Rows: n, Cols: d}
	for range n * d {
		x.F32 = append(x.F32, rng.Float32())
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	s := newSearcher(t.Context(), src, n, 5, 2, nil)
	workers := s.newComparers()
	if workers.sweep() == nil {
		t.Skip("there are no bounds without assembly")
	}
	var first, again atomic.Int64
	s.src = counted{src, &first}
	if err := s.allPairs(workers); err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(s.out.Index)
	s.src = counted{src, &again}
	if err := s.allPairs(workers); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.out.Index, want) {
		t.Error("it finds other neighbours")
	}
	if again.Load() > first.Load()/2 {
		t.Errorf("it looks at %d pairs, and %d without known neighbours", again.Load(), first.Load())
	}
}
