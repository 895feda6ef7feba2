package fuzzy_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/fuzzy"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
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

func single(m dataset.Matrix) dataset.Matrix {
	out := make([]float32, len(m.F64))
	for i, v := range m.F64 {
		out[i] = float32(v)
	}
	return dataset.Matrix{Rows: m.Rows, Cols: m.Cols, F32: out}
}

func mustFit(t interface{ Fatal(...any) }, m dataset.Matrix, cfg fuzzy.Config) *fuzzy.Result {
	r, err := fuzzy.Fit(context.Background(), m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// twin is the two steps as the book has them.
type twin struct {
	m  dataset.Matrix
	v  []float64 // c×d
	u  []float64 // n×c
	c  int
	by float64 // m
}

func (t *twin) dist(i, c int) (sum float64) {
	for j := range t.m.Cols {
		g := t.m.At(i, j) - t.v[c*t.m.Cols+j]
		sum += g * g
	}
	return sum
}

func (t *twin) memberships() {
	t.u = make([]float64, t.m.Rows*t.c)
	for i := range t.m.Rows {
		on := 0
		for c := range t.c {
			if t.dist(i, c) == 0 {
				on++
			}
		}
		for c := range t.c {
			switch {
			case on > 0 && t.dist(i, c) == 0:
				t.u[i*t.c+c] = 1 / float64(on)
			case on == 0:
				sum := 0.0
				for e := range t.c {
					sum += math.Pow(t.dist(i, c)/t.dist(i, e), 1/(t.by-1))
				}
				t.u[i*t.c+c] = 1 / sum
			}
		}
	}
}

func (t *twin) centers() {
	d := t.m.Cols
	for c := range t.c {
		sum, weight := make([]float64, d), 0.0
		for i := range t.m.Rows {
			w := math.Pow(t.u[i*t.c+c], t.by)
			weight += w
			for j := range d {
				sum[j] += w * t.m.At(i, j)
			}
		}
		for j := range d {
			t.v[c*d+j] = sum[j] / weight
		}
	}
}

func (t *twin) objective() (sum float64) {
	for i := range t.m.Rows {
		for c := range t.c {
			sum += math.Pow(t.u[i*t.c+c], t.by) * t.dist(i, c)
		}
	}
	return sum
}

func near(a, b, by float64) bool { return math.Abs(a-b) <= by*(1+math.Abs(a)+math.Abs(b)) }

// problems are small ones, some of their rows equal.
func problems(t *rapid.T) (dataset.Matrix, fuzzy.Config) {
	n, d := rapid.IntRange(3, 30).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "d")
	c := rapid.IntRange(1, min(n, 5)).Draw(t, "c")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n * d {
		m.F64 = append(m.F64, 10*rng.Float64())
	}
	for i := c; i < n; i++ { // the first are distinct
		if rng.IntN(4) == 0 {
			copy(m.F64[i*d:(i+1)*d], m.F64[rng.IntN(i)*d:])
		}
	}
	return m, fuzzy.Config{
		Clusters:  c,
		Fuzziness: rapid.SampledFrom([]float64{1.1, 1.5, 2, 2.5, 4}).Draw(t, "m"),
		Options:   fit.Options{Seed: rng.Uint64()},
	}
}

func TestFitIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, cfg := problems(t)
		cfg.Fuzziness = max(1.5, cfg.Fuzziness) // with less, weights vanish that the definition has
		cfg.Tolerance = -1
		cfg.MaxIterations = 6
		start := make([]float64, cfg.Clusters*m.Cols)
		for i := range start {
			start[i] = 0.7*m.F64[i] + 0.3*m.F64[len(m.F64)-1-i] + 0.01*float64(i)
		}
		cfg.Centers = dataset.Matrix{Rows: cfg.Clusters, Cols: m.Cols, F64: start}
		r := mustFit(t, m, cfg)
		tw := twin{m: m, v: slices.Clone(start), c: cfg.Clusters, by: cfg.Fuzziness}
		for i, j := range r.Trace {
			tw.memberships()
			// weights of little precision lead a little elsewhere
			if math.Abs(j-tw.objective()) > 1e-4*(1+r.Trace[0]) {
				t.Fatalf("iteration %d: the objective is %g, by the definition %g", i+1, j,
					tw.objective())
			}
			if r.Stopped == fit.IterationLimit || i+1 < len(r.Trace) {
				tw.centers()
			}
		}
		for i, v := range r.Centers.F64 {
			if !near(v, tw.v[i], 1e-3) {
				t.Fatalf("centres %v, by the definition %v", r.Centers.F64, tw.v)
			}
		}
	})
}

// The objective never rises, memberships are shares, and they are those of the centres.
func TestFitDescends(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, cfg := problems(t)
		r := mustFit(t, m, cfg)
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] > r.Trace[i-1]*(1+1e-12)+1e-12 {
				t.Fatalf("the objective rises: %v", r.Trace)
			}
		}
		tw := twin{m: m, v: r.Centers.F64, c: cfg.Clusters, by: cfg.Fuzziness}
		tw.memberships()
		for i := range m.Rows {
			sum := 0.0
			for c := range cfg.Clusters {
				u := r.Memberships[i*cfg.Clusters+c]
				sum += u
				if !(u >= 0 && u <= 1) || tw.dist(i, c) > 1e-9 &&
					!near(u, tw.u[i*cfg.Clusters+c], 1e-6) {
					t.Fatalf("row %d belongs to %d by %g, by the definition %g", i, c, u,
						tw.u[i*cfg.Clusters+c])
				}
				if u > r.Memberships[i*cfg.Clusters+int(r.Labels[i])] {
					t.Fatalf("row %d has label %d and belongs to %d most", i, r.Labels[i], c)
				}
			}
			if !near(sum, 1, 1e-12) {
				t.Fatalf("the memberships of row %d add up to %g", i, sum)
			}
		}
	})
}

// One-dimensional data with the fixed point known: two pairs about ±5 by symmetry have opposite
// centres.
func TestSymmetry(t *testing.T) {
	m := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{-6, -4, 4, 6}}
	r := mustFit(t, m, fuzzy.Config{
		Clusters: 2,
		Centers:  dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{-1, 1}},
		Limits:   fit.Limits{Tolerance: -1},
	})
	v := r.Centers.F64
	// v solves v = Σ u²x/Σ u² with u = 1/(1+((x−v)/(x+v))²) for centres ±v.
	sum, weight := 0.0, 0.0
	for _, x := range m.F64 {
		ratio := (x - v[1]) / (x - v[0])
		u := 1 / (1 + ratio*ratio)
		sum += u * u * x
		weight += u * u
	}
	if !near(v[0], -v[1], 1e-9) || !near(v[1], sum/weight, 1e-6) {
		t.Errorf("centres %v, and %g follows from them", v, sum/weight)
	}
}

// With hard memberships it is k-means.
func TestLittleFuzzinessIsKMeans(t *testing.T) {
	m := blobs(600, 3, 4, 3)
	at, err := kmeans.Draw(context.Background(), m, dataset.Matrix{}, 4,
		rand.New(rand.NewPCG(2, 0)), 1)
	if err != nil {
		t.Fatal(err)
	}
	hard, err := kmeans.Fit(context.Background(), m,
		kmeans.Config{Clusters: 4, Centers: at, Limits: fit.Limits{Tolerance: -1}})
	if err != nil {
		t.Fatal(err)
	}
	r := mustFit(t, m, fuzzy.Config{Clusters: 4, Fuzziness: 1.01, Centers: at,
		Limits: fit.Limits{Tolerance: -1}})
	if diff := cmp.Diff(hard.Labels, r.Labels); diff != "" ||
		!near(r.Objective, hard.Objective, 1e-3) {
		t.Errorf("objective %g, inertia %g, labels:\n%s", r.Objective, hard.Objective, diff)
	}
}

func TestFitDoesNotDependOnThreads(t *testing.T) {
	m := blobs(5000, 7, 5, 4)
	for _, data := range []dataset.Matrix{m, single(m)} {
		want := mustFit(t, data, fuzzy.Config{Clusters: 5, Limits: fit.Limits{Starts: 2},
			Options: fit.Options{Seed: 5, Threads: 1}})
		for _, threads := range []int{2, 5} {
			if diff := cmp.Diff(want,
				mustFit(t, data, fuzzy.Config{
					Clusters: 5,
					Limits:   fit.Limits{Starts: 2},
					Options:  fit.Options{Seed: 5, Threads: threads},
				})); diff != "" {
				t.Errorf("with %d threads:\n%s", threads, diff)
			}
		}
	}
}

func TestOddData(t *testing.T) {
	for name, c := range map[string]struct {
		values []float64
		k      int
	}{
		"one row": {[]float64{3}, 1}, "as many clusters as rows": {[]float64{1, 2, 4}, 3},
		"equal rows":          {[]float64{5, 5, 5, 5}, 1},
		"far from the origin": {[]float64{1e9, 1e9 + 1, 1e9 + 10, 1e9 + 11}, 2},
		"large":               {[]float64{-1e150, 1e150, 9e149}, 2},
		"small":               {[]float64{-1e-150, 1e-150, 2e-150}, 2},
	} {
		r := mustFit(t, dataset.Matrix{Rows: len(c.values), Cols: 1, F64: c.values},
			fuzzy.Config{Clusters: c.k})
		for _, v := range slices.Concat(r.Memberships, r.Centers.F64, []float64{r.Objective}) {
			if v-v != 0 {
				t.Errorf("%s: %v", name, r)
			}
		}
	}
}

func TestFitRefusesBadInput(t *testing.T) {
	m := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 0, 1, 1}}
	for name, c := range map[string]struct {
		m   dataset.Matrix
		cfg fuzzy.Config
	}{
		"no clusters":          {m, fuzzy.Config{}},
		"more clusters than n": {m, fuzzy.Config{Clusters: 5}},
		"fewer distinct rows":  {m, fuzzy.Config{Clusters: 3}},
		"hard":                 {m, fuzzy.Config{Clusters: 2, Fuzziness: 1}},
		"no number":            {m, fuzzy.Config{Clusters: 2, Fuzziness: math.NaN()}},
		"a tolerance of none": {m, fuzzy.Config{Clusters: 2,
			Limits: fit.Limits{Tolerance: math.NaN()}}},
		"negative starts": {m, fuzzy.Config{Clusters: 2, Limits: fit.Limits{Starts: -1}}},
		"a negative limit": {m, fuzzy.Config{Clusters: 2,
			Limits: fit.Limits{MaxIterations: -1}}},
		"other centres": {m,
			fuzzy.Config{Clusters: 2,
				Centers: dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{1}}}},
		"centres of other width": {m,
			fuzzy.Config{Clusters: 2,
				Centers: dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1, 2, 3, 4}}}},
		"not finite": {dataset.Matrix{Rows: 3, Cols: 1,
			F64: []float64{1, math.NaN(), 2}}, fuzzy.Config{Clusters: 2}},
		"too large": {dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{1, 1e200, 2}},
			fuzzy.Config{Clusters: 2}},
		"no columns": {dataset.Matrix{Rows: 3}, fuzzy.Config{Clusters: 1}},
		"values missing": {dataset.Matrix{Rows: 3, Cols: 2, F64: make([]float64, 5)},
			fuzzy.Config{Clusters: 1}},
		"no rows": {dataset.Matrix{}, fuzzy.Config{Clusters: 1}},
	} {
		if r, err := fuzzy.Fit(context.Background(), c.m, c.cfg); !fault.IsInput(err) || r != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

func TestFitIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, err := fuzzy.Fit(ctx, blobs(3000, 4, 5, 1),
		fuzzy.Config{
			Clusters: 5,
			Limits:   fit.Limits{Starts: 1000},
			Options: fit.Options{Progress: func(p fit.Progress) {
				if p.Share > 0.01 {
					cancel()
				}
			}},
		})
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
}
