package competitive

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

func TestConfigurationsThatCannotBe(t *testing.T) {
	data := line(1, 2, 3)
	for name, c := range map[string]Config{
		"no clusters": {}, "more clusters than rows": {Clusters: 4},
		"too many": {Clusters: mostClusters + 1},
		"rule":     {Clusters: 2, Rule: 9}, "metric": {Clusters: 2, Metric: 9},
		"metric of wta":    {Clusters: 2, Rule: WinnerTakeAll, Metric: fit.Full},
		"init":             {Clusters: 2, Init: -1},
		"schedule":         {Clusters: 2, Rate: Rate{Schedule: 7}},
		"rate":             {Clusters: 2, Rate: Rate{Start: 1.5}},
		"rate NaN":         {Clusters: 2, Rate: Rate{Start: math.NaN()}},
		"unlearning":       {Clusters: 2, Rate: Rate{Unlearn: 2}},
		"unlearning NaN":   {Clusters: 2, Rate: Rate{Unlearn: math.NaN()}},
		"exponent":         {Clusters: 2, Rate: Rate{Exponent: -1}},
		"half way":         {Clusters: 2, Rate: Rate{HalfWay: math.Inf(1)}},
		"half way at once": {Clusters: 2, Rate: Rate{HalfWay: 1e-307}},
		"least":            {Clusters: 2, Rate: Rate{Least: 2}},
		"half-life":        {Clusters: 2, HalfLife: 0.5},
		"half-life NaN":    {Clusters: 2, HalfLife: math.NaN()},
		"remember":         {Clusters: 2, Remember: 1 << 40},
		"most linked":      {Clusters: 2, MostLinked: 1}, "rehearse": {Clusters: 2, Rehearse: -1},
		"policy": {Clusters: 2, Contradictions: 9},
		"share":  {Clusters: 2, ActiveShare: 2},
	} {
		if _, err := New(c, data); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (Config{Clusters: 2, Metric: fit.Full}).Check(mostTurned + 1); !fault.IsInput(err) {
		t.Errorf("columns of the full metric: %v", err)
	}
	good := Config{Clusters: 2}
	for name, m := range map[string]dataset.Matrix{
		"no rows": {Cols: 2}, "no columns": {Rows: 3},
		"fewer values": {Rows: 3, Cols: 2, F64: make([]float64, 5)}, "nothing": {},
		"equal rows": line(4, 4, 4), "NaN": line(1, 2, math.NaN()), "too large": line(1, 2, 1e300),
		"float32": {Rows: 2, Cols: 1, F32: []float32{1, float32(math.Inf(1))}},
	} {
		if _, err := New(good, m); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is odd but possible is learnt without a NaN.
func TestOddDataAreSurvived(t *testing.T) {
	huge, mixed := make([]float64, 0, 200), make([]float64, 0, 200)
	for i := range 100 {
		huge = append(huge, 1e120*float64(1-i%3), -1e120)
		mixed = append(mixed, 1e-200*float64(i), 1e100*float64(i%2))
	}
	for name, m := range map[string]dataset.Matrix{
		"one row": line(3), "equal rows": line(4, 4, 4, 4), "one column": line(1, 2, 3, 4, 5, 6),
		"huge":  {Rows: 100, Cols: 2, F64: huge},
		"mixed": {Rows: 100, Cols: 2, F64: mixed},
		"zeros": {Rows: 50, Cols: 3, F64: make([]float64, 150)},
	} {
		distinct := min(2, m.Rows)
		if name == "equal rows" || name == "zeros" {
			distinct = 1
		}
		for _, rule := range []Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive, WinnerTakeAll} {
			for _, metric := range []fit.Metric{fit.Euclidean, fit.Diagonal, fit.Full} {
				cfg := Config{Rule: rule, Clusters: distinct, Metric: metric,
					Rate: Rate{Unlearn: 0.5}}
				if metric != fit.Euclidean && !rule.penalises() {
					continue
				}
				var links []link.Link
				if m.Rows > 2 {
					links = []link.Link{{A: 0, B: 1, Kind: link.CannotLink},
						{A: 1, B: 2, Kind: link.MustLink}}
				}
				r, err := Fit(t.Context(), m, FitConfig{Links: links, Config: cfg, Epochs: 50})
				if err != nil {
					t.Fatalf("%s, %v, %v: %v", name, rule, metric, err)
				}
				for _, v := range slices.Concat(r.Prototypes.F64, r.Wins, r.Roots, r.Trace,
					[]float64{r.Objective}) {
					if v-v != 0 {
						t.Fatalf("%s, %v, %v: %v", name, rule, metric, r)
					}
				}
			}
		}
	}
}

// A column that is constant at first is measured like the others, also where the mean of its values
// rounds to another.
func TestConstantColumnsAreMeasuredLikeOthers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m := dataset.Matrix{Rows: 1000, Cols: 2}
	for range m.Rows {
		m.F64 = append(m.F64, rng.NormFloat64(), 0.1)
	}
	for _, metric := range []fit.Metric{fit.Diagonal, fit.Full} {
		l, err := New(Config{Clusters: 2, Metric: metric}, m)
		if err != nil {
			t.Fatal(err)
		}
		if start := l.State().Shapes.Start; start[0] != start[1] {
			t.Errorf("%v: the variances start at %v", metric, start)
		}
	}
}

// Columns that come hundreds of orders of magnitude larger than they were at first leave metrics
// that are numbers.
func TestSteepMetricsStayNumbers(t *testing.T) {
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 2))
		const d, n = 5, 30
		rows := func(small int) []float64 {
			scale := []float64{1e-120, 1, 1e119}[rng.IntN(3)]
			v := make([]float64, d*n)
			for i := range v {
				s := scale
				if rng.IntN(3) == 0 {
					s = math.Pow(10, 240*rng.Float64()-120)
				}
				if i%d%3 == small {
					s = 1e-122
				}
				v[i] = s * rng.NormFloat64() / 10
			}
			return v
		}
		cfg := Config{Clusters: 1 + rng.IntN(4),
			Metric: []fit.Metric{fit.Diagonal, fit.Full}[rng.IntN(2)],
			Rate:   Rate{Start: 1, Unlearn: rng.Float64()}}
		l, err := New(cfg, dataset.Matrix{Rows: n, Cols: d, F64: rows(int(seed % 3))})
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			labels := make([]Label, n)
			if _, err := l.ObserveRows(t.Context(), rows(-1), labels); err != nil {
				t.Fatal(err)
			}
			for _, label := range labels {
				if label.Distance-label.Distance != 0 || !(label.Margin >= 0) {
					t.Fatalf("seed %d, %v: %+v", seed, cfg.Metric, label)
				}
			}
		}
		if _, err := Restore(l.State()); err != nil {
			t.Fatalf("seed %d, %v: %v", seed, cfg.Metric, err)
		}
	}
}

// looked counts how often it is asked whether it is done.
type looked struct {
	context.Context
	times *atomic.Int64
}

func (l looked) Err() error {
	l.times.Add(1)
	return l.Context.Err()
}

// Rows that take long to learn are not learnt many at a time without a look at the context.
func TestSlowRowsAreStoppedBetween(t *testing.T) {
	if testing.Short() {
		t.Skip("slow rows: left out of -short")
	}
	const n, d = 128, 300
	rng := rand.New(rand.NewPCG(1, 2))
	m := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
	for i := range m.F64 {
		m.F64[i] = rng.Float64()
	}
	cfg := Config{Clusters: 100, Metric: fit.Full, Init: Sample}
	l, err := New(cfg, m)
	if err != nil {
		t.Fatal(err)
	}
	ctx := looked{t.Context(), new(atomic.Int64)}
	if _, err := l.ObserveRows(ctx, m.F64[:64*d], nil); err != nil || ctx.times.Load() < 4 {
		t.Errorf("64 rows: %d looks, %v", ctx.times.Load(), err)
	}
	fit := &Result{Prototypes: l.Snapshot().Prototypes, Metric: fit.Full,
		Roots: l.State().Shapes.Root}
	ctx.times.Store(0)
	if _, err := fit.Predict(ctx, m.Subset(make([]int, 64)), 1); err != nil ||
		ctx.times.Load() < 4 {
		t.Errorf("64 rows placed: %d looks, %v", ctx.times.Load(), err)
	}
	ctx.times.Store(0)
	if _, err := Fit(ctx, m.Subset(slices.Repeat([]int{1, 2}, 32)),
		FitConfig{Config: cfg, Epochs: 1, InitialPrototypes: fit.Prototypes}); err != nil ||
		ctx.times.Load() < 10 {
		t.Errorf("64 rows fitted: %d looks, %v", ctx.times.Load(), err)
	}
}

// With two prototypes the rival is always the same one; it goes far, and no farther than squares
// can hold.
func TestDeadRivalStaysFinite(t *testing.T) {
	l := placed(t, Config{Rule: RPCL, Rate: Rate{Unlearn: 1}}, 0, 1e60)
	see(t, l, make([]float64, 3000)...)
	_, label, err := l.Observe([]float64{1})
	if err != nil || label.Cluster != 0 || !(label.Margin < math.MaxFloat64) ||
		l.Snapshot().Clusters() != 1 {
		t.Errorf("%+v, %d clusters, %v", label, l.Snapshot().Clusters(), err)
	}
	if label.Margin < 1e60 {
		t.Error("the rival was not driven off")
	}
}

// More rows than the start looks at, and more prototypes than a label has room for on the stack.
func TestManyRowsAndPrototypes(t *testing.T) {
	if testing.Short() {
		t.Skip("many rows: left out of -short")
	}
	data, _ := blobs(90, 2, 250, 200, 1)
	for _, init := range []Init{PlusPlus, Gaussian, Sample} {
		l, err := New(Config{Rule: WinnerTakeAll, Clusters: 70, Init: init}, data)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]Label, data.Rows)
		if _, err := l.ObserveRows(t.Context(), data.F64, labels); err != nil {
			t.Fatal(err)
		}
		twin := &twin{}
		s := l.Snapshot()
		for j := range 70 {
			twin.mu = append(twin.mu, s.Prototypes.F64[2*j:2*j+2])
		}
		for i := 0; i < data.Rows; i += 100 {
			row := data.F64[2*i : 2*i+2]
			if got, err := s.Label(row); err != nil || int(got.Cluster) != twin.nearest(row) {
				t.Errorf("%v: row %d is in %+v, %v; want %d", init, i, got, err, twin.nearest(row))
			}
		}
	}
}

// What has left the window is not remembered as forgotten, however much is.
func TestForgettingAllTakesNoMemory(t *testing.T) {
	l := placed(t, Config{Remember: 4}, 0, 10)
	for number := int64(1); number <= 200; number++ {
		see(t, l, 1)
		if err := l.Forget(number); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(l.memory.gone); n > 9 || l.Statistics().Remembered != 0 ||
		len(l.State().Gone) != 4 {
		t.Errorf("%d rows are noted as forgotten; %+v", n, l.Statistics())
	}
}
