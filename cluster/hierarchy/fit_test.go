package hierarchy_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// linkages are all but Auto.
var linkages = []hierarchy.Linkage{hierarchy.Single, hierarchy.Complete, hierarchy.Average,
	hierarchy.Weighted, hierarchy.Ward, hierarchy.Centroid, hierarchy.Median}

// scattered returns rows from a normal distribution.
func scattered(n, d int, seed uint64) dataset.Matrix {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := dataset.Matrix{Rows: n, Cols: d}
	for range n * d {
		m.F64 = append(m.F64, prototypes.Normal(rng))
	}
	return m
}

// twin joins the nearest pair of clusters until one is left, each distance worked out from the
// members by the definition of the linkage: clusters are sets of rows, and for weighted and median
// linkage also how they were joined.
func twin(data dataset.Matrix, l hierarchy.Linkage) []dendrogram.Merge {
	type cluster struct {
		node    int
		members []int
		a, b    *cluster
	}
	point := func(i int) []float64 { return data.AppendRow(nil, i) }
	apart := func(x, y []float64) float64 {
		s := 0.0
		for j := range x {
			s += (x[j] - y[j]) * (x[j] - y[j])
		}
		return math.Sqrt(s)
	}
	mean := func(c *cluster) []float64 {
		out := make([]float64, data.Cols)
		for _, i := range c.members {
			for j, v := range point(i) {
				out[j] += v / float64(len(c.members))
			}
		}
		return out
	}
	var middle func(c *cluster) []float64
	middle = func(c *cluster) []float64 {
		if c.a == nil {
			return point(c.members[0])
		}
		x, y := middle(c.a), middle(c.b)
		for j := range x {
			x[j] = (x[j] + y[j]) / 2
		}
		return x
	}
	var weighted func(c, e *cluster) float64
	weighted = func(c, e *cluster) float64 {
		switch {
		case c.a == nil && e.a == nil:
			return apart(point(c.members[0]), point(e.members[0]))
		case c.a == nil || e.a != nil && e.node > c.node:
			return (weighted(c, e.a) + weighted(c, e.b)) / 2
		}
		return (weighted(c.a, e) + weighted(c.b, e)) / 2
	}
	far := func(c, e *cluster) float64 {
		switch l {
		case hierarchy.Weighted:
			return weighted(c, e)
		case hierarchy.Ward:
			p, q := float64(len(c.members)), float64(len(e.members))
			return math.Sqrt(2*p*q/(p+q)) * apart(mean(c), mean(e))
		case hierarchy.Centroid:
			return apart(mean(c), mean(e))
		case hierarchy.Median:
			return apart(middle(c), middle(e))
		}
		least, most, sum := math.Inf(1), 0.0, 0.0
		for _, i := range c.members {
			for _, j := range e.members {
				d := apart(point(i), point(j))
				least, most, sum = min(least, d), max(most, d), sum+d
			}
		}
		switch l {
		case hierarchy.Single:
			return least
		case hierarchy.Complete:
			return most
		}
		return sum / float64(len(c.members)*len(e.members))
	}
	var left []*cluster
	for i := range data.Rows {
		left = append(left, &cluster{node: i, members: []int{i}})
	}
	var out []dendrogram.Merge
	for len(left) > 1 {
		p, q, best := 0, 0, math.Inf(1)
		for i := range left {
			for j := range i {
				if d := far(left[i], left[j]); d < best {
					p, q, best = j, i, d
				}
			}
		}
		c, e := left[p], left[q]
		out = append(out, dendrogram.Merge{A: min(c.node, e.node), B: max(c.node, e.node),
			Height: best, Size: len(c.members) + len(e.members)})
		left = slices.Delete(left, q, q+1)
		left = slices.Delete(left, p, p+1)
		left = append(left, &cluster{data.Rows + len(out) - 1,
			append(slices.Clone(c.members), e.members...), c, e})
	}
	return out
}

// agree compares two trees merge by merge.
func agree(t *testing.T, name string, got, want []dendrogram.Merge, close float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d merges, want %d", name, len(got), len(want))
	}
	for i, g := range got {
		w := want[i]
		if g.A != w.A || g.B != w.B || g.Size != w.Size ||
			math.Abs(g.Height-w.Height) > close*(1+w.Height) {
			t.Fatalf("%s: merge %d is %v, want %v", name, i, g, w)
		}
	}
}

func TestEveryLinkageIsTheOneOfItsDefinition(t *testing.T) {
	ctx := context.Background()
	for _, l := range linkages {
		for _, shape := range [][2]int{{1, 3}, {2, 1}, {3, 2}, {40, 2}, {35, 5}, {30, 60}} {
			data := scattered(shape[0], shape[1], uint64(shape[1]))
			want := twin(data, l)
			tree, err := hierarchy.Fit(ctx, data, hierarchy.Config{Linkage: l})
			if err != nil {
				t.Fatal(err)
			}
			agree(t, l.String()+" of vectors", tree.Merges, want, 2e-7)
			src, err := dissim.Vectors(data, dissim.Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			tree, err = hierarchy.FitSource(ctx, src, hierarchy.Config{Linkage: l})
			if err != nil {
				t.Fatal(err)
			}
			agree(t, l.String()+" of distances", tree.Merges, want, 3e-6)
		}
	}
}

// Rows so close together that float32, or squares in float64, would make them equal are refused.
func TestRowsTooCloseTogether(t *testing.T) {
	for _, l := range linkages {
		for _, c := range []struct {
			scale float64
			ok    bool
		}{{1e-29, true}, {1e-160, false}, {0, true}} {
			data := scattered(12, 2, 3)
			for i := range data.F64 {
				data.F64[i] *= c.scale
			}
			_, err := hierarchy.Fit(context.Background(), data, hierarchy.Config{Linkage: l})
			var in *fault.Input
			if c.ok && err != nil || !c.ok && !errors.As(err, &in) {
				t.Errorf("%v of rows times %v: %v", l, c.scale, err)
			}
		}
	}
	data := scattered(12, 2, 3)
	for i := range data.F64 {
		data.F64[i] *= 1e-46
	}
	for _, l := range []hierarchy.Linkage{hierarchy.Complete, hierarchy.Average, hierarchy.Weighted} {
		if _, err := hierarchy.Fit(context.Background(), data,
			hierarchy.Config{Linkage: l}); err == nil {
			t.Errorf("%v: distances that float32 does not hold are taken", l)
		}
		single := dataset.Matrix{Rows: 12, Cols: 2, F32: make([]float32, 24)}
		for i := range single.F32 {
			single.F32[i] = float32(i*i) * 1e-25
		}
		if _, err := hierarchy.Fit(context.Background(), single,
			hierarchy.Config{Linkage: l}); err == nil {
			t.Errorf("%v: squares that float32 does not hold are taken", l)
		}
	}
}
