package nearest_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/nearest"
)

// square returns the squared distance of two rows of whole numbers, which no rounding touches.
func square(a, b []float64) (sum float64) {
	for j, v := range a {
		sum += (v - b[j]) * (v - b[j])
	}
	return sum
}

// Each row lies in one leaf, keys are squared distances, and no row lies nearer than the bounds of
// the boxes above it state, or farther. Equal rows have equal values wherever they come in the
// data.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 300).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		m := dataset.Matrix{Rows: n, Cols: d}
		for range n * d {
			m.F64 = append(m.F64, float64(rng.IntN(9)))
		}
		tree, err := nearest.Grow(ctx, m, 2)
		if err != nil {
			t.Fatal(err)
		}
		row := func(i int32) []float64 { return m.F64[int(i)*d : (int(i)+1)*d] }
		order := slices.Clone(tree.Order)
		slices.Sort(order)
		for i, at := range order {
			if int(at) != i {
				t.Fatalf("row %d is at no position, or at two", i)
			}
		}
		x := make([]float64, d)
		for j := range x {
			x[j] = float64(rng.IntN(12) - 2)
		}
		var dist [nearest.LeafRows]float64
		for leaf := tree.First; leaf < len(tree.Low); leaf++ {
			low, high := tree.Low[leaf], tree.High[leaf]
			for at, key := range tree.Keys(&dist, x, leaf) {
				i := tree.Order[int(low)+at]
				if want := square(x, row(i)); key != want {
					t.Fatalf("the key of row %d is %g, want %g", i, key, want)
				}
				for node := leaf; ; node = (node - 1) / 2 {
					if bound := tree.ToPoint(x, node); bound > key {
						t.Fatalf("row %d at %g is nearer than node %d at %g", i, key, node, bound)
					}
					if node == 0 {
						break
					}
				}
				own := make([]float64, d)
				if tree.Point(own, leaf, at); !slices.Equal(own, row(i)) {
					t.Fatalf("row %d is %v in the tree, want %v", i, own, row(i))
				}
				if tree.LeafOf(low+int32(at)) != leaf {
					t.Fatalf("position %d is not in leaf %d", int(low)+at, leaf)
				}
			}
			other := tree.First + rng.IntN(len(tree.Low)-tree.First)
			near, far := tree.Apart(leaf, other)
			for a := low; a < high; a++ {
				for b := tree.Low[other]; b < tree.High[other]; b++ {
					key := square(row(tree.Order[a]), row(tree.Order[b]))
					if key < near || key > far || tree.Between(a, b) != key {
						t.Fatalf("positions %d and %d are %g apart, their boxes %g to %g, %g said",
							a, b, key, near, far, tree.Between(a, b))
					}
				}
			}
		}
		// The values of positions do not depend on the order of the rows.
		turned := dataset.Matrix{Rows: n, Cols: d}
		for _, i := range rng.Perm(n) {
			turned.F64 = append(turned.F64, row(int32(i))...)
		}
		again, err := nearest.Grow(ctx, turned, 1)
		if err != nil {
			t.Fatal(err)
		}
		for at, i := range again.Order {
			if j := tree.Order[at]; !slices.Equal(turned.F64[int(i)*d:(int(i)+1)*d], row(j)) {
				t.Fatalf("position %d has other values once rows come in another order", at)
			}
		}
	})
}

// Neighbours of some objects alone; what is infinitely far is none.
func TestAllPairsOfSome(t *testing.T) {
	inf := float32(math.Inf(1))
	src := &dissim.Dense{N: 4, D: []float32{
		0, 2, 1, 1,
		2, 0, inf, 3,
		1, inf, 0, 5,
		1, 3, 5, 0,
	}}
	got, err := nearest.AllPairs(ctx, src, []int32{1, 0}, 3, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int32{0, 3, -1, 2, 3, 1}; !slices.Equal(got.Index, want) {
		t.Errorf("neighbours %v, want %v", got.Index, want)
	}
	if want := []float32{2, 3, inf, 1, 1, 2}; !slices.Equal(got.Dist, want) {
		t.Errorf("dissimilarities %v, want %v", got.Dist, want)
	}
	if none, err := nearest.AllPairs(ctx, src, nil, 0, 1, nil); err != nil || len(none.Index) > 0 {
		t.Errorf("no neighbours asked for: %v, %v", none, err)
	}
}

// The neighbours of one object are the first of the others by dissimilarity, and by number on a
// tie.
func TestAllPairsOfOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		row := rapid.SliceOfN(rapid.SampledFrom([]float32{0, 1, 2, 3}), 2, 30).Draw(t, "row")
		self := int32(rapid.IntRange(0, len(row)-1).Draw(t, "self"))
		k := rapid.IntRange(1, len(row)-1).Draw(t, "k")
		src := &dissim.Dense{N: len(row), D: make([]float32, len(row)*len(row))}
		copy(src.D[int(self)*len(row):], row)
		var want []int32
		for j := range row {
			if int32(j) != self {
				want = append(want, int32(j))
			}
		}
		slices.SortStableFunc(want, func(x, y int32) int { return cmp.Compare(row[x], row[y]) })
		got, err := nearest.AllPairs(ctx, src, []int32{self}, k, 1, nil)
		if err != nil || !slices.Equal(got.Index, want[:k]) {
			t.Fatalf("%d nearest to %d in %v: %v, want %v; %v", k, self, row, got, want[:k], err)
		}
	})
}
