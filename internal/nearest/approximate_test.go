package nearest_test

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/dying"
	"github.com/kindred-go/kindred/internal/nearest"
)

// clusters draws n rows of d values around some centres, in directions of their own.
func clusters(n, d, centres int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 3))
	middle, along := make([]float64, centres*d), make([]float64, centres*4*d)
	for i := range middle {
		middle[i] = rng.NormFloat64()
	}
	for i := range along {
		along[i] = rng.NormFloat64() / 2
	}
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n {
		c := rng.IntN(centres)
		row := slices.Clone(middle[c*d:][:d])
		for q := range 4 {
			t := rng.NormFloat64()
			for j := range row {
				row[j] += float64(t * along[(c*4+q)*d+j])
			}
		}
		for j := range row {
			row[j] += rng.NormFloat64() / 20
		}
		m.F64 = append(m.F64, row...)
	}
	return m
}

func TestApproximateNeighboursDoNotDependOnThreads(t *testing.T) {
	x := clusters(6000, 20, 40, 1)
	copy(x.F64[:500*20], x.F64[500*20:1000*20]) // rows that are equal
	for name, x := range map[string]dataset.Matrix{"double": x, "single": narrow(x)} {
		var first *nearest.Neighbours
		for _, threads := range []int{1, 2, 7} {
			got, err := find(x, nearest.Config{K: 12, Search: nearest.Approximate, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			if got.Search != nearest.Approximate {
				t.Errorf("%s: the search was %v", name, got.Search)
			}
			if first == nil {
				first = got
			}
			if !slices.Equal(got.Index, first.Index) || !slices.Equal(got.Dist, first.Dist) {
				t.Errorf("%s, %d threads: other neighbours", name, threads)
			}
		}
		exact, err := find(x, nearest.Config{K: 12, Search: nearest.Exact})
		if err != nil {
			t.Fatal(err)
		}
		if r := recall(exact, first); r < .94 {
			t.Errorf("%s: recall %.4f", name, r)
		}
	}
}

// Bounds decide what is compared in detail, and nothing else.
func TestApproximateNeighboursHaveTheirDistances(t *testing.T) {
	x := clusters(3000, 16, 20, 2)
	src, err := dissim.Vectors(x, dissim.Cosine)
	if err != nil {
		t.Fatal(err)
	}
	got, err := nearest.Find(ctx, src, nearest.Config{K: 9, Search: nearest.Approximate})
	if err != nil {
		t.Fatal(err)
	}
	d := make([]float32, 9)
	for i := range x.Rows {
		js, near := got.Index[i*9:][:9], got.Dist[i*9:][:9]
		src.Row(d, i, js)
		if !slices.Equal(d, near) || slices.Contains(js, int32(i)) || !slices.IsSorted(near) {
			t.Fatalf("row %d: %v at %v, which are at %v", i, js, near, d)
		}
		for q := 1; q < 9; q++ {
			if near[q] == near[q-1] && js[q] <= js[q-1] {
				t.Fatalf("row %d: equally near %v are not in order", i, js)
			}
		}
	}
}

// Rows without structure in many columns have neighbours that cells do not find.
func TestWithoutStructureTheSearchIsExact(t *testing.T) {
	x := cloud(5000, 100, 1)
	last := 0.0
	got, err := find(x, nearest.Config{K: 5, Search: nearest.Approximate,
		Progress: func(share float64) {
			if share < last {
				t.Errorf("progress %g after %g", share, last)
			}
			last = share
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Search != nearest.Exact || last != 1 {
		t.Errorf("the search was %v, and its progress ended at %g", got.Search, last)
	}
	exact, err := find(x, nearest.Config{K: 5, Search: nearest.Exact})
	if err != nil || !slices.Equal(got.Index, exact.Index) || !slices.Equal(got.Dist, exact.Dist) {
		t.Errorf("other neighbours than those of an exact search, %v", err)
	}
}

// All rows are as near to one row as to another.
func TestEqualRowsHaveTheFirstAsNeighbours(t *testing.T) {
	x := dataset.Matrix{Rows: 5000, Cols: 12, F64: make([]float64, 5000*12)}
	for _, how := range []nearest.Search{nearest.Exact, nearest.Approximate} {
		got, err := find(x, nearest.Config{K: 3, Search: how})
		if err != nil {
			t.Fatal(err)
		}
		if got.Dist[0] != 0 || slices.Max(got.Dist) != 0 || slices.Min(got.Index) < 0 {
			t.Errorf("%v: equal rows are not at 0", how)
		}
		if how == nearest.Exact && !slices.Equal(got.Index[4999*3:], []int32{0, 1, 2}) {
			t.Errorf("the neighbours of the last row are %v", got.Index[4999*3:])
		}
	}
}

func TestNeighboursThatCannotBeHad(t *testing.T) {
	for _, c := range []struct{ n, k int }{{1, 1}, {5, 0}, {5, 5}, {5, -1}, {5, 6}} {
		if _, err := find(cloud(c.n, 3, 1), nearest.Config{K: c.k}); err == nil {
			t.Errorf("%d neighbours among %d rows", c.k, c.n)
		}
	}
	if _, err := find(cloud(2000, 3, 1), nearest.Config{K: 1, Search: 9}); err == nil {
		t.Error("a search that does not exist")
	}
}

func TestSearchesEndWithTheirContext(t *testing.T) {
	x := clusters(5000, 30, 40, 1)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range []dissim.Source{src, hidden{src}} {
		for _, looks := range []int{0, 1, 10, 50} {
			_, err = nearest.Find(dying.New(ctx, looks), src,
				nearest.Config{K: 5, Search: nearest.Approximate})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("given up after %d looks, the search ended with %v", looks, err)
			}
		}
	}
}

// Lists that memory does not hold are refused before they are made.
func TestTooManyNeighboursForMemory(t *testing.T) {
	x := dataset.Matrix{Rows: 1 << 24, Cols: 1, F32: make([]float32, 1<<24)}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	var input *fault.Input
	_, err = nearest.Find(ctx, src, nearest.Config{K: 1<<24 - 1})
	if !errors.As(err, &input) || input.Fix == "" {
		t.Errorf("16 million neighbours of 16 million rows: %v", err)
	}
}

// The neighbours of a set are the same on all machines, with assembly and without.
func TestApproximateNeighboursOnAllMachines(t *testing.T) {
	got, err := find(clusters(3000, 16, 20, 2), nearest.Config{K: 5, Search: nearest.Approximate})
	if err != nil {
		t.Fatal(err)
	}
	sum := fnv.New64a()
	if err := binary.Write(sum, binary.LittleEndian, got.Index); err != nil {
		t.Fatal(err)
	}
	if got, want := sum.Sum64(), uint64(0xd754760f2d0fef29); got != want {
		t.Errorf("the digest of the neighbours is %#x, want %#x", got, want)
	}
}

// Every 200th row, far from all others, has neighbours that are hard to find; the recall is that of
// all rows.
func TestRecallOfRowsThatComeInTurns(t *testing.T) {
	x := cloud(40_000, 2, 1)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	found, err := nearest.Find(ctx, src, nearest.Config{K: 2, Search: nearest.Exact})
	if err != nil {
		t.Fatal(err)
	}
	found.Search = nearest.Approximate
	for i := 0; i < x.Rows; i += 200 {
		found.Dist[2*i], found.Dist[2*i+1] = 100, 100
	}
	if r, err := nearest.Recall(ctx, src, found, 0); err != nil || r < .97 {
		t.Errorf("recall %.3f, %v; it is .995", r, err)
	}
}

// The less is asked for, the fewer vectors are compared with all.
func TestAutoByRecall(t *testing.T) {
	x := clusters(5100, 10, 20, 1)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		src    dissim.Source
		recall float64
		want   nearest.Search
	}{
		{src, 0, nearest.Exact}, {src, 0.9, nearest.Approximate}, {src, 0.999, nearest.Exact},
		{hidden{src}, 0.9, nearest.Exact},
	} {
		got, err := nearest.Find(ctx, c.src, nearest.Config{K: 3, Recall: c.recall})
		if err != nil || got.Search != c.want {
			t.Errorf("a recall of %g: %v, %v, want %v", c.recall, got.Search, err, c.want)
		}
	}
}
