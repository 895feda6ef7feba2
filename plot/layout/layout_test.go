package layout_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/plot/layout"
)

// groups returns rows of d columns around some centres, row i around centre i modulo their number.
func groups(n, d, centres int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 0))
	at := make([]float64, centres*d)
	for t := range at {
		at[t] = 6 * rng.NormFloat64()
	}
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		for j := range d {
			x.F64 = append(x.F64, at[i%centres*d+j]+rng.NormFloat64())
		}
	}
	return x
}

func source(t testing.TB, x dataset.Matrix) dissim.Source {
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func fit(t testing.TB, x dataset.Matrix, cfg layout.Config) *layout.Result {
	got, err := layout.Fit(t.Context(), source(t, x), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range got.Points.F64 {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			t.Fatal("a point is not finite")
		}
	}
	return got
}

// distance returns how far points i and j are apart.
func distance(p dataset.Matrix, i, j int) float64 {
	return math.Hypot(p.At(i, 0)-p.At(j, 0), p.At(i, 1)-p.At(j, 1))
}

// Each of ten groups of 20 dimensions is a heap of its own.
func TestGroupsComeApart(t *testing.T) {
	x := groups(400, 20, 10, 1)
	got := fit(t, x, layout.Config{})
	for i := range x.Rows {
		nearest := -1
		for j := range x.Rows {
			if j != i && (nearest < 0 ||
				distance(got.Points, i, j) < distance(got.Points, i, nearest)) {
				nearest = j
			}
		}
		if nearest%10 != i%10 {
			t.Errorf("row %d of group %d lies beside row %d of group %d", i, i%10, nearest,
				nearest%10)
		}
	}
	q, err := layout.Measure(t.Context(), source(t, x), got.Points, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if q.Trustworthiness < 0.95 || q.Continuity < 0.95 {
		t.Errorf("%v", q)
	}
	// The first axis is the wider one, and the mean is the origin.
	var mean, square [2]float64
	for i := range x.Rows {
		for axis := range mean {
			v := got.Points.At(i, axis)
			mean[axis] += v / float64(x.Rows)
			square[axis] += v * v
		}
	}
	if square[0] < square[1] || math.Abs(mean[0])+math.Abs(mean[1]) > 1e-6 {
		t.Errorf("mean %v, squares %v", mean, square)
	}
}

// The bytes are the same on any number of threads, and others for another seed.
func TestThreadsChangeNothing(t *testing.T) {
	x := groups(3000, 12, 7, 2)
	var first []float64
	for _, threads := range []int{1, 2, 7} {
		got := fit(t, x, layout.Config{Threads: threads, Epochs: 20}).Points.F64
		if first == nil {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Errorf("other points on %d threads", threads)
		}
	}
	if slices.Equal(fit(t, x, layout.Config{Seed: 1, Epochs: 20}).Points.F64, first) {
		t.Error("a seed changes nothing")
	}
}

func TestFewRows(t *testing.T) {
	for n := 1; n <= 6; n++ {
		x := dataset.Matrix{Rows: n, Cols: 1}
		for i := range n {
			x.F64 = append(x.F64, float64(i*i))
		}
		got := fit(t, x, layout.Config{})
		if got.Points.Rows != n || got.Points.Cols != 2 {
			t.Errorf("%d rows: %d points", n, got.Points.Rows)
		}
		for i := range n {
			for j := range i {
				if distance(got.Points, i, j) == 0 {
					t.Errorf("%d rows: %d and %d are at one point", n, i, j)
				}
			}
		}
		if q, err := layout.Measure(t.Context(), source(t, x), got.Points, 0, 0); err != nil ||
			(q.Neighbours == 0) != (q.String() == "") {
			t.Errorf("%d rows: %+v, %v", n, q, err)
		}
	}
}

// Rows that are all equal lie at the origin, and two heaps of equal rows come apart, although no
// row has a neighbour in the other heap.
func TestEqualRows(t *testing.T) {
	x := dataset.Matrix{Rows: 100, Cols: 3, F64: slices.Repeat([]float64{1, 2, 3}, 100)}
	for _, v := range fit(t, x, layout.Config{}).Points.F64 {
		if v != 0 {
			t.Fatalf("a row that is like all others lies at %v", v)
		}
	}
	for i := 60; i < 100; i++ {
		x.F64[3*i] = 9
	}
	got := fit(t, x, layout.Config{})
	within, across := 0.0, math.Inf(1)
	for i := range 60 {
		for j := range 60 {
			within = max(within, distance(got.Points, i, j))
		}
		for j := 60; j < 100; j++ {
			across = min(across, distance(got.Points, i, j))
		}
	}
	if across == 0 || within > 20*across {
		t.Errorf("%g within a heap, %g across", within, across)
	}
	// Few rows differ from the many that landmarks are likely to be.
	x = dataset.Matrix{Rows: 2000, Cols: 1, F64: make([]float64, 2000)}
	x.F64[1999] = 1
	got = fit(t, x, layout.Config{Epochs: 5})
	if distance(got.Points, 0, 1999) == 0 {
		t.Error("a row that is unlike all others lies among them")
	}
}

// However many rows are equal, they lie at one point, and near the same others as one of them
// alone.
func TestEqualRowsShareAPoint(t *testing.T) {
	one := groups(300, 5, 3, 1)
	x := dataset.Matrix{Rows: 900, Cols: 5}
	for i := range x.Rows {
		x.F64 = append(x.F64, one.F64[5*(i%300):][:5]...)
	}
	alone := fit(t, one, layout.Config{Epochs: 20})
	got := fit(t, x, layout.Config{Epochs: 20})
	for i := range x.Rows {
		if d := distance(got.Points, i, i%300); d != 0 {
			t.Fatalf("rows %d and %d are equal, and %g apart", i, i%300, d)
		}
		want := distance(alone.Points, 0, i%300)
		if d := distance(got.Points, 0, i); math.Abs(d-want) > 1e-5 {
			t.Fatalf("rows 0 and %d are %g apart, want %g", i, d, want)
		}
	}
	few := dataset.Matrix{Rows: 900, Cols: 5, F64: slices.Repeat(one.F64[:15], 60*5)}
	if got := fit(t, few, layout.Config{}); got.Neighbours != 2 {
		t.Errorf("%d neighbours of 3 distinct rows", got.Neighbours)
	}
}

// bad has a value where two objects are compared.
type bad struct {
	dissim.Source
	v float32
}

func (b bad) Row(dst []float32, i int, js []int32) {
	b.Source.Row(dst, i, js)
	for t, j := range js {
		if j != int32(i) && (j == 7 || i == 7) {
			dst[t] = b.v
		}
	}
}

func TestFitRefuses(t *testing.T) {
	src := source(t, groups(30, 2, 2, 3))
	for _, c := range []struct {
		src dissim.Source
		cfg layout.Config
	}{
		{src, layout.Config{Neighbours: -1}},
		{src, layout.Config{Neighbours: 30}},
		{src, layout.Config{Epochs: -1}},
		{src, layout.Config{Epochs: 1 << 40}},
		{source(t, dataset.Matrix{Cols: 1}), layout.Config{}},
		{bad{src, float32(math.NaN())}, layout.Config{}},
		{bad{src, float32(math.Inf(1))}, layout.Config{}},
		{bad{src, -1}, layout.Config{}},
	} {
		if _, err := layout.Fit(t.Context(), c.src, c.cfg); !fault.IsInput(err) {
			t.Errorf("%+v: %v", c.cfg, err)
		}
	}
}

type huge struct{ dissim.Source }

func (huge) Len() int { return 1 << 40 }

func TestMemoryIsChecked(t *testing.T) {
	if _, err := layout.Fit(t.Context(), huge{}, layout.Config{}); !fault.IsInput(err) {
		t.Errorf("%v", err)
	}
}

// A fit ends soon after its context, wherever it is; progress rises to 1.
func TestFitStops(t *testing.T) {
	src := source(t, groups(2000, 8, 4, 4))
	last := 0.0
	_, err := layout.Fit(t.Context(), src, layout.Config{Epochs: 10, Progress: func(share float64) {
		if share < last {
			t.Errorf("progress fell from %g to %g", last, share)
		}
		last = share
	}})
	if err != nil || last != 1 {
		t.Errorf("progress ends at %g; %v", last, err)
	}
	for _, at := range []float64{0, 0.3, 0.5, 0.51} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := layout.Fit(ctx, src, layout.Config{Epochs: 2000, Progress: func(share float64) {
			if share >= at {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at %g: %v", at, err)
		}
		cancel()
	}
}

// New rows lie beside the rows that they are like, whichever other new rows there are.
func TestPlace(t *testing.T) {
	x := groups(600, 10, 6, 5)
	got := fit(t, x, layout.Config{})
	fresh := groups(1200, 10, 6, 5)
	fresh = dataset.Matrix{Rows: 60, Cols: 10, F64: fresh.F64[600*10 : 660*10]}
	place := func(rows dataset.Matrix, threads int) dataset.Matrix {
		cross, err := dissim.Cross(rows, x, dissim.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		at, err := layout.Place(t.Context(), got.Points, cross, rows.Rows,
			layout.Config{Threads: threads})
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	at := place(fresh, 1)
	for i := range fresh.Rows {
		nearest, least := -1, math.Inf(1)
		for j := range x.Rows {
			d := math.Hypot(at.At(i, 0)-got.Points.At(j, 0), at.At(i, 1)-got.Points.At(j, 1))
			if d < least {
				nearest, least = j, d
			}
		}
		if nearest%6 != i%6 {
			t.Errorf("new row %d of group %d lies beside one of group %d", i, i%6, nearest%6)
		}
	}
	if !slices.Equal(place(fresh, 7).F64, at.F64) {
		t.Error("other points on 7 threads")
	}
	some := place(dataset.Matrix{Rows: 5, Cols: 10, F64: fresh.F64[:50]}, 2)
	if !slices.Equal(some.F64, at.F64[:10]) {
		t.Error("a row lies elsewhere as other rows are placed")
	}
}

func TestPlaceRefuses(t *testing.T) {
	src := source(t, groups(30, 2, 2, 3))
	points := dataset.Matrix{Rows: 30, Cols: 2, F64: make([]float64, 60)}
	for _, v := range []float32{float32(math.NaN()), float32(math.Inf(1)), -1} {
		_, err := layout.Place(t.Context(), points, bad{src, v}, 30, layout.Config{Neighbours: 29})
		if !fault.IsInput(err) {
			t.Errorf("dissimilarity %v: %v", v, err)
		}
	}
	if _, err := layout.Place(t.Context(), dataset.Matrix{}, src, 1, layout.Config{}); err == nil {
		t.Error("a map of no objects takes new ones")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := layout.Place(ctx, points, src, 30, layout.Config{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	none := dataset.Matrix{Cols: 2}
	if _, err := layout.Place(t.Context(), none, src, 1, layout.Config{}); !fault.IsInput(err) {
		t.Errorf("onto an empty map: %v", err)
	}
}

func ExampleFit() {
	x := groups(200, 30, 4, 1)
	src, _ := dissim.Vectors(x, dissim.Euclidean)
	got, _ := layout.Fit(context.Background(), src, layout.Config{Seed: 1})
	q, _ := layout.Measure(context.Background(), src, got.Points, 0, 0)
	fmt.Println(got.Points.Rows, "points;", got.Neighbours, "neighbours;", q.Trustworthiness > 0.9)
	// Output: 200 points; 15 neighbours; true
}
