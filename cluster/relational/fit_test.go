package relational_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// blobs returns groups of rows around points 6 apart on a diagonal.
func blobs(groups, each, d int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := dataset.Matrix{Rows: groups * each, Cols: d}
	for g := range groups {
		for range each * d {
			m.F64 = append(m.F64, 6*float64(g)/math.Sqrt(float64(d))+prototypes.Normal(rng))
		}
	}
	return m
}

func euclidean(t testing.TB, m dataset.Matrix) dissim.Source {
	t.Helper()
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// fuzzy is fuzzy c-means (Bezdek 1981) on points, from memberships u, for a number of iterations.
func fuzzy(m dataset.Matrix, u []float64, c int, exponent float64, iterations int) (_ []float64,
	objective float64) {
	u = slices.Clone(u)
	for range iterations + 1 {
		centres := make([]float64, c*m.Cols)
		for i := range c {
			sum := 0.0
			for k := range m.Rows {
				w := math.Pow(u[k*c+i], exponent)
				sum += w
				for j := range m.Cols {
					centres[i*m.Cols+j] += w * m.At(k, j)
				}
			}
			for j := range m.Cols {
				centres[i*m.Cols+j] /= sum
			}
		}
		objective = 0
		for k := range m.Rows {
			far := make([]float64, c)
			for i := range c {
				for j := range m.Cols {
					far[i] += math.Pow(m.At(k, j)-centres[i*m.Cols+j], 2)
				}
				objective += math.Pow(u[k*c+i], exponent) * far[i]
			}
			for i := range c {
				sum := 0.0
				for t := range c {
					sum += math.Pow(far[i]/far[t], 1/(exponent-1))
				}
				u[k*c+i] = 1 / sum
			}
		}
	}
	return u, objective
}

// Relational fuzzy c-means of Euclidean distances is fuzzy c-means of the points: where one rests
// the other does.
func TestOfEuclideanDistancesItIsFuzzyCMeans(t *testing.T) {
	for _, exponent := range []float64{1.5, 2, 3} {
		m := blobs(3, 20, 4, 7)
		r, err := relational.FitSource(context.Background(), euclidean(t, m),
			relational.Config{
				Clusters:  3,
				Fuzziness: exponent,
				Limits:    fit.Limits{Tolerance: 1e-9, MaxIterations: 2000},
			})
		if err != nil {
			t.Fatal(err)
		}
		if r.Stopped != fit.Converged || r.Beta != 0 {
			t.Fatalf("m = %g: %v, β %g", exponent, r.Stopped, r.Beta)
		}
		u, objective := fuzzy(m, r.Memberships, 3, exponent, 20)
		for i, v := range u {
			if math.Abs(v-r.Memberships[i]) > 2e-6 {
				t.Fatalf("m = %g: membership %d is %g, fuzzy c-means goes on to %g", exponent, i,
					r.Memberships[i], v)
			}
		}
		if math.Abs(objective/r.Objective-1) > 1e-6 {
			t.Errorf("m = %g: objective %g, of fuzzy c-means %g", exponent, r.Objective, objective)
		}
	}
}

// crooked returns dissimilarities that no points have: the triangle inequality does not hold.
func crooked(n int, seed uint64) *dissim.Dense {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := &dissim.Dense{N: n, D: make([]float32, n*n)}
	for i := range n {
		for j := range i {
			v := float32(math.Pow(rng.Float64(), 2)) + 0.01
			if i%2 == j%2 {
				v /= 3
			}
			d.D[i*n+j], d.D[j*n+i] = v, v
		}
	}
	return d
}

// nerf is NERF c-means by the letter from memberships u (n×c), on squares of dissimilarities, and
// with β from where it is.
func nerf(d *dissim.Dense, u []float64, c int, exponent, beta float64, iterations int) (_ []float64,
	_ float64) {
	n := d.N
	u = slices.Clone(u)
	for range iterations {
		far := make([]float64, n*c)
		lift := make([]float64, n*c)
		for i := range c {
			w, sum := make([]float64, n), 0.0
			for k := range w {
				w[k] = math.Pow(u[k*c+i], exponent)
				sum += w[k]
			}
			for k := range w {
				w[k] /= sum
			}
			at := func(k, j int) float64 { // R + β(1 − I)
				if k == j {
					return 0
				}
				return float64(d.D[k*n+j])*float64(d.D[k*n+j]) + beta
			}
			within := 0.0
			for k := range n {
				for j := range n {
					within += w[k] * at(k, j) * w[j]
				}
			}
			for k := range n {
				for j := range n {
					far[k*c+i] += at(k, j) * w[j]
					e := 0.0
					if j == k {
						e = 1
					}
					lift[k*c+i] += (w[j] - e) * (w[j] - e)
				}
				far[k*c+i] -= within / 2
			}
		}
		more := 0.0
		for i, v := range far {
			more = math.Max(more, -2*v/lift[i])
		}
		beta += more
		for i := range far {
			far[i] = math.Max(0, far[i]+more/2*lift[i])
		}
		for k := range n {
			for i := range c {
				sum := 0.0
				for t := range c {
					sum += math.Pow(far[k*c+i]/far[k*c+t], 1/(exponent-1))
				}
				u[k*c+i] = 1 / sum
				if far[k*c+i] == 0 {
					u[k*c+i] = 1
				}
			}
		}
	}
	return u, beta
}

// On what no points have as distances β grows, and the fit rests where the algorithm by the letter
// does.
func TestBetaSpreadOfWhatNoPointsHave(t *testing.T) {
	spread := 0
	for seed := range uint64(6) {
		d := crooked(24, seed)
		before := slices.Clone(d.D)
		r, err := relational.FitSource(context.Background(), d,
			relational.Config{
				Clusters:  2,
				Options:   fit.Options{Seed: seed},
				Limits:    fit.Limits{Tolerance: 1e-10, MaxIterations: 5000},
				Fuzziness: 1.4,
			})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(before, d.D) {
			t.Fatal("the dissimilarities were changed")
		}
		if r.Beta > 0 {
			spread++
		}
		u, beta := nerf(d, r.Memberships, 2, 1.4, r.Beta, 5)
		if math.Abs(beta-r.Beta) > 1e-5*(1+r.Beta) {
			t.Errorf("seed %d: β %g, by the letter %g", seed, r.Beta, beta)
		}
		for i, v := range u {
			if math.IsNaN(r.Memberships[i]) || math.Abs(v-r.Memberships[i]) > 1e-5 {
				t.Fatalf("seed %d: membership %d is %g, by the letter %g", seed, i,
					r.Memberships[i], v)
			}
		}
	}
	if spread == 0 {
		t.Error("β never grew: the test shows nothing")
	}
}

func TestTheObjectiveNeverRises(t *testing.T) {
	for seed := range uint64(5) {
		r, err := relational.FitSource(context.Background(), euclidean(t, blobs(4, 15, 2, seed)),
			relational.Config{Clusters: 4, Options: fit.Options{Seed: seed},
				Limits: fit.Limits{Starts: 1}})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] > r.Trace[i-1]*(1+1e-6) {
				t.Errorf("seed %d: %g after %g at iteration %d", seed, r.Trace[i], r.Trace[i-1], i)
			}
		}
	}
}

func TestThreadsAndFactorsChangeNothing(t *testing.T) {
	ctx := context.Background()
	m := blobs(3, 400, 3, 5)
	want, err := relational.FitSource(ctx, euclidean(t, m),
		relational.Config{Clusters: 3, Options: fit.Options{Threads: 1},
			Limits: fit.Limits{Starts: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{2, 5} {
		got, err := relational.FitSource(ctx, euclidean(t, m),
			relational.Config{Clusters: 3, Options: fit.Options{Threads: threads},
				Limits: fit.Limits{Starts: 1}})
		if err != nil || !slices.Equal(got.Memberships, want.Memberships) ||
			got.Objective != want.Objective {
			t.Errorf("%d threads: another result, %v", threads, err)
		}
	}
	for i := range m.F64 {
		m.F64[i] *= 1 << 40
	}
	got, err := relational.FitSource(ctx, euclidean(t, m),
		relational.Config{Clusters: 3, Limits: fit.Limits{Starts: 1}})
	if err != nil || !slices.Equal(got.Memberships, want.Memberships) ||
		got.Objective != math.Ldexp(want.Objective, 80) {
		t.Errorf("another scale, another result: %v", err)
	}
}

func TestEdges(t *testing.T) {
	ctx := context.Background()
	same := &dissim.Dense{N: 4, D: make([]float32, 16)}
	for name, c := range map[string]struct {
		src dissim.Source
		k   int
		bad bool
	}{
		"one object":               {&dissim.Dense{N: 1, D: []float32{0}}, 1, false},
		"one cluster":              {euclidean(t, blobs(1, 5, 2, 1)), 1, false},
		"a cluster for each":       {euclidean(t, blobs(1, 5, 2, 1)), 5, false},
		"all alike":                {same, 1, false},
		"two of all alike":         {same, 2, true},
		"more clusters than there": {same, 5, true},
		"no cluster":               {same, 0, true},
		"no object":                {&dissim.Dense{}, 1, true},
	} {
		r, err := relational.FitSource(ctx, c.src, relational.Config{Clusters: c.k})
		var in *fault.Input
		if c.bad {
			if !errors.As(err, &in) || in.Fix == "" {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, u := range r.Memberships {
			if !(u >= 0 && u <= 1) {
				t.Errorf("%s: membership %g", name, u)
			}
		}
		if distinct := slices.Compact(slices.Sorted(slices.Values(r.Labels()))); len(
			distinct) != c.k {
			t.Errorf("%s: clusters %v", name, distinct)
		}
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := relational.FitSource(done, euclidean(t, blobs(2, 5, 2, 1)),
		relational.Config{Clusters: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
