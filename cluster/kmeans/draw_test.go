package kmeans_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// Eight blobs far apart, of which five have a centre given: the others get one each.
func TestDrawFillsTheGaps(t *testing.T) {
	var values []float64
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 70_000 {
		values = append(values, 100*float64(i%8)+rng.Float64())
	}
	for _, n := range []int{400, 70_000} {
		data := dataset.Matrix{Rows: n, Cols: 1, F64: values[:n]}
		for _, m := range []dataset.Matrix{data, single(data)} {
			given := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{700, 0, 300, 200, 500}}
			for seed := range uint64(5) {
				at, err := kmeans.Draw(context.Background(), m, given, 8,
					rand.New(rand.NewPCG(seed, 0)), 2)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(at.F64[:5], given.F64) {
					t.Errorf("the first centres are %v", at.F64[:5])
				}
				var blobs []int
				for _, v := range at.F64 {
					blobs = append(blobs, int(v)/100)
				}
				if slices.Sort(blobs); !slices.Equal(blobs, []int{0, 1, 2, 3, 4, 5, 6, 7}) {
					t.Errorf("n = %d, seed %d: centres in the blobs %v", n, seed, blobs)
				}
			}
		}
	}
}

// Without centres given it draws what Fit starts from.
func TestDrawIsTheStartOfFit(t *testing.T) {
	m := blobs(500, 3, 6, 8)
	at, err := kmeans.Draw(context.Background(), m, dataset.Matrix{}, 6,
		rand.New(rand.NewPCG(11, 0)), 1)
	if err != nil {
		t.Fatal(err)
	}
	a := mustFit(t, m, kmeans.Config{Clusters: 6, Options: fit.Options{Seed: 11}})
	b := mustFit(t, m, kmeans.Config{Clusters: 6, Centers: at})
	if !slices.Equal(a.Centers.F64, b.Centers.F64) || a.Iterations != b.Iterations {
		t.Error("Fit from these centres is another fit")
	}
}

func TestDrawOddInput(t *testing.T) {
	same := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{4, 4, 4}}
	at, err := kmeans.Draw(context.Background(), same, first(same, 1), 3,
		rand.New(rand.NewPCG(1, 0)), 1)
	if err != nil || !slices.Equal(at.F64, same.F64) {
		t.Errorf("of equal rows: %v, %v", at.F64, err)
	}
	for name, given := range map[string]dataset.Matrix{"too many": first(blobs(4, 1, 1, 0), 4),
		"too wide": first(blobs(4, 2, 1, 0), 1),
		"far off":  {Rows: 1, Cols: 1, F64: []float64{1e300}}} {
		if _, err := kmeans.Draw(context.Background(), same, given, 3, rand.New(rand.NewPCG(1, 0)),
			1); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
