package kmeans_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

func must(a, b int) link.Link   { return link.Link{A: a, B: b, Kind: link.MustLink} }
func cannot(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.CannotLink} }

func matrix(t interface{ Fatal(...any) }, rows, cols int, values ...float64) dataset.Matrix {
	m, err := dataset.NewMatrix(rows, cols, values)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func mustLCVQE(t interface{ Fatal(...any) }, m dataset.Matrix, links []link.Link,
	cfg kmeans.LCVQEConfig) *kmeans.LCVQEResult {
	cfg.Links = links
	r, err := kmeans.FitLCVQE(context.Background(), m, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every case once, on a line, with prototypes at 0 and 10.
//
//	must 0–10   both lie on their prototypes: keep costs ¼(100+100) = 50, either join ½·100, and
//	            a tie keeps
//	must 1–6    keep 37.75, both to the first ½(1+36) = 18.5, both to the second 48.5: 6 goes to
//	            the first
//	must 4–9    keep 37.75, 48.5, both to the second 18.5: 4 goes to the second
//	cannot 0–0  R lies on its prototype: keep and split cost the same, and it is kept; V costs
//	            ½·100
//	cannot 1–3  3 is the farther, and goes to the second
func TestLCVQEByHand(t *testing.T) {
	m := matrix(t, 10, 1, 0, 10, 1, 6, 4, 9, 0, 0, 1, 3)
	links := []link.Link{must(0, 1), must(2, 3), must(4, 5), cannot(6, 7), cannot(8, 9)}
	cfg := kmeans.LCVQEConfig{Clusters: 2, Prototypes: matrix(t, 2, 1, 0, 10),
		Limits: fit.Limits{MaxIterations: 1}}
	r := mustLCVQE(t, m, links, cfg)
	// ½(1+36 + 36+1 + 1+49) for the rows, 50 for the must-link, 50 for the cannot-link.
	if r.Trace[0] != 62+50+50 {
		t.Errorf("J is %g, want 162", r.Trace[0])
	}
	// (0+1+6+0+0+1 + ½·10)/(6+½), and (10+4+9+3 + ½·0 + 0)/(4+½+1).
	if want := []float64{2, 52.0 / 11}; !slices.Equal(r.Prototypes.F64, want) {
		t.Errorf("prototypes %v, want %v", r.Prototypes.F64, want)
	}
	// That was one iteration; the partition by the prototypes it ends with is the better one.
	if r.Iterations != 1 || len(r.Trace) != 2 || r.Best != 2 || r.Stopped != fit.IterationLimit {
		t.Errorf("%d iterations, trace %v, best %d, stopped by %v", r.Iterations, r.Trace, r.Best,
			r.Stopped)
	}
}

// A doubtful link gives way: at confidence 0.2 its ends stay where they are nearest.
func TestLCVQEDoubtfulLinks(t *testing.T) {
	m := matrix(t, 4, 1, 0, 2, 10, 10.5)
	at := matrix(t, 2, 1, 0, 10)
	for _, c := range []struct {
		l    link.Link
		p    float64
		want []int32
	}{
		{must(1, 2), 1, []int32{0, 1, 1, 1}}, // keep ½(4+0)+¼(100+64)·p: 43 against ½(64+0) = 32
		{must(1, 2), .2, []int32{0, 0, 1, 1}},
		{cannot(0, 1), 1, []int32{0, 1, 1, 1}}, // own 4 > 0·64
		{cannot(0, 1), .9, []int32{0, 0, 1, 1}},
	} {
		c.l.Plausibility = c.p
		r := mustLCVQE(t, m, []link.Link{c.l},
			kmeans.LCVQEConfig{Clusters: 2, Prototypes: at, Limits: fit.Limits{MaxIterations: 1}})
		first := append([]int32(nil), r.Labels...)
		if r.Best == 2 { // the partition of the prototypes given is the first one seen
			first = labelsAt(m, []link.Link{c.l}, at)
		}
		if !slices.Equal(first, c.want) {
			t.Errorf("%v with confidence %g: %v, want %v", c.l.Kind, c.p, first, c.want)
		}
	}
}

func TestLCVQEIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, links, k := problems(t)
		at := around(m, k)
		tw := twin{m: m, links: links, at: at.Clone().F64, k: k}
		const limit = 12
		r := mustLCVQE(t, m, links,
			kmeans.LCVQEConfig{Clusters: k, Prototypes: at,
				Limits: fit.Limits{MaxIterations: limit}})
		best := math.Inf(1)
		var before, labels []int32
		for i := 0; i <= limit; i++ {
			tw.assign()
			j := tw.objective()
			if tw.tie {
				return
			}
			if i >= len(r.Trace) || !near(r.Trace[i], j) {
				t.Fatalf("partition %d costs %v, by the definition %g", i,
					r.Trace[min(i, len(r.Trace)):], j)
			}
			if i+1 == r.Best {
				labels = tw.label
				if !near(r.Objective, j) {
					t.Fatalf("the objective is %g, by the definition %g", r.Objective, j)
				}
				for q, v := range r.Prototypes.F64 {
					if !near(v, tw.at[q]) {
						t.Fatalf("prototypes %v, by the definition %v", r.Prototypes.F64, tw.at)
					}
				}
			}
			best = min(best, j)
			if i < limit && slices.Equal(before, tw.label) {
				if r.Stopped != fit.Converged || r.Iterations != i+1 {
					t.Fatalf("stopped after %d by %v, and the labels repeat in %d", r.Iterations,
						r.Stopped, i+1)
				}
				break
			}
			before = slices.Clone(tw.label)
			tw.update()
		}
		if diff := cmp.Diff(labels, r.Labels); diff != "" {
			t.Fatalf("labels (-definition +fit):\n%s", diff)
		}
		if !near(r.Objective, best) {
			t.Fatalf("the objective is %g, and %g was seen", r.Objective, best)
		}
		sizes := make([]int, k)
		for _, c := range labels {
			sizes[c]++
		}
		if !slices.Equal(sizes, r.Sizes) {
			t.Fatalf("sizes %v, counted %v", r.Sizes, sizes)
		}
		if want := link.Violated(numbers(labels), links); !slices.Equal(r.Violated, want) {
			t.Fatalf("violated %v, want %v", r.Violated, want)
		}
		placed, err := r.Predict(context.Background(), m, 1)
		moved := 0
		for i, c := range placed {
			if c != labels[i] {
				moved++
			}
		}
		if err != nil || moved != r.Moved {
			t.Fatalf("%d rows said to be moved, and %d are (%v)", r.Moved, moved, err)
		}
	})
}

func TestLCVQEWithoutLinksIsLloyd(t *testing.T) {
	m := blobs(900, 6, 5, 8)
	at := first(m, 5)
	plain := mustFit(t, m, kmeans.Config{Clusters: 5, Centers: at,
		Limits: fit.Limits{Tolerance: -1}})
	r := mustLCVQE(t, m, []link.Link{{A: 0, B: 1}},
		kmeans.LCVQEConfig{Clusters: 5, Prototypes: at, Limits: fit.Limits{MaxIterations: 300}})
	if diff := cmp.Diff(plain.Labels, r.Labels); diff != "" {
		t.Errorf("labels (-Lloyd +LCVQE):\n%s", diff)
	}
	if !slices.Equal(plain.Centers.F64, r.Prototypes.F64) || plain.Iterations != r.Iterations {
		t.Errorf("other prototypes, or %d iterations where Lloyd takes %d", r.Iterations,
			plain.Iterations)
	}
	if r.Objective != plain.Objective/2 {
		t.Errorf("the objective is %g, half the inertia %g", r.Objective, plain.Objective/2)
	}
	again, err := r.Predict(context.Background(), m, 1)
	if err != nil || !slices.Equal(again, r.Labels) {
		t.Errorf("the fitted rows are placed elsewhere: %v", err)
	}
}

// The objective does rise now and then, and the best partition is not the last.
func TestLCVQEReturnsTheBestPartitionSeen(t *testing.T) {
	earlier := 0
	for seed := range uint64(60) {
		m, links := linkedBlobs(120, 5, 40, seed)
		r := mustLCVQE(t, m, links,
			kmeans.LCVQEConfig{Clusters: 5, Options: fit.Options{Seed: seed},
				Init: kmeans.PrototypesGaussian})
		last := r.Trace[len(r.Trace)-1]
		if r.Objective > last*(1+1e-9) {
			t.Errorf("seed %d: the objective is %g, and the last partition had %g", seed,
				r.Objective, last)
		}
		if r.Objective < last*(1-1e-9) {
			earlier++
		}
	}
	if earlier == 0 {
		t.Error("the last partition was always the best: this test shows nothing")
	}
}

// linkedBlobs are overlapping blobs, and links by the blob a row comes from, about random pairs.
func linkedBlobs(n, k, links int, seed uint64) (dataset.Matrix, []link.Link) {
	rng := rand.New(rand.NewPCG(seed, 99))
	values, class := make([]float64, 0, n*2), make([]int, n)
	for i := range n {
		class[i] = rng.IntN(k)
		values = append(values, 2*float64(class[i]%3)+rng.NormFloat64(),
			2*float64(class[i]/3)+rng.NormFloat64())
	}
	var out []link.Link
	for len(out) < links {
		a, b := rng.IntN(n), rng.IntN(n)
		switch {
		case a == b:
		case class[a] == class[b]:
			out = append(out, must(a, b))
		default:
			out = append(out, cannot(a, b))
		}
	}
	return dataset.Matrix{Rows: n, Cols: 2, F64: values}, out
}

// Links from the classes bring the partition nearer to them.
func TestLCVQELinksHelp(t *testing.T) {
	with, without := 0, 0
	for seed := range uint64(10) {
		m, links := linkedBlobs(300, 4, 600, seed)
		cfg := kmeans.LCVQEConfig{Clusters: 4, Options: fit.Options{Seed: seed}}
		plain := mustLCVQE(t, m, nil, cfg)
		without += len(link.Violated(numbers(plain.Labels), links))
		with += len(mustLCVQE(t, m, links, cfg).Violated)
	}
	if with*2 > without {
		t.Errorf("%d links violated with them, %d without", with, without)
	}
}

func numbers(labels []int32) []int {
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = int(l)
	}
	return out
}

func TestLCVQEDoesNotDependOnThreads(t *testing.T) {
	m, links := linkedBlobs(5000, 7, 2000, 4)
	for _, data := range []dataset.Matrix{m, single(m)} {
		cfg := kmeans.LCVQEConfig{Clusters: 9, Limits: fit.Limits{Starts: 3},
			Options: fit.Options{Seed: 5, Threads: 1}}
		want := mustLCVQE(t, data, links, cfg)
		for _, threads := range []int{2, 5} {
			cfg.Threads = threads
			got := mustLCVQE(t, data, links, cfg)
			got.Seconds = want.Seconds
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("with %d threads:\n%s", threads, diff)
			}
		}
		if len(want.Starts) != 3 ||
			slices.ContainsFunc(want.Starts,
				func(s kmeans.LCVQEStart) bool { return s.Objective < want.Objective }) {
			t.Errorf("of the starts %v %v is not the best", want.Starts, want.Objective)
		}
	}
}

// A prototype that no row is nearest to stays where it is.
func TestLCVQEKeepsThePrototypeOfAnEmptyCluster(t *testing.T) {
	m := matrix(t, 4, 1, 0, 1, 2, 3)
	r := mustLCVQE(t, m, nil, kmeans.LCVQEConfig{Clusters: 2, Prototypes: matrix(t, 2, 1, 1, 1000)})
	if want := []float64{1.5, 1000}; !slices.Equal(r.Prototypes.F64, want) || r.Sizes[1] != 0 {
		t.Errorf("prototypes %v with %v rows", r.Prototypes.F64, r.Sizes)
	}
}

// A cluster that links have emptied, and in which other links, hardly believed, put weight, gets a
// mean of rows as all do.
func TestLCVQEHardlyBelievedLinksMakeMeans(t *testing.T) {
	m := matrix(t, 8, 1, 0.1, 0.2, 0.3, 0.4, 7.1, 7.3, 20.7, 20.9)
	links := []link.Link{must(0, 4), must(1, 4), must(2, 4), must(0, 5), must(1, 5), must(2, 5),
		{A: 4, B: 5, Kind: link.CannotLink, Plausibility: 1e-18},
		{A: 0, B: 1, Kind: link.CannotLink, Plausibility: 1e-18}}
	for seed := range uint64(10) {
		for k := 2; k <= 4; k++ {
			r := mustLCVQE(t, m, links,
				kmeans.LCVQEConfig{
					Clusters:  k,
					Knowledge: fit.Knowledge{Contradictions: link.Keep},
					Options:   fit.Options{Seed: seed},
					Init:      kmeans.PrototypesSample,
				})
			for _, at := range r.Prototypes.F64 {
				if !(at >= 0.1-1e-9 && at <= 20.9+1e-9) {
					t.Errorf("seed %d, %d clusters: prototypes %v", seed, k, r.Prototypes.F64)
				}
			}
		}
	}
}

func TestLCVQERefusesBadInput(t *testing.T) {
	m := matrix(t, 4, 1, 0, 0, 1, 1)
	nan := matrix(t, 3, 1, 0, math.NaN(), 1)
	for name, c := range map[string]struct {
		m     dataset.Matrix
		links []link.Link
		cfg   kmeans.LCVQEConfig
	}{
		"no clusters":          {m, nil, kmeans.LCVQEConfig{}},
		"fewer distinct rows":  {m, nil, kmeans.LCVQEConfig{Clusters: 3}},
		"more clusters than n": {m, nil, kmeans.LCVQEConfig{Clusters: 5}},
		"a link out of range":  {m, []link.Link{must(0, 4)}, kmeans.LCVQEConfig{Clusters: 2}},
		"a link to itself":     {m, []link.Link{must(1, 1)}, kmeans.LCVQEConfig{Clusters: 2}},
		"a plausibility above 1": {m,
			[]link.Link{{A: 0, B: 1, Kind: link.MustLink, Plausibility: 2}},
			kmeans.LCVQEConfig{Clusters: 2}},
		"not finite": {nan, nil, kmeans.LCVQEConfig{Clusters: 2}},
		"too large": {matrix(t, 2, 1, 1e200, -1e200), nil,
			kmeans.LCVQEConfig{Clusters: 2}},
		"other prototypes": {m, nil,
			kmeans.LCVQEConfig{Clusters: 2, Prototypes: matrix(t, 1, 1, 3)}},
		"an unknown start": {m, nil, kmeans.LCVQEConfig{Clusters: 2, Init: 9}},
		"a negative limit": {m, nil, kmeans.LCVQEConfig{Clusters: 2,
			Limits: fit.Limits{MaxIterations: -1}}},
		"an unknown policy": {m, nil, kmeans.LCVQEConfig{Clusters: 2,
			Knowledge: fit.Knowledge{Contradictions: 7}}},
	} {
		c.cfg.Links = c.links
		if r, err := kmeans.FitLCVQE(context.Background(), c.m,
			c.cfg); !fault.IsInput(err) || r != nil {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

func TestLCVQEContradictions(t *testing.T) {
	m := matrix(t, 4, 1, 0, 1, 8, 9)
	links := []link.Link{must(0, 1), must(1, 2), cannot(0, 2)}
	var clash *link.Contradiction
	if _, err := kmeans.FitLCVQE(context.Background(), m,
		kmeans.LCVQEConfig{Knowledge: fit.Knowledge{Links: links},
			Clusters: 2}); !errors.As(err, &clash) {
		t.Errorf("refused with %v", err)
	}
	r := mustLCVQE(t, m, links, kmeans.LCVQEConfig{Clusters: 2,
		Knowledge: fit.Knowledge{Contradictions: link.Keep}})
	if len(r.Clashing) != 1 || r.Clashing[0].Link != links[2] || len(r.Violated) == 0 {
		t.Errorf("kept, clashing %v, violated %v", r.Clashing, r.Violated)
	}
}

func TestLCVQEIsCancelled(t *testing.T) {
	m, links := linkedBlobs(2000, 5, 500, 1)
	ctx, cancel := context.WithCancel(context.Background())
	cfg := kmeans.LCVQEConfig{
		Clusters: 5,
		Limits:   fit.Limits{Starts: 1000},
		Options: fit.Options{Progress: func(p fit.Progress) {
			if p.Start == 2 {
				cancel()
			}
		}},
	}
	cfg.Links = links
	r, err := kmeans.FitLCVQE(ctx, m, cfg)
	if r != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v, %v", r, err)
	}
}
