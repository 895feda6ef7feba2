package hierarchy_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
)

// six points, none of whose distances are equal.
var six = dataset.Matrix{Rows: 6, Cols: 2,
	F64: []float64{0, 0, 1, 0.1, 4, 0.3, 5.5, 0, 0.4, 3, 9, 4}}

// What scipy.cluster.hierarchy.linkage (SciPy 1.17) returns for the six points.
func TestTreesAreThoseOfSciPy(t *testing.T) {
	for _, c := range []struct {
		linkage    hierarchy.Linkage
		merges     []dendrogram.Merge
		cophenetic []float64 // of the first object to the others
	}{
		{hierarchy.Single, []dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
			{A: 2, B: 3, Height: 1.52970585, Size: 2}, {A: 4, B: 6, Height: 2.96141858, Size: 3},
			{A: 7, B: 8, Height: 3.00665928, Size: 5}, {A: 5, B: 9, Height: 5.31507291, Size: 6}},
			[]float64{1.004988, 3.006659, 3.006659, 2.961419, 5.315073}},
		{hierarchy.Complete,
			[]dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
				{A: 2, B: 3, Height: 1.52970585, Size: 2},
				{A: 4, B: 6, Height: 3.02654919, Size: 3},
				{A: 7, B: 8, Height: 5.91692488, Size: 5},
				{A: 5, B: 9, Height: 9.8488578, Size: 6}},
			[]float64{1.004988, 5.916925, 5.916925, 3.026549, 9.848858}},
		{hierarchy.Average, []dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
			{A: 2, B: 3, Height: 1.52970585, Size: 2}, {A: 4, B: 6, Height: 2.99398388, Size: 3},
			{A: 7, B: 8, Height: 4.57265489, Size: 5}, {A: 5, B: 9, Height: 7.78840073, Size: 6}},
			[]float64{1.004988, 4.572655, 4.572655, 2.993984, 7.788401}},
		{hierarchy.Weighted,
			[]dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
				{A: 2, B: 3, Height: 1.52970585, Size: 2},
				{A: 4, B: 6, Height: 2.99398388, Size: 3},
				{A: 7, B: 8, Height: 4.73160678, Size: 5},
				{A: 5, B: 9, Height: 7.39189369, Size: 6}},
			[]float64{1.004988, 4.731607, 4.731607, 2.993984, 7.391894}},
		{hierarchy.Ward, []dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
			{A: 2, B: 3, Height: 1.52970585, Size: 2}, {A: 4, B: 6, Height: 3.40832315, Size: 3},
			{A: 5, B: 7, Height: 6.62168156, Size: 3}, {A: 8, B: 9, Height: 9.89696923, Size: 6}},
			[]float64{1.004988, 9.896969, 9.896969, 3.408323, 9.896969}},
		{hierarchy.Centroid,
			[]dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
				{A: 2, B: 3, Height: 1.52970585, Size: 2},
				{A: 4, B: 6, Height: 2.95169443, Size: 3},
				{A: 7, B: 8, Height: 4.37346799, Size: 5},
				{A: 5, B: 9, Height: 7.58516974, Size: 6}},
			[]float64{1.004988, 4.373468, 4.373468, 2.951694, 7.58517}},
		{hierarchy.Median, []dendrogram.Merge{{A: 0, B: 1, Height: 1.00498756, Size: 2},
			{A: 2, B: 3, Height: 1.52970585, Size: 2}, {A: 4, B: 6, Height: 2.95169443, Size: 3},
			{A: 7, B: 8, Height: 4.51449056, Size: 5}, {A: 5, B: 9, Height: 7.13872581, Size: 6}},
			[]float64{1.004988, 4.514491, 4.514491, 2.951694, 7.138726}},
	} {
		tree, err := hierarchy.Fit(context.Background(), six, hierarchy.Config{Linkage: c.linkage})
		if err != nil {
			t.Fatal(err)
		}
		agree(t, c.linkage.String(), tree.Merges, c.merges, 1e-6)
		for i, want := range c.cophenetic {
			if got := tree.Cophenetic()[i]; math.Abs(got-want) > 1e-5 {
				t.Errorf("%v: object 1 and %d are first together at %g, want %g", c.linkage, i+2,
					got, want)
			}
		}
	}
}

func TestCuts(t *testing.T) {
	tree, err := hierarchy.Fit(context.Background(), six,
		hierarchy.Config{Linkage: hierarchy.Average})
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range [][]int32{nil, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 1}, {0, 0, 1, 1, 0, 2},
		{0, 0, 1, 1, 2, 3}, {0, 0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}} {
		if k == 0 {
			continue
		}
		got, err := tree.Cut(k)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d clusters: %v, want %v (%v)", k, got, want, err)
		}
		at := -1.0
		if k < 6 {
			at = tree.Merges[5-k].Height
		}
		if got := tree.CutAt(at); !slices.Equal(got, want) {
			t.Errorf("at height %g: %v, want %v", at, got, want)
		}
	}
	for _, k := range []int{0, -1, 7} {
		if _, err := tree.Cut(k); err == nil {
			t.Errorf("%d clusters of 6 objects", k)
		}
	}
	if got := tree.CutAt(math.NaN()); !slices.Equal(got, []int32{0, 1, 2, 3, 4, 5}) {
		t.Errorf("at no height: %v", got)
	}
}

// Under centroid linkage a merge can be lower than one below it; a cut at a height between them has
// the whole apart.
func TestCutOfATreeThatTurnsBack(t *testing.T) {
	triangle := dataset.Matrix{Rows: 3, Cols: 2, F64: []float64{0, 0, 1, 0, 0.5, 0.9}}
	tree, err := hierarchy.Fit(context.Background(), triangle,
		hierarchy.Config{Linkage: hierarchy.Centroid})
	if err != nil {
		t.Fatal(err)
	}
	agree(t, "triangle", tree.Merges,
		[]dendrogram.Merge{{A: 0, B: 1, Height: 1, Size: 2}, {A: 2, B: 3, Height: 0.9, Size: 3}},
		1e-12)
	if got := tree.CutAt(0.95); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("at 0.95: %v", got)
	}
	if got := tree.CutAt(1); !slices.Equal(got, []int32{0, 0, 0}) {
		t.Errorf("at 1: %v", got)
	}
}

// A tree is n−1 merges of what is there, no height falls under reducible linkages, the order keeps
// every node together, and the order of rows means nothing, even among rows that are equal or
// equally far apart.
func TestTreesWhateverTheRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
		m := dataset.Matrix{Rows: n, Cols: d}
		for range n * d { // a coarse grid: many are equal, and many distances
			m.F64 = append(m.F64, float64(rapid.IntRange(0, 9).Draw(t, "v")))
		}
		linkage := rapid.SampledFrom(linkages).Draw(t, "linkage")
		tree, err := hierarchy.Fit(context.Background(), m, hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		used := make([]bool, 2*n)
		for i, e := range tree.Merges {
			if e.A >= e.B || e.B >= n+i || used[e.A] || used[e.B] {
				t.Fatalf("merge %d is %v", i, e)
			}
			used[e.A], used[e.B] = true, true
			if i > 0 && e.Height < tree.Merges[i-1].Height && linkage != hierarchy.Centroid &&
				linkage != hierarchy.Median {
				t.Fatalf("%v: height %g after %g", linkage, e.Height, tree.Merges[i-1].Height)
			}
		}
		if len(tree.Merges) != n-1 || n > 1 && tree.Merges[n-2].Size != n {
			t.Fatalf("%d merges", len(tree.Merges))
		}
		if order := tree.Order(); !slices.Equal(slices.Sorted(slices.Values(order)), seq(n)) {
			t.Fatalf("order %v", order)
		}
		perm := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(n)
		shuffled := m.Subset(perm)
		again, err := hierarchy.Fit(context.Background(), shuffled,
			hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range again.Merges {
			if e.Height != tree.Merges[i].Height || e.Size != tree.Merges[i].Size {
				t.Fatalf("%v: merge %d of shuffled rows is %v, and %v", linkage, i, e,
					tree.Merges[i])
			}
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// Vectors are ordered by their values, so any cut of shuffled rows is the same partition, whatever
// ties there are; all that may change places is rows that are equal.
func TestEqualDistancesAreSettledByTheRows(t *testing.T) {
	m := dataset.Matrix{Rows: 49, Cols: 2}
	for i := range 49 {
		m.F64 = append(m.F64, float64(i/7), float64(i%7))
	}
	for _, linkage := range []hierarchy.Linkage{hierarchy.Single, hierarchy.Ward,
		hierarchy.Centroid, hierarchy.Median} {
		want, err := hierarchy.Fit(context.Background(), m, hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		perm := rand.New(rand.NewPCG(1, 2)).Perm(49)
		got, err := hierarchy.Fit(context.Background(), m.Subset(perm),
			hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		for k := 1; k <= 49; k++ {
			a, _ := want.Cut(k)
			b, _ := got.Cut(k)
			for i := range perm {
				for j := range i {
					if (a[perm[i]] == a[perm[j]]) != (b[i] == b[j]) {
						t.Fatalf("%v, %d clusters: rows %d and %d", linkage, k, perm[i], perm[j])
					}
				}
			}
		}
	}
}

// Objects by their dissimilarities are ordered by what these come to.
func TestTheOrderOfObjectsDecidesNothing(t *testing.T) {
	const n = 30
	rng := rand.New(rand.NewPCG(4, 4))
	d := &dissim.Dense{N: n, D: make([]float32, n*n)}
	for i := range n {
		for j := range i {
			d.D[i*n+j] = float32(1 + rng.IntN(6)) // many are equal
			d.D[j*n+i] = d.D[i*n+j]
		}
	}
	perm := rng.Perm(n)
	at := make([]int32, n)
	for i, p := range perm {
		at[i] = int32(p)
	}
	for _, linkage := range linkages {
		want, err := hierarchy.FitSource(context.Background(), d,
			hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		got, err := hierarchy.FitSource(context.Background(), d.Subset(at),
			hierarchy.Config{Linkage: linkage})
		if err != nil {
			t.Fatal(err)
		}
		a, _ := want.Cut(5)
		b, _ := got.Cut(5)
		if linkage == hierarchy.Single { // equal heights come in the order of objects
			a, b = want.CutAt(1), got.CutAt(1)
		}
		for i := range perm {
			if i > 0 && linkage == hierarchy.Single &&
				got.Merges[i-1].Height != want.Merges[i-1].Height {
				t.Fatalf("single: merge %d of shuffled objects is %v, and %v", i-1, got.Merges[i-1],
					want.Merges[i-1])
			}
			for j := range i {
				if (a[perm[i]] == a[perm[j]]) != (b[i] == b[j]) {
					t.Fatalf("%v: objects %d and %d", linkage, perm[i], perm[j])
				}
			}
		}
	}
}

func TestTreesAsFiles(t *testing.T) {
	tree, err := hierarchy.Fit(context.Background(),
		dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 10, 1}},
		hierarchy.Config{Linkage: hierarchy.Single})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"tree.csv":  "a,b,height,size\n1,3,1,2\n2,4,9,3\n",
		"tree.json": `{"linkage":"single","ids":["x","y","z"],"merges":[{"a":1,"b":3,"height":1,"size":2},{"a":2,"b":4,"height":9,"size":3}]}` + "\n",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := tree.WriteFile(path,
			func(row int) string { return string(rune('x' + row)) }); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if err := tree.WriteFile("tree.txt", nil); err == nil ||
		!strings.Contains(err.Error(), ".csv or .json") {
		t.Errorf("a tree as text: %v", err)
	}
}

func ExampleFit() {
	data, err := dataset.NewMatrix(5, 1, []float64{1, 2, 4, 20, 24})
	if err != nil {
		panic(err)
	}
	tree, err := hierarchy.Fit(context.Background(), data,
		hierarchy.Config{Linkage: hierarchy.Complete})
	if err != nil {
		panic(err)
	}
	for _, m := range tree.Merges {
		fmt.Println(m.A, m.B, m.Height, m.Size)
	}
	labels, err := tree.Cut(2)
	if err != nil {
		panic(err)
	}
	fmt.Println(labels)
	// Output:
	// 0 1 1 2
	// 2 5 3 3
	// 3 4 4 2
	// 6 7 23 5
	// [0 0 0 1 1]
}
