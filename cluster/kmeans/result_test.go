package kmeans_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// TestFitByHand follows four points on a line from the centres 0 and 1.
func TestFitByHand(t *testing.T) {
	m := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 2, 9}}
	start := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 1}}
	got := mustFit(t, m, kmeans.Config{Clusters: 2, Centers: start,
		Limits: fit.Limits{Tolerance: -1}})
	// About 0 and 1 the labels are 0 1 1 1 and the squares 0+0+1+64; the means are 0 and 4. About
	// those 2 lies midway and goes to the lower index: 0 0 0 1, squares 0+1+4+25, means 1 and 9.
	// About those the labels repeat, squares 1+0+1+0.
	want := &kmeans.Result{
		Labels:  []int32{0, 0, 0, 1},
		Centers: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 9}},
		Sizes:   []int{3, 1}, Objective: 2, Iterations: 3, Stopped: fit.Converged,
		Trace: []float64{65, 30, 2}, Distances: got.Distances,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// scaled multiplies m by 2^exp.
func scaled(m dataset.Matrix, exp int) dataset.Matrix {
	for i, v := range m.F64 {
		m.F64[i] = math.Ldexp(v, exp)
	}
	return m
}

// digest sums up everything in a result but what it cost.
func digest(r *kmeans.Result) string {
	h := sha256.New()
	for _, part := range []any{r.Labels, r.Centers.F64, r.Objective, int64(r.Iterations),
		int64(r.Stopped), r.Trace, int64(r.Start)} {
		if err := binary.Write(h, binary.LittleEndian, part); err != nil {
			panic(err)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// cases are fits of every kind; a name beginning with "small" is one for slow checks.
var cases = []struct {
	name string
	data func() dataset.Matrix
	cfg  kmeans.Config
}{
	{"small", func() dataset.Matrix { return blobs(700, 5, 6, 1) },
		kmeans.Config{Clusters: 9, Limits: fit.Limits{Starts: 3}}},
	{"small single", func() dataset.Matrix { return single(blobs(700, 5, 6, 1)) },
		kmeans.Config{Clusters: 9}},
	{"small wide", func() dataset.Matrix { return blobs(300, 70, 6, 1) },
		kmeans.Config{Clusters: 33, Limits: fit.Limits{Tolerance: -1}}},
	{"small parallel start", func() dataset.Matrix { return blobs(2000, 3, 8, 2) },
		kmeans.Config{Clusters: 20, Init: kmeans.InitParallel, Limits: fit.Limits{Tolerance: -1}}},
	{"long", func() dataset.Matrix { return blobs(6_000, 16, 12, 4) },
		kmeans.Config{Clusters: 130, Limits: fit.Limits{Tolerance: -1, MaxIterations: 40}}},
	{"long single", func() dataset.Matrix { return single(blobs(6_000, 16, 12, 4)) },
		kmeans.Config{Clusters: 130, Limits: fit.Limits{Tolerance: -1, MaxIterations: 40}}},
	{"small 2^130", func() dataset.Matrix { return scaled(blobs(2000, 4, 12, 1), 130) },
		kmeans.Config{Clusters: 30, Limits: fit.Limits{Tolerance: -1, MaxIterations: 60}}},
	{"small 2^200", func() dataset.Matrix { return scaled(blobs(2000, 4, 12, 1), 200) },
		kmeans.Config{Clusters: 30, Limits: fit.Limits{Tolerance: -1, MaxIterations: 60}}},
	{"small 2^400", func() dataset.Matrix { return scaled(blobs(2000, 4, 12, 2), 400) },
		kmeans.Config{Clusters: 30, Limits: fit.Limits{Tolerance: -1, MaxIterations: 60}}},
	{"small 2^−148", func() dataset.Matrix { return scaled(blobs(2000, 4, 12, 1), -148) },
		kmeans.Config{Clusters: 30, Limits: fit.Limits{Tolerance: -1, MaxIterations: 60}}},
	{"sampled start", func() dataset.Matrix { return blobs(70_000, 2, 12, 5) },
		kmeans.Config{Clusters: 15, Limits: fit.Limits{MaxIterations: 10}}},
}

func TestThreadsDoNotMatter(t *testing.T) {
	for _, c := range cases {
		m := c.data()
		var want *kmeans.Result
		for _, threads := range []int{1, 2, 5} {
			c.cfg.Threads = threads
			got := mustFit(t, m, c.cfg)
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, %d threads (-1 thread):\n%s", c.name, threads, diff)
			}
		}
	}
}

func TestAlgorithmsAgree(t *testing.T) {
	for _, c := range cases {
		m := c.data()
		c.cfg.Algorithm = kmeans.Lloyd
		want := mustFit(t, m, c.cfg)
		for _, how := range []kmeans.Algorithm{kmeans.Hamerly, kmeans.Auto} {
			c.cfg.Algorithm = how
			got := mustFit(t, m, c.cfg)
			if digest(got) != digest(want) {
				t.Errorf("%s: %v does not return Lloyd's result", c.name, how)
			}
			if strings.HasPrefix(c.name, "long") && got.Distances >= want.Distances {
				t.Errorf("%s: %v computed %d distances, Lloyd %d", c.name, how, got.Distances,
					want.Distances)
			}
		}
	}
}

// TestLevelsAgree runs the fits again in a process without the vector instructions.
func TestLevelsAgree(t *testing.T) {
	var here strings.Builder
	for _, c := range cases {
		if strings.HasPrefix(c.name, "small") {
			here.WriteString(c.name + " " + digest(mustFit(t, c.data(), c.cfg)) + "\n")
		}
	}
	if os.Getenv("KMEANS_TEST_DIGESTS") != "" {
		if err := os.WriteFile(os.Getenv("KMEANS_TEST_DIGESTS"), []byte(here.String()),
			0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, off := range []string{"cpu.avx512f=off", "cpu.avx2=off"} {
		file := t.TempDir() + "/digests"
		cmd := exec.Command(os.Args[0], "-test.run=^TestLevelsAgree$")
		cmd.Env = append(os.Environ(), "GODEBUG="+off, "KMEANS_TEST_DIGESTS="+file)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", off, err, out)
		}
		there, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(here.String(), string(there)); diff != "" {
			t.Errorf("%s (-here):\n%s", off, diff)
		}
	}
}

// checkResult tests what the documentation of Result promises.
func checkResult(t interface {
	Helper()
	Errorf(string, ...any)
}, m dataset.Matrix, r *kmeans.Result) {
	t.Helper()
	again, err := r.Predict(context.Background(), m, 2)
	if err != nil {
		t.Errorf("predicting: %v", err)
	}
	if diff := cmp.Diff(r.Labels, again); diff != "" {
		t.Errorf("prediction is not the labels:\n%s", diff)
	}
	inertia, scale := 0.0, 1e-9
	sizes := make([]int, r.Centers.Rows)
	for i, l := range r.Labels {
		sizes[l]++
		for j := range m.Cols {
			u := m.At(i, j) - r.Centers.At(int(l), j)
			inertia += u * u
		}
	}
	if m.Single() {
		scale = 1e-4
	}
	if math.Abs(inertia-r.Objective) > scale*(inertia+1e-9) {
		t.Errorf("inertia %g, from the labels %g", r.Objective, inertia)
	}
	if diff := cmp.Diff(sizes, r.Sizes); diff != "" {
		t.Errorf("sizes are not the labels':\n%s", diff)
	}
	for i := 1; i < len(r.Trace); i++ {
		if r.Trace[i] > r.Trace[i-1]*(1+1e-9)+1e-9 {
			t.Errorf("the trace rises at %d: %v", i, r.Trace)
		}
	}
	if len(r.Trace) != r.Iterations {
		t.Errorf("%d values in the trace of %d iterations", len(r.Trace), r.Iterations)
	}
}

func TestResultKeepsItsPromises(t *testing.T) {
	for _, c := range cases {
		m := c.data()
		checkResult(t, m, mustFit(t, m, c.cfg))
	}
}

// TestNoClusterIsEmpty draws small data full of duplicates and ties.
func TestNoClusterIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "n")
		d := rapid.IntRange(1, 3).Draw(t, "d")
		m := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
		distinct := map[[3]float64]bool{}
		for i := range n {
			var row [3]float64
			for j := range d {
				row[j] = float64(rapid.IntRange(-2, 2).Draw(t, "x"))
				m.F64[i*d+j] = row[j]
			}
			distinct[row] = true
		}
		cfg := kmeans.Config{
			Clusters: rapid.IntRange(1, n).Draw(t, "k"),
			Options:  fit.Options{Seed: rapid.Uint64().Draw(t, "seed")},
			Limits:   fit.Limits{Tolerance: -1},
		}
		if rapid.Bool().Draw(t, "given") { // all centres on one spot: all but one are empty
			cfg.Centers = dataset.Matrix{Rows: cfg.Clusters, Cols: d,
				F64: make([]float64, cfg.Clusters*d)}
		}
		r, err := kmeans.Fit(context.Background(), m, cfg)
		if err != nil {
			t.Fatal(err)
		}
		checkResult(t, m, r)
		full := 0
		for _, size := range r.Sizes {
			if size > 0 {
				full++
			}
		}
		if want := min(cfg.Clusters, len(distinct)); full != want {
			t.Errorf("%d clusters have rows, want %d", full, want)
		}
	})
}

func TestEmptyClusterTakesTheFurthestRow(t *testing.T) {
	m := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 2, 10}}
	start := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 100}}
	r := mustFit(t, m, kmeans.Config{Clusters: 2, Centers: start})
	if diff := cmp.Diff([]int32{0, 0, 0, 1}, r.Labels); diff != "" || r.EmptyRepaired != 1 {
		t.Errorf("labels %v, %d repaired", r.Labels, r.EmptyRepaired)
	}
}

// TestFarFromTheOrigin moves the data to where squares would lose every digit.
func TestFarFromTheOrigin(t *testing.T) {
	m := blobs(500, 3, 4, 8)
	for i, v := range m.F64 {
		m.F64[i] = math.Round(v * 1024)
	}
	start := first(m, 4)
	near := mustFit(t, m, kmeans.Config{Clusters: 4, Centers: start})
	for _, all := range [][]float64{m.F64, start.F64} {
		for i := range all {
			all[i] += 1 << 40
		}
	}
	far := mustFit(t, m, kmeans.Config{Clusters: 4, Centers: start})
	if diff := cmp.Diff(near.Labels, far.Labels); diff != "" {
		t.Errorf("labels change with the origin:\n%s", diff)
	}
}

func TestStartsKeepTheBest(t *testing.T) {
	m := blobs(400, 2, 12, 6)
	best := math.Inf(1)
	var all []float64
	r := mustFit(t, m, kmeans.Config{
		Clusters: 12,
		Limits:   fit.Limits{Starts: 8},
		Options: fit.Options{Seed: 3, Progress: func(p fit.Progress) {
			if p.Start == len(all) {
				all = append(all, 0)
			}
			all[p.Start] = p.Objective
		}},
	})
	for _, v := range all {
		best = min(best, v)
	}
	if len(all) != 8 || r.Objective > best*(1+1e-12) {
		t.Errorf("inertia %g; the starts came to %v", r.Objective, all)
	}
}

func TestBadInput(t *testing.T) {
	m := blobs(20, 2, 2, 1)
	broken := m.Clone()
	broken.F64[7] = math.NaN()
	huge := m.Clone()
	huge.F64[3] = 1e200
	wide := single(m)
	wide.F32[3] = 1e30
	for name, c := range map[string]struct {
		m    dataset.Matrix
		cfg  kmeans.Config
		want string
	}{
		"no clusters": {m, kmeans.Config{}, "at least 1"},
		"too many":    {m, kmeans.Config{Clusters: 21}, "at most 20"},
		"short": {dataset.Matrix{Rows: 3, Cols: 2, F64: []float64{1}},
			kmeans.Config{Clusters: 1}, "3×2"},
		"no centres": {m, kmeans.Config{Clusters: 2, Centers: dataset.Matrix{Rows: 2, Cols: 2}},
			"0 values"},
		"overflow": {dataset.Matrix{Rows: 1 << 33, Cols: 1 << 31}, kmeans.Config{Clusters: 2},
			"0 values"},
		"no columns":   {dataset.Matrix{Rows: 3}, kmeans.Config{Clusters: 2}, "3×0"},
		"no rows":      {dataset.Matrix{}, kmeans.Config{Clusters: 1}, "0 rows"},
		"not a number": {broken, kmeans.Config{Clusters: 2}, "row 4, column 2"},
		"huge":         {huge, kmeans.Config{Clusters: 2}, "overflow"},
		"huge single":  {wide, kmeans.Config{Clusters: 2}, "overflow"},
		"centres":      {m, kmeans.Config{Clusters: 3, Centers: first(m, 2)}, "2×2"},
		"broken centres": {m,
			kmeans.Config{Clusters: 1,
				Centers: dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, math.Inf(1)}}},
			"starting centre 1"},
		"starts": {m, kmeans.Config{Clusters: 1, Limits: fit.Limits{Starts: -1}}, "starts"},
		"iterations": {m, kmeans.Config{Clusters: 1, Limits: fit.Limits{MaxIterations: -1}},
			"iterations"},
	} {
		r, err := kmeans.Fit(context.Background(), c.m, c.cfg)
		if r != nil || !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
	r := mustFit(t, m, kmeans.Config{Clusters: 2})
	for _, bad := range []dataset.Matrix{broken, huge, blobs(3, 5, 1, 1)} {
		if _, err := r.Predict(context.Background(), bad, 1); !fault.IsInput(err) {
			t.Errorf("predicting: %v", err)
		}
	}
}

func TestInterrupted(t *testing.T) {
	m := blobs(5000, 4, 9, 1)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := kmeans.Fit(ctx, m,
		kmeans.Config{
			Clusters: 50,
			Limits:   fit.Limits{Tolerance: -1},
			Options: fit.Options{Progress: func(p fit.Progress) {
				if p.Iteration == 2 {
					cancel()
				}
			}},
		})
	if r != nil || !errors.Is(err, context.Canceled) ||
		!strings.Contains(err.Error(), "interrupted in start 1, iteration 3") {
		t.Errorf("got %v, %v", r, err)
	}
}

func TestMedoids(t *testing.T) {
	m := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 2, 1, 8, 12, 50}}
	labels := []int32{0, 0, 0, 1, 1, 2}
	centers := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{1, 10, 50}}
	for _, c := range []struct {
		candidates []bool
		want       []int
	}{
		{nil, []int{2, 3, 5}}, // 8 and 12 are as near: the first
		{[]bool{true, true, false, false, true, false}, []int{0, 4, -1}},
	} {
		for _, data := range []dataset.Matrix{m, single(m)} {
			got, err := kmeans.Medoids(context.Background(), data, labels, centers, c.candidates, 2)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("candidates %v (-want):\n%s", c.candidates, diff)
			}
		}
	}
	if _, err := kmeans.Medoids(context.Background(), m, []int32{0, 0, 0, 1, 1, 3}, centers, nil,
		1); err == nil {
		t.Error("a label without a centre passed")
	}
}
