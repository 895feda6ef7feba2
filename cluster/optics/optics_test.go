package optics

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
)

// line is two dense groups of five and a point between, on a line.
var line = dataset.Matrix{Rows: 11, Cols: 1,
	F64: []float64{0, 1, 2, 3, 4, 20, 40, 40.5, 41, 41.5, 42}}

// TestOrderByHand: from the densest row through its group, over the gap, and through the other one.
// MinPoints 3 makes core distances those to the second nearest other row.
func TestOrderByHand(t *testing.T) {
	r, err := Fit(t.Context(), line, Config{MinPoints: 3})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{7, 8, 9, 6, 10, 5, 3, 2, 1, 0, 4}; !slices.Equal(r.Order, want) {
		t.Errorf("order %v, want %v", r.Order, want)
	}
	if want := []float64{2, 1, 1, 1, 2, 17, 1, 0.5, 0.5, 0.5, 1}; !slices.Equal(r.Core, want) {
		t.Errorf("core distances %v, want %v", r.Core, want)
	}
	inf := math.Inf(1)
	want := []float64{1, 1, 1, 17, 1, 20, 0.5, inf, 0.5, 0.5, 0.5}
	if !slices.Equal(r.Reachability, want) {
		t.Errorf("reachability %v, want %v", r.Reachability, want)
	}
	if want := []int{1, 2, 3, 5, 3, 6, 7, -1, 7, 8, 9}; !slices.Equal(r.Predecessor, want) {
		t.Errorf("predecessors %v, want %v", r.Predecessor, want)
	}
	if labels, clusters := r.CutAt(3); clusters != 2 ||
		!slices.Equal(labels, []int32{1, 1, 1, 1, 1, -1, 0, 0, 0, 0, 0}) {
		t.Errorf("cut at 3: %v", labels)
	}
}

// TestPeer: scikit-learn 1.9 finds the same core distances and valleys in these rows, which a
// linear congruence makes, though it begins its order with the first row (OPTICS(min_samples=4,
// xi=0.05)).
func TestPeer(t *testing.T) {
	r, err := Fit(t.Context(), congruent(), Config{MinPoints: 4, MinClusterSize: 4, Xi: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range peerCore {
		if math.Abs(r.Core[i]-want) > 1e-6 {
			t.Errorf("core distance %g of row %d, want %g", r.Core[i], i, want)
		}
	}
	if want := [][2]int{{0, 11}, {12, 23}, {0, 23}}; !slices.Equal(r.Spans, want) {
		t.Errorf("valleys %v, want %v", r.Spans, want)
	}
}

// congruent returns 24 rows around two centres.
func congruent() dataset.Matrix {
	m := dataset.Matrix{Rows: 24, Cols: 2}
	x := uint32(7)
	for i := range m.Rows * m.Cols {
		x = x*1664525 + 1013904223
		m.F64 = append(m.F64, float64(x>>24)/256+float64(i/24)*3)
	}
	return m
}

// TestCutIsDBSCAN: what DBSCAN calls core rows are in the same clusters at any radius, and nothing
// that OPTICS leaves out is a core row (Ankerst and others 1999, section 3.2).
func TestCutIsDBSCAN(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(8, 60).Draw(t, "n")
		m := dataset.Matrix{Rows: n, Cols: 2}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for i := range n {
			m.F64 = append(m.F64, rng.NormFloat64()+float64(i%3)*3, rng.NormFloat64())
		}
		points := rapid.IntRange(2, 6).Draw(t, "points")
		eps := rapid.Float64Range(0.2, 2).Draw(t, "eps")
		r, err := Fit(context.Background(), m,
			Config{MinPoints: points, Extraction: Eps, Eps: eps})
		if err != nil {
			t.Fatal(err)
		}
		d, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: m},
			density.Config{Eps: eps, MinPoints: points})
		if err != nil {
			t.Fatal(err)
		}
		var ours, theirs []int
		for i, core := range d.Core {
			if core {
				ours, theirs = append(ours, int(r.Labels[i])), append(theirs, int(d.Labels[i]))
				if r.Labels[i] == Noise {
					t.Fatalf("core row %d is noise", i)
				}
			} else if d.Labels[i] == Noise && r.Labels[i] != Noise {
				t.Fatalf("row %d is noise for DBSCAN and in cluster %d", i, r.Labels[i])
			}
		}
		if len(ours) == 0 {
			return
		}
		if s, err := eval.Compare(ours, theirs); err != nil || s.AdjustedRand < 1 {
			t.Fatalf("core rows %v, and %v by DBSCAN", ours, theirs)
		}
	})
}

// TestThreadsAndSources: the same order on any number of threads, and from dissimilarities but for
// their precision.
func TestThreadsAndSources(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	m := dataset.Matrix{Rows: 300, Cols: 3}
	for range 900 {
		m.F64 = append(m.F64, rng.Float64())
	}
	one, err := Fit(t.Context(), m, Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 5} {
		cfg := Config{}
		cfg.Threads = threads
		r, err := Fit(t.Context(), m, cfg)
		if err != nil || !slices.Equal(r.Order, one.Order) ||
			!slices.Equal(r.Reachability, one.Reachability) {
			t.Errorf("%d threads: another order (%v)", threads, err)
		}
	}
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	r, err := FitSource(t.Context(), src, Config{})
	if err != nil || !slices.Equal(r.Labels, one.Labels) {
		t.Errorf("from dissimilarities: %v (%v)", r.Labels, err)
	}
}

// TestBadSettings are refused, and a context that is over ends the fit.
func TestBadSettings(t *testing.T) {
	spoilt := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{1, math.NaN(), 2}}
	for name, c := range map[string]struct {
		m   dataset.Matrix
		cfg Config
	}{
		"one row":            {dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{1}}, Config{}},
		"one point":          {line, Config{MinPoints: 1}},
		"too many points":    {line, Config{MinPoints: 12}},
		"a negative radius":  {line, Config{MaxEps: -1}},
		"a steepness of 1":   {line, Config{Xi: 1}},
		"no radius":          {line, Config{Extraction: Eps}},
		"a larger radius":    {line, Config{Extraction: Eps, Eps: 2, MaxEps: 1}},
		"a cluster too many": {line, Config{MinClusterSize: 12}},
		"not a number":       {spoilt, Config{}},
	} {
		if _, err := Fit(t.Context(), c.m, c.cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Fit(over, line, Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}

var peerCore = []float64{0.221247, 0.371423, 0.199066, 0.556349, 0.235544, 0.523671, 0.305588,
	0.276269, 0.400062, 0.241588, 0.383131, 0.235544, 0.453949, 0.430698, 0.269984, 0.317273,
	0.364769, 0.466875, 0.433154, 0.274273, 0.269984, 0.369507, 0.351128, 0.40128}

// groups returns rows of 20 columns in groups of 15.
func groups(rows int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(5, 6))
	m := dataset.Matrix{Rows: rows, Cols: 20}
	centre := make([]float64, m.Cols)
	for i := range rows {
		for j := range centre {
			if i%15 == 0 {
				centre[j] = rng.NormFloat64()
			}
			m.F64 = append(m.F64, centre[j]+0.2*rng.NormFloat64())
		}
	}
	return m
}

// TestManyColumns: a kernel finds the order that comes from dissimilarities, in either type and on
// any number of threads.
func TestManyColumns(t *testing.T) {
	m := groups(450)
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	want, err := FitSource(t.Context(), src, Config{MinClusterSize: 10})
	if err != nil || want.Clusters < 2 {
		t.Fatalf("%d clusters (%v)", want.Clusters, err)
	}
	single := dataset.Matrix{Rows: m.Rows, Cols: m.Cols}
	for _, v := range m.F64 {
		single.F32 = append(single.F32, float32(v))
	}
	for _, m := range []dataset.Matrix{m, single} {
		var one *Result
		for _, threads := range []int{1, 2, 7} {
			cfg := Config{MinClusterSize: 10}
			cfg.Threads = threads
			r, err := Fit(t.Context(), m, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if one = cmp.Or(one, r); !slices.Equal(r.Reachability, one.Reachability) {
				t.Errorf("another order on %d threads", threads)
			}
			if !slices.Equal(r.Labels, want.Labels) {
				t.Errorf("other clusters than from dissimilarities")
			}
		}
	}
}

// TestFiner: where the least size of a cluster leaves one cluster or none, settings that find more
// are suggested, and they do.
func TestFiner(t *testing.T) {
	m := groups(450)
	cfg := Config{}
	r, err := Fit(t.Context(), m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	better, clusters := r.finer(cfg)
	if clusters < 10 {
		t.Fatalf("%d clusters by default, and %d with %+v", r.Clusters, clusters, better)
	}
	r, err = Fit(t.Context(), m, Config{MinClusterSize: better.MinClusterSize, Xi: better.Xi})
	if err != nil || r.Clusters != clusters {
		t.Errorf("%d clusters, and %d were promised (%v)", r.Clusters, clusters, err)
	}
	if _, clusters := r.finer(better); clusters != 0 {
		t.Errorf("%d clusters suggested where there are many", clusters)
	}
}
