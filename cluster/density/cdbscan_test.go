package density_test

import (
	"github.com/kindred-go/kindred/fit"

	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// drawLinks draws links that do not contradict each other.
func drawLinks(t *rapid.T, n, most int) []link.Link {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "ends"), 4))
	set := link.NewSet(n)
	for range rapid.IntRange(0, most).Draw(t, "links") {
		l := link.Link{A: rng.IntN(n), B: rng.IntN(n), Kind: link.Kind(rng.IntN(3))}
		if l.A != l.B {
			set.Add(l) // those that contradict stay out
		}
	}
	return set.Given()
}

func drawConfig(t *rapid.T) density.CDBSCANConfig {
	return density.CDBSCANConfig{Config: density.Config{
		Eps:       math.Sqrt(float64(rapid.IntRange(1, 120).Draw(t, "eps squared"))),
		MinPoints: rapid.IntRange(1, 8).Draw(t, "points"),
		Options:   fit.Options{Threads: rapid.IntRange(1, 3).Draw(t, "threads")},
	}, Leaves: rapid.Bool().Draw(t, "leaves")}
}

// No must-link is ever broken, nor a cannot-link but among noise. Core objects are never noise, and
// nothing leaves the neighbourhood of its cluster.
func TestCDBSCANKeepsLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, cfg := drawData(t, 150), drawConfig(t)
		links := drawLinks(t, data.m.Rows, 30)
		twin := newTwinDBSCAN(data.d, cfg.Eps, cfg.MinPoints)
		for name, o := range data.objects(t) {
			r, err := density.FitCDBSCAN(context.Background(), o, under(cfg, links))
			if err != nil {
				t.Fatal(name, err)
			}
			for _, l := range link.Violated(ints(r.Labels), links) {
				if l.Kind == link.MustLink || r.Labels[l.A] != density.Noise {
					t.Fatalf("%s: %v is broken", name, l)
				}
			}
			for i, c := range r.Labels {
				if r.Core[i] != twin.core[i] || r.Core[i] && c == density.Noise {
					t.Fatalf("%s: row %d is a core object: %v, and has label %d", name, i,
						r.Core[i], c)
				}
			}
			if len(links) == 0 ||
				r.Parted == 0 && !slices.ContainsFunc(links,
					func(l link.Link) bool { return l.Kind != link.Unknown }) {
				twin.agree(t, r.Labels, r.Core)
			}
		}
	})
}

func TestCDBSCANForgetsTheOrderOfRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data, cfg := drawData(t, 150), drawConfig(t)
		if duplicated(data) {
			return // a link names one of two equal rows
		}
		links := drawLinks(t, data.m.Rows, 20)
		other, order := data.permuted(t)
		gone := make([]int, len(order))
		for at, i := range order {
			gone[i] = at
		}
		var moved []link.Link
		for _, l := range links {
			moved = append(moved, link.Link{A: gone[l.B], B: gone[l.A], Kind: l.Kind})
		}
		a, err := density.FitCDBSCAN(context.Background(), density.Objects{Vectors: data.m},
			under(cfg, links))
		if err != nil {
			t.Fatal(err)
		}
		b, err := density.FitCDBSCAN(context.Background(), density.Objects{Vectors: other.m},
			under(cfg, moved))
		if err != nil {
			t.Fatal(err)
		}
		samePartition(t, a.Labels, b.Labels, order)
	})
}

// twinSpread joins local clusters in rounds, as the documentation says: core objects alone.
func twinSpread(d [][]float64, core []bool, eps float64, set *link.Set) []int {
	group := make([]int, len(d))
	for i := range group {
		group[i] = set.Component(i)
	}
	rival := func(g, h int) bool {
		for i := range d {
			for j := range d {
				if group[i] == g && group[j] == h && set.Relation(i, j) == link.CannotLink {
					return true
				}
			}
		}
		return false
	}
	type pair struct {
		d    float64
		a, b int
	}
	for {
		nearest := map[int]pair{}
		for i := range d {
			for j := range d {
				if !core[i] || !core[j] || group[i] == group[j] || !near(d[i][j], eps) ||
					rival(group[i], group[j]) {
					continue
				}
				if p, known := nearest[group[i]]; !known || d[i][j] < p.d {
					nearest[group[i]] = pair{d[i][j], i, j}
				}
			}
		}
		if len(nearest) == 0 {
			return group
		}
		var pairs []pair
		for _, p := range nearest {
			pairs = append(pairs, p)
		}
		slices.SortFunc(pairs,
			func(x, y pair) int { return cmp.Or(cmp.Compare(x.d, y.d), cmp.Compare(x.a, y.a)) })
		for _, p := range pairs {
			if g, h := group[p.a], group[p.b]; g != h && !rival(g, h) {
				for i := range group {
					if group[i] == h {
						group[i] = g
					}
				}
			}
		}
	}
}

func TestCDBSCANSpreadsInRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 25).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		values := make([]float64, 2*n)
		for i := range values {
			values[i] = 10 * rng.Float64()
		}
		data, cfg := newDrawn(t, n, 2, values, false), drawConfig(t)
		links := drawLinks(t, n, 6)
		cfg.Leaves = false
		r, err := density.FitCDBSCAN(context.Background(),
			data.objects(t)[rapid.SampledFrom([]string{"vectors", "dissimilarities"}).Draw(t,
				"as")], under(cfg, links))
		if err != nil {
			t.Fatal(err)
		}
		set, _, err := link.Build(n, links, link.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		group := twinSpread(data.d, r.Core, cfg.Eps, set)
		for i := range n {
			for j := range n {
				if r.Core[i] && r.Core[j] &&
					(group[i] == group[j]) != (r.Labels[i] == r.Labels[j]) {
					t.Fatalf("rows %d and %d: labels %d and %d, and the rounds give %d and %d", i,
						j, r.Labels[i], r.Labels[j], group[i], group[j])
				}
			}
		}
	})
}

// Five rows on a line, the ends of which are different: the widest gap parts them. In one leaf, the
// neighbourhood of the third reaches across it.
func TestCDBSCANByHand(t *testing.T) {
	m := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 4, 5, 50}}
	cfg := density.CDBSCANConfig{Config: density.Config{Eps: 2, MinPoints: 2}}
	for name, c := range map[string]struct {
		links  []link.Link
		leaves bool
		want   []int32
	}{
		"none": {nil, false, []int32{0, 0, 0, 0, 0, -1}},
		"ends differ": {[]link.Link{{A: 0, B: 4, Kind: link.CannotLink}}, false,
			[]int32{0, 0, 0, 1, 1, -1}},
		"in a leaf": {[]link.Link{{A: 0, B: 4, Kind: link.CannotLink}}, true,
			[]int32{0, 0, 0, 0, 1, -1}},
		"noise invited": {[]link.Link{{A: 5, B: 0, Kind: link.MustLink}}, false,
			[]int32{0, 0, 0, 0, 0, 0}},
		"unknown": {[]link.Link{{A: 5, B: 0}}, false, []int32{0, 0, 0, 0, 0, -1}},
	} {
		cfg.Leaves = c.leaves
		r, err := density.FitCDBSCAN(context.Background(), density.Objects{Vectors: m},
			under(cfg, c.links))
		if err != nil || !slices.Equal(r.Labels, c.want) {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}

func TestCDBSCANContradictions(t *testing.T) {
	m, _ := blobs(1, [4]float64{0, 0, 1, 100}, [4]float64{20, 0, 1, 100})
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}}
	var clash *link.Contradiction
	if _, err := density.FitCDBSCAN(context.Background(), density.Objects{Vectors: m},
		under(density.CDBSCANConfig{}, links)); !errors.As(err, &clash) {
		t.Error(err)
	}
	r, err := density.FitCDBSCAN(context.Background(), density.Objects{Vectors: m},
		under(density.CDBSCANConfig{Knowledge: fit.Knowledge{Contradictions: link.Keep}}, links))
	if err != nil || r.Left != 1 {
		t.Error(r, err)
	}
}

// under returns the configuration with links.
func under(cfg density.CDBSCANConfig, links []link.Link) density.CDBSCANConfig {
	cfg.Links = links
	return cfg
}
