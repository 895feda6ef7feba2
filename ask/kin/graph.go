package kin

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/parallel"
)

// neighbours is how many nearest nodes each node is joined to, and scaleAt which of them sets its
// scale.
const (
	neighbours = 6
	scaleAt    = 4
)

// dying is the share of a node's weight that leads out of the graph, where walks die.
const dying = 0.02

// graph is the weights between m nodes, and what walks on it come to before any of them ends one.
type graph struct {
	m      int
	weight []float64 // m×m, symmetric; 0: not joined
	apart  []float64 // m×m squared distances that it is of
	green  []float64 // m×m: how often a walk from i visits j, over the weight of j

	threads int
}

// eachRow calls do for the rows of a matrix of the nodes, in blocks at the same time where there
// are many.
func (g *graph) eachRow(do func(lo, hi int)) {
	const many, block = 512, 64
	if g.m < many {
		do(0, g.m)
		return
	}
	// The context never ends: a matrix is changed whole or not at all.
	_ = parallel.Blocks(context.Background(), g.m, block, g.threads,
		func(_, lo, hi int) { do(lo, hi) })
}

// squares returns the m×m squared distances of points in d dimensions, each dimension weighing as
// scale has it (nil: 1).
func squares(ctx context.Context, points []float64, m, d, threads int, scale []float64) ([]float64,
	error) {
	out := make([]float64, m*m)
	err := parallel.Blocks(ctx, m, 16, threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			x := points[i*d : (i+1)*d]
			for j := range i {
				y, s := points[j*d:(j+1)*d], 0.0
				for k, v := range x {
					t := v - y[k]
					t = float64(t * t)
					if scale != nil {
						t = float64(t * scale[k])
					}
					s += t
				}
				out[i*m+j] = s
			}
		}
	})
	for i := range m {
		for j := range i {
			out[j*m+i] = out[i*m+j]
		}
	}
	return out, err
}

// newGraph joins each node to its nearest ones by (1 + d²/(σᵢσⱼ))⁻², σ being the distance to the
// fourth nearest. The scale of the place is that of Zelnik-Manor and Perona (2004); they have
// exp(−d²/(σᵢσⱼ)), which groups no better and is rounded otherwise on other machines.
func newGraph(ctx context.Context, apart []float64, m, threads int) (*graph, error) {
	g := &graph{m: m, apart: apart, weight: make([]float64, m*m), threads: threads}
	scale, near := make([]float64, m), make([][]int32, m)
	for i := range m {
		if i%32 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		near[i] = g.order(i)[1:min(1+neighbours, m)]
		if m > 1 {
			scale[i] = math.Sqrt(apart[i*m+int(near[i][min(scaleAt, m-1)-1])])
		}
	}
	const least = 1e-6 // far ones are joined, too
	for i := range m {
		for _, to := range near[i] {
			j, w := int(to), 1.0
			if s := scale[i] * scale[j]; s > 0 {
				t := 1 + apart[i*m+j]/s
				w = max(least, 1/(t*t))
			} else if apart[i*m+j] > 0 {
				w = least
			}
			g.weight[i*m+j], g.weight[j*m+i] = w, w
		}
	}
	return g, nil
}

// order lists the nodes from node i on, itself first, the nearer the earlier.
func (g *graph) order(i int) []int32 {
	row, out := g.apart[i*g.m:(i+1)*g.m], make([]int32, g.m)
	for j := range out {
		out[j] = int32(j)
	}
	out[0], out[i] = out[i], out[0]
	slices.SortFunc(out[1:], func(a, b int32) int {
		return cmp.Or(cmp.Compare(row[a], row[b]), cmp.Compare(a, b))
	})
	return out
}

// invert makes green: the inverse of (1 + dying)·D − W, by Gauss–Jordan in place, which needs no
// pivots as the diagonal dominates.
func (g *graph) invert(ctx context.Context) error {
	m := g.m
	a := make([]float64, m*m)
	for i := range m {
		degree := 0.0
		for j, w := range g.weight[i*m : (i+1)*m] {
			a[i*m+j] = -w
			degree += w
		}
		a[i*m+i] = float64((1+dying)*degree) + 1e-9
	}
	for k := range m {
		if k%16 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		top := a[k*m : (k+1)*m]
		p := 1 / top[k]
		top[k] = 1
		for j := range top {
			top[j] *= p
		}
		g.eachRow(func(lo, hi int) {
			for i := lo; i < hi; i++ {
				row := a[i*m : (i+1)*m]
				f := row[k]
				if i == k || f == 0 {
					continue
				}
				row[k] = 0
				for j, t := range top {
					row[j] -= float64(f * t)
				}
			}
		})
	}
	g.green = a
	return nil
}

// walk is a random walk on a graph that ends at some nodes.
type walk struct {
	*graph
	open []float64   // green, of the nodes that end no walk
	ends []int       // nodes that end walks, in the order they came
	hits [][]float64 // for each of ends, the probability that the walk from each node ends there
	at   []int       // place of each node in ends, or −1
}

func (g *graph) walk() *walk {
	return &walk{graph: g, open: slices.Clone(g.green), at: slices.Repeat([]int{-1}, g.m)}
}

func (w *walk) clone() *walk {
	out := *w
	out.open, out.ends, out.at = slices.Clone(w.open), slices.Clone(w.ends), slices.Clone(w.at)
	out.hits = make([][]float64, len(w.hits))
	for l, h := range w.hits {
		out.hits[l] = slices.Clone(h)
	}
	return &out
}

// end makes node i end walks.
func (w *walk) end(i int) {
	m := w.m
	column := slices.Clone(w.open[i*m : (i+1)*m])
	reach := make([]float64, m)
	for j, v := range column {
		reach[j] = v / column[i]
	}
	for _, h := range w.hits {
		hi := h[i]
		for j, r := range reach {
			h[j] -= float64(r * hi)
		}
	}
	w.eachRow(func(lo, hi int) {
		for j := lo; j < hi; j++ {
			r := reach[j]
			if r == 0 {
				continue
			}
			row := w.open[j*m : (j+1)*m]
			for k, v := range column {
				row[k] -= float64(r * v)
			}
			row[i] = 0
		}
	})
	clear(w.open[i*m : (i+1)*m])
	w.at[i] = len(w.ends)
	w.ends = append(w.ends, i)
	w.hits = append(w.hits, reach)
}

// on lets a walk with the same ends go on another graph.
func (w *walk) on(ctx context.Context, g *graph) (*walk, error) {
	out := g.walk()
	for _, i := range w.ends {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out.end(i)
	}
	return out, nil
}
