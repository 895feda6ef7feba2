package density

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
)

// A wide space is the tree, faster: every question has the same answer.
func TestWideAnswersAsTheTree(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(wideRows, 900).Draw(t, "n")
		d := rapid.SampledFrom([]int{wideColumns, 33, 100}).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		grid, heap := rapid.Bool().Draw(t, "grid"), rapid.Bool().Draw(t, "heap")
		m := dataset.Matrix{Rows: n, Cols: d}
		for i := range n {
			for range d {
				v := float64(i%5) + rng.NormFloat64()
				if grid {
					v = math.Round(v)
				}
				m.F64 = append(m.F64, v)
			}
			if i > 0 && rng.IntN(4) == 0 {
				copy(m.F64[i*d:], m.F64[rng.IntN(i)*d:][:d])
			}
			if heap && i > 2 && rng.IntN(2) == 0 { // many equal ones
				copy(m.F64[i*d:], m.F64[rng.IntN(3)*d:][:d])
			}
		}
		if rapid.Bool().Draw(t, "single") {
			for _, v := range m.F64 {
				m.F32 = append(m.F32, float32(v))
			}
			m.F64 = nil
		}
		tr, err := growTree(ctx, m, 2)
		if err != nil {
			t.Fatal(err)
		}
		w, ok := widen(tr, m, rapid.IntRange(1, 3).Draw(t, "threads")).(*wide)
		if !ok {
			t.Skip("no assembly here")
		}
		answersAs(ctx, t, w, tr, rng)
	})
}

// answersAs compares the answers of a wide space with those of the space that it does the work of.
func answersAs(ctx context.Context, t *rapid.T, w, plain space, rng *rand.Rand) {
	n := plain.size()
	asked, marked := make([]bool, n), make([]bool, n)
	for i := range asked {
		asked[i], marked[i] = rng.IntN(3) > 0, rng.IntN(3) > 0
	}
	k := rapid.IntRange(1, 30).Draw(t, "k")
	core, err := plain.core(ctx, k, asked, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "core", core)(w.core(ctx, k, asked, nil))
	all, err := plain.core(ctx, k, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "core of all", all)(w.core(ctx, k, nil, nil))
	// A radius at which some objects are core objects: often the exact distance of two.
	key := slices.Sorted(slices.Values(all))[rng.IntN(n)]
	for _, asked := range [][]bool{nil, asked} {
		for _, most := range []int32{3, math.MaxInt32} {
			want, err := plain.count(ctx, key, most, asked)
			if err != nil {
				t.Fatal(err)
			}
			got, err := w.count(ctx, key, most, asked)
			for i := range want { // both may count on
				want[i], got[i] = min(want[i], most), min(got[i], most)
			}
			same(t, "count", want)(got, err)
		}
	}
	joined := newGroups(n)
	if err := plain.join(ctx, key, marked, joined); err != nil {
		t.Fatal(err)
	}
	got := newGroups(n)
	err = w.join(ctx, key, marked, got)
	same(t, "join", joined.roots(nil))(got.roots(nil), err)

	to, far, err := plain.nearest(ctx, asked, marked, key)
	if err != nil {
		t.Fatal(err)
	}
	gotTo, gotFar, err := w.nearest(ctx, asked, marked, key)
	same(t, "nearest", to)(gotTo, err)
	same(t, "distance of the nearest", far)(gotFar, err)

	for _, core := range [][]float64{all, make([]float64, n)} {
		edges, err := plain.span(ctx, core)
		if err != nil {
			t.Fatal(err)
		}
		got, err := w.span(ctx, core)
		// Which of equally long edges it takes is open.
		same(t, "span", lengths(edges))(lengths(got), err)
		whole := newGroups(n)
		for _, e := range got {
			if !whole.join(e.a, e.b) || e.at != max(plain.between(e.a, e.b), core[e.a], core[e.b]) {
				t.Fatalf("%v is no edge of a spanning tree", e)
			}
		}
	}
}

// Where dissimilarities follow from the distances of vectors, it is the scan, faster.
func TestWideAnswersAsTheScan(t *testing.T) {
	if testing.Short() {
		t.Skip("compares all pairs many times")
	}
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(wideRows, 600).Draw(t, "n")
		d := rapid.SampledFrom([]int{wideColumns, 50}).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		grid, signs := rapid.Bool().Draw(t, "grid"), rapid.Bool().Draw(t, "signs")
		m := dataset.Matrix{Rows: n, Cols: d}
		for i := range n * d {
			v := float64(i/d%5*(i%3)) + rng.NormFloat64()
			if grid {
				v = math.Round(v)
			}
			if signs && rng.IntN(2) == 0 {
				v = -v
			}
			m.F64 = append(m.F64, v)
		}
		for i := range n {
			if i > 0 && rng.IntN(4) == 0 {
				copy(m.F64[i*d:], m.F64[rng.IntN(i)*d:][:d])
			}
			m.F64[i*d] = cmp.Or(m.F64[i*d], 1) // no zero vectors
		}
		if rapid.Bool().Draw(t, "single") {
			for _, v := range m.F64 {
				m.F32 = append(m.F32, float32(v))
			}
			m.F64 = nil
		}
		metric := rapid.SampledFrom([]dissim.Metric{dissim.Cosine, dissim.Euclidean,
			dissim.SqEuclidean, dissim.Correlation}).Draw(t, "metric")
		src, err := dissim.Vectors(m, metric)
		if err != nil {
			t.Fatal(err)
		}
		s := newScan(src, rapid.IntRange(1, 3).Draw(t, "threads"))
		w, ok := widenScan(s).(*wide)
		if !ok {
			t.Skip("no assembly here")
		}
		answersAs(ctx, t, w, s, rng)
	})
}

func lengths(edges []edge) (of []float64) {
	for _, e := range edges {
		of = append(of, e.at)
	}
	slices.Sort(of)
	return of
}

func same[T comparable](t *rapid.T, what string, want []T) func([]T, error) {
	return func(got []T, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if got[i] != v {
				t.Fatalf("%s: %v at %d of %d, want %v", what, got[i], i, len(want), v)
			}
		}
	}
}

// looked counts the dissimilarities that are asked for.
type looked struct {
	dissim.Source
	pairs *int
}

func (l looked) Row(dst []float32, i int, js []int32) {
	*l.pairs += len(dst)
	l.Source.Row(dst, i, js)
}

// Of many equal rows few pairs are looked at: the first ones are as near as rows can be.
func TestEqualRowsAreSoonSettled(t *testing.T) {
	const n = 2000
	m := dataset.Matrix{Rows: n, Cols: wideColumns, F64: make([]float64, n*wideColumns)}
	for i := range 20 {
		m.F64[i*101*wideColumns] = float64(i)
	}
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := dissim.Embed(src)
	pairs := 0
	w, ok := sweeping(newScan(src, 1), e, looked{src, &pairs}, disjoint.Singletons(n), 1).(*wide)
	if !ok {
		t.Skip("no assembly here")
	}
	core, err := w.core(t.Context(), 5, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.span(t.Context(), core); err != nil {
		t.Fatal(err)
	}
	if all := n * (n - 1) / 2; pairs > all/4 {
		t.Errorf("%d pairs of %d are looked at", pairs, all)
	}
}

// Rows of many columns are copied once more than others, in the order of the tree.
func TestMemoryOfWideRows(t *testing.T) {
	bytes := func(m dataset.Matrix) float64 {
		return HDBSCANConfig{}.bytesEach(Objects{Vectors: m})
	}
	const n = 4
	double := dataset.Matrix{Rows: n, Cols: wideColumns, F64: make([]float64, n*wideColumns)}
	single := dataset.Matrix{Rows: n, Cols: wideColumns, F32: make([]float32, n*wideColumns)}
	if more := bytes(double) - bytes(single); more != 4*wideColumns {
		t.Errorf("64 bits take %v more bytes a row than 32", more)
	}
	narrow := dataset.Matrix{Rows: n, Cols: wideColumns - 1, F64: double.F64}
	if more := bytes(double) - bytes(narrow); more < 8*wideColumns {
		t.Errorf("%v bytes for a copy", more)
	}
}
