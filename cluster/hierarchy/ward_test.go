package hierarchy_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// clustered returns rows around ten centres.
func clustered(n, d int, seed uint64) dataset.Matrix {
	m, centres := scattered(n, d, seed), scattered(10, d, seed+1)
	for i := range m.F64 {
		m.F64[i] += 4 * centres.F64[i/d%10*d+i%d]
	}
	return m
}

func wardOf(t *testing.T, m dataset.Matrix, threads int) []dendrogram.Merge {
	t.Helper()
	tree, err := hierarchy.Fit(context.Background(), m,
		hierarchy.Config{Linkage: hierarchy.Ward, Options: fit.Options{Threads: threads}})
	if err != nil {
		t.Fatal(err)
	}
	return tree.Merges
}

// Lists and bounds lead to the heights that the formula of Lance and Williams has.
func TestWardOfManyRows(t *testing.T) {
	for _, shape := range [][2]int{{300, 2}, {400, 20}, {1500, 3}, {1300, 60}} {
		if testing.Short() && shape[0] > 1000 {
			continue
		}
		m := clustered(shape[0], shape[1], 4)
		src, err := dissim.Vectors(m, dissim.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		want, err := hierarchy.FitSource(context.Background(), src,
			hierarchy.Config{Linkage: hierarchy.Ward})
		if err != nil {
			t.Fatal(err)
		}
		if shape[0] <= 400 {
			agree(t, "Lance and Williams", want.Merges, updated(src, hierarchy.Ward), 1e-5)
			agree(t, "vectors", wardOf(t, m, 2), want.Merges, 1e-5)
		}
		for i, e := range wardOf(t, m, 2) {
			if w := want.Merges[i].Height; math.Abs(e.Height-w) > 1e-5*(1+w) {
				t.Fatalf("%v: merge %d is at %v, want %v", shape, i, e.Height, w)
			}
		}
	}
}

func TestNeitherThreadsNorTheOrderOfRowsMatterToWard(t *testing.T) {
	n := 2500
	if testing.Short() {
		n = 1100
	}
	m := clustered(n, 12, 6)
	for i := 100; i < 200; i++ { // some are equal
		copy(m.F64[i*12:][:12], m.F64[(i%7)*12:][:12])
	}
	want := wardOf(t, m, 1)
	for _, threads := range []int{2, 7} {
		if !slices.Equal(wardOf(t, m, threads), want) {
			t.Errorf("%d threads: another tree", threads)
		}
	}
	perm := rand.New(rand.NewPCG(5, 5)).Perm(n)
	for i, e := range wardOf(t, m.Subset(perm), 2) {
		if e.Height != want[i].Height || e.Size != want[i].Size {
			t.Fatalf("merge %d of shuffled rows is %v, and %v", i, e, want[i])
		}
	}
}

// Rows that are all equal, that lie on a grid, in ever growing gaps, and of which float32 cannot
// hold the squares.
func TestWardOfUnusualRows(t *testing.T) {
	equal := dataset.Matrix{Rows: 1500, Cols: 2, F64: slices.Repeat([]float64{0.1, 3}, 1500)}
	for i, e := range wardOf(t, equal, 2) {
		if e.Height != 0 || e.Size != i+2 {
			t.Fatalf("merge %d of equal rows is %v", i, e)
		}
	}
	grid := dataset.Matrix{Rows: 1600, Cols: 2}
	for i := range 1600 {
		grid.F64 = append(grid.F64, float64(i/40), float64(i%40))
	}
	for i, e := range wardOf(t, grid, 2)[:800] {
		if e.Height != 1 || e.Size != 2 {
			t.Fatalf("merge %d of a grid is %v", i, e)
		}
	}
	gaps := dataset.Matrix{Rows: 90, Cols: 1}
	for i := range 90 {
		gaps.F64 = append(gaps.F64, math.Pow(1.25, float64(i)))
	}
	src, err := dissim.Vectors(gaps, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "growing gaps", wardOf(t, gaps, 2), updated(src, hierarchy.Ward), 1e-5)
	m := clustered(1200, 5, 1)
	want := wardOf(t, m, 2)
	for i := range m.F64 {
		m.F64[i] = math.Ldexp(m.F64[i], 80)
	}
	for i, e := range wardOf(t, m, 2) {
		if e.Height = math.Ldexp(e.Height, -80); e != want[i] {
			t.Fatalf("merge %d of large rows is %v, want %v", i, e, want[i])
		}
	}
}

func TestWardIsInterrupted(t *testing.T) {
	m := clustered(3000, 4, 2)
	for _, share := range []float64{0.1, 0.5, 0.8} {
		ctx, cancel := context.WithCancel(context.Background())
		last := 0.0
		_, err := hierarchy.Fit(ctx, m, hierarchy.Config{
			Linkage: hierarchy.Ward,
			Options: fit.Options{Progress: func(p fit.Progress) {
				if p.Share < last || p.Share > 1 {
					t.Errorf("progress is %v after %v", p.Share, last)
				}
				if last = p.Share; last >= share {
					cancel()
				}
			}},
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %v: %v", share, err)
		}
	}
}

// Memory is refused before it is taken, and the error names what to do instead.
func TestTooLittleMemory(t *testing.T) {
	m := scattered(20_000, 2, 1)
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	for limit, linkage := range map[int64]hierarchy.Linkage{4 << 20: hierarchy.Ward,
		100 << 20: hierarchy.Complete, 1 << 20: hierarchy.Median} {
		debug.SetMemoryLimit(limit)
		_, err := hierarchy.Fit(context.Background(), m, hierarchy.Config{Linkage: linkage})
		var in *fault.Input
		if !errors.As(err, &in) || !strings.Contains(in.Fix, "k-means") {
			t.Errorf("%v: %v", linkage, err)
		}
	}
}
