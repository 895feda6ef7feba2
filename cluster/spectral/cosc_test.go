package spectral_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// normalisedCut is Σ cut(C, rest)/vol(C), by the definition.
func normalisedCut(w *spectral.Sparse, label func(i int) int, k int) float64 {
	cut, volume := make([]float64, k), make([]float64, k)
	for i := range w.N() {
		for e := w.Start[i]; e < w.Start[i+1]; e++ {
			volume[label(i)] += w.Value[e]
			if label(int(w.Col[e])) != label(i) {
				cut[label(i)] += w.Value[e]
			}
		}
	}
	sum := 0.0
	for c := range k {
		if volume[c] == 0 {
			return math.Inf(1)
		}
		sum += cut[c] / volume[c]
	}
	return sum
}

// On twelve rows, against all 2047 cuts.
func TestCOSCNearlyFindsTheBestCut(t *testing.T) {
	best, all := 0, 0
	for seed := range uint64(20) {
		x := cloud(12, 2, seed+100)
		g := graph(t, x, spectral.GraphConfig{Neighbours: 3})
		if _, count := g.Weights.Components(); count > 1 {
			continue
		}
		links := []link.Link{must(0, 5), cannot(1, 2), cannot(2, 7), cannot(3, 9)}
		r, err := spectral.FitCOSC(ctx, g,
			spectral.COSCConfig{Knowledge: fit.Knowledge{Links: links}, Clusters: 2,
				Limits: fit.Limits{Starts: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Violated) > 0 {
			t.Errorf("seed %d violates %v", seed, r.Violated)
		}
		if got := normalisedCut(g.Weights, func(i int) int { return int(r.Labels[i]) },
			2); math.Abs(got-r.Objective) > 1e-9 {
			t.Errorf("the cut is %g, by the definition %g", r.Objective, got)
		}
		least := math.Inf(1)
		for s := 1; s < 1<<11; s++ {
			label := func(i int) int { return s >> i & 1 }
			if label(0) == label(5) && label(1) != label(2) && label(2) != label(7) &&
				label(3) != label(9) {
				least = min(least, normalisedCut(g.Weights, label, 2))
			}
		}
		all++
		if r.Objective < least*(1+1e-9) {
			best++
		}
	}
	if all < 10 || best*10 < all*7 {
		t.Errorf("the best of %d cuts found %d times", all, best)
	}
}

// Wherever two groups can honour the cannot-links they do, also where links go against the data,
// and among equal rows.
func TestCOSCHonoursLinksWhereTwoGroupsCan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 25).Draw(t, "rows")
		x := dataset.Matrix{Rows: n, Cols: 2}
		for range 2 * n {
			x.F64 = append(x.F64, float64(rapid.IntRange(0, 5).Draw(t, "value")))
		}
		side := rapid.SliceOfN(rapid.IntRange(0, 1), n, n).Draw(t, "side")
		var links []link.Link
		for range rapid.IntRange(0, 12).Draw(t, "links") {
			a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
			switch {
			case a == b:
			case side[a] == side[b]:
				links = append(links, must(a, b))
			default:
				links = append(links, cannot(a, b))
			}
		}
		g, err := spectral.VectorGraph(ctx, x, spectral.GraphConfig{Neighbours: 4})
		if err != nil {
			t.Fatal(err)
		}
		if g.Nodes() < 2 {
			return
		}
		r, err := spectral.FitCOSC(ctx, g,
			spectral.COSCConfig{Knowledge: fit.Knowledge{Links: links}, Clusters: 2,
				Limits: fit.Limits{Starts: 1}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Violated) > 0 || !r.Firm {
			t.Fatalf("links %v violated by %v", r.Violated, r.Labels)
		}
	})
}

func TestCOSCThreeArms(t *testing.T) {
	x, arms := spirals(120, 3)
	var links []link.Link
	for i := 0; i+7 < 60; i += 2 {
		if arms[i] == arms[i+7] {
			links = append(links, must(i, i+7))
		} else {
			links = append(links, cannot(i, i+7))
		}
	}
	g := graph(t, x, spectral.GraphConfig{Neighbours: 6})
	var first []int32
	counts := []int{3, 1}
	if testing.Short() {
		counts = counts[:1]
	}
	for _, threads := range counts {
		r, err := spectral.FitCOSC(ctx, g,
			spectral.COSCConfig{Knowledge: fit.Knowledge{Links: links}, Clusters: 3,
				Limits: fit.Limits{Starts: 2}, Options: fit.Options{Threads: threads}})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Violated) > 0 || r.Clusters != 3 || rand0(t, arms, r.Labels) < .9 {
			t.Errorf("%d clusters, adjusted Rand index %.3f, violated %v", r.Clusters,
				rand0(t, arms, r.Labels), r.Violated)
		}
		if first == nil {
			first = r.Labels
		} else if !slices.Equal(first, r.Labels) {
			t.Error("threads change the partition")
		}
	}
}

// Two units that are cut apart have no level set but one, and smoothed random values that are all
// equal.
func TestCOSCCutsTwoUnitsApart(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 4, 9}}
	r, err := spectral.FitCOSC(ctx, graph(t, x, spectral.GraphConfig{}),
		spectral.COSCConfig{Knowledge: fit.Knowledge{Links: []link.Link{cannot(0, 1)}},
			Clusters: 3})
	if err != nil || r.Clusters != 3 || len(r.Violated) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCOSCFaults(t *testing.T) {
	g := graph(t, cloud(10, 2, 1), spectral.GraphConfig{})
	apart := []link.Link{cannot(2, 7), cannot(7, 8), cannot(8, 2), cannot(0, 1)}
	_, err := spectral.FitCOSC(ctx, g,
		spectral.COSCConfig{Knowledge: fit.Knowledge{Links: apart}, Clusters: 2})
	var in *fault.Input
	if !errors.As(err, &in) ||
		!strings.Contains(err.Error(),
			"rows 3, 8 and 9 are all different from each other: 3 of them, and there are 2 clusters") {
		t.Errorf("three rows apart: %v", err)
	}
	var clash *link.Contradiction
	twice := []link.Link{must(1, 2), cannot(1, 2)}
	if _, err := spectral.FitCOSC(ctx, g,
		spectral.COSCConfig{Knowledge: fit.Knowledge{Links: twice}, Clusters: 2}); !errors.As(err,
		&clash) {
		t.Errorf("a contradiction: %v", err)
	}
	r, err := spectral.FitCOSC(ctx, g,
		spectral.COSCConfig{Knowledge: fit.Knowledge{Links: twice, Contradictions: link.Keep},
			Clusters: 2})
	if err != nil || len(r.Clashing) != 1 || len(r.Violated) != 1 {
		t.Errorf("kept: %+v, %v", r, err)
	}
	// A ring of five takes three colours, though no three of it are all different.
	ring := []link.Link{cannot(0, 1), cannot(1, 2), cannot(2, 3), cannot(3, 4), cannot(4, 0)}
	r, err = spectral.FitCOSC(ctx, g,
		spectral.COSCConfig{Knowledge: fit.Knowledge{Links: ring}, Clusters: 2})
	if err != nil || r.Firm || len(r.Violated) != 1 {
		t.Errorf("a ring of five: %+v, %v", r, err)
	}
}
