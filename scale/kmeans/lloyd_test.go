package kmeans_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/scale/fold"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
)

// A million rows in several files, fitted in rounds and on one machine, from the same start.
func TestFitIsThatOfOneMachine(t *testing.T) {
	n := 1_000_000
	if testing.Short() {
		n = 20_000
	}
	m := blobs(n, 8, 12, 1)
	src, sv := table(t, m, 3, n/7)
	for _, cfg := range []scalekmeans.Config{
		{MaxIterations: 5, Tolerance: -1},
		{MaxIterations: 60},
	} {
		cfg.Clusters, cfg.Centers, cfg.Out = 12, first(m, 12), t.TempDir()
		got := mustFit(t, src, sv, 2, cfg)
		want, err := kmeans.Fit(context.Background(), m,
			kmeans.Config{
				Clusters: 12,
				Centers:  cfg.Centers,
				Limits:   fit.Limits{MaxIterations: cfg.MaxIterations, Tolerance: cfg.Tolerance},
			})
		if err != nil {
			t.Fatal(err)
		}
		alike(t, m, got, want, 1e-9)
		ids, clusters := labelsIn(t, cfg.Out)
		if len(ids) != n {
			t.Fatalf("%d labels of %d rows", len(ids), n)
		}
		for i, l := range want.Labels {
			if clusters[i] != got.ClusterOf[l] || ids[i] != strconv.Itoa(i+1) {
				t.Fatalf("row %s in cluster %d, where one machine has row %d in %d", ids[i],
					clusters[i], i+1, got.ClusterOf[l])
			}
		}
		for i := 1; i < len(got.Trace); i++ {
			if got.Trace[i] > got.Trace[i-1] {
				t.Errorf("the inertia rises from %v to %v", got.Trace[i-1], got.Trace[i])
			}
			if math.Abs(got.Trace[i]-want.Trace[i]) > 1e-9*want.Trace[i] {
				t.Errorf("inertia %v after %d iterations, and %v on one machine", got.Trace[i], i+1,
					want.Trace[i])
			}
		}
	}
}

// The number of threads changes nothing; how the table is cut changes the centres in the last
// digits alone, the drawn start included.
func TestHowTheTableIsCut(t *testing.T) {
	n, cuts := 150_000, []struct{ files, rows int }{{1, 1 << 18}, {5, 3_000}}
	if testing.Short() {
		n, cuts = 66_000, cuts[1:] // more than the sample
	}
	m := blobs(n, 2, 6, 2)
	cfg := scalekmeans.Config{Clusters: 6, Seed: 3, MaxIterations: 4}
	src, sv := table(t, m, 2, 20_000)
	base := mustFit(t, src, sv, 1, cfg)
	if diff := cmp.Diff(base, mustFit(t, src, sv, 5, cfg)); diff != "" {
		t.Errorf("five threads: %s", diff)
	}
	for _, cut := range cuts {
		src, sv := table(t, m, cut.files, cut.rows)
		got := mustFit(t, src, sv, 2, cfg)
		for i, v := range base.Centers.F64 {
			if math.Abs(got.Centers.F64[i]-v) > 1e-12*math.Abs(v) {
				t.Fatalf("%+v: value %d of the centres is %v, and %v cut otherwise", cut, i,
					got.Centers.F64[i], v)
			}
		}
		if diff := cmp.Diff(base.Sizes, got.Sizes); diff != "" ||
			got.Iterations != base.Iterations {
			t.Errorf("%+v: %d iterations, where there were %d; %s", cut, got.Iterations,
				base.Iterations, diff)
		}
	}
}

// Up to 65 536 rows the start is that of kmeans.Fit, and so is all that follows, in float64 and in
// float32.
func TestStartOfFewRows(t *testing.T) {
	m := blobs(4000, 3, 5, 4)
	src, sv := table(t, m, 2, 700)
	want, err := kmeans.Fit(context.Background(), m,
		kmeans.Config{Clusters: 5, Options: fit.Options{Seed: 8}})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, m, mustFit(t, src, sv, 2, scalekmeans.Config{Clusters: 5, Seed: 8}), want, 1e-10)

	narrow := dataset.Matrix{Rows: m.Rows, Cols: m.Cols}
	for i, v := range m.F64 {
		narrow.F32 = append(narrow.F32, float32(v))
		m.F64[i] = float64(float32(v))
	}
	src, sv = table(t, m, 2, 700)
	src.Single = true
	want, err = kmeans.Fit(context.Background(), narrow,
		kmeans.Config{Clusters: 5, Options: fit.Options{Seed: 8}})
	if err != nil {
		t.Fatal(err)
	}
	alike(t, narrow, mustFit(t, src, sv, 2, scalekmeans.Config{Clusters: 5, Seed: 8}), want, 1e-10)
}

// Of many rows a sample is drawn; the start from it is about as good as the one that one machine
// draws.
func TestStartOfManyRows(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 70_000
	}
	m := blobs(n, 2, 10, 5)
	src, sv := table(t, m, 1, 30_000)
	cfg := scalekmeans.Config{Clusters: 10, MaxIterations: 1}
	want := 0.0
	for seed := range uint64(4) {
		r, err := kmeans.Fit(context.Background(), m,
			kmeans.Config{Clusters: 10, Limits: fit.Limits{MaxIterations: 1},
				Options: fit.Options{Seed: seed}})
		if err != nil {
			t.Fatal(err)
		}
		want += r.Trace[0] / 4
	}
	got := 0.0
	for seed := range uint64(4) {
		cfg.Seed = seed
		got += mustFit(t, src, sv, 2, cfg).Trace[0] / 4
	}
	if got > 1.2*want {
		t.Errorf("inertia %v at the start, and %v on one machine", got, want)
	}
}

// Cases where centres lie on each other, or nothing is left to divide.
func TestAwkwardData(t *testing.T) {
	lines := func(values ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
	}
	far := blobs(3000, 3, 4, 6)
	for i := range far.F64 {
		far.F64[i] += 1e8
	}
	same := dataset.Matrix{Rows: 500, Cols: 2, F64: slices.Repeat([]float64{0.1, -0.3}, 500)}
	spread := blobs(2000, 2, 9, 7)
	// inertias of 10⁻¹⁰ of the spread, of which a difference of sums would keep few digits
	tight := blobs(2000, 2, 1, 8)
	for i := range tight.F64 {
		tight.F64[i] = tight.F64[i]*1e-5 + float64(i/2%2)
	}
	for _, c := range []struct {
		name  string
		data  dataset.Matrix
		k     int
		start []float64
	}{
		{"one cluster", blobs(1000, 3, 4, 5), 1, []float64{1, 2, 3}},
		{"far off", far, 4, far.F64[:12]},
		{"all rows the same", same, 3, []float64{0, 0, 1, 1, 2, 2}},
		{"fewer distinct rows than clusters", lines(1, 2, 1, 2, 1, 2, 2, 2), 4,
			[]float64{0, 1, 5, 9}},
		{"one empty cluster", lines(0, 1, 2, 10, 11, 12), 3, []float64{1, 11, 100}},
		{"centres on each other", spread, 9, slices.Repeat([]float64{3, 3}, 9)},
		{"tight clusters", tight, 2, []float64{0.3, 0.3, 0.4, 0.6}},
		{"far centres", spread, 30, append(slices.Repeat([]float64{1e6, 1e6}, 29), 5, 5)},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := dataset.Matrix{Rows: c.k, Cols: c.data.Cols, F64: c.start}
			for _, iterations := range []int{1, 100} {
				want, err := kmeans.Fit(context.Background(), c.data,
					kmeans.Config{Clusters: c.k, Centers: start,
						Limits: fit.Limits{MaxIterations: iterations}})
				if err != nil {
					t.Fatal(err)
				}
				src, sv := table(t, c.data, 2, 100)
				alike(t, c.data, mustFit(t, src, sv, 2,
					scalekmeans.Config{Clusters: c.k, Centers: start, MaxIterations: iterations}),
					want, 1e-9)
			}
		})
	}
}

func TestFitRefuses(t *testing.T) {
	m := blobs(20, 2, 2, 1)
	src, sv := table(t, m, 1, 100)
	for _, c := range []struct {
		cfg  scalekmeans.Config
		want string
	}{
		{scalekmeans.Config{}, "0 clusters asked for"},
		{scalekmeans.Config{Clusters: 21}, "21 clusters asked for and only 20 rows given"},
		{scalekmeans.Config{Clusters: 2, MaxIterations: -1}, "at most -1 iterations"},
		{scalekmeans.Config{Clusters: 2, Tolerance: math.NaN()}, "tolerance is not a number"},
		{scalekmeans.Config{Clusters: 2, Centers: first(m, 3)},
			"starting centres are 3×2 where 2×2"},
		{scalekmeans.Config{Clusters: 2,
			Centers: dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1, 2, math.NaN(), 3}}},
			"starting centre 2 holds a value that is not finite"},
	} {
		_, err := scalekmeans.Fit(context.Background(), fold.Local{}, src, sv, c.cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.cfg, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := scalekmeans.Fit(ctx, fold.Local{}, src, sv,
		scalekmeans.Config{Clusters: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("a fit that was cancelled: %v", err)
	}
}

// A value that cannot be used is named with its place.
func TestFaultsHaveTheirPlace(t *testing.T) {
	m := blobs(500, 2, 2, 1)
	m.F64[2*321+1] = 1e200
	src, sv := table(t, m, 1, 100)
	_, err := scalekmeans.Fit(context.Background(), fold.Local{Threads: 1}, src, sv,
		scalekmeans.Config{Clusters: 2, Centers: first(m, 2)})
	if !fault.IsInput(err) ||
		!strings.Contains(err.Error(),
			"part-00000.parquet, row 322, column x1: the value 1e+200 lies so far") {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(file, []byte("x,y\n"+strings.Repeat("1,2\n", 321)+"3,1e200\n1,1\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	src, sv = planned(t, shard.Source{Paths: []string{file}, SplitRows: 50})
	_, err = scalekmeans.Fit(context.Background(), fold.Local{Threads: 1}, src, sv,
		scalekmeans.Config{Clusters: 2, Centers: first(m, 2)})
	if !fault.IsInput(err) ||
		!strings.Contains(err.Error(),
			"a.csv, column y: row 322 of the table: the value 1e+200 lies so far") {
		t.Error(err)
	}
}
