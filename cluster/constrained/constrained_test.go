package constrained_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

func must(a, b int) link.Link   { return link.Link{A: a, B: b, Kind: link.MustLink} }
func cannot(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.CannotLink} }

func column(values ...float64) dataset.Matrix {
	return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
}

// blobs draws n rows of d values about k centres, and returns which row is of which.
func blobs(n, d, k int, seed uint64) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(seed, 7))
	at := make([]float64, k*d)
	for i := range at {
		at[i] = 5 * rng.Float64()
	}
	m, class := dataset.Matrix{Rows: n, Cols: d}, make([]int32, n)
	for i := range n {
		c := rng.IntN(k)
		class[i] = int32(c)
		for j := range d {
			m.F64 = append(m.F64, at[c*d+j]+rng.NormFloat64())
		}
	}
	return m, class
}

// drawLinks links random pairs of rows by their classes.
func drawLinks(class []int32, count int, seed uint64) (links []link.Link) {
	rng := rand.New(rand.NewPCG(seed, 8))
	for len(links) < count {
		a, b := rng.IntN(len(class)), rng.IntN(len(class))
		switch {
		case a == b:
		case class[a] == class[b]:
			links = append(links, must(a, b))
		default:
			links = append(links, cannot(a, b))
		}
	}
	return links
}

func single(m dataset.Matrix) dataset.Matrix {
	out := make([]float32, len(m.F64))
	for i, v := range m.F64 {
		out[i] = float32(v)
	}
	return dataset.Matrix{Rows: m.Rows, Cols: m.Cols, F32: out}
}

// methods are all that learn from links, and seeded k-means by the classes of every third row.
var methods = map[string]func(ctx context.Context, m dataset.Matrix, class []int32,
	links []link.Link, cfg constrained.Config) (*constrained.Result, error){
	"cop": func(ctx context.Context, m dataset.Matrix, _ []int32, links []link.Link,
		cfg constrained.Config) (*constrained.Result, error) {
		cfg.Links = links
		return constrained.FitCOP(ctx, m, cfg)
	},
	"cvqe": func(ctx context.Context, m dataset.Matrix, _ []int32, links []link.Link,
		cfg constrained.Config) (*constrained.Result, error) {
		cfg.Links = links
		return constrained.FitCVQE(ctx, m, cfg)
	},
	"pck": func(ctx context.Context, m dataset.Matrix, _ []int32, links []link.Link,
		cfg constrained.Config) (*constrained.Result, error) {
		cfg.Links = links
		return constrained.FitPCK(ctx, m, constrained.PCKConfig{Config: cfg})
	},
	"mpck":        mpck(fit.Diagonal, false),
	"mpck full":   mpck(fit.Full, false),
	"mpck shared": mpck(fit.Full, true),
	"mpck plain":  mpck(fit.Euclidean, false),
	"seeded":      seeded(false),
	"constrained": seeded(true),
}

type fitter = func(ctx context.Context, m dataset.Matrix, class []int32, links []link.Link,
	cfg constrained.Config) (*constrained.Result, error)

func mpck(metric fit.Metric, shared bool) fitter {
	return func(ctx context.Context, m dataset.Matrix, _ []int32, links []link.Link,
		cfg constrained.Config) (*constrained.Result, error) {
		cfg.Links = links
		r, err := constrained.FitMPCK(ctx, m,
			constrained.MPCKConfig{Config: cfg, Metric: metric, Shared: shared})
		if err != nil {
			return nil, err
		}
		return &r.Result, nil
	}
}

func seeded(hold bool) fitter {
	return func(ctx context.Context, m dataset.Matrix, class []int32, _ []link.Link,
		cfg constrained.Config) (*constrained.Result, error) {
		known := slices.Repeat([]int32{-1}, m.Rows)
		for i := 0; i < len(class); i += 3 {
			if int(class[i])+1 < cfg.Clusters { // none is known of the last
				known[i] = class[i]
			}
		}
		cfg.Known = known
		return constrained.FitSeeded(ctx, m, constrained.SeededConfig{Config: cfg, Hold: hold})
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	m, class := blobs(3000, 5, 4, 2)
	links := drawLinks(class, 300, 3)
	before := slices.Clone(m.F64)
	for name, method := range methods {
		for _, data := range []dataset.Matrix{m, single(m)} {
			cfg := constrained.Config{Clusters: 4, Limits: fit.Limits{Starts: 2},
				Options: fit.Options{Seed: 5, Threads: 1}}
			want, err := method(t.Context(), data, class, links, cfg)
			if err != nil {
				t.Fatal(name, err)
			}
			for _, threads := range []int{2, 5} {
				cfg.Threads = threads
				got, err := method(t.Context(), data, class, links, cfg)
				if err != nil {
					t.Fatal(name, err)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s with %d threads:\n%s", name, threads, diff)
				}
			}
		}
	}
	if !slices.Equal(before, m.F64) {
		t.Error("the data are changed")
	}
}

// Links and classes bring the partition nearer to the truth.
func TestKnowledgeHelps(t *testing.T) {
	for name, method := range methods {
		with, without := 0, 0
		for seed := range uint64(6) {
			m, class := blobs(300, 3, 4, seed)
			all := drawLinks(class, 2000, 100+seed)
			cfg := constrained.Config{Clusters: 4, Options: fit.Options{Seed: seed}}
			for _, given := range []bool{true, false} {
				links, known, count := all[:1000], class, &with
				if !given {
					links, known, count = nil, nil, &without
				}
				r, err := method(t.Context(), m, known, links, cfg)
				if err != nil {
					t.Fatal(name, err)
				}
				for _, l := range all[1000:] {
					if (r.Labels[l.A] == r.Labels[l.B]) != (l.Kind == link.MustLink) {
						*count++
					}
				}
			}
		}
		if !(with < without) {
			t.Errorf("%s: of 12000 pairs not seen %d are wrong with links, %d without", name, with,
				without)
		}
		t.Logf("%s: %d wrong with, %d without", name, with, without)
	}
}

// The objective of methods that descend never rises, and results agree with what they hold.
func TestResultsHoldTogether(t *testing.T) {
	rises := map[string]bool{"cvqe": true, "mpck": true, "mpck full": true, "mpck shared": true,
		"mpck plain": true}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "n")
		k := rapid.IntRange(1, min(4, n)).Draw(t, "k")
		m, class := blobs(n, rapid.IntRange(1, 4).Draw(t, "d"), k, rapid.Uint64().Draw(t, "seed"))
		links := drawLinks(class, rapid.IntRange(0, 60).Draw(t, "links"),
			rapid.Uint64().Draw(t, "pairs"))
		for i := range links {
			if i%3 == 0 {
				links[i].Plausibility = 0.3
			}
		}
		for name, method := range methods {
			r, err := method(context.Background(), m, class, links,
				constrained.Config{Clusters: k, Options: fit.Options{Seed: 1}})
			if err != nil {
				t.Fatal(name, err)
			}
			for i := 1; i < len(r.Trace) && !rises[name]; i++ {
				if r.Trace[i] > r.Trace[i-1]*(1+1e-9)+1e-9 {
					t.Fatalf("%s: the objective rises: %v", name, r.Trace)
				}
			}
			if low := slices.Min(r.Trace); math.Abs(r.Objective-low) > 1e-9*(1+math.Abs(low)) {
				t.Fatalf("%s: the objective is %g, and the least seen %g", name, r.Objective, low)
			}
			sizes, numbers := make([]int, k), make([]int, n)
			for i, c := range r.Labels {
				sizes[c]++
				numbers[i] = int(c)
			}
			if !slices.Equal(sizes, r.Sizes) {
				t.Fatalf("%s: sizes %v, counted %v", name, r.Sizes, sizes)
			}
			if name != "seeded" && name != "constrained" &&
				!slices.Equal(r.Violated, link.Violated(numbers, links)) {
				t.Fatalf("%s: violated %v", name, r.Violated)
			}
			if name == "cop" && len(r.Violated) > 0 {
				t.Fatalf("links are violated: %v", r.Violated)
			}
		}
	})
}

func TestOddData(t *testing.T) {
	constant := dataset.Matrix{Rows: 4, Cols: 3, F64: []float64{7, 0, 1, 7, 0, 2, 7, 0, 8, 7, 0, 9}}
	for name, method := range methods {
		for what, c := range map[string]struct {
			m     dataset.Matrix
			k     int
			links []link.Link
		}{
			"one row":                  {column(3), 1, nil},
			"as many clusters as rows": {column(1, 2, 4), 3, []link.Link{cannot(0, 1)}},
			"equal rows":               {column(5, 5, 5, 5), 1, []link.Link{must(0, 3)}},
			"constant columns":         {constant, 2, []link.Link{must(0, 1), cannot(1, 2)}},
			"far off": {column(1e9, 1e9+1, 1e9+10, 1e9+11), 2,
				[]link.Link{cannot(1, 2)}},
			"unknown links": {column(0, 1, 9, 10), 2, []link.Link{{A: 0, B: 3}}},
			"duplicates": {column(1, 1, 1, 8, 8, 8), 2,
				[]link.Link{must(0, 3), cannot(1, 2)}},
			"large":       {column(-1e150, 1e150, 9e149), 2, []link.Link{must(1, 2)}},
			"one cluster": {column(1, 2, 3), 1, []link.Link{must(0, 2)}},
		} {
			r, err := method(t.Context(), c.m, make([]int32, c.m.Rows), c.links,
				constrained.Config{Clusters: c.k})
			if err != nil {
				t.Errorf("%s, %s: %v", name, what, err)
				continue
			}
			for _, v := range append(slices.Clone(r.Centers.F64), r.Objective) {
				if v-v != 0 {
					t.Errorf("%s, %s: %+v", name, what, r)
				}
			}
		}
	}
}

func TestBadInputIsRefused(t *testing.T) {
	m := column(0, 0, 1, 1)
	for name, method := range methods {
		for what, c := range map[string]struct {
			m     dataset.Matrix
			links []link.Link
			cfg   constrained.Config
		}{
			"no clusters":             {m, nil, constrained.Config{}},
			"more clusters than rows": {m, nil, constrained.Config{Clusters: 5}},
			"fewer distinct rows":     {m, nil, constrained.Config{Clusters: 3}},
			"negative starts": {m, nil,
				constrained.Config{Clusters: 2, Limits: fit.Limits{Starts: -1}}},
			"a negative limit": {m, nil,
				constrained.Config{Clusters: 2, Limits: fit.Limits{MaxIterations: -1}}},
			"not finite": {column(1, math.NaN(), 2), nil,
				constrained.Config{Clusters: 2}},
			"too large": {column(1, 1e200, 2), nil, constrained.Config{Clusters: 2}},
			"no rows":   {dataset.Matrix{}, nil, constrained.Config{Clusters: 1}},
			"no columns": {dataset.Matrix{Rows: 3}, nil,
				constrained.Config{Clusters: 1}},
			"values missing": {dataset.Matrix{Rows: 3, Cols: 2, F64: make([]float64, 5)},
				nil, constrained.Config{Clusters: 1}},
			"an unknown policy": {m, nil, constrained.Config{Clusters: 2,
				Knowledge: fit.Knowledge{Contradictions: 9}}},
			"a link too far": {m, []link.Link{must(0, 4)},
				constrained.Config{Clusters: 2}},
		} {
			if (name == "seeded" || name == "constrained") && c.links != nil {
				continue
			}
			if r, err := method(t.Context(), c.m, make([]int32, c.m.Rows), c.links,
				c.cfg); !fault.IsInput(err) || r != nil {
				t.Errorf("%s, %s: %v, %v", name, what, r, err)
			}
		}
	}
	for _, w := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := constrained.FitPCK(t.Context(), m,
			constrained.PCKConfig{Config: constrained.Config{Clusters: 2},
				LinkWeight: w}); !fault.IsInput(err) {
			t.Errorf("a weight of %g: %v", w, err)
		}
	}
	if _, err := constrained.FitMPCK(t.Context(), m,
		constrained.MPCKConfig{Config: constrained.Config{Clusters: 2},
			Metric: 7}); !fault.IsInput(err) {
		t.Errorf("an unknown metric: %v", err)
	}
	for _, known := range [][]int32{{0, 2, -1, -1}, {0}} {
		cfg := constrained.SeededConfig{Config: constrained.Config{
			Knowledge: fit.Knowledge{Known: known}, Clusters: 2}}
		if _, err := constrained.FitSeeded(t.Context(), m, cfg); !fault.IsInput(err) {
			t.Errorf("the classes %v: %v", known, err)
		}
	}
}

func TestContradictions(t *testing.T) {
	m := column(0, 1, 8, 9)
	links := []link.Link{must(0, 1), must(1, 2), cannot(0, 2)}
	for name, method := range methods {
		if name == "seeded" || name == "constrained" {
			continue
		}
		var clash *link.Contradiction
		if _, err := method(t.Context(), m, nil, links,
			constrained.Config{Clusters: 2}); !errors.As(err, &clash) {
			t.Errorf("%s: refused with %v", name, err)
		}
		r, err := method(t.Context(), m, nil, links,
			constrained.Config{Clusters: 2, Knowledge: fit.Knowledge{Contradictions: link.Keep}})
		if err != nil || len(r.Clashing) != 1 || r.Clashing[0].Link != links[2] ||
			len(r.Violated) == 0 {
			t.Errorf("%s: kept: %+v, %v", name, r, err)
		}
	}
}

func TestCancellation(t *testing.T) {
	m, class := blobs(2000, 3, 4, 1)
	links := drawLinks(class, 300, 1)
	for name, method := range methods {
		ctx, cancel := context.WithCancel(context.Background())
		if name == "seeded" {
			cancel() // its iterations are few
		}
		r, err := method(ctx, m, class, links,
			constrained.Config{
				Clusters: 4,
				Limits:   fit.Limits{Starts: 10_000},
				Options:  fit.Options{Progress: func(fit.Progress) { cancel() }},
			})
		if r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
		cancel()
	}
}
