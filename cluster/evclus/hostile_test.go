package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// TestBadConfigurationsAreRefused with the fix.
func TestBadConfigurationsAreRefused(t *testing.T) {
	half := &credal.Partition{Clusters: 2, Focal: []belief.Set{0, 1, 2, 3},
		Mass: slices.Repeat([]float64{0, 0.5, 0, 0}, 20)}
	good := &credal.Partition{Clusters: 2, Focal: []belief.Set{0, 1, 2, 3},
		Mass: slices.Repeat([]float64{0, 0.5, 0.5, 0}, 20)}
	must := func(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.MustLink} }
	cannot := func(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.CannotLink} }
	constant := func(v float32) *dissim.Dense {
		d := &dissim.Dense{N: 20, D: slices.Repeat([]float32{v}, 400)}
		for i := range 20 {
			d.D[i*20+i] = 0
		}
		return d
	}
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		src  *dissim.Dense // nil: 20 good ones
		cfg  Config
		says string
	}{
		"no objects":        {&dissim.Dense{}, Config{Clusters: 2}, "0 objects"},
		"two objects":       {blobs(2, 2, 1), Config{Clusters: 2}, "2 objects"},
		"no clusters":       {nil, Config{}, "0 clusters"},
		"negative clusters": {nil, Config{Clusters: -3}, "-3 clusters"},
		"one cluster":       {nil, Config{Clusters: 1}, "1 clusters"},
		"more than objects": {nil, Config{Clusters: 21},
			"21 clusters cannot be found among 20"},
		"more than a set has": {blobs(80, 4, 1), Config{Clusters: 64},
			"64 clusters are too many"},
		"negative partners": {nil, Config{Clusters: 2, Partners: -1}, "-1 partners"},
		"d0 below 0":        {nil, Config{Clusters: 2, D0: D0{Value: -1}}, "d0 is -1"},
		"d0 not a number":   {nil, Config{Clusters: 2, D0: D0{Value: nan}}, "d0 is NaN"},
		"d0 infinite":       {nil, Config{Clusters: 2, D0: D0{Value: inf}}, "d0 is +Inf"},
		"d0 beyond all":     {nil, Config{Clusters: 2, D0: D0{Value: 1e30}}, "so far above"},
		"d0 beyond squares": {nil, Config{Clusters: 2, D0: D0{Value: 1e200}}, "so far above"},
		"d0 below squares":  {nil, Config{Clusters: 2, D0: D0{Value: 1e-200}}, "d0 is 1e-200"},
		"quantile above 1": {nil, Config{Clusters: 2, D0: D0{Quantile: 1.5}},
			"quantile of 1.5"},
		"quantile below 0": {nil, Config{Clusters: 2, D0: D0{Quantile: -0.5}},
			"quantile of -0.5"},
		"quantile no number": {nil, Config{Clusters: 2, D0: D0{Quantile: nan}},
			"quantile of NaN"},
		"quantile of zeros": {duplicates(20), Config{Clusters: 2, D0: D0{Quantile: 0.1}},
			"d0 is 0"},
		"tail 1":            {nil, Config{Clusters: 2, Tail: 1}, "tail of 1"},
		"tail below 0":      {nil, Config{Clusters: 2, Tail: -0.1}, "tail of -0.1"},
		"tail not a number": {nil, Config{Clusters: 2, Tail: nan}, "tail of NaN"},
		"tolerance": {nil, Config{Clusters: 2, Limits: fit.Limits{Tolerance: nan}},
			"tolerance of NaN"},
		"weight of links": {nil, Config{Clusters: 2, LinkWeight: inf}, "+Inf"},
		"negative starts": {nil, Config{Clusters: 2, Limits: fit.Limits{Starts: -1}},
			"-1 starts asked for"},
		"negative sweeps": {nil, Config{Clusters: 2, Limits: fit.Limits{MaxIterations: -1}},
			"-1 iterations asked for"},
		"negative pairs":    {nil, Config{Clusters: 2, Pairs: -1}, "negative"},
		"unknown transform": {nil, Config{Clusters: 2, Transform: 7}, "unknown"},
		"no focal sets": {nil, Config{Clusters: 2, Focal: []belief.Set{}},
			"leaves nothing to find"},
		"one focal set": {nil, Config{Clusters: 2, Focal: []belief.Set{3, 3}},
			"one focal set"},
		"focal beyond frame": {nil, Config{Clusters: 2, Focal: []belief.Set{1, 8}}, "{4}"},
		"nothing to start":   {nil, Config{Clusters: 2, Start: Given}, "does not fit"},
		"start of others": {blobs(21, 2, 1), Config{Clusters: 2, Start: Given, Initial: good},
			"does not fit"},
		"start with more": {nil,
			Config{Clusters: 2, Start: Given, Initial: good, Focal: []belief.Set{1, 2, 3}},
			"focal set {}"},
		"start with bad sums": {nil, Config{Clusters: 2, Start: Given, Initial: half},
			"sum to 0.5"},
		"all zero":  {constant(0), Config{Clusters: 2}, "all dissimilarities are zero"},
		"all equal": {constant(3), Config{Clusters: 2}, "all dissimilarities are 3"},
		"unknown object": {nil,
			Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{must(0, 20)}}}, "21"},
		"negative object": {nil,
			Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{must(-1, 2)}}}, ""},
		"linked to itself": {nil,
			Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{must(4, 4)}}},
			"itself"},
		"links that contradict": {nil,
			Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{must(0, 1), must(1, 2),
				cannot(0, 2)}}},
			"1 = 2, 2 = 3, but 1 ≠ 3"},
	} {
		t.Run(name, func(t *testing.T) {
			src := c.src
			if src == nil {
				src = blobs(20, 2, 1)
			}
			for _, fit := range []func() (*Result, error){
				func() (*Result, error) { return Fit(t.Context(), src, c.cfg) },
				func() (*Result, error) {
					return FitLandmarks(t.Context(), src, max(3, src.N), c.cfg)
				},
			} {
				r, err := fit()
				var in *fault.Input
				if r != nil || !errors.As(err, &in) || !strings.Contains(err.Error(), c.says) ||
					in.Fix == "" {
					t.Errorf("%v, %v; want a word on %q and a mend", r, err, c.says)
				}
			}
		})
	}
	if _, err := FitLandmarks(t.Context(), blobs(20, 2, 1), 10,
		Config{Clusters: 2, Knowledge: fit.Knowledge{Links: []link.Link{must(0,
			20)}}}); !fault.IsInput(err) {
		t.Errorf("landmarks, and a link to an unknown object: %v", err)
	}
	for _, count := range []int{-1, 0, 2} {
		if _, err := FitLandmarks(t.Context(), blobs(20, 2, 1), count,
			Config{Clusters: 2}); !fault.IsInput(err) {
			t.Errorf("%d landmarks: %v", count, err)
		}
	}
}

// duplicates returns n objects in two places.
func duplicates(n int) *dissim.Dense {
	d := &dissim.Dense{N: n, D: make([]float32, n*n)}
	for i := range n {
		for j := range n {
			d.D[i*n+j] = float32((i + j) % 2)
		}
	}
	return d
}

// TestManyClusters: up to the most there may be, and one for each object.
func TestManyClusters(t *testing.T) {
	for _, c := range []int{20, 40, 63} {
		r, err := Fit(t.Context(), blobs(100, 20, 2), Config{Clusters: c, Pairs: 2})
		if err != nil {
			t.Fatal(err)
		}
		healthy(t, r)
	}
	// As many clusters as objects.
	r, err := Fit(t.Context(), blobs(12, 4, 2), Config{Clusters: 12, Pairs: 1, D0: D0{Auto: true}})
	if err != nil {
		t.Fatal(err)
	}
	healthy(t, r)
}

// healthy checks that a result is a partition and has no number that is none.
func healthy(t interface{ Errorf(string, ...any) }, r *Result) {
	if err := r.Credal.Check(); err != nil {
		t.Errorf("%v", err)
	}
	for name, v := range map[string]float64{"stress": r.Stress, "objective": r.Objective,
		"d0": r.D0, "γ": r.Gamma} {
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			t.Errorf("%s is %v", name, v)
		}
	}
	if slices.ContainsFunc(r.Trace,
		func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
		t.Errorf("trace %v", r.Trace)
	}
}

// TestStrangeDissimilarities: far, near, repeated and impossible ones give numbers or a fault.
func TestStrangeDissimilarities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 90).Draw(t, "n")
		values := rapid.SampledFrom([][]float32{
			{0, 1}, {1e30, 2e30, 3e30}, {1e-30, 2e-30}, {0, 1e-30, 1, 1e30}, {math.MaxFloat32, 1},
			{math.SmallestNonzeroFloat32, 0, 1e-40}, {1, 1 + 1e-7}, {5, 5, 5, 5, 5, 6},
		}).Draw(t, "values")
		d := &dissim.Dense{N: n, D: make([]float32, n*n)}
		x := rapid.Uint64().Draw(t, "seed")
		same := rapid.Bool().Draw(t, "one object identical to all")
		for i := range n {
			for j := range i {
				x = x*6364136223846793005 + 1442695040888963407
				v := values[int(x>>33)%len(values)]
				if same && j == 0 {
					v = 0
				}
				d.D[i*n+j], d.D[j*n+i] = v, v
			}
		}
		cfg := Config{
			Clusters: rapid.IntRange(2, min(n, 6)).Draw(t, "clusters"),
			Partners: rapid.SampledFrom([]int{0, 5, 1000}).Draw(t, "partners"),
			Transform: rapid.SampledFrom([]Transform{Exponential, Linear, Rank}).Draw(t,
				"transform"),
			Start: rapid.SampledFrom([]Start{Medoids, Random}).Draw(t, "start"),
			Pairs: rapid.IntRange(0, 2).Draw(t, "pairs"),
			D0: rapid.SampledFrom([]D0{{}, {Auto: true}, {Quantile: 0.3}, {Value: 1e-30},
				{Value: 1}, {Value: 1e30}}).Draw(t, "d0"),
			Limits: fit.Limits{MaxIterations: 20},
		}
		r, err := Fit(t.Context(), d, cfg)
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatalf("%v", err)
			}
			return
		}
		healthy(t, r)
		if k := cfg.Partners; k >= n &&
			!strings.Contains(strings.Join(r.Notes, " "), "all pairs are used") {
			t.Fatalf("no word on %d partners of %d objects: %q", k, n, r.Notes)
		}
	})
}

// TestStartsThatAreGiven: the fit goes on from there, keeps its numbering, and ends no worse.
func TestStartsThatAreGiven(t *testing.T) {
	src := blobs(90, 3, 5)
	first, err := Fit(t.Context(), src,
		Config{Clusters: 3, Limits: fit.Limits{MaxIterations: 1}, Start: Random})
	if err != nil || first.Stopped == fit.Converged {
		t.Fatalf("after one sweep: %+v, %v", first, err)
	}
	focal, err := belief.Pairs(3)
	if err != nil {
		t.Fatal(err)
	}
	kept := slices.Clone(first.Credal.Mass)
	r, err := Fit(t.Context(), src,
		Config{Clusters: 3, Focal: focal, Start: Given, Initial: first.Credal})
	if err != nil || math.Abs(r.Trace[0]-first.Stress) > 1e-12 || r.Stress > first.Stress {
		t.Fatalf("from %v: %v (%v)", first.Stress, r.Trace, err)
	}
	if !slices.Equal(kept, first.Credal.Mass) {
		t.Error("the start was overwritten")
	}
	again, err := Fit(t.Context(), src,
		Config{Clusters: 3, Focal: focal, Start: Given, Initial: r.Credal})
	if err != nil || again.Iterations > 3 || distance(again.Credal.Mass, r.Credal.Mass) > 0.05 {
		t.Errorf("from the end: %d sweeps (%v)", again.Iterations, err)
	}
}

// TestFocalSetsThatMemoryHolds: as many are too many for row programmes side by side, not for one
// after the other.
func TestFocalSetsThatMemoryHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	full, err := belief.Full(12)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n    int
		cfg  Config
		says string
	}{
		{200, Config{Clusters: 12, Focal: full}, ""},
		{200, Config{Clusters: 12, Focal: full, Optimizer: Gradient}, ""},
		{20_000, Config{Clusters: 12, Focal: full, Partners: 20},
			"4096 focal sets for 20000 objects"},
		{200_000, Config{Clusters: 12, Focal: full}, "4096 focal sets for 200000 objects"},
		{100_000, Config{Clusters: 12, Focal: full, Partners: 20, Optimizer: Gradient},
			"4096 focal sets for 100000 objects"},
	} {
		_, err := newFitter(&costly{n: c.n}, c.cfg)
		if c.says == "" && err != nil ||
			c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%d objects: %v, want %q", c.n, err, c.says)
		}
	}
}
