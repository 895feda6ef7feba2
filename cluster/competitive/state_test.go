package competitive

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// anyConfig draws a configuration; with all that has memory or clocks.
func anyConfig(t *rapid.T) Config {
	cfg := Config{
		Rule: rapid.SampledFrom([]Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive,
			WinnerTakeAll}).Draw(t, "rule"),
		Clusters: rapid.IntRange(1, 5).Draw(t, "k"),
		Rate: Rate{Schedule: rapid.SampledFrom([]Schedule{Constant, Harmonic, Power}).Draw(t,
			"schedule"), HalfWay: 50},
		Init:           rapid.SampledFrom([]Init{PlusPlus, Gaussian, Sample}).Draw(t, "init"),
		HalfLife:       rapid.SampledFrom([]float64{0, 1, 7, 1000}).Draw(t, "half-life"),
		Remember:       rapid.SampledFrom([]int{0, 1, 13, 64}).Draw(t, "remember"),
		MostLinked:     rapid.SampledFrom([]int{0, 2, 6, 40}).Draw(t, "most linked"),
		Rehearse:       rapid.SampledFrom([]int{0, 1, 5}).Draw(t, "rehearse"),
		Contradictions: rapid.SampledFrom([]link.Policy{link.Refuse, link.Keep}).Draw(t, "policy"),
		Seed:           rapid.Uint64Max(100).Draw(t, "seed"),
	}
	if cfg.Rule.penalises() {
		cfg.Metric = rapid.SampledFrom(
			[]fit.Metric{fit.Euclidean, fit.Diagonal, fit.Full}).Draw(t, "metric")
	}
	return cfg
}

// live does one random thing to each of the learners, and reports how they differ.
func live(t *rapid.T, rng *rand.Rand, rows func() []float64, all ...*Learner) {
	seen := all[0].Rows()
	number := func() int64 { return seen - int64(rng.IntN(40)) }
	what := rng.IntN(10)
	x := rows()
	a, b := number(), number()
	kind := link.Kind(rng.IntN(3))
	confidence := []float64{0, 0.3}[rng.IntN(2)]
	var first string
	for i, l := range all {
		var got any
		var err error
		switch {
		case what < 6:
			n, label, e := l.Observe(x)
			got, err = []any{n, label}, e
		case what < 9:
			got, err = l.Link(a, b, kind, confidence)
		default:
			err = l.Forget(a)
		}
		text, e := json.Marshal(got)
		if e != nil {
			t.Fatal(e)
		}
		said := string(text)
		if err != nil {
			said += err.Error()
		}
		if i == 0 {
			first = said
		} else if said != first {
			t.Fatalf("after row %d: one has %s, the other %s", seen, first, said)
		}
	}
}

func stateText(t interface{ Fatal(...any) }, l *Learner) string {
	text, err := json.Marshal(l.State())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A learner restored in the middle goes on as the one that was never interrupted, to the bit.
func TestRestoredGoesOnAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := anyConfig(t)
		d := rapid.IntRange(1, 4).Draw(t, "d")
		data, _ := blobs(3, d, 30, 6, cfg.Seed)
		l, err := New(cfg, data)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(cfg.Seed, 9))
		row := func() []float64 { i := rng.IntN(data.Rows); return data.F64[i*d : (i+1)*d] }
		for range rapid.IntRange(0, 150).Draw(t, "before") {
			live(t, rng, row, l)
		}
		saved := stateText(t, l)
		var s State
		if err := json.Unmarshal([]byte(saved), &s); err != nil {
			t.Fatal(err)
		}
		again, err := Restore(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := stateText(t, again); got != saved {
			t.Fatalf("restored:\n%s\nsaved:\n%s", got, saved)
		}
		for range rapid.IntRange(0, 150).Draw(t, "after") {
			live(t, rng, row, l, again)
		}
		if a, b := stateText(t, l), stateText(t, again); a != b {
			t.Fatalf("uninterrupted:\n%s\nrestored:\n%s", a, b)
		}
		if s := l.Statistics(); s != again.Statistics() || s.Met+s.Violated != s.Must+s.Cannot ||
			s.Linked > l.Config().MostLinked {
			t.Fatalf("statistics %+v and %+v", s, again.Statistics())
		}
	})
}

// Rows in blocks are learnt as they are one by one.
func TestObserveRowsIsObserve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := anyConfig(t)
		d := rapid.IntRange(1, 9).Draw(t, "d")
		data, _ := blobs(3, d, 50, 6, cfg.Seed)
		one, err := New(cfg, data)
		if err != nil {
			t.Fatal(err)
		}
		many, err := New(cfg, data)
		if err != nil {
			t.Fatal(err)
		}
		var want []Label
		for i := range data.Rows {
			number, label, err := one.Observe(data.F64[i*d : (i+1)*d])
			if err != nil || number != int64(i+1) {
				t.Fatal(number, err)
			}
			want = append(want, label)
		}
		got := make([]Label, data.Rows)
		for lo := 0; lo < data.Rows; {
			hi := min(data.Rows, lo+rapid.IntRange(1, 70).Draw(t, "block"))
			if first, err := many.ObserveRows(context.Background(), data.F64[lo*d:hi*d],
				got[lo:hi]); err != nil || first != int64(lo+1) {
				t.Fatal(first, err)
			}
			lo = hi
		}
		if !slices.Equal(got, want) {
			t.Fatalf("labels %v, want %v", got, want)
		}
		if a, b := stateText(t, one), stateText(t, many); a != b {
			t.Fatalf("one by one:\n%s\nin blocks:\n%s", a, b)
		}
	})
}

// A state that was tampered with is refused, and never makes anything panic.
func TestDamagedStatesAreRefused(t *testing.T) {
	data, _ := blobs(3, 2, 30, 6, 1)
	fresh := func() State {
		l, err := New(
			Config{Clusters: 3, Metric: fit.Full, Rate: Rate{Schedule: Power}, Remember: 20},
			data)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.ObserveRows(t.Context(), data.F64, nil); err != nil {
			t.Fatal(err)
		}
		for _, k := range [][2]int64{{80, 81}, {81, 82}, {83, 84}} {
			if _, err := l.Link(k[0], k[1], link.CannotLink, 0); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.Forget(84); err != nil {
			t.Fatal(err)
		}
		return l.State()
	}
	if _, err := Restore(fresh()); err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func(*State){
		"version":          func(s *State) { s.Version++ },
		"configuration":    func(s *State) { s.Config.Clusters = 0 },
		"other columns":    func(s *State) { s.Cols = 3 },
		"no columns":       func(s *State) { s.Cols = 0 },
		"more clusters":    func(s *State) { s.Config.Clusters = 4 },
		"prototype gone":   func(s *State) { s.Prototypes = s.Prototypes[1:] },
		"prototype NaN":    func(s *State) { s.Prototypes[0] = math.NaN() },
		"prototype far":    func(s *State) { s.Prototypes[0] = 1e300 },
		"wins":             func(s *State) { s.Wins[0] = -1 },
		"nearest":          func(s *State) { s.Nearest[0] = math.Inf(1) },
		"gain":             func(s *State) { s.Gain = 0 },
		"rate":             func(s *State) { s.Falling = math.NaN() },
		"count":            func(s *State) { s.Now[1] = -3 },
		"count too high":   func(s *State) { s.Rows, s.Gone, s.Now[1] = 1e6, nil, 1000 },
		"rows for ever":    func(s *State) { s.Rows, s.Gone = math.MaxInt64-1, nil },
		"clock for ever":   func(s *State) { s.Clock = math.MaxInt64 },
		"counts":           func(s *State) { s.Before = nil },
		"no shapes":        func(s *State) { s.Shapes = nil },
		"shapes":           func(s *State) { s.Config.Metric = fit.Diagonal },
		"shapes not asked": func(s *State) { s.Config.Metric = fit.Euclidean },
		"variance":         func(s *State) { s.Shapes.Start[0] = 0 },
		"variances":        func(s *State) { s.Shapes.Start = nil },
		"covariance":       func(s *State) { s.Shapes.Cov[0] = math.Inf(-1) },
		"no variance":      func(s *State) { s.Shapes.Cov[2] = -1 },
		"covariance far":   func(s *State) { s.Shapes.Cov[1] = 1e300 },
		"root too steep":   func(s *State) { s.Shapes.Root[0] = 1e200 },
		"wins of shapes":   func(s *State) { s.Shapes.Wins[0] = -1 },
		"root":             func(s *State) { s.Shapes.Root = s.Shapes.Root[:1] },
		"rows":             func(s *State) { s.Rows = -1 },
		"fewer rows":       func(s *State) { s.Rows = 10 },
		"window":           func(s *State) { s.Window = s.Window[2:] },
		"window NaN":       func(s *State) { s.Window[3] = math.NaN() },
		"gone":             func(s *State) { s.Gone = []int64{3} },
		"linked to come":   func(s *State) { s.Linked[0].Number = 91 },
		"linked twice":     func(s *State) { s.Linked[1].Number = s.Linked[0].Number },
		"linked row":       func(s *State) { s.Linked[0].Row = nil },
		"linked later":     func(s *State) { s.Linked[0].Latest = 1000 },
		"linked to none":   func(s *State) { s.Links = s.Links[:1] },
		"link to nobody":   func(s *State) { s.Links[0].A = 5 },
		"link to itself":   func(s *State) { s.Links[0].A = s.Links[0].B },
		"link twice": func(s *State) {
			s.Links[1].A, s.Links[1].B = s.Links[0].B, s.Links[0].A
		},
		"link unknown":   func(s *State) { s.Links[0].Kind = link.Unknown },
		"confidence":     func(s *State) { s.Links[0].Confidence = math.NaN() },
		"links' order":   func(s *State) { s.Links[0], s.Links[1] = s.Links[1], s.Links[0] },
		"clock":          func(s *State) { s.Clock = 0 },
		"turn":           func(s *State) { s.Turn = 4 },
		"more than most": func(s *State) { s.Config.MostLinked = 2 },
	} {
		s := fresh()
		harm(&s)
		_, err := Restore(s)
		if in := (*fault.Input)(nil); !errors.As(err, &in) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var f Floats
	for _, text := range []string{"AAA", "####", "AAAA"} {
		if err := f.UnmarshalText([]byte(text)); !fault.IsInput(err) {
			t.Errorf("floats of %s: %v", text, err)
		}
	}
}
