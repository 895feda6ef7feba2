package density_test

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Core objects, clusters and noise follow from the definitions, also where many distances are equal
// to Eps.
func TestDBSCANIsThatOfTheDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawData(t, 300)
		eps := math.Sqrt(float64(rapid.IntRange(1, 400).Draw(t, "eps squared")))
		cfg := density.Config{
			Eps:       eps,
			MinPoints: rapid.IntRange(1, 12).Draw(t, "points"),
			Options:   fit.Options{Threads: rapid.IntRange(1, 3).Draw(t, "threads")},
		}
		twin := newTwinDBSCAN(data.d, eps, cfg.MinPoints)
		for name, o := range data.objects(t) {
			r, err := density.FitDBSCAN(context.Background(), o, cfg)
			if err != nil {
				t.Fatal(name, err)
			}
			twin.agree(t, r.Labels, r.Core)
		}
	})
}

// Ties are broken by values, so that the order of rows says nothing. (Dissimilarities alone have no
// values.)
func TestDBSCANForgetsTheOrderOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := drawData(t, 200)
		other, order := data.permuted(t)
		cfg := density.Config{MinPoints: rapid.IntRange(2, 8).Draw(t, "points")}
		if rapid.Bool().Draw(t, "given") {
			cfg.Eps = math.Sqrt(float64(rapid.IntRange(1, 50).Draw(t, "eps squared")))
		}
		a, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: data.m}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: other.m}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if a.Eps != b.Eps {
			t.Fatalf("Eps %g became %g", a.Eps, b.Eps)
		}
		samePartition(t, a.Labels, b.Labels, order)
	})
}

// A radius that makes one cluster or none is answered by one that makes two.
func TestDBSCANSuggests(t *testing.T) {
	m, _ := blobs(1, [4]float64{0, 0, 1, 150}, [4]float64{12, 0, 1, 150})
	o := density.Objects{Vectors: m}
	for name, eps := range map[string]float64{"all noise": 1e-4, "one cluster": 50} {
		r, err := density.FitDBSCAN(context.Background(), o, density.Config{Eps: eps})
		if err != nil {
			t.Fatal(err)
		}
		if r.Clusters > 1 || r.Suggested <= 0 ||
			!strings.Contains(strings.Join(r.Notes, "\n"), "try Eps") {
			t.Fatalf("%s: %d clusters, Eps %g suggested, notes %q", name, r.Clusters, r.Suggested,
				r.Notes)
		}
		again, err := density.FitDBSCAN(context.Background(), o, density.Config{Eps: r.Suggested})
		if err != nil {
			t.Fatal(err)
		}
		if again.Clusters < 2 {
			t.Errorf("%s: the suggested Eps %g gives %d clusters", name, r.Suggested,
				again.Clusters)
		}
	}
}

func TestDBSCANTakesWhatThereIs(t *testing.T) {
	ctx := context.Background()
	same := make([]float64, 200)
	for name, c := range map[string]struct {
		m        dataset.Matrix
		clusters int
	}{
		"one row":    {dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, 2}}, 1},
		"two rows":   {dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 2}}, 1},
		"equal rows": {dataset.Matrix{Rows: 100, Cols: 2, F64: same}, 1},
		"constant column": {dataset.Matrix{Rows: 6, Cols: 2,
			F64: []float64{1, 0, 1, .1, 1, .2, 1, .3, 1, .4, 1, .5}}, 1},
	} {
		r, err := density.FitDBSCAN(ctx, density.Objects{Vectors: c.m}, density.Config{})
		if err != nil || r.Clusters != c.clusters {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
	var in *fault.Input
	for name, c := range map[string]struct {
		m   dataset.Matrix
		cfg density.Config
	}{
		"no rows":    {},
		"not finite": {m: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, math.NaN()}}},
		"huge":       {m: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1e200, -1e200}}},
		"short":      {m: dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1}}},
		"Eps": {m: dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{1}},
			cfg: density.Config{Eps: -1}},
		"infinite": {m: dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{1}},
			cfg: density.Config{Eps: math.Inf(1)}},
		"MinPoints": {m: dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{1}},
			cfg: density.Config{MinPoints: -1}},
	} {
		if _, err := density.FitDBSCAN(ctx, density.Objects{Vectors: c.m}, c.cfg); !errors.As(err,
			&in) {
			t.Errorf("%s: %v", name, err)
		}
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	m, _ := blobs(1, [4]float64{0, 0, 1, 1000})
	if _, err := density.FitDBSCAN(stopped, density.Objects{Vectors: m},
		density.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
