package constrained_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

func mustFit(t interface{ Fatal(...any) }, method fitter, m dataset.Matrix, links []link.Link,
	cfg constrained.Config) *constrained.Result {
	r, err := method(context.Background(), m, nil, links, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func dist(m dataset.Matrix, i int, at []float64) (sum float64) {
	for j, v := range at {
		sum += (m.At(i, j) - v) * (m.At(i, j) - v)
	}
	return sum
}

// labellings goes through all ways to put n rows into k clusters.
func labellings(n, k int, do func(labels []int)) {
	labels := make([]int, n)
	for {
		do(labels)
		i := 0
		for ; i < n && labels[i] == k-1; i++ {
			labels[i] = 0
		}
		if i == n {
			return
		}
		labels[i]++
	}
}

// within returns the sum of squared distances from the means of clusters.
func within(m dataset.Matrix, labels []int, k int) (sum float64) {
	d := m.Cols
	means, counts := make([]float64, k*d), make([]float64, k)
	for i, c := range labels {
		counts[c]++
		for j := range d {
			means[c*d+j] += m.At(i, j)
		}
	}
	for i := range means {
		means[i] /= max(1, counts[i/d])
	}
	for i, c := range labels {
		sum += dist(m, i, means[c*d:(c+1)*d])
	}
	return sum
}

// With many starts PCK-means and COP-k-means find the best of all partitions of a few rows, by
// going through every one.
func TestManyStartsFindTheBestPartition(t *testing.T) {
	missed := map[string]int{}
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 1))
		const n, k, w = 7, 3, 1.5
		m := dataset.Matrix{Rows: n, Cols: 2}
		for range 2 * n {
			m.F64 = append(m.F64, 5*rng.Float64())
		}
		set := link.NewSet(n)
		for range 5 {
			if l := (link.Link{A: rng.IntN(n), B: rng.IntN(n),
				Kind: link.Kind(1 + rng.IntN(2))}); l.A != l.B {
				set.Add(l)
			}
		}
		links := set.Given()
		soft, hard := math.Inf(1), math.Inf(1)
		labellings(n, k, func(labels []int) {
			v, broken := within(m, labels, k), float64(len(link.Violated(labels, links)))
			soft = min(soft, v/2+w*broken)
			if broken == 0 {
				hard = min(hard, v)
			}
		})
		cfg := constrained.Config{Knowledge: fit.Knowledge{Links: links}, Clusters: k,
			Limits: fit.Limits{Starts: 60}, Options: fit.Options{Seed: seed}}
		pck, err := constrained.FitPCK(t.Context(), m,
			constrained.PCKConfig{Config: cfg, LinkWeight: w})
		if err != nil {
			t.Fatal(err)
		}
		if pck.Objective < soft-1e-9 {
			t.Fatalf("seed %d: PCK-means claims %g, and the best is %g", seed, pck.Objective, soft)
		}
		if pck.Objective > soft+1e-9 {
			missed["pck"]++
		}
		cop, err := constrained.FitCOP(t.Context(), m, cfg)
		if math.IsInf(hard, 1) {
			var none *constrained.Infeasible
			if !errors.As(err, &none) || !none.Proven {
				t.Fatalf("seed %d: there is no partition, and the error is %v", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if cop.Objective < hard-1e-9 {
			t.Fatalf("seed %d: COP-k-means claims %g, and the best is %g", seed, cop.Objective,
				hard)
		}
		if cop.Objective > hard+1e-9 {
			missed["cop"]++
		}
	}
	if missed["pck"] > 0 || missed["cop"] > 1 {
		t.Errorf("of 25 problems the best was missed in %v", missed)
	}
}

// COP-k-means finds a partition exactly where going through all of them does, or shows rows that
// all differ.
func TestCOPIsRightAboutFeasibility(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "links"), 0))
		n, k := rapid.IntRange(3, 8).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "k")
		m, _ := blobs(n, 2, 2, 3)
		set := link.NewSet(n)
		for range rapid.IntRange(0, 20).Draw(t, "count") {
			if l := (link.Link{A: rng.IntN(n), B: rng.IntN(n), Kind: link.CannotLink}); l.A != l.B {
				if rng.IntN(5) == 0 {
					l.Kind = link.MustLink
				}
				set.Add(l)
			}
		}
		feasible := false
		labellings(n, k, func(labels []int) {
			feasible = feasible || len(link.Violated(labels, set.Given())) == 0
		})
		_, err := constrained.FitCOP(context.Background(), m,
			constrained.Config{Knowledge: fit.Knowledge{Links: set.Given()}, Clusters: k})
		if feasible {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		var none *constrained.Infeasible
		if !errors.As(err, &none) || !none.Proven {
			t.Fatalf("there is no partition, and the error is %v", err)
		}
		if none.Clique {
			for i, a := range none.Rows {
				for _, b := range none.Rows[:i] {
					if set.Relation(a, b) != link.CannotLink {
						t.Fatalf("%v are to differ, and %d and %d need not", none.Rows, a, b)
					}
				}
			}
			if len(none.Rows) != k+1 {
				t.Fatalf("%d rows and %d clusters", len(none.Rows), k)
			}
		}
	})
}

// A wheel with five spokes needs four clusters, though no four of its rows all differ.
func TestCOPNamesTheRows(t *testing.T) {
	m := column(0, 1, 2, 3, 4, 5, 6, 7)
	var wheel, all []link.Link
	for i := range 5 {
		wheel = append(wheel, cannot(i, (i+1)%5), cannot(i, 5))
	}
	for _, a := range []int{2, 4, 6, 7} {
		for _, b := range []int{2, 4, 6, 7} {
			if a < b {
				all = append(all, cannot(a, b))
			}
		}
	}
	for _, c := range []struct {
		links []link.Link
		k     int
		want  string
	}{
		{wheel, 3, "no partition into 3 clusters keeps all cannot-links among rows 1, 2, 3, 4, 5 " +
			"and 6"},
		{all, 3, "rows 3, 5, 7 and 8 are all different from each other: 4 of them, and there are " +
			"3 clusters; ask for at least 4 clusters"},
		{[]link.Link{cannot(3, 1)}, 1,
			"rows 2 and 4 are all different from each other: 2 of them, and there is"},
	} {
		_, err := constrained.FitCOP(t.Context(), m,
			constrained.Config{Knowledge: fit.Knowledge{Links: c.links}, Clusters: c.k})
		if err == nil || !strings.Contains(err.Error(),
			strings.TrimSuffix(c.want, ", and there is")) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if r := mustFit(t, methods["cop"], m, wheel,
		constrained.Config{Clusters: 4}); len(r.Violated) > 0 {
		t.Errorf("in four clusters %v are violated", r.Violated)
	}
}

// Cannot-links that no order of nearest clusters meets, but that a search does: a crown, whose rows
// pair up.
func TestCOPFindsWhatOrdersMiss(t *testing.T) {
	const pairs = 12
	m := dataset.Matrix{Rows: 2 * pairs, Cols: 1}
	var links []link.Link
	for a := range pairs {
		m.F64 = append(m.F64, float64(a), float64(a)+0.1)
		for b := range pairs {
			if a != b {
				links = append(links, cannot(2*a, 2*b+1))
			}
		}
	}
	r := mustFit(t, methods["cop"], m, links, constrained.Config{Clusters: 2})
	if len(r.Violated) > 0 {
		t.Errorf("%d of %d links are violated", len(r.Violated), len(links))
	}
}

// The objective of CVQE by its formula, and an iteration by hand.
//
// Rows 0, 1 | 9, 10 with means .5 and 9.5 after the first iteration. The must-link of 1 and 9:
// leaving both costs .25 + .25 + 81 (twice); both to the first .25 + 72.25, both to the second the
// same, and the first among equals wins.
func TestCVQEByHand(t *testing.T) {
	m := column(0, 1, 9, 10)
	links := []link.Link{must(1, 2)}
	r := mustFit(t, methods["cvqe"], m, links,
		constrained.Config{Clusters: 2, Limits: fit.Limits{Starts: 5}})
	if r.Labels[1] != r.Labels[2] || r.Labels[0] == r.Labels[3] {
		t.Errorf("labels %v", r.Labels)
	}
	// 0 1 9 | 10: ½(10/3² + 7/3² + 17/3²) = ½·438/9.
	if want := 438.0 / 18; math.Abs(r.Objective-want) > 1e-9 {
		t.Errorf("the objective is %g, want %g", r.Objective, want)
	}
}

func TestCVQECountsItsObjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(t, "n")
		k := rapid.IntRange(1, 4).Draw(t, "k")
		m, class := blobs(n, 2, 4, rapid.Uint64().Draw(t, "seed"))
		links := drawLinks(class, rapid.IntRange(0, 40).Draw(t, "links"), 3)
		for i := range links {
			if i%2 == 0 {
				links[i].Plausibility = 0.4
			}
		}
		r := mustFit(t, methods["cvqe"], m, links, constrained.Config{Clusters: k})
		want := 0.0
		at := func(c int32) []float64 { return r.Centers.F64[int(c)*2:][:2] }
		between := func(a, b int32) float64 {
			return dist(dataset.Matrix{Rows: 1, Cols: 2, F64: at(a)}, 0, at(b))
		}
		for i, c := range r.Labels {
			want += dist(m, i, at(c)) / 2
		}
		for _, l := range links {
			a, b := r.Labels[l.A], r.Labels[l.B]
			if l.Kind == link.MustLink && a != b {
				want += l.Confidence() * between(a, b) / 2
			}
			if l.Kind == link.CannotLink && a == b && k > 1 {
				least := math.Inf(1)
				for c := range int32(k) {
					if c != a {
						least = min(least, between(a, c))
					}
				}
				want += l.Confidence() * least / 2
			}
		}
		if math.Abs(r.Objective-want) > 1e-9*(1+want) {
			t.Fatalf("the objective is %g, by the definition %g", r.Objective, want)
		}
	})
}

// Seeds decide where clusters begin, and with Hold where their rows stay.
func TestSeeds(t *testing.T) {
	m := column(0, 1, 2, 10, 11, 12, 30, 31)
	known := []int32{2, -1, -1, 0, -1, 2, -1, 1}
	hold, err := constrained.FitSeeded(t.Context(), m,
		constrained.SeededConfig{Config: constrained.Config{Knowledge: fit.Knowledge{Known: known},
			Clusters: 3}, Hold: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int32{2, 2, 2, 0, 0, 2, 1, 1}; !slices.Equal(hold.Labels, want) {
		t.Errorf("held: %v, want %v", hold.Labels, want)
	}
	free, err := constrained.FitSeeded(t.Context(), m,
		constrained.SeededConfig{Config: constrained.Config{Knowledge: fit.Knowledge{Known: known},
			Clusters: 3}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int32{2, 2, 2, 0, 0, 0, 1, 1}; !slices.Equal(free.Labels, want) ||
		free.Objective != 4.5 {
		t.Errorf("seeded: %v with %g, want %v with 4.5", free.Labels, free.Objective, want)
	}
}

// Full metrics see two long clusters side by side, that plain k-means cuts across.
func TestMPCKLearnsShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	const n = 400
	m, class := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
	for i := range n {
		class[i] = int32(i % 2)
		along, across := 20*rng.Float64(), rng.NormFloat64()/2+3*float64(class[i])
		m.F64 = append(m.F64, along+across, along-across)
	}
	links := drawLinks(class, 200, 1)
	wrong := func(metric fit.Metric) int {
		r := mustFit(t, mpck(metric, false), m, links,
			constrained.Config{Clusters: 2, Limits: fit.Limits{Starts: 3}})
		off := 0
		for i, c := range r.Labels {
			if c != class[i] {
				off++
			}
		}
		return min(off, n-off)
	}
	if full, plain := wrong(fit.Full), wrong(fit.Euclidean); 2*full > plain {
		t.Errorf("%d of %d rows wrong by full metrics, %d without", full, n, plain)
	}
}
