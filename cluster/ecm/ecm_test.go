package ecm

import (
	"context"
	"encoding/csv"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// table reads a data set: all columns but the class, whose values become numbers from 1.
func table(t testing.TB, name string, class bool) (dataset.Matrix, []int) {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := strconv.ParseFloat(rows[0][0], 64); err != nil {
		rows = rows[1:]
	}
	var m dataset.Matrix
	var labels []int
	numbers := map[string]int{}
	for _, row := range rows {
		if class {
			last := row[len(row)-1]
			if numbers[last] == 0 {
				numbers[last] = len(numbers) + 1
			}
			labels = append(labels, numbers[last])
			row = row[:len(row)-1]
		}
		for _, cell := range row {
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				t.Fatal(err)
			}
			m.F64 = append(m.F64, v)
		}
		m.Rows, m.Cols = m.Rows+1, len(row)
	}
	return m, labels
}

func index(t testing.TB, r *Result, labels []int) float64 {
	t.Helper()
	report, err := eval.Compare(r.Credal.Hard(belief.MaxPlausibility), labels)
	if err != nil {
		t.Fatal(err)
	}
	return report.AdjustedRand
}

// Iris in three clusters from given centres, against what Python's evclust 0.2.1 converges to (epsi
// 1e-12): its sets are in the order ∅, 1, 2, 12, 3, 13, 23, 123.
func TestIrisAsByAnother(t *testing.T) {
	data, _ := table(t, "iris.csv", true)
	r, err := Fit(t.Context(), data, Config{
		Clusters:      3,
		Focal:         focalOf(3, 2),
		NoiseDistance: 5,
		Centers:       data.Subset([]int{0, 60, 120}),
		Limits:        fit.Limits{Tolerance: 1e-15},
	})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(r.Objective-38.49213193) > 1e-6 {
		t.Errorf("objective %.8f", r.Objective)
	}
	for j, want := range []float64{
		4.96304013, 3.34475356, 1.49301934, 0.24687662, 6.01809205, 2.76857158, 4.78716544,
		1.64796111, 7.05900799, 3.0338318, 6.05964284, 2.14660078,
	} {
		if math.Abs(r.Centers.F64[j]-want) > 1e-5 {
			t.Errorf("coordinate %d of the centres is %.6f, and should be %.6f", j,
				r.Centers.F64[j], want)
		}
	}
	for i, want := range map[int][]float64{
		0:   {0.002104, 0.97941, 0.003519, 0.006683, 0.00178, 0.003476, 0.001224, 0.001805},
		106: {0.024274, 0.05112, 0.431175, 0.098695, 0.080078, 0.12203, 0.081186, 0.111442},
	} {
		row := r.Credal.Row(i)
		for s, set := range r.Credal.Focal {
			if math.Abs(row[s]-want[set]) > 2e-6 { // the other's order is that of masks
				t.Errorf("row %d: mass %.6f on %v, and should be %.6f", i, row[s], set, want[set])
			}
		}
	}
}

// Four clusters with long tails, 2000 rows: all methods come close to the best known partition
// (index .848 by k-EVCLUS).
func TestFourClustersWithTails(t *testing.T) {
	data, labels := table(t, "kevclus_t_n2000.csv", true)
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(Config) (*Result, error){
		"ecm":  func(c Config) (*Result, error) { return Fit(t.Context(), data, c) },
		"ccm":  func(c Config) (*Result, error) { return FitCredal(t.Context(), data, c) },
		"recm": func(c Config) (*Result, error) { return FitRelational(t.Context(), src, c) },
		"mecm": func(c Config) (*Result, error) { return FitMedian(t.Context(), src, c) },
	} {
		for kind, least := range []float64{0.84, 0.83} {
			r, err := run(Config{Clusters: 4, Focal: focalOf(4, kind)})
			if err != nil {
				t.Fatal(err)
			}
			if ari := index(t, r, labels); ari < least || r.Stopped != fit.Converged {
				t.Errorf("%s, focal sets %d: adjusted Rand index %.4f, %v", name, kind,
					ari, r.Stopped)
			}
		}
	}
}

// Centres that merge are counted: by CCM all of wine's three with pairs as focal sets, and none
// without.
func TestMergedCentresAreCounted(t *testing.T) {
	data, _ := table(t, "wine.csv", true)
	scale(data)
	for kind, want := range []int{0, 3} {
		r, err := FitCredal(t.Context(), data, Config{Clusters: 3, Focal: focalOf(3, kind)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Merged != want {
			t.Errorf("focal sets %d: %d merged centres, and should be %d", kind, r.Merged, want)
		}
	}
}

// Dissimilarities of proteins, which are no distances: RECM's index is .69 to .89 elsewhere, by
// start.
func TestProteins(t *testing.T) {
	m, _ := table(t, "protein_D.csv", false)
	_, labels := table(t, "protein_labels.csv", true)
	dense := &dissim.Dense{N: m.Rows}
	for _, v := range m.F64 {
		dense.D = append(dense.D, float32(v))
	}
	for squared, least := range map[bool]float64{false: 0.74, true: 0.77} {
		r, err := FitRelational(t.Context(), dense, Config{Clusters: 4, Squared: squared})
		if err != nil {
			t.Fatal(err)
		}
		if ari := index(t, r, labels); ari < least {
			t.Errorf("taken as squared distances: %t, adjusted Rand index %.3f", squared, ari)
		}
	}
	r, err := FitMedian(t.Context(), dense, Config{Clusters: 4})
	if err != nil {
		t.Fatal(err)
	}
	if ari := index(t, r, labels); ari < 0.55 {
		t.Errorf("medoids: adjusted Rand index %.3f", ari)
	}
}

// The butterfly: object 6 in the middle belongs to both wings, object 12, far off, to none.
func TestButterfly(t *testing.T) {
	data, _ := table(t, "butterfly.csv", false)
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(Config) (*Result, error){
		"ecm":  func(c Config) (*Result, error) { return Fit(t.Context(), data, c) },
		"ccm":  func(c Config) (*Result, error) { return FitCredal(t.Context(), data, c) },
		"recm": func(c Config) (*Result, error) { return FitRelational(t.Context(), src, c) },
	} {
		r, err := run(Config{Clusters: 2, NoiseDistance: 5, Limits: fit.Limits{Starts: 5}})
		if err != nil {
			t.Fatal(err)
		}
		sets := r.Credal.HardCredal()
		if sets[5] != belief.Omega(2) || sets[11] != 0 || sets[0] == sets[10] ||
			sets[0].Len() != 1 || sets[10].Len() != 1 {
			t.Errorf("%s: objects are in %v", name, sets)
		}
	}
}

// float32 rows are clustered as float64 rows are, and neither is changed.
func TestSinglePrecision(t *testing.T) {
	data, _ := bars()
	single := dataset.Matrix{Rows: data.Rows, Cols: data.Cols}
	for i, v := range data.F64 {
		single.F32 = append(single.F32, float32(v))
		data.F64[i] = float64(float32(v))
	}
	before := slices.Clone(data.F64)
	a, err := Fit(t.Context(), data, Config{Clusters: 3, Metric: fit.Full})
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fit(t.Context(), single, Config{Clusters: 3, Metric: fit.Full})
	if err != nil {
		t.Fatal(err)
	}
	if largest(a.Credal.Mass, b.Credal.Mass) > 1e-3 || !slices.Equal(before, data.F64) {
		t.Errorf("masses differ by %g", largest(a.Credal.Mass, b.Credal.Mass))
	}
}

// What cannot be fitted is refused in words that fix it.
func TestFaults(t *testing.T) {
	data, _ := bars()
	spoilt := data.Clone()
	spoilt.F64[7] = math.Inf(1)
	far := data.Clone()
	far.F64[7] = math.MaxFloat64
	for what, one := range map[string]struct {
		data dataset.Matrix
		cfg  Config
	}{
		"no rows":                 {dataset.Matrix{}, Config{Clusters: 1}},
		"no clusters":             {data, Config{}},
		"too many clusters":       {data, Config{Clusters: 64}},
		"more clusters than rows": {data.Subset([]int{0, 1}), Config{Clusters: 3}},
		"values not finite":       {spoilt, Config{Clusters: 2}},
		"values that overflow":    {far, Config{Clusters: 2}},
		"exponent 1":              {data, Config{Clusters: 2, Fuzziness: 1}},
		"negative noise distance": {data, Config{Clusters: 2, NoiseDistance: -1}},
		"links all there is":      {data, Config{Clusters: 2, LinkWeight: 1}},
		"a cluster without a set": {data, Config{Clusters: 2, Focal: []belief.Set{0, 1}}},
		"a set beyond the frame":  {data, Config{Clusters: 2, Focal: []belief.Set{0, 1, 2, 4}}},
		"centres of another width": {data,
			Config{Clusters: 2, Centers: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 2}}}},
		"medoids for vectors": {data, Config{Clusters: 2, Medoids: []int{1, 2}}},
		"a link to nowhere": {data,
			Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{{A: 1, B: 500,
				Kind: link.MustLink}}}}},
	} {
		var in *fault.Input
		if _, err := Fit(t.Context(), one.data, one.cfg); !errors.As(err, &in) {
			t.Errorf("%s: %v", what, err)
		}
	}
	negative := &dissim.Dense{N: 3, D: []float32{0, 1, -1, 1, 0, 1, -1, 1, 0}}
	for what, err := range map[string]error{
		"negative dissimilarities": func() error {
			_, err := FitRelational(t.Context(), negative, Config{Clusters: 2})
			return err
		}(),
		"a medoid twice": func() error {
			_, err := FitMedian(t.Context(), &dissim.Dense{N: 3, D: make([]float32, 9)},
				Config{Clusters: 2, Medoids: []int{1, 1}})
			return err
		}(),
		"links for the credal c-means": func() error {
			_, err := FitCredal(t.Context(), data,
				Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 1,
					Kind: link.MustLink}}}})
			return err
		}(),
	} {
		var in *fault.Input
		if !errors.As(err, &in) {
			t.Errorf("%s: %v", what, err)
		}
	}
	var clash *link.Contradiction
	if _, err := Fit(t.Context(), data,
		Config{
			Clusters: 2,
			Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 1, Kind: link.MustLink},
				{A: 1, B: 0, Kind: link.CannotLink}}},
		}); !errors.As(err, &clash) {
		t.Errorf("a contradiction: %v", err)
	}
}

// Whatever the units, a fit goes on until it has found what it finds in others: the objective may
// then vanish as a number, but not as a reason to go on. Nor does a noise distance far beyond the
// data end it early.
func TestUnitsAndNoiseDoNotEndAFitEarly(t *testing.T) {
	data, _ := bars()
	from := []int{0, 50, 101}
	want, err := Fit(t.Context(), data, Config{Clusters: 3, Centers: data.Subset(from)})
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{0x1p-1000, 0x1p-560, 0x1p480} {
		other := data.Clone()
		for i := range other.F64 {
			other.F64[i] *= unit
		}
		r, err := Fit(t.Context(), other, Config{Clusters: 3, Centers: other.Subset(from)})
		if err != nil {
			t.Fatal(err)
		}
		if r.Iterations != want.Iterations || largest(r.Credal.Mass, want.Credal.Mass) > 1e-12 {
			t.Errorf("in units of %g: %d iterations instead of %d, masses differ by %g", unit,
				r.Iterations, want.Iterations, largest(r.Credal.Mass, want.Credal.Mass))
		}
	}
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(Config) (*Result, error){
		"ecm":  func(c Config) (*Result, error) { return Fit(t.Context(), data, c) },
		"ccm":  func(c Config) (*Result, error) { return FitCredal(t.Context(), data, c) },
		"recm": func(c Config) (*Result, error) { return FitRelational(t.Context(), src, c) },
		"mecm": func(c Config) (*Result, error) { return FitMedian(t.Context(), src, c) },
	} {
		r, err := run(Config{Clusters: 3, NoiseDistance: 1e30})
		if err != nil || r.Iterations < 3 {
			t.Errorf("%s: %v after %d iterations", name, err, r.Iterations)
		}
		var in *fault.Input
		if _, err := run(Config{Clusters: 3, NoiseDistance: 1e300}); !errors.As(err, &in) {
			t.Errorf("%s: a noise distance whose square overflows gives %v", name, err)
		}
	}
}

// Where several sets cost nothing, masses are those of the limit, and add up however hard the
// exponent is.
func TestMassesWhereSetsCostNothing(t *testing.T) {
	for beta, want := range map[float64][]float64{2: {0, 0, 2. / 3, 1. / 3},
		1.5: {0, 0, 4. / 5, 1. / 5}, 1.0001: {0, 0, 1, 0}} {
		m := make([]float64, 4)
		cost := newPowers(beta).masses(m, []float64{1, 3, 0, 0}, []float64{1, 1, 2, 4})
		if cost != 0 || largest(m, want) > 1e-12 {
			t.Errorf("β %g: masses %v, and should be %v", beta, m, want)
		}
	}
}

// Progress is reported, and a context ends a fit.
func TestProgressAndCancellation(t *testing.T) {
	data, _ := bars()
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for name, run := range map[string]func(context.Context, Config) (*Result, error){
		"ecm": func(ctx context.Context, c Config) (*Result, error) { return Fit(ctx, data, c) },
		"recm": func(ctx context.Context, c Config) (*Result,
			error) {
			return FitRelational(ctx, src, c)
		},
		"mecm": func(ctx context.Context, c Config) (*Result,
			error) {
			return FitMedian(ctx, src, c)
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		cfg := Config{
			Clusters: 3,
			Limits:   fit.Limits{Tolerance: 1e-15},
			Options: fit.Options{Progress: func(p fit.Progress) {
				if calls++; p.Iteration < 1 || p.Iteration > p.MaxIterations ||
					!(p.Objective >= 0) {
					t.Errorf("%s: progress %+v", name, p)
				}
				cancel()
			}},
		}
		if _, err := run(ctx, cfg); !errors.Is(err, context.Canceled) || calls == 0 {
			t.Errorf("%s: %v after %d calls", name, err, calls)
		}
	}
}
