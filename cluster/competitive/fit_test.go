package competitive

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Threads change nothing, and each start is what it would be alone or among others.
func TestStartsDoNotDependOnThreads(t *testing.T) {
	data, classes := blobs(4, 3, 60, 8, 1)
	links := labelled(classes, 4, link.Unknown, 1)
	run := func(starts, threads int) *Result {
		steps, of := 0, 0
		r, err := Fit(t.Context(), data,
			FitConfig{Links: links, Config: Config{Clusters: 5, Seed: 3, Init: Gaussian}, Epochs: 4,
				Starts: starts, Threads: threads,
				Progress: func(p fit.Progress) {
					if p.Iteration != steps+1 {
						t.Errorf("epoch %d follows %d", p.Iteration, steps)
					}
					steps, of = p.Iteration, p.MaxIterations
				}})
		if err != nil {
			t.Fatal(err)
		}
		if steps != 4*starts || of != steps {
			t.Errorf("reported %d epochs of %d, want %d", steps, of, 4*starts)
		}
		return r
	}
	one, many := run(6, 1), run(6, 4)
	best := 0
	for i, s := range one.Starts {
		if s.Objective != many.Starts[i].Objective ||
			!slices.Equal(s.Labels, many.Starts[i].Labels) {
			t.Errorf("start %d depends on threads", i)
		}
		if s.Objective < one.Starts[best].Objective {
			best = i
		}
	}
	if one.Start != best || one.Objective != one.Starts[best].Objective ||
		!slices.Equal(one.Labels, one.Starts[best].Labels) ||
		!slices.Equal(one.Prototypes.F64, many.Prototypes.F64) ||
		!slices.Equal(one.Trace, many.Trace) || len(one.Trace) != 4 || one.Seconds <= 0 {
		t.Errorf("start %d kept, %d is best; objective %v", one.Start, best, one.Objective)
	}
	few := run(2, 2)
	for i, s := range few.Starts {
		if s.Objective != one.Starts[i].Objective {
			t.Errorf("start %d of two is not start %d of six", i, i)
		}
	}
	if one.Starts[0].Objective == one.Starts[1].Objective {
		t.Error("two starts are the same")
	}
}

func TestFitOfFloat32IsThatOfFloat64(t *testing.T) {
	data, _ := blobs(3, 5, 100, 9, 2)
	single := dataset.Matrix{Rows: data.Rows, Cols: data.Cols}
	for i, v := range data.F64 {
		single.F32 = append(single.F32, float32(v))
		data.F64[i] = float64(float32(v))
	}
	for _, inOrder := range []bool{false, true} {
		cfg := FitConfig{Config: Config{Clusters: 3, Rule: WinnerTakeAll, Init: Sample}, Epochs: 2,
			InOrder: inOrder}
		a, err := Fit(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Fit(t.Context(), single, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Prototypes.F64, b.Prototypes.F64) || !slices.Equal(a.Labels, b.Labels) ||
			a.Objective != b.Objective {
			t.Errorf("in order %v: float32 differs", inOrder)
		}
	}
}

// One epoch in order is what a learner makes of the stream.
func TestFitInOrderIsAStream(t *testing.T) {
	data, _ := blobs(3, 4, 100, 9, 3)
	for _, metric := range []fit.Metric{fit.Euclidean, fit.Diagonal, fit.Full} {
		cfg := Config{Clusters: 4, Metric: metric, Rate: Rate{Schedule: Power}, HalfLife: 100}
		r, err := Fit(t.Context(), data, FitConfig{Config: cfg, Epochs: 1, InOrder: true})
		if err != nil {
			t.Fatal(err)
		}
		l, err := New(cfg, data)
		if err != nil {
			t.Fatal(err)
		}
		see(t, l, data.F64...)
		s := l.Snapshot()
		if !slices.Equal(s.Prototypes.F64, r.Prototypes.F64) || !slices.Equal(s.Wins, r.Wins) {
			t.Errorf("%v: the stream ends at %v, the fit at %v", metric, s.Prototypes.F64,
				r.Prototypes.F64)
		}
		for i := range data.Rows {
			if label, err := s.Label(data.F64[i*4 : i*4+4]); err != nil ||
				label.Cluster != r.Labels[i] {
				t.Errorf("%v: row %d is in %d, %v, and in %d by the fit", metric, i, label.Cluster,
					err, r.Labels[i])
			}
		}
		again, err := (&Result{Prototypes: r.Prototypes, Metric: r.Metric,
			Roots: r.Roots}).Predict(t.Context(), data, 1)
		if err != nil || !slices.Equal(again, r.Labels) {
			t.Errorf("%v: a model that was stored predicts otherwise, %v", metric, err)
		}
	}
}

// A model that was stored is not believed.
func TestModelsThatCannotBePlaceNothing(t *testing.T) {
	data := line(0, 1, 10, 11)
	at := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 10}}
	for name, r := range map[string]*Result{
		"no prototypes": {},
		"a prototype far off": {Prototypes: dataset.Matrix{Rows: 1, Cols: 1,
			F64: []float64{1e300}}},
		"a metric missing": {Prototypes: at, Metric: fit.Full, Roots: []float64{1}},
		"a metric that is no number": {Prototypes: at, Metric: fit.Full,
			Roots: []float64{1, math.NaN()}},
		"a steep metric": {Prototypes: at, Metric: fit.Diagonal, Roots: []float64{1, 1e300}},
	} {
		if _, err := r.Predict(t.Context(), data, 1); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFitListsWhatItBreaks(t *testing.T) {
	data := line(0, 1, 10, 11)
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 0, Kind: link.CannotLink},
		{A: 0, B: 2, Kind: link.MustLink}, {A: 2, B: 3, Kind: link.Unknown}}
	cfg := FitConfig{Config: Config{Rule: WinnerTakeAll, Clusters: 2}, Epochs: 3}
	var clash *link.Contradiction
	cfg.Links = links
	if _, err := Fit(t.Context(), data, cfg); !errors.As(err, &clash) {
		t.Errorf("a contradiction: %v", err)
	}
	cfg.Contradictions = link.Keep
	r, err := Fit(t.Context(), data, cfg)
	if err != nil {
		t.Fatal(err)
	}
	// The second statement about rows 0 and 1 replaces the first.
	if want := []link.Link{links[1], links[2]}; !slices.Equal(r.Violated, want) ||
		len(r.Clashing) != 1 || r.Labels[0] != r.Labels[1] || r.Labels[1] == r.Labels[2] {
		t.Errorf("labels %v, violated %v, contradicted %v", r.Labels, r.Violated, r.Clashing)
	}
	if !slices.Equal(r.Active, []bool{true, true}) {
		t.Errorf("active %v", r.Active)
	}
}

func TestFitsThatCannotBe(t *testing.T) {
	data := line(0, 1, 10, 11)
	good := FitConfig{Config: Config{Clusters: 2}, Epochs: 1}
	for name, change := range map[string]func(*FitConfig){
		"epochs":      func(c *FitConfig) { c.Epochs = -1 },
		"starts":      func(c *FitConfig) { c.Starts = -1 },
		"many starts": func(c *FitConfig) { c.Starts = 1e12 },
		"clusters":    func(c *FitConfig) { c.Clusters = 5 },
		"prototypes":  func(c *FitConfig) { c.InitialPrototypes = line(1, 2, 3) },
		"columns": func(c *FitConfig) {
			c.InitialPrototypes = dataset.Matrix{Rows: 2, Cols: 2, F64: make([]float64, 4)}
		},
		"no values": func(c *FitConfig) { c.InitialPrototypes = dataset.Matrix{Rows: 2, Cols: 1} },
		"NaN":       func(c *FitConfig) { c.InitialPrototypes = line(1, math.NaN()) },
	} {
		cfg := good
		change(&cfg)
		if _, err := Fit(t.Context(), data, cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	bad := good
	bad.Links = []link.Link{{A: 0, B: 9, Kind: link.MustLink}}
	if _, err := Fit(t.Context(), data, bad); !fault.IsInput(err) {
		t.Errorf("a link out of range: %v", err)
	}
	if _, err := Fit(t.Context(), line(1, math.Inf(1)), good); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 2") {
		t.Errorf("an infinite value: %v", err)
	}
	r, err := Fit(t.Context(), data, good)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]dataset.Matrix{"wider": {Rows: 1, Cols: 2,
		F64: make([]float64, 2)}, "NaN": line(math.NaN())} {
		if _, err := r.Predict(t.Context(), m, 0); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string]*Result{"nothing": {},
		"metric without": {Prototypes: r.Prototypes, Metric: fit.Full}} {
		if _, err := bad.Predict(t.Context(), data, 0); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if labels, err := r.Predict(t.Context(), dataset.Matrix{Cols: 1}, 0); err != nil ||
		len(labels) != 0 {
		t.Errorf("no rows: %v, %v", labels, err)
	}
}

func TestFitStops(t *testing.T) {
	data, _ := blobs(3, 4, 1000, 9, 3)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Fit(ctx, data,
		FitConfig{Config: Config{Clusters: 3}, Epochs: 1 << 30, Progress: func(p fit.Progress) {
			if p.Iteration == 3 {
				cancel()
			}
		}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestWordsAreReadBack(t *testing.T) {
	for _, r := range []Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive, WinnerTakeAll} {
		if got, err := ParseRule(" " + strings.ToUpper(r.String())); err != nil || got != r {
			t.Errorf("%v: %v, %v", r, got, err)
		}
	}
	for _, m := range []fit.Metric{fit.Euclidean, fit.Diagonal, fit.Full} {
		if got, err := fit.ParseMetric(m.String()); err != nil || got != m {
			t.Errorf("%v: %v, %v", m, got, err)
		}
	}
	for _, s := range []Schedule{Constant, Harmonic, Power} {
		if got, err := ParseSchedule(s.String()); err != nil || got != s {
			t.Errorf("%v: %v, %v", s, got, err)
		}
	}
	for _, i := range []Init{PlusPlus, Gaussian, Sample} {
		var got Init
		if err := got.UnmarshalText([]byte(i.String())); err != nil || got != i {
			t.Errorf("%v: %v, %v", i, got, err)
		}
	}
	if _, err := ParseRule("kmeans"); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "crpcl, olcvqe, rpcl, fscl or wta") {
		t.Errorf("got %v", err)
	}
	if _, err := Rule(9).MarshalText(); err == nil || Rule(9).String() != "Rule(9)" {
		t.Error("a rule without a name has one")
	}
}
