package kmeans_test

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/testtable"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// blobs draws n rows of d values about k centres.
func blobs(n, d, k int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 7))
	at := make([]float64, k*d)
	for i := range at {
		at[i] = 10 * rng.Float64()
	}
	values := make([]float64, 0, n*d)
	for range n {
		c := rng.IntN(k)
		for j := range d {
			values = append(values, at[c*d+j]+rng.NormFloat64())
		}
	}
	return dataset.Matrix{Rows: n, Cols: d, F64: values}
}

// table writes the rows of m to that many Parquet files, in order, and returns the table as it is
// planned and surveyed.
func table(t testing.TB, m dataset.Matrix, files, splitRows int) (shard.Source, *survey.Survey) {
	t.Helper()
	return planned(t, shard.Source{Paths: []string{testtable.Parquet(t, m, files)},
		SplitRows: splitRows})
}

// planned plans and surveys a table.
func planned(t testing.TB, src shard.Source) (shard.Source, *survey.Survey) {
	t.Helper()
	src, splits, err := shard.Plan(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(context.Background(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	return src, sv
}

// first returns the first k rows.
func first(m dataset.Matrix, k int) dataset.Matrix {
	return dataset.Matrix{Rows: k, Cols: m.Cols, F64: slices.Clone(m.F64[:k*m.Cols])}
}

func mustFit(t testing.TB, src shard.Source, sv *survey.Survey, threads int,
	cfg scalekmeans.Config) *scalekmeans.Result {
	t.Helper()
	r, err := scalekmeans.Fit(context.Background(), fold.Local{Threads: threads}, src, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// alike compares a fit beyond one machine with kmeans.Fit, whose centres may differ in the last
// digits, relative to their spread.
func alike(t testing.TB, m dataset.Matrix, got *scalekmeans.Result, want *kmeans.Result,
	digits float64) {
	t.Helper()
	if got.Iterations != want.Iterations || got.Stopped != want.Stopped ||
		got.EmptyRepaired != want.EmptyRepaired {
		t.Errorf("%d iterations, %v, %d repaired, where one machine has %d, %v, %d",
			got.Iterations, got.Stopped, got.EmptyRepaired, want.Iterations, want.Stopped,
			want.EmptyRepaired)
	}
	for i, v := range want.Centers.F64 {
		if math.Abs(got.Centers.F64[i]-v) > digits*math.Abs(v) {
			t.Fatalf("value %d of the centres is %v, and %v on one machine", i, got.Centers.F64[i],
				v)
		}
	}
	var sizes []int64
	for _, n := range want.Sizes {
		sizes = append(sizes, int64(n))
	}
	if diff := cmp.Diff(sizes, got.Sizes); diff != "" {
		t.Error(diff)
	}
	if math.Abs(got.Inertia-want.Objective) > 1e-9*want.Objective {
		t.Errorf("inertia %v, and %v on one machine", got.Inertia, want.Objective)
	}
	for i := range min(len(got.Trace), len(want.Trace)) {
		if math.Abs(got.Trace[i]-want.Trace[i]) > 1e-8*want.Trace[i] {
			t.Errorf("inertia %v in iteration %d, and %v on one machine", got.Trace[i], i+1,
				want.Trace[i])
		}
	}
	medoids, err := kmeans.Medoids(context.Background(), m, want.Labels, want.Centers, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for c, i := range medoids {
		if got.Medoids[c].Row != int64(i) {
			t.Errorf("medoid %d of cluster %d, and %d on one machine", got.Medoids[c].Row, c, i)
		} else if i >= 0 && !m.Single() &&
			!slices.Equal(got.Medoids[c].Values, m.F64[i*m.Cols:(i+1)*m.Cols]) {
			t.Errorf("the medoid of cluster %d is %v", c, got.Medoids[c].Values)
		}
	}
}

// labelsIn reads the clusters of all rows from parts.
func labelsIn(t testing.TB, folder string) (ids []string, clusters []int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "part-*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if lines[0] != "id,cluster" {
			t.Fatalf("%s begins %q", name, lines[0])
		}
		for _, line := range lines[1:] {
			id, cluster, _ := strings.Cut(line, ",")
			ids = append(ids, id)
			c, err := strconv.Atoi(cluster)
			if err != nil {
				t.Fatal(err)
			}
			clusters = append(clusters, c)
		}
	}
	return ids, clusters
}
