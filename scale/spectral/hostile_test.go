package spectral

import (
	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestRowsBeyondReach: a row whose distances overflow is refused by its number; it does not get the
// landmarks of the row before.
func TestRowsBeyondReach(t *testing.T) {
	x := clouds(300, 2)
	m := mustFit(t, x, 100, 30, Config{Clusters: 3, Landmarks: 40}).Model
	far := inMemory{x: dataset.Matrix{Rows: 3, Cols: 2, F64: []float64{0, 1, 2, 3, 1e200, 0}},
		split: 2, block: 1}
	_, sv := far.table()
	p := passes{r: far, splits: sv.Splits}
	if _, err := p.gram(t.Context(), m); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 3 of the table") {
		t.Errorf("the graph: %v", err)
	}
	if _, err := m.Place(t.Context(), far.x, 1); !fault.IsInput(err) ||
		err.(*fault.Input).Row != 3 {
		t.Errorf("placing: %v", err)
	}
	far = inMemory{x: dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 1e200, -1e200}},
		split: 2, block: 1}
	src, sv := far.table()
	if _, err := Fit(t.Context(), far, src, sv,
		Config{Clusters: 2, Landmarks: 4}); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "--scale minmax") {
		t.Errorf("a fit: %v", err)
	}
}

// TestBandwidthsOfAnySize have weights: under a tiny one only the nearest landmark counts, under a
// huge one all nearest alike.
func TestBandwidthsOfAnySize(t *testing.T) {
	for bandwidth, want := range map[float64][]float64{1e-200: {1, 0, 0},
		1e200: {1. / 3, 1. / 3, 1. / 3}} {
		m := &Model{Columns: 1, Landmarks: []float64{0, 1, 3}, Nearest: 3, Bandwidth: bandwidth}
		w := m.prepare().workspace()
		w.mix([]float64{0.25})
		for i, v := range w.weight {
			if math.Abs(v-want[i]) > 1e-15 {
				t.Errorf("bandwidth %g: weights %v", bandwidth, w.weight)
			}
		}
	}
}

// TestFewRows: one row, and rows that are all equal, are one cluster; columns that are constant
// change nothing.
func TestFewRows(t *testing.T) {
	one := dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{3, 4}}
	equal := dataset.Matrix{Rows: 50, Cols: 1, F64: make([]float64, 50)}
	for _, x := range []dataset.Matrix{one, equal} {
		r := mustFit(t, x, 20, 7, Config{Clusters: 1})
		if r.Sizes[0] != int64(x.Rows) || r.Sample != x.Rows || r.Inertia > 1e-20 {
			t.Errorf("%d rows: %+v", x.Rows, r)
		}
		m := inMemory{x: x, split: 20, block: 7}
		src, sv := m.table()
		if _, err := Fit(t.Context(), m, src, sv, Config{Clusters: 2}); !fault.IsInput(err) {
			t.Errorf("two clusters of %d equal rows: %v", x.Rows, err)
		}
	}
	x := clouds(300, 2)
	wide := dataset.Matrix{Rows: 300, Cols: 3}
	for i := range 300 {
		wide.F64 = append(wide.F64, x.F64[2*i], 7, x.F64[2*i+1])
	}
	a, b := mustFit(t, x, 100, 30, Config{Clusters: 3}), mustFit(t, wide, 100, 30,
		Config{Clusters: 3})
	for c, n := range a.Sizes {
		if b.Sizes[c] != n {
			t.Errorf("sizes %v, with a constant column %v", a.Sizes, b.Sizes)
		}
	}
}

// TestSamplesAreOfTheRowsLeft: where half the rows are left out, the sample is as large as was
// asked for.
func TestSamplesAreOfTheRowsLeft(t *testing.T) {
	m := inMemory{x: clouds(3000, 2), split: 1000, block: 300}
	src, sv := m.table()
	src.Prepare.Missing, sv.Whole, sv.Rows = shard.MissingDrop, 3000, 6000
	r, err := Fit(t.Context(), m, src, sv, Config{Clusters: 3, Landmarks: 50, Sample: 4000})
	if err != nil || r.Sample != 3000 {
		t.Errorf("a sample of %d rows of 3000, 4000 asked for (%v)", r.Sample, err)
	}
}

// TestModelsThatAreNotWhole are refused.
func TestModelsThatAreNotWhole(t *testing.T) {
	x := clouds(100, 2)
	good := mustFit(t, x, 100, 30, Config{Clusters: 3, Landmarks: 20}).Model
	for name, spoil := range map[string]func(m *Model){
		"no columns": func(m *Model) { m.Columns = 0 },
		"landmarks":  func(m *Model) { m.Landmarks = m.Landmarks[:3] },
		"nearest":    func(m *Model) { m.Nearest = 21 }, "layout": func(m *Model) { m.Map = nil },
		"centres": func(m *Model) { m.Centers = nil },
	} {
		m := *good
		spoil(&m)
		x := x
		x.Cols = m.Columns
		if _, err := m.Place(t.Context(), x, 1); !fault.IsInput(err) {
			t.Errorf("%s: placing: %v", name, err)
		}
		if _, err := Label(t.Context(), nil, shard.Source{Columns: make([]string, m.Columns)}, nil,
			&m, t.TempDir(), ""); !fault.IsInput(err) {
			t.Errorf("%s: labels: %v", name, err)
		}
	}
}

// TestPartsFarApart: landmarks of groups far from each other are joined, and refused where their
// distance does not fit 32 bits.
func TestPartsFarApart(t *testing.T) {
	for _, far := range []float64{1e15, 1e60, 1e150} {
		x := clouds(300, 2)
		for i := 100; i < 300; i++ {
			x.F64[2*i] += float64(i/100) * far
		}
		for _, bandwidth := range []float64{0, 1} {
			m := inMemory{x: x, split: 100, block: 30}
			src, sv := m.table()
			r, err := Fit(t.Context(), m, src, sv,
				Config{Clusters: 2, Landmarks: 60, Bandwidth: bandwidth})
			if far > math.MaxFloat32 {
				if !fault.IsInput(err) {
					t.Errorf("%g: %v", far, err)
				}
			} else if err != nil || r.Sizes[0]+r.Sizes[1] != 300 {
				t.Errorf("%g: %+v (%v)", far, r, err)
			}
		}
	}
}
