package kmeans_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// TestFillingEmptiesOthers has pairs of rows far from their centres, each a little nearer than the
// one before: a row that goes to an empty cluster takes its neighbour along, and empties the next.
func TestFillingEmptiesOthers(t *testing.T) {
	for _, chains := range []int{1, 16, 40} {
		var rows, centers []float64
		for level := range 8 {
			for c := range chains {
				base, tight := float64(len(centers))*1e5, 10+float64(chains-c)
				rows = append(rows, base-tight, base+tight)
				centers = append(centers, base+40000-2000*float64(level)-3*float64(c))
			}
		}
		for c := range chains {
			centers = append(centers, -1e8-float64(c))
		}
		m, k := dataset.Matrix{Rows: len(rows), Cols: 1, F64: rows}, len(centers)
		for _, iterations := range []int{1, 2, 10} {
			r := mustFit(t, m, kmeans.Config{
				Clusters: k,
				Limits:   fit.Limits{MaxIterations: iterations, Tolerance: -1},
				Centers:  dataset.Matrix{Rows: k, Cols: 1, F64: centers},
			})
			for c, size := range r.Sizes {
				if size == 0 {
					t.Errorf("%d chains, %d iterations: cluster %d is empty", chains, iterations, c)
				}
			}
		}
	}
}

// TestSingleInertia has float32 rows whose centres float32 cannot hold.
func TestSingleInertia(t *testing.T) {
	m := blobs(4000, 4, 3, 1)
	for i, v := range m.F64 {
		m.F64[i] = float64(float32(0.3*v + 1e6))
	}
	got := mustFit(t, single(m), kmeans.Config{Clusters: 5, Limits: fit.Limits{Tolerance: -1}})
	want := 0.0
	for i, l := range got.Labels {
		for j := range m.Cols {
			u := m.At(i, j) - got.Centers.At(int(l), j)
			want += u * u
		}
	}
	if math.Abs(got.Objective-want) > 1e-12*want {
		t.Errorf("inertia %g, from the labels %g", got.Objective, want)
	}
	if last := got.Trace[len(got.Trace)-1]; got.Stopped == fit.Converged &&
		math.Abs(last-want) > 1e-11*want {
		t.Errorf("the trace ends with %g, by the labels %g", last, want)
	}
}

// TestTraceOfGroupsFarApart has groups so far apart that sums of squares lose what lies within.
func TestTraceOfGroupsFarApart(t *testing.T) {
	m := blobs(3000, 3, 1, 1)
	for i := range m.Rows {
		m.F64[3*i] += 1e9 * float64(i%3)
	}
	r := mustFit(t, m, kmeans.Config{Clusters: 3, Limits: fit.Limits{Tolerance: -1},
		Centers: first(m, 3)})
	if last := r.Trace[len(r.Trace)-1]; r.Stopped != fit.Converged ||
		math.Abs(last-r.Objective) > 1e-9*r.Objective {
		t.Errorf("%v: the trace ends with %g, the inertia is %g", r.Stopped, last, r.Objective)
	}
}

// TestShortMatrices has matrices of fewer or more values than their size.
func TestShortMatrices(t *testing.T) {
	good := dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1, 2, 3, 4}}
	for _, bad := range []dataset.Matrix{
		{Rows: 2, Cols: 2}, {Rows: 2, Cols: 2, F64: []float64{1}},
		{Rows: 2, Cols: 2, F32: []float32{1}},
		{Rows: 2, Cols: 2, F64: make([]float64, 6)}, {Rows: 1 << 62, Cols: 4}, {Rows: 2},
		{Rows: -1, Cols: 2}, {Rows: -1, Cols: -1, F64: []float64{1}},
	} {
		for _, pair := range [][2]dataset.Matrix{{good, bad}, {bad, good}} {
			labels, err := (&kmeans.Result{Centers: pair[0]}).Predict(context.Background(), pair[1],
				1)
			if labels != nil || err == nil {
				t.Errorf("predicting %+v from %+v: %v", pair[1], pair[0], labels)
			}
			medoids, err := kmeans.Medoids(context.Background(), pair[1], make([]int32, 2), pair[0],
				nil, 1)
			if medoids != nil || !fault.IsInput(err) {
				t.Errorf("medoids of %+v about %+v: %v, %v", pair[1], pair[0], medoids, err)
			}
		}
	}
	none, err := kmeans.Medoids(context.Background(), dataset.Matrix{}, nil, dataset.Matrix{}, nil,
		1)
	if len(none) != 0 || err != nil {
		t.Errorf("medoids of nothing: %v, %v", none, err)
	}
}

// TestPredictRefusesWhatOverflows has float32 rows, or the centres for them, whose scores are
// beyond float32.
func TestPredictRefusesWhatOverflows(t *testing.T) {
	one := func(v ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: len(v), Cols: 1, F64: v}
	}
	for _, c := range []struct {
		centers, rows []float64
		ok            bool
	}{
		{[]float64{1e10, 2e10}, []float64{1e10, 3e10}, true},
		{[]float64{1e17, -1e17}, []float64{1e18, 1}, true},
		{[]float64{3e25, 1e25}, []float64{1e18, 1}, false},
		{[]float64{3e20, 1e20}, []float64{1e18, 1}, false},
		{[]float64{1e40, 1e39}, []float64{1e18, 1}, false},
		{[]float64{1, 2}, []float64{1e20, 1}, false},
		{[]float64{1, math.NaN()}, []float64{1, 1}, false},
	} {
		wide := one(c.rows...)
		got, err := (&kmeans.Result{Centers: one(c.centers...)}).Predict(context.Background(),
			single(wide), 1)
		if c.ok != (err == nil) || !c.ok && !fault.IsInput(err) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
		if c.ok {
			if want, _ := (&kmeans.Result{Centers: one(c.centers...)}).Predict(context.Background(),
				wide, 1); !cmp.Equal(got, want) {
				t.Errorf("%+v: %v, as float64 %v", c, got, want)
			}
		}
	}
	// Many columns, each of which would do by itself.
	d := 10_000
	row, centers := dataset.Matrix{Rows: 1, Cols: d, F32: make([]float32, d)},
		dataset.Matrix{Rows: 2, Cols: d, F64: make([]float64, 2*d)}
	for j := range d {
		row.F32[j], centers.F64[j], centers.F64[d+j] = 1.1e18, -1e17, 1e17
	}
	if got, err := (&kmeans.Result{Centers: centers}).Predict(context.Background(), row,
		1); !fault.IsInput(err) {
		t.Errorf("many columns: %v, %v", got, err)
	}
}

// TestSampledStartSeesOutliers has few rows far out, which hold most of the spread.
func TestSampledStartSeesOutliers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	m := dataset.Matrix{Rows: 150_000, Cols: 2, F64: make([]float64, 300_000)}
	for i := range m.F64 {
		m.F64[i] = math.Exp(3 * rng.NormFloat64())
	}
	cfg := kmeans.Config{Clusters: 30, Limits: fit.Limits{MaxIterations: 5}}
	cfg.Init = kmeans.InitPlusPlus
	all := mustFit(t, m, cfg)
	cfg.Init = kmeans.InitParallel
	sampled := mustFit(t, m, cfg)
	if sampled.Objective > 1.5*all.Objective {
		t.Errorf("inertia %g, from k-means++ on all rows %g", sampled.Objective, all.Objective)
	}
}
