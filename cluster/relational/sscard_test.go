package relational_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// cost is the objective of SSCARD of one relation, from its definition as a double sum.
func cost(src dissim.Source, u []float64, c int, alpha float64, links []link.Link) float64 {
	n := src.Len()
	row, total := make([]float32, n), 0.0
	sums := make([]float64, c)
	pairs := make([]float64, c)
	for j := range n {
		src.Row(row, j, nil)
		for i := range c {
			sums[i] += u[j*c+i] * u[j*c+i]
			for k, v := range row {
				pairs[i] += math.Pow(u[j*c+i]*u[k*c+i], 2) * float64(v) * float64(v)
			}
		}
	}
	for i := range c {
		total += pairs[i] / (2 * sums[i])
	}
	for _, l := range links {
		together := 0.0
		for i := range c {
			together += u[l.A*c+i] * u[l.B*c+i]
		}
		switch l.Kind {
		case link.MustLink:
			total += alpha * l.Confidence() * (1 - together)
		case link.CannotLink:
			total += alpha * l.Confidence() * together
		}
	}
	return total
}

// drawn returns links between random rows of blobs of so many rows each, a share of them wrong.
func drawn(groups, each, count int, wrong float64, seed uint64) []link.Link {
	rng := rand.New(rand.NewPCG(seed, 3))
	var out []link.Link
	for len(out) < count {
		a, b := rng.IntN(groups*each), rng.IntN(groups*each)
		if a == b {
			continue
		}
		kind := link.CannotLink
		if (a/each == b/each) != (rng.Float64() < wrong) {
			kind = link.MustLink
		}
		out = append(out, link.Link{A: a, B: b, Kind: kind, Plausibility: 0.5 + rng.Float64()/2})
	}
	return out
}

func TestWithoutLinksSSCARDIsRelationalFuzzyCMeans(t *testing.T) {
	src := euclidean(t, blobs(3, 15, 2, 3))
	want, err := relational.FitSource(context.Background(), src, relational.Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	got, err := relational.FitSSCARD(context.Background(), []dissim.Source{src},
		relational.SSCARDConfig{Knowledge: fit.Knowledge{Links: []link.Link{{A: 1, B: 2}}},
			Config: relational.Config{Clusters: 3}})
	if err != nil || !slices.Equal(got.Memberships, want.Memberships) || got.Alpha != 0 {
		t.Errorf("another partition, α %g, %v", got.Alpha, err)
	}
}

// The result is a minimum: the objective is that of its definition, never rose, and no step of
// an object's memberships within the simplex lowers it.
func TestSSCARDComesToAMinimum(t *testing.T) {
	for seed := range uint64(4) {
		src := euclidean(t, blobs(3, 12, 2, seed))
		links := drawn(3, 12, 10, 0.2, seed)
		r, err := relational.FitSSCARD(context.Background(), []dissim.Source{src},
			relational.SSCARDConfig{
				Knowledge: fit.Knowledge{Links: links, Contradictions: link.Keep},
				Config: relational.Config{
					Clusters: 3,
					Limits:   fit.Limits{Tolerance: 1e-9, MaxIterations: 3000},
					Options:  fit.Options{Seed: seed},
				},
				LinkWeight: 0.5,
			})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] > r.Trace[i-1]*(1+1e-6) {
				t.Errorf("seed %d: %g after %g at iteration %d", seed, r.Trace[i], r.Trace[i-1], i)
			}
		}
		at := cost(src, r.Memberships, 3, r.Alpha, links)
		if r.Stopped != fit.Converged || math.Abs(at/r.Objective-1) > 1e-5 {
			t.Fatalf("seed %d: objective %g, by its definition %g", seed, r.Objective, at)
		}
		const step = 1e-4
		for k := range 36 {
			for from := range 3 {
				for to := range 3 {
					u := slices.Clone(r.Memberships)
					if from == to || u[k*3+from] < step {
						continue
					}
					u[k*3+from] -= step
					u[k*3+to] += step
					if moved := cost(src, u, 3, r.Alpha, links); moved < at*(1-1e-7) {
						t.Fatalf("seed %d: a step of object %d from %d to %d lowers %g to %g", seed,
							k, from, to, at, moved)
					}
				}
			}
		}
	}
}

// Links bring together what belongs together: with many of them all rows of three groups that
// overlap are separated.
func TestLinksAreMostlyHonoured(t *testing.T) {
	m := blobs(3, 30, 2, 5)
	for i := range m.F64 {
		m.F64[i] += 6 * float64(i%3) // noise
	}
	links := drawn(3, 30, 60, 0, 1)
	broken := func(r *relational.Result) int {
		labels := make([]int, 90)
		for i, c := range r.Labels() {
			labels[i] = int(c)
		}
		return len(link.Violated(labels, links))
	}
	sources := []dissim.Source{euclidean(t, m)}
	free, err := relational.FitSSCARD(context.Background(), sources,
		relational.SSCARDConfig{Config: relational.Config{Clusters: 3}})
	if err != nil {
		t.Fatal(err)
	}
	bound, err := relational.FitSSCARD(context.Background(), sources,
		relational.SSCARDConfig{Knowledge: fit.Knowledge{Links: links},
			Config: relational.Config{Clusters: 3}, LinkWeight: 5})
	if err != nil {
		t.Fatal(err)
	}
	if broken(free) < 10 || broken(bound) > broken(free)/5 {
		t.Errorf("%d links are broken, and %d without knowing them", broken(bound), broken(free))
	}
}

// Of two relations the one that shows the clusters counts for most, and a constant factor on either
// changes nothing.
func TestRelationsAreWeighed(t *testing.T) {
	tell, noise := euclidean(t, blobs(2, 30, 2, 1)), euclidean(t, blobs(1, 60, 2, 2))
	fit := func(a, b dissim.Source) *relational.Result {
		r, err := relational.FitSSCARD(context.Background(), []dissim.Source{a, b},
			relational.SSCARDConfig{Knowledge: fit.Knowledge{Links: drawn(2, 30, 5, 0, 1)},
				Config: relational.Config{Clusters: 2}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := fit(tell, noise)
	for i := range 2 {
		if w := r.Weights[2*i:][:2]; math.Abs(w[0]+w[1]-1) > 1e-12 || w[0] < 0.75 {
			t.Errorf("cluster %d weighs relations by %v", i, w)
		}
	}
	dense, err := dissim.NewDense(context.Background(), noise, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range dense.D {
		dense.D[i] *= 1000
	}
	scaled := fit(tell, dense)
	for i, u := range r.Memberships {
		if math.Abs(u-scaled.Memberships[i]) > 1e-4 {
			t.Fatalf("membership %d is %g, and %g where the second relation is in another unit", i,
				u, scaled.Memberships[i])
		}
	}
}

func TestSSCARDRefuses(t *testing.T) {
	ctx := context.Background()
	src := euclidean(t, blobs(2, 5, 2, 1))
	sources := []dissim.Source{src}
	clash := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 0, Kind: link.CannotLink}}
	cfg := relational.SSCARDConfig{Config: relational.Config{Clusters: 2}}
	var in *fault.Input
	if _, err := relational.FitSSCARD(ctx, nil, cfg); !errors.As(err, &in) {
		t.Errorf("no relation: %v", err)
	}
	if _, err := relational.FitSSCARD(ctx, []dissim.Source{src, euclidean(t, blobs(1, 5, 2, 1))},
		cfg); !errors.As(err, &in) {
		t.Errorf("relations of 10 and 5 objects: %v", err)
	}
	cfg.Links = []link.Link{{A: 0, B: 10, Kind: link.MustLink}}
	if _, err := relational.FitSSCARD(ctx, sources, cfg); !errors.As(err, &in) {
		t.Errorf("a link to the eleventh of ten: %v", err)
	}
	var contradiction *link.Contradiction
	cfg.Links = clash
	if _, err := relational.FitSSCARD(ctx, sources, cfg); !errors.As(err, &contradiction) {
		t.Errorf("links that clash: %v", err)
	}
	cfg.Contradictions = link.Keep
	if r, err := relational.FitSSCARD(ctx, sources, cfg); err != nil ||
		len(r.Clashing) != 1 {
		t.Errorf("links that clash, kept: %v", err)
	}
}

// Six objects in two groups, one between them that a link puts right.
func ExampleFitSSCARD() {
	at := []float64{0, 1, 2, 10, 11, 6.2}
	d := &dissim.Dense{N: 6, D: make([]float32, 36)}
	for i, a := range at {
		for j, b := range at {
			d.D[i*6+j] = float32(math.Abs(a - b))
		}
	}
	for _, links := range [][]link.Link{nil, {{A: 1, B: 5, Kind: link.MustLink}}} {
		r, err := relational.FitSSCARD(context.Background(), []dissim.Source{d},
			relational.SSCARDConfig{Knowledge: fit.Knowledge{Links: links},
				Config: relational.Config{Clusters: 2}})
		if err != nil {
			panic(err)
		}
		labels := r.Labels()
		fmt.Println(labels[5] == labels[0], labels[5] == labels[4])
	}
	// Output:
	// false true
	// true false
}
