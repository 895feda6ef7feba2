package competitive

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

func TestConfigurationsThatCannotBe(t *testing.T) {
	data := line(1, 2, 3)
	for name, c := range map[string]Config{
		"no clusters": {}, "more clusters than rows": {Clusters: 4}, "too many": {Clusters: mostClusters + 1},
		"rule": {Clusters: 2, Rule: 9}, "metric": {Clusters: 2, Metric: 9}, "metric of wta": {Clusters: 2, Rule: WinnerTakeAll, Metric: Full},
		"init": {Clusters: 2, Init: -1}, "schedule": {Clusters: 2, Rate: Rate{Schedule: 7}}, "rate": {Clusters: 2, Rate: Rate{Start: 1.5}},
		"rate NaN": {Clusters: 2, Rate: Rate{Start: math.NaN()}}, "unlearning": {Clusters: 2, Rate: Rate{Unlearn: 2}},
		"unlearning NaN": {Clusters: 2, Rate: Rate{Unlearn: math.NaN()}}, "exponent": {Clusters: 2, Rate: Rate{Exponent: -1}},
		"half way": {Clusters: 2, Rate: Rate{HalfWay: math.Inf(1)}}, "least": {Clusters: 2, Rate: Rate{Least: 2}},
		"half-life": {Clusters: 2, HalfLife: 0.5}, "half-life NaN": {Clusters: 2, HalfLife: math.NaN()}, "remember": {Clusters: 2, Remember: 1 << 40},
		"most linked": {Clusters: 2, MostLinked: 1}, "rehearse": {Clusters: 2, Rehearse: -1}, "policy": {Clusters: 2, Contradictions: 9},
		"share": {Clusters: 2, ActiveShare: 2},
	} {
		if _, err := New(c, data); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	good := Config{Clusters: 2}
	for name, m := range map[string]dataset.Matrix{
		"no rows": {Cols: 2}, "no columns": {Rows: 3}, "fewer values": {Rows: 3, Cols: 2, F64: make([]float64, 5)}, "nothing": {},
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
		"one row": line(3), "equal rows": line(4, 4, 4, 4), "one column": line(1, 2, 3, 4, 5, 6), "huge": {Rows: 100, Cols: 2, F64: huge},
		"mixed": {Rows: 100, Cols: 2, F64: mixed}, "zeros": {Rows: 50, Cols: 3, F64: make([]float64, 150)},
	} {
		distinct := min(2, m.Rows)
		if name == "equal rows" || name == "zeros" {
			distinct = 1
		}
		for _, rule := range []Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive, WinnerTakeAll} {
			for _, metric := range []Metric{Euclidean, Diagonal, Full} {
				cfg := Config{Rule: rule, Clusters: distinct, Metric: metric, Rate: Rate{Unlearn: 0.5}}
				if metric != Euclidean && !rule.penalises() {
					continue
				}
				var links []link.Link
				if m.Rows > 2 {
					links = []link.Link{{A: 0, B: 1, Kind: link.CannotLink}, {A: 1, B: 2, Kind: link.MustLink}}
				}
				r, err := Fit(t.Context(), m, links, FitConfig{Config: cfg, Epochs: 50})
				if err != nil {
					t.Fatalf("%s, %v, %v: %v", name, rule, metric, err)
				}
				for _, v := range slices.Concat(r.Prototypes.F64, r.Wins, r.Roots, r.Trace, []float64{r.Objective}) {
					if v-v != 0 {
						t.Fatalf("%s, %v, %v: %v", name, rule, metric, r)
					}
				}
			}
		}
	}
}

// With two prototypes the rival is always the same one; it goes far, and no farther than squares can hold.
func TestDeadRivalStaysFinite(t *testing.T) {
	l := placed(t, Config{Rule: RPCL, Rate: Rate{Unlearn: 1}}, 0, 1e60)
	see(t, l, make([]float64, 3000)...)
	_, label, err := l.Observe([]float64{1})
	if err != nil || label.Cluster != 0 || !(label.Margin < math.MaxFloat64) || l.Snapshot().Clusters() != 1 {
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
	if n := len(l.memory.gone); n > 9 || l.Statistics().Remembered != 0 || len(l.State().Gone) != 4 {
		t.Errorf("%d rows are noted as forgotten; %+v", n, l.Statistics())
	}
}
