package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dissim"
)

// TestObjectiveNeverRises: the masses are true to what the sweeps say they gained, row programmes
// give masses, and only the rows that may move do.
func TestObjectiveNeverRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		family := rapid.SampledFrom(familyNames).Draw(t, "family")
		links := rapid.SampledFrom([]int{0, 1, 40}).Draw(t, "links")
		p := newProblem(family, rapid.IntRange(64, 100).Draw(t, "n"), links,
			rapid.Uint64().Draw(t, "seed"))
		var only []bool
		if rapid.Bool().Draw(t, "some rows") {
			only = make([]bool, p.n)
			for i := range only {
				only[i] = i%3 == 0
			}
		}
		for name, c := range p.engines(t, rapid.IntRange(1, 31).Draw(t, "partners"), 2) {
			c.engine.tie(newLinkTerms(p.n, p.links), p.weight)
			if err := c.engine.reset(t.Context(), c.mass); err != nil {
				t.Fatal(err)
			}
			_, objective := c.measure(c.mass)
			rounding := 1e-15 * c.engine.total() // a fit may be all but perfect
			for range 4 {
				change, err := c.engine.sweep(t.Context(), only)
				if err != nil {
					t.Fatal(err)
				}
				c.engine.settle()
				_, now := c.measure(c.mass)
				if change > 0 || now > objective*(1+1e-12)+rounding ||
					math.Abs(objective+change-now) > 1e-9*objective+rounding {
					t.Fatalf("%s: from %v to %v by a change of %v", name, objective, now, change)
				}
				objective = now
			}
			for i := range p.n {
				sum := 0.0
				for _, m := range c.row(c.mass, i) {
					if !(m >= 0) {
						t.Fatalf("%s: masses %v", name, c.row(c.mass, i))
					}
					sum += m
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("%s: masses sum to %v", name, sum)
				}
				if only != nil && !only[i] && !slices.Equal(c.row(c.mass, i), p.row(p.mass, i)) {
					t.Fatalf("%s: row %d moved", name, i)
				}
			}
		}
	})
}

// TestSettledRowsMeetTheKKTConditions of their programmes.
func TestSettledRowsMeetTheKKTConditions(t *testing.T) {
	for seed, family := range familyNames {
		for _, links := range []int{0, 30} {
			p := newProblem(family, 66, links, uint64(seed))
			for name, c := range p.engines(t, 15, 1) {
				f := &fitter{n: p.n, fr: newFrame(p.focal), engine: c.engine,
					res: &Result{}}
				f.cfg = Config{Limits: fit.Limits{Tolerance: 1e-14, MaxIterations: 5000}}
				terms := newLinkTerms(p.n, p.links)
				s, err := f.minimise(t.Context(), c.mass, terms, p.weight/c.engine.total(), nil)
				if err != nil || !s.converged {
					t.Fatalf("%s, %s: not settled after %d sweeps (%v)", name, family,
						len(s.trace)-1, err)
				}
				if stress, objective :=
					c.measure(c.mass); math.Abs(
					s.objective*c.engine.total()-objective) > 1e-9*objective ||
					math.Abs(s.stress*c.engine.total()-stress) > 1e-9*objective {
					t.Errorf("%s, %s: says %v and %v, measured %v and %v", name, family, s.stress,
						s.objective, stress/c.engine.total(), objective/c.engine.total())
				}
				if !slices.IsSortedFunc(s.trace, func(a, b float64) int {
					if b > a {
						return 1
					}
					return 0
				}) {
					t.Errorf("%s, %s: the trace rises: %v", name, family, s.trace)
				}
				for i := range p.n {
					h, g := c.programme(c.mass, i)
					if far := gap(h, g, c.row(c.mass, i)); far > 1e-5 {
						t.Errorf("%s, %s, %d links: row %d is off its KKT conditions by %v", name,
							family, links, i, far)
					}
				}
			}
		}
	}
}

// TestSameBytesOnAnyNumberOfThreads, for fits on all pairs and on sampled ones, with links, pairs
// and landmarks.
func TestSameBytesOnAnyNumberOfThreads(t *testing.T) {
	src := blobs(1500, 4, 3)
	links := newProblem("simple 2", 1500, 40, 8).links
	fits := map[string]func(threads int) (*Result, error){
		"all pairs": func(threads int) (*Result, error) {
			return Fit(t.Context(), blobs(300, 4, 3),
				Config{Clusters: 4, Pairs: 1, Options: fit.Options{Threads: threads}})
		},
		"sampled pairs": func(threads int) (*Result, error) {
			return Fit(t.Context(), src,
				Config{
					Clusters: 4,
					Pairs:    1,
					Partners: 20,
					Options:  fit.Options{Threads: threads},
					Limits:   fit.Limits{Starts: 2},
					D0:       D0{Auto: true},
				})
		},
		"ranks, random starts": func(threads int) (*Result, error) {
			return Fit(t.Context(), src,
				Config{Clusters: 4, Partners: 20, Options: fit.Options{Threads: threads},
					Start: Random, Transform: Rank})
		},
		"links": func(threads int) (*Result, error) {
			return Fit(t.Context(), src,
				Config{
					Clusters:    4,
					Partners:    20,
					Options:     fit.Options{Threads: threads},
					Knowledge:   fit.Knowledge{Links: links, Contradictions: 1},
					Limits:      fit.Limits{MaxIterations: 30},
					Constraints: Penalty,
				})
		},
		"landmarks": func(threads int) (*Result, error) {
			return FitLandmarks(t.Context(), src, 200,
				Config{Clusters: 4, Options: fit.Options{Threads: threads}})
		},
	}
	for name, fit := range fits {
		var first *Result
		for _, threads := range []int{1, 2, 5} {
			r, err := fit(threads)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if first == nil {
				first = r
			}
			if !slices.Equal(r.Credal.Mass, first.Credal.Mass) ||
				!slices.Equal(r.Trace, first.Trace) || r.Objective != first.Objective ||
				r.D0 != first.D0 {
				t.Errorf("%s: %d threads give other bytes than one", name, threads)
			}
		}
	}
}

// TestOrderOfObjectsDoesNotMatter much: the draws differ, the quality does not.
func TestOrderOfObjectsDoesNotMatter(t *testing.T) {
	const n = 600
	src := blobs(n, 4, 6)
	order := make([]int32, n)
	for i := range order {
		order[i] = int32((i * 7) % n)
	}
	for _, partners := range []int{0, 60} {
		cfg := Config{Clusters: 4, Partners: partners, Limits: fit.Limits{Tolerance: 1e-8}}
		a, err := Fit(t.Context(), src, cfg)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Fit(t.Context(), src.Subset(order), cfg)
		if err != nil {
			t.Fatal(err)
		}
		allowed := 1e-4 // the same minimum
		if partners > 0 {
			allowed = 0.1 // other pairs were drawn
		}
		if math.Abs(a.Stress-b.Stress) > allowed*a.Stress {
			t.Errorf("%d partners: stress %v, and %v in another order", partners, a.Stress,
				b.Stress)
		}
		for i, j := range order {
			x, y := a.Credal.Row(int(j)), b.Credal.Row(i)
			// clusters of one size have any order
			if partners == 0 && (math.Abs(x[0]-y[0]) > 0.02 || math.Abs(x[5]-y[5]) > 0.02) {
				t.Fatalf("object %d has masses %v, and %v in another order", j, x, y)
			}
		}
	}
}

// TestConsumeChangesNothingButTheMatrix.
func TestConsumeChangesNothingButTheMatrix(t *testing.T) {
	src := blobs(120, 3, 1)
	kept := slices.Clone(src.D)
	a, err := Fit(t.Context(), src, Config{Clusters: 3})
	if err != nil || !slices.Equal(src.D, kept) {
		t.Fatalf("the matrix was overwritten unasked (%v)", err)
	}
	b, err := Fit(t.Context(), &dissim.Dense{N: src.N, D: kept}, Config{Clusters: 3, Consume: true})
	if err != nil || !slices.Equal(a.Credal.Mass, b.Credal.Mass) {
		t.Errorf("another fit (%v)", err)
	}
}
