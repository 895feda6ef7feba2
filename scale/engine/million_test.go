package engine

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/testtable"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// A million rows on an engine, and on one machine from the same start: centres and every label.
func TestKMeansOnAnEngineIsThatOfOneMachine(t *testing.T) {
	if testing.Short() {
		t.Skip("a million rows take half a minute")
	}
	const n, d, k = 1_000_000, 4, 8
	rng := rand.New(rand.NewPCG(3, 1))
	m := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
	for i := range n {
		for j := range d {
			m.F64[i*d+j] = 3*float64((i*7+j*i%5)%k) + rng.NormFloat64()
		}
	}
	in, out := testtable.Parquet(t, m, 1), t.TempDir()
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{in}, SplitRows: 150_000})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	start := dataset.Matrix{Rows: k, Cols: d, F64: slices.Clone(m.F64[:k*d])}
	got, err := scalekmeans.Fit(t.Context(), runner(t, Options{Work: t.TempDir()}), src, sv,
		scalekmeans.Config{Clusters: k, Centers: start, MaxIterations: 4, Tolerance: -1, Out: out})
	if err != nil {
		t.Fatal(err)
	}
	want, err := kmeans.Fit(t.Context(), m,
		kmeans.Config{Clusters: k, Centers: start,
			Limits: fit.Limits{MaxIterations: 4, Tolerance: -1}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Iterations != want.Iterations || len(splits) < 4 {
		t.Errorf("%d iterations over %d splits, and %d on one machine", got.Iterations, len(splits),
			want.Iterations)
	}
	for i, v := range want.Centers.F64 {
		if math.Abs(got.Centers.F64[i]-v) > 1e-9*math.Abs(v) {
			t.Errorf("value %d of the centres is %v, and %v on one machine", i, got.Centers.F64[i],
				v)
		}
	}
	row := 0
	for s := range splits {
		f, err := os.Open(filepath.Join(out, "part-"+strconv.Itoa(100_000 + s)[1:]+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		lines, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines[1:] {
			if line[0] != strconv.Itoa(row+1) ||
				line[1] != strconv.Itoa(got.ClusterOf[want.Labels[row]]) {
				t.Fatalf("%v, where one machine has row %d in %d", line, row+1,
					got.ClusterOf[want.Labels[row]])
			}
			row++
		}
	}
	if row != n {
		t.Errorf("%d labels of %d rows", row, n)
	}
}
