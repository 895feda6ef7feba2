package evclus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// TestPublishedSets: what landmarks find is about as near the true classes as what k-EVCLUS finds
// that knows all rows, and the two are near each other.
func TestPublishedSets(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	for _, c := range []struct {
		file   string
		scale  dataset.Scale
		values []string // of parameters
		// The adjusted Rand index may be lower by so much than that of one machine with the true
		// classes, and is to be so high between the two.
		loss, near float64
	}{
		{"sipu_s2.csv", dataset.ScaleZScore,
			[]string{"clusters=15", "d0=quantile:0.2", "landmarks=1000", "model-rows=1000"}, 0.05,
			0.9},
		{"kevclus_t_n10000.csv", dataset.ScaleNone,
			[]string{"clusters=4"}, 0.02, 0.9},
	} {
		t.Run(c.file, func(t *testing.T) {
			path := filepath.Join(folder, c.file)
			table, err := dataset.Read(t.Context(), path, dataset.ReadOptions{Label: "class"})
			if err != nil {
				t.Fatal(err)
			}
			p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: c.scale})
			if err != nil {
				t.Fatal(err)
			}
			codes, _, _ := table.Labels()
			truth := make([]int, table.Rows)
			for i := range truth {
				truth[i] = int(codes[i])
			}
			single := kevclus(t, append(slices.Clone(c.values), "landmarks=0")...)
			alone, err := single.Fit(t.Context(), method.Problem{Data: p.X})
			if err != nil {
				t.Fatal(err)
			}
			src, sv := surveyed(t,
				shard.Source{Paths: []string{path}, Label: "class", SplitRows: 1000}, p.Encoding)
			r := fold.Local{}
			fit, err := Fit(t.Context(), r, src, sv,
				Config{Scale: c.scale.String(), Method: kevclus(t, c.values...)})
			if err != nil {
				t.Fatal(err)
			}
			out := Output{Path: t.TempDir()}
			if _, err := Place(t.Context(), r, src, sv, fit.Model, out); err != nil {
				t.Fatal(err)
			}
			placed, _ := parts(t, out.Path, "parquet")
			labels := placed.ArgMax(belief.MaxPlausibility)
			before, both := adjustedRand(t, alone.Credal.ArgMax(belief.MaxPlausibility), truth),
				adjustedRand(t, labels, alone.Credal.ArgMax(belief.MaxPlausibility))
			after := adjustedRand(t, labels, truth)
			t.Logf("%d landmarks of %d rows: adjusted Rand index %.4f, of all rows on one "+
				"machine %.4f, between the two %.4f; N* %.4f and %.4f",
				len(fit.Landmarks), table.Rows, after, before, both, placed.Nonspecificity(),
				alone.Credal.Nonspecificity())
			if after < before-c.loss || both < c.near {
				t.Errorf("adjusted Rand index %.4f, on one machine %.4f, between the two %.4f",
					after, before, both)
			}
		})
	}
}

// adjustedRand returns the adjusted Rand index of two partitions.
func adjustedRand(t *testing.T, a, b []int) float64 {
	t.Helper()
	r, err := eval.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}
