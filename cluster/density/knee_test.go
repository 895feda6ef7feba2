package density

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// clouds returns rows of k normal clouds, whose centres are as far apart as many columns leave.
func clouds(n, d, k int, apart float64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(uint64(d), 7))
	centers := make([]float64, k*d)
	for i := range centers {
		centers[i] = apart * rng.NormFloat64() / math.Sqrt(math.Sqrt(float64(d)))
	}
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		for j := range d {
			x.F64 = append(x.F64, centers[i%k*d+j]+rng.NormFloat64())
		}
	}
	return x
}

// TestDefaultRadiusTellsApart where nearly all are in one cluster at the knee, and stays there where
// there is but one.
func TestDefaultRadiusTellsApart(t *testing.T) {
	for _, c := range []struct {
		name   string
		x      dataset.Matrix
		tells  bool
		fewest int
	}{
		{"clouds that touch", clouds(2000, 12, 10, 3), true, 3},
		{"one cloud of 12 columns", clouds(600, 12, 1, 0), false, 1},
		{"one cloud of 384 columns", clouds(600, 384, 1, 0), false, 1},
		{"clouds apart", clouds(600, 384, 10, 6), false, 10},
	} {
		r, err := FitDBSCAN(t.Context(), Objects{Vectors: c.x}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		tells := strings.Contains(strings.Join(r.Notes, "\n"), "in other clusters than the largest")
		if tells != c.tells || r.Clusters < c.fewest || c.fewest == 1 && r.Clusters > 1 {
			t.Errorf("%s: %d clusters at %g, notes %q", c.name, r.Clusters, r.Eps, r.Notes)
		}
	}
}

// TestDefaultsOnThreads: the same radius and clusters on any number of threads, of vectors and by
// cosine, where the default of MinPoints is that of vectors.
func TestDefaultsOnThreads(t *testing.T) {
	x := clouds(2000, 12, 10, 3)
	src, err := dissim.Vectors(x, dissim.Cosine)
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Objects{"vectors": {Vectors: x}, "cosine": {Source: src}} {
		var want *Result
		for _, threads := range []int{1, 2, 7} {
			cfg := Config{}
			cfg.Threads = threads
			got, err := FitDBSCAN(t.Context(), o, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got.MinPoints != 20 {
				t.Errorf("%s: MinPoints %d", name, got.MinPoints)
			}
			if want = cmp.Or(want, got); got.Eps != want.Eps || !slices.Equal(got.Labels, want.Labels) {
				t.Errorf("%s: another result on %d threads", name, threads)
			}
		}
	}
}

// TestTelling of two pairs of objects and one apart: 0, 1, 10, 12 and 100, of core distances 1, 1,
// 2, 2 and 88.
func TestTelling(t *testing.T) {
	x := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{0, 1, 10, 12, 100}}
	s, err := Objects{Vectors: x}.space(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	core, err := s.core(t.Context(), 2, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := newMergeTree(t.Context(), s, core)
	if err != nil {
		t.Fatal(err)
	}
	there, key, best := tree.telling(core, 1)
	// From 2 on both pairs are core objects; the square halfway to twice its own is before 9, where they
	// join.
	if there != (standing{2, 0}) || best != (standing{4, 2}) || key != 6 {
		t.Errorf("at 1 %v, best %v at %v", there, best, key)
	}
}
