package bayes_test

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

func TestOddData(t *testing.T) {
	column := func(values ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
	}
	constant := dataset.Matrix{Rows: 4, Cols: 3, F64: []float64{7, 0, 1, 7, 0, 2, 7, 0, 8, 7, 0, 9}}
	for name, c := range map[string]struct {
		m     dataset.Matrix
		k     int
		known []int32
	}{
		"one row": {column(3), 1, nil}, "as many classes as rows": {column(1, 2, 4), 3, nil},
		"equal rows":       {column(5, 5, 5), 1, nil},
		"constant columns": {constant, 2, []int32{0, -1, -1, 1}},
		"far off":          {column(1e9, 1e9+1, 1e9+10, 1e9+11), 2, nil},
		"large":            {column(0, 1e140, 9e139), 2, nil},
		"one class known":  {column(1, 2, 8, 9), 2, []int32{1, 1, -1, -1}},
		"an empty row":     {column(0, 0, 3, 4), 2, nil},
		"all known":        {column(1, 2, 8, 9), 3, []int32{1, 1, 0, 0}},
		"one class":        {column(1, 2, 8, 9), 1, []int32{0, 0, 0, 0}},
	} {
		for _, likelihood := range []bayes.Likelihood{bayes.Gaussian, bayes.Multinomial} {
			r := mustFit(t, c.m, c.known, bayes.Config{Clusters: c.k, Likelihood: likelihood})
			for _, v := range slices.Concat(r.Memberships, bayes.Offsets(r.Model), bayes.Roots(r.Model),
				r.Model.Means.F64, []float64{r.LogPosterior}) {
				if v-v != 0 {
					t.Errorf("%s, %v: %+v", name, likelihood, r)
					break
				}
			}
		}
	}
	// The constant columns count for nothing in new rows, either.
	r := mustFit(t, constant, []int32{0, 0, 1, 1}, bayes.Config{Clusters: 2})
	if _, labels, err := r.Model.Predict(t.Context(),
		dataset.Matrix{Rows: 2, Cols: 3, F64: []float64{-100, 5, 2, 100, 9, 8}}, 1); err != nil ||
		!slices.Equal(labels, []int32{0, 1}) {
		t.Errorf("new rows: %v, %v", labels, err)
	}
}

func TestBadInputIsRefused(t *testing.T) {
	column := func(values ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
	}
	m := column(0, 0, 1, 1)
	for name, c := range map[string]struct {
		m     dataset.Matrix
		known []int32
		cfg   bayes.Config
	}{
		"no classes":            {m, nil, bayes.Config{}},
		"more than rows":        {m, nil, bayes.Config{Clusters: 5}},
		"fewer distinct rows":   {m, nil, bayes.Config{Clusters: 3}},
		"an unknown likelihood": {m, nil, bayes.Config{Clusters: 2, Likelihood: 5}},
		"negative smoothing":    {m, nil, bayes.Config{Clusters: 2, Smoothing: -1}},
		"a negative weight":     {m, nil, bayes.Config{Clusters: 2, UnlabelledWeight: -1}},
		"negative starts": {m, nil, bayes.Config{Clusters: 2,
			Limits: fit.Limits{Starts: -1}}},
		"a negative limit": {m, nil, bayes.Config{Clusters: 2,
			Limits: fit.Limits{MaxIterations: -1}}},
		"a tolerance of none": {m, nil, bayes.Config{Clusters: 2,
			Limits: fit.Limits{Tolerance: math.NaN()}}},
		"classes of other rows": {m, []int32{1}, bayes.Config{Clusters: 2}},
		"a class too many":      {m, []int32{0, 1, 2, -1}, bayes.Config{Clusters: 2}},
		"not finite":            {column(1, math.NaN()), nil, bayes.Config{Clusters: 2}},
		"too large":             {column(1, 1e145), nil, bayes.Config{Clusters: 2}},
		"squares that vanish":   {column(0, 1e-135, 2e-135), nil, bayes.Config{Clusters: 2}},
		"fewer values than rows": {dataset.Matrix{Rows: 5, Cols: 2, F64: []float64{1}}, nil,
			bayes.Config{Clusters: 1}},
		"columns below 0": {dataset.Matrix{Rows: 2, Cols: -1}, nil,
			bayes.Config{Clusters: 1}},
		"a weight past all bounds": {m, []int32{0, -1, -1, 1},
			bayes.Config{Clusters: 2, UnlabelledWeight: 1e300}},
		"smoothing past all bounds": {m, nil, bayes.Config{Clusters: 2, Smoothing: 1e300}},
		"no rows":                   {dataset.Matrix{}, nil, bayes.Config{Clusters: 1}},
		"values below 0": {column(1, -1), nil,
			bayes.Config{Clusters: 2, Likelihood: bayes.Multinomial}},
	} {
		c.cfg.Known = c.known
		if r, err := bayes.Fit(t.Context(), c.m, c.cfg); !fault.IsInput(err) || r != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	r := mustFit(t, column(1, 2, 8, 9), nil, bayes.Config{Clusters: 2})
	if _, _, err := r.Model.Predict(t.Context(),
		dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, 2}}, 1); !fault.IsInput(err) {
		t.Errorf("rows of other width: %v", err)
	}
	if _, _, err := r.Model.Predict(t.Context(),
		dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{1}}, 1); !fault.IsInput(err) {
		t.Errorf("rows that are not there: %v", err)
	}
}

// Values and weights of rows as large and as small as the bounds take leave nothing infinite.
func TestExtremeScales(t *testing.T) {
	const n = 2000
	for _, scale := range []float64{bayes.Largest, 2 * bayes.LeastSpread} {
		m, known := dataset.Matrix{Rows: n, Cols: 1}, make([]int32, n)
		for i := range n {
			m.F64 = append(m.F64, scale*float64(i%2)*(1+float64(i%3)/9)/2)
			known[i] = int32(i%2) - 1
		}
		for _, smoothing := range []float64{1e-30, 1, 1e12} {
			for _, weight := range []float64{1e-30, 1, 1e12} {
				r := mustFit(t, m, known, bayes.Config{Clusters: 2, Smoothing: smoothing,
					UnlabelledWeight: weight})
				for _, v := range slices.Concat(r.Memberships, bayes.Offsets(r.Model),
					bayes.Roots(r.Model), r.Model.Means.F64, r.Trace) {
					if v-v != 0 {
						t.Errorf("scale %g, smoothing %g, weight %g: %+v", scale, smoothing, weight,
							r)
						break
					}
				}
			}
		}
	}
}

// A new row so far away that its squared distances overflow has probabilities all the same.
func TestRowsFarAway(t *testing.T) {
	r := mustFit(t, dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1e-30, 8e-30, 9e-30}},
		[]int32{0, 0, 1, 1}, bayes.Config{Clusters: 2})
	memberships, _, err := r.Model.Predict(t.Context(),
		dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1e140, 1e-30}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if memberships[0] != 0.5 || memberships[1] != 0.5 || !near(memberships[2], 1, 1e-6) {
		t.Errorf("probabilities %v", memberships)
	}
}

// However little rows of unknown class weigh, a class that is known of none is like those in it.
func TestAClassOfLightRows(t *testing.T) {
	m := dataset.Matrix{Rows: 8, Cols: 1, F64: []float64{0, 1, 2, 3, 10, 11, 12, 13}}
	for _, weight := range []float64{1e-6, 1e-12, 1e-30} {
		r := mustFit(t, m, []int32{0, 0, 0, -1, -1, -1, -1, -1},
			bayes.Config{Clusters: 2, UnlabelledWeight: weight})
		if mean := r.Model.Means.F64[1]; !near(mean, 11.5, 1e-3) {
			t.Errorf("weight %g: the mean is %g, want 11.5", weight, mean)
		}
	}
}
