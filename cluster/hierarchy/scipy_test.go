package hierarchy_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
)

// What scipy.cluster.hierarchy.linkage (SciPy 1.17) returns for published sets: the sums of the
// heights, and of heights times sizes, and the last height. Left out are sets whose tree SciPy has
// otherwise after a shuffle of the rows, as distances are equal.
func TestHeightsAreThoseOfSciPy(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" || testing.Short() {
		t.Skip("slow, and needs the data sets: name their folder in KINDRED_DATASETS")
	}
	for _, c := range []struct {
		set                 string
		linkage             hierarchy.Linkage
		sum, weighted, last float64
	}{

	} {
		table, err := dataset.Read(t.Context(), filepath.Join(folder, c.set+".csv"),
			dataset.ReadOptions{Label: "class"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil {
			t.Fatal(err)
		}
		tree, err := hierarchy.Fit(context.Background(), p.X,
			hierarchy.Config{Linkage: c.linkage})
		if err != nil {
			t.Fatal(err)
		}
		sum, weighted, last := 0.0, 0.0, 0.0
		for _, e := range tree.Merges {
			sum, weighted, last = sum+e.Height, weighted+e.Height*float64(e.Size), e.Height
		}
		for _, pair := range [][2]float64{{sum, c.sum}, {weighted, c.weighted}, {last, c.last}} {
			if math.Abs(pair[0]-pair[1]) > 1e-9*pair[1] {
				t.Errorf("%s, %v: %.15g, want %.15g", c.set, c.linkage, pair[0], pair[1])
			}
		}
	}
}
