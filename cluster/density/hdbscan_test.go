package density_test

import (
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
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// brute is HDBSCAN* by its definitions: clusters are found anew at each distance.
type brute struct {
	dist    [][]float64
	reach   [][]float64 // mutual reachability
	size    int
	single  bool
	eps     float64
	leaf    bool
	label   []int // the chosen cluster of each object, by its number; −1
	lambda  []float64
	cluster []*bruteCluster // that each object falls off
}

type bruteCluster struct {
	birth, stability float64
	members          []int
	parts            []*bruteCluster
	chosen           bool
}

// parts returns the connected components of objects by pairs before a pair.
func (b *brute) parts(objects []int, before [2]int) (out [][]int) {
	left := slices.Clone(objects)
	for len(left) > 0 {
		part := []int{left[0]}
		left = left[1:]
		for at := 0; at < len(part); at++ {
			left = slices.DeleteFunc(left, func(j int) bool {
				near := b.compare([2]int{part[at], j}, before) < 0
				if near {
					part = append(part, j)
				}
				return near
			})
		}
		out = append(out, part)
	}
	return out
}

// compare orders pairs by reachability and by distance.
func (b *brute) compare(x, y [2]int) int {
	return cmp.Or(cmp.Compare(b.reach[x[0]][x[1]], b.reach[y[0]][y[1]]),
		cmp.Compare(b.dist[x[0]][x[1]], b.dist[y[0]][y[1]]))
}

// breaks returns the last pair of objects that holds them together.
func (b *brute) breaks(objects []int) [2]int {
	var pairs [][2]int
	for at, i := range objects {
		for _, j := range objects[:at] {
			pairs = append(pairs, [2]int{i, j})
		}
	}
	slices.SortFunc(pairs, b.compare)
	for _, p := range slices.Backward(pairs) {
		if len(b.parts(objects, p)) > 1 {
			return p
		}
	}
	panic("objects that are together at every distance")
}

// follow takes a cluster apart, objects being what is left of it.
func (b *brute) follow(c *bruteCluster, objects []int) {
	last := b.breaks(objects)
	d := b.reach[last[0]][last[1]]
	var large [][]int
	for _, part := range b.parts(objects, last) {
		c.stability += float64(len(part)) * (1/d - c.birth)
		if len(part) >= b.size {
			large = append(large, part)
			continue
		}
		for _, i := range part {
			b.lambda[i], b.cluster[i] = 1/d, c
		}
	}
	if len(large) == 1 {
		c.stability -= float64(len(large[0])) * (1/d - c.birth)
		b.follow(c, large[0])
		return
	}
	for _, part := range large {
		next := &bruteCluster{birth: 1 / d, members: part}
		c.parts = append(c.parts, next)
		b.follow(next, part)
	}
}

// choose returns the greatest sum of stabilities of clusters within c.
func (b *brute) choose(c *bruteCluster, root bool) float64 {
	sum := 0.0
	for _, part := range c.parts {
		sum += b.choose(part, false)
	}
	if root && (!b.single || len(c.members) < b.size) || len(c.parts) > 0 && (b.leaf || sum > c.stability+1e-9*sum) {
		return sum
	}
	clear := func(*bruteCluster) {}
	clear = func(c *bruteCluster) {
		for _, part := range c.parts {
			part.chosen = false
			clear(part)
		}
	}
	clear(c)
	c.chosen = true
	return c.stability
}

// near chooses what is parted by less than eps together: the chosen, less the others within.
func (b *brute) near(c *bruteCluster, above []*bruteCluster) {
	if c.chosen && 1/c.birth < b.eps {
		at := c
		for _, up := range slices.Backward(above) {
			if up.birth == 0 && !b.single {
				break
			}
			if at = up; up.birth == 0 || 1/up.birth >= b.eps {
				break
			}
		}
		at.chosen = true
	}
	for _, part := range c.parts {
		b.near(part, append(slices.Clone(above), c))
	}
}

func (b *brute) name(c *bruteCluster, next *int) {
	if c.chosen {
		for _, i := range c.members {
			b.label[i] = *next
		}
		*next++
		return
	}
	for _, part := range c.parts {
		b.name(part, next)
	}
}

// Everything is as the definitions have it, on data without equal distances; equal reachabilities
// are many.
func TestHDBSCANByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 60).Draw(t, "n"), rapid.SampledFrom([]int{1, 2, 5}).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		values, clumps := make([]float64, n*d), rapid.IntRange(1, 3).Draw(t, "clumps")
		for i := range values {
			values[i] = rng.NormFloat64() + 4*float64(i/d%clumps)
		}
		data := newDrawn(t, n, d, values, false)
		cfg := density.HDBSCANConfig{
			MinClusterSize: rapid.IntRange(2, 8).Draw(t, "size"),
			MinPoints:      rapid.IntRange(1, min(n, 8)).Draw(t, "points"),
			Selection:      density.Selection(rapid.IntRange(0, 1).Draw(t, "selection")),
			SelectionEps:   rapid.SampledFrom([]float64{0, 0, .3, 1.1, 3.9}).Draw(t, "eps"),
			Single:         rapid.Bool().Draw(t, "single"),
		}
		got, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: data.m}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		core := make([]float64, n)
		for i, row := range data.d {
			core[i] = slices.Sorted(slices.Values(row))[cfg.MinPoints-1]
		}
		b := &brute{size: cfg.MinClusterSize, single: cfg.Single, eps: cfg.SelectionEps,
			leaf: cfg.Selection == density.Leaf, dist: data.d, label: make([]int, n),
			lambda: make([]float64, n), cluster: make([]*bruteCluster, n)}
		all := make([]int, n)
		for i := range n {
			all[i], b.label[i] = i, -1
			row := make([]float64, n)
			for j := range n {
				row[j] = max(data.d[i][j], core[i], core[j])
			}
			b.reach = append(b.reach, row)
		}
		root := &bruteCluster{members: all}
		if n > 1 {
			b.follow(root, all)
		}
		b.choose(root, true)
		if b.eps > 0 && !root.chosen {
			b.near(root, nil)
		}
		clusters := 0
		b.name(root, &clusters)
		if root.chosen {
			last := 0.0
			for i, c := range b.cluster {
				if c == root {
					last = max(last, b.lambda[i])
				}
			}
			for _, part := range root.parts {
				last = max(last, part.birth)
			}
			if b.eps > 0 {
				last = 1 / b.eps
			}
			for i, lambda := range b.lambda {
				if n > 1 && lambda < last*(1-1e-12) {
					b.label[i] = -1
				}
			}
			if slices.Max(b.label) < 0 {
				clusters = 0
			}
		}

		if got.Clusters != clusters {
			t.Fatalf("%d clusters, want %d", got.Clusters, clusters)
		}
		for i := range n {
			if (got.Labels[i] < 0) != (b.label[i] < 0) {
				t.Fatalf("object %d is in %d, want %d", i, got.Labels[i], b.label[i])
			}
			for j := range n {
				if got.Labels[i] >= 0 && got.Labels[j] >= 0 &&
					(got.Labels[i] == got.Labels[j]) != (b.label[i] == b.label[j]) {
					t.Fatalf("objects %d and %d", i, j)
				}
			}
			if n > 1 && math.Abs(got.Tree.Lambda[i]-b.lambda[i]) > 1e-12*b.lambda[i] {
				t.Fatalf("object %d leaves at %g, want %g", i, got.Tree.Lambda[i], b.lambda[i])
			}
			most, around := 0.0, 0.0
			for j := range n {
				c := b.cluster[i]
				if c == nil {
					continue
				}
				if slices.Contains(c.members, j) {
					around = max(around, b.lambda[j])
				}
			}
			if around > 0 {
				if want := (around - b.lambda[i]) / around; math.Abs(got.Outlier[i]-want) > 1e-12 {
					t.Fatalf("outlier score %g of object %d, want %g", got.Outlier[i], i, want)
				}
			}
			if got.Labels[i] < 0 {
				if got.Strength[i] != 0 {
					t.Fatalf("noise of strength %g", got.Strength[i])
				}
				continue
			}
			var find func(c *bruteCluster) *bruteCluster
			find = func(c *bruteCluster) *bruteCluster {
				if c.chosen {
					return c
				}
				for _, part := range c.parts {
					if slices.Contains(part.members, i) {
						return find(part)
					}
				}
				panic("in no chosen cluster")
			}
			mine := find(root)
			for j := range n {
				if b.cluster[j] == mine {
					most = max(most, b.lambda[j])
				}
			}
			for _, part := range mine.parts {
				most = max(most, part.birth)
			}
			if want := min(b.lambda[i], most) / most; n > 1 &&
				math.Abs(got.Strength[i]-want) > 1e-12 {
				t.Fatalf("strength %g of object %d, want %g", got.Strength[i], i, want)
			}
		}
	})
}

// Two clumps of different densities, and a row between them that the first one loses at once.
func TestHDBSCANFindsDensitiesThatDiffer(t *testing.T) {
	var values []float64
	for i := range 10 {
		values = append(values, float64(i)/10)
	}
	for i := range 10 {
		values = append(values, 100+10*float64(i))
	}
	values = append(values, 50)
	m := dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
	r, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: m},
		density.HDBSCANConfig{MinPoints: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := append(slices.Repeat([]int32{0}, 10), slices.Repeat([]int32{1}, 10)...)
	want = append(want, 0)
	if !slices.Equal(r.Labels, want) {
		t.Errorf("labels %v", r.Labels)
	}
	// All of the first are .1 from their neighbours, and the row is 49.1 away.
	if got, want := r.Strength[20], .1/49.1; math.Abs(got-want) > 1e-9 || r.Strength[3] != 1 ||
		math.Abs(r.Outlier[20]-(1-want)) > 1e-9 {
		t.Errorf("strengths %g and %g, outlier score %g", got, r.Strength[3], r.Outlier[20])
	}
}

func TestHDBSCANRefusesSettings(t *testing.T) {
	m := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{1, 2, 3}}
	for _, cfg := range []density.HDBSCANConfig{{MinClusterSize: 1}, {MinClusterSize: -1},
		{MinPoints: 4}, {MinPoints: -1}, {Selection: 2}, {SelectionEps: math.NaN()},
		{SelectionEps: -1}} {
		_, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: m}, cfg)
		if _, ok := errors.AsType[*fault.Input](err); !ok {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
	// fewer than a cluster has
	for _, m := range []dataset.Matrix{m, {Rows: 1, Cols: 1, F64: []float64{1}}} {
		r, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: m},
			density.HDBSCANConfig{Single: true})
		if err != nil || r.Clusters != 0 {
			t.Errorf("%d rows: %v, %v", m.Rows, r, err)
		}
	}
	for _, m := range []dataset.Matrix{m, {Rows: 1, Cols: 1, F64: []float64{1}},
		{Rows: 9, Cols: 1, F64: make([]float64, 9)}} {
		r, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: m},
			density.HDBSCANConfig{})
		if err != nil || r.Clusters != 0 {
			t.Errorf("%d rows: %v, %v", m.Rows, r, err)
		}
	}
}

// Of all ways to choose clusters, the one is taken in which most ends of links hold, and among these
// the most stable one.
func TestHDBSCANKeepsMostLinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(10, 60).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
		values := make([]float64, 2*n)
		for i := range values {
			values[i] = rng.NormFloat64() + 5*float64(i/2%4)
		}
		data := newDrawn(t, n, 2, values, false)
		truth := make([]int32, n)
		for i := range truth {
			truth[i] = int32(i % rapid.IntRange(1, 4).Draw(t, "classes"))
		}
		cfg := density.HDBSCANConfig{MinClusterSize: 4, Single: rapid.Bool().Draw(t, "single")}
		if rapid.Bool().Draw(t, "links") {
			for range rapid.IntRange(1, 20).Draw(t, "count") {
				l := link.Link{A: rng.IntN(n), B: rng.IntN(n), Kind: link.CannotLink}
				if l.A == l.B {
					continue
				}
				if truth[l.A] == truth[l.B] {
					l.Kind = link.MustLink
				}
				cfg.Links = append(cfg.Links, l)
			}
		}
		if rapid.Bool().Draw(t, "known") {
			cfg.Known = slices.Repeat([]int32{-1}, n)
			for range 6 {
				i := rng.IntN(n)
				cfg.Known[i] = truth[i]
			}
		}
		r, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: data.m}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		clusters := r.Tree.Clusters
		within := func(c, up int) bool {
			for c >= 0 && c != up {
				c = clusters[c].Parent
			}
			return c == up
		}
		links := slices.Clone(cfg.Links)
		for i, a := range cfg.Known {
			for j, b := range cfg.Known[:i] {
				if a >= 0 && b >= 0 {
					kind := link.CannotLink
					if a == b {
						kind = link.MustLink
					}
					links = append(links, link.Link{A: i, B: j, Kind: kind})
				}
			}
		}
		worth := func(chosen []int) (held int, stability float64) {
			label := make([]int, n)
			for i := range label {
				label[i] = -1
				for _, c := range chosen {
					if within(int(r.Tree.Cluster[i]), c) {
						label[i] = c
					}
				}
			}
			for _, l := range links {
				together := label[l.A] >= 0 && label[l.A] == label[l.B]
				if together == (l.Kind == link.MustLink) {
					held += 2
				}
			}
			for _, c := range chosen {
				stability += clusters[c].Stability
			}
			return held, stability
		}
		// ways lists the ways to choose one cluster above each that no other lies within.
		var ways func(c int) [][]int
		ways = func(c int) (out [][]int) {
			var parts []int
			for p := range clusters {
				if clusters[p].Parent == c {
					parts = append(parts, p)
				}
			}
			if c > 0 || cfg.Single {
				out = [][]int{{c}}
			}
			if len(parts) == 0 {
				if len(out) == 0 {
					return [][]int{nil}
				}
				return out
			}
			mixed := [][]int{nil}
			for _, p := range parts {
				var next [][]int
				for _, way := range ways(p) {
					for _, m := range mixed {
						next = append(next, slices.Concat(m, way))
					}
				}
				mixed = next
			}
			return append(out, mixed...)
		}
		all := ways(0)
		if len(all) > 5000 {
			t.Skip("too many ways")
		}
		held, stability := worth(r.Chosen)
		for _, way := range all {
			h, s := worth(way)
			if h > held || h == held && s > stability*(1+1e-9) {
				t.Fatalf("%v keeps %d and has %g, and %v was chosen: %d, %g", way, h, s, r.Chosen,
					held, stability)
			}
		}
	})
}
