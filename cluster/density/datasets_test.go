package density_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
)

// prepared reads a published data set and leaves its values as they are.
func prepared(t *testing.T, name string) dataset.Matrix {
	t.Helper()
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, name+".csv"),
		dataset.ReadOptions{Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
	if err != nil {
		t.Fatal(err)
	}
	return p.X
}

// Clusters, core objects and noise as scikit-learn 1.9 counts them.
func TestDBSCANCountsAsScikitLearn(t *testing.T) {
	for _, c := range []struct {
		name                  string
		eps                   float64
		points                int
		clusters, core, noise int
	}{
		{"sipu_aggregation", 1.5, 6, 5, 755, 1},
		{"iris", 0.5, 5, 2, 117, 17},
		{"sipu_s1", 20000, 10, 16, 4291, 306},
		{"sipu_unbalance", 4000, 4, 16, 6308, 132},
		{"wine", 50, 8, 3, 157, 8},
		{"kevclus_t_n10000", 0.35, 10, 1, 9244, 510},
		{"optdigits389", 22, 20, 3, 250, 454},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := density.FitDBSCAN(context.Background(),
				density.Objects{Vectors: prepared(t, c.name)},
				density.Config{Eps: c.eps, MinPoints: c.points})
			if err != nil {
				t.Fatal(err)
			}
			core, noise := 0, 0
			for i, is := range r.Core {
				if is {
					core++
				}
				if r.Labels[i] == density.Noise {
					noise++
				}
			}
			if r.Clusters != c.clusters || core != c.core || noise != c.noise {
				t.Errorf("%d clusters, %d core objects and %d of noise; scikit-learn has %d, %d "+
					"and %d", r.Clusters, core, noise, c.clusters, c.core, c.noise)
			}
		})
	}
}
