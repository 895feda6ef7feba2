package spectral

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// GraphConfig is how to build a graph. The zero value works.
type GraphConfig struct {
	fit.Options // Approximate alone draws

	// Neighbours is the number of nearest neighbours that each node is linked to. 0: 20, as for
	// CCSR in Li, Liu and Tang 2009. More than there are other nodes mean all of them.
	Neighbours int

	// Bandwidth is σ of the weights exp(−d²/2σ²), in the units of the dissimilarities d. 0: chosen
	// without labels, for each pair: exp(−d_ij²/(σ_i σ_j)), σ_i the dissimilarity of i to its 7th
	// nearest neighbour (local scaling: Zelnik-Manor and Perona 2004; that it is used here is our
	// choice).
	Bandwidth float64

	// Search chooses how neighbours are found. 0: Auto.
	Search Search
}

// scaleNeighbour is the neighbour whose dissimilarity is the scale of an object, from 1.
const scaleNeighbour = 7

// recall is the share of neighbours that an approximate search should find. What it misses are often
// the few links between groups, on which eigenvectors depend.
const recall = 0.999

// Graph is a symmetric graph of nearest neighbours: two nodes are linked when either is among the
// nearest of the other, with half the weight where only one is (ours: the mean of both directions).
// Rows of equal values, or objects of dissimilarity 0, are one node (ours: duplicates would be each
// other's only neighbours).
type Graph struct {
	Weights *Sparse // nodes×nodes, symmetric, weights in (0, 1], nothing on the diagonal
	Node    []int32 // node of each row
	First   []int   // of each node, the first row that is that node

	Search     Search  // how neighbours were found: Exact or Approximate
	Recall     float64 // share of them that are, measured on a sample; 1 where Exact
	Neighbours int     // nearest neighbours of each node
	Bandwidth  float64 // σ; 0 where it differs from pair to pair

	src    dissim.Source // of nodes
	scales []float64     // of nodes; nil with a Bandwidth
}

// Rows returns the number of rows.
func (g *Graph) Rows() int { return len(g.Node) }

// Nodes returns the number of nodes, that of distinct rows.
func (g *Graph) Nodes() int { return len(g.First) }

// VectorGraph builds the graph of the rows of x by Euclidean distance. x is not changed, and must
// not be while the graph is in use. Values that are not finite, or so large that distances
// overflow, are a *fault.Input.
func VectorGraph(ctx context.Context, x dataset.Matrix, cfg GraphConfig) (*Graph, error) {
	if err := cfg.check(x.Rows); err != nil {
		return nil, err
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		return nil, err
	}
	g := &Graph{src: src}
	if g.Node, g.First, err = prototypes.Number(ctx, x); err != nil {
		return nil, err
	}
	if len(g.First) < x.Rows {
		x = x.Subset(g.First)
		if g.src, err = dissim.Vectors(x, dissim.Euclidean); err != nil {
			return nil, err
		}
	}
	return g, g.build(ctx, x, cfg)
}

// ObjectGraph builds the graph of objects known by their dissimilarities. Objects of dissimilarity
// 0 are looked for among all pairs, but not where the search is Approximate.
func ObjectGraph(ctx context.Context, src dissim.Source, cfg GraphConfig) (*Graph, error) {
	n := src.Len()
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	g := &Graph{src: src}
	if cfg.Search == Approximate || cfg.Search == Auto && n > nearest.ExactRows {
		g.Node, g.First = make([]int32, n), make([]int, n)
		for i := range n {
			g.Node[i], g.First[i] = int32(i), i
		}
	} else {
		var err error
		if g.Node, g.First, err = distinctObjects(ctx, src, cfg.Threads); err != nil {
			return nil, err
		}
		if len(g.First) < n {
			of := make([]int32, len(g.First))
			for c, i := range g.First {
				of[c] = int32(i)
			}
			g.src = dissim.Among(src, of)
		}
	}
	return g, g.build(ctx, dataset.Matrix{}, cfg)
}

func (cfg GraphConfig) check(n int) error {
	switch {
	case n == 0:
		return fault.Inputf("give at least one", "there are no rows")
	case n > math.MaxInt32:
		return fault.Inputf("cluster a sample of them", "%d rows are more than a graph can have", n)
	case cfg.Neighbours < 0:
		return fault.Inputf("ask for at least 1, or 0 for the default", "%d neighbours asked for",
			cfg.Neighbours)
	case !(cfg.Bandwidth >= 0) || math.IsInf(cfg.Bandwidth, 1):
		return fault.Inputf("give a number above 0, or 0 for one that fits the data",
			"the bandwidth is %g", cfg.Bandwidth)
	case cfg.Search < Auto || cfg.Search > Approximate:
		return fault.Inputf("use a constant of this package",
			"there is no way %d to find neighbours", cfg.Search)
	}
	return nil
}

// build finds neighbours and makes the weights of them.
func (g *Graph) build(ctx context.Context, x dataset.Matrix, cfg GraphConfig) error {
	nodes := g.Nodes()
	g.Bandwidth, g.Search, g.Recall = cfg.Bandwidth, Exact, 1
	g.Neighbours = cfg.Neighbours
	g.Neighbours = cmp.Or(g.Neighbours, 20)
	g.Neighbours = min(g.Neighbours, nodes-1)
	if nodes == 1 {
		g.Weights = &linalg.Sparse{Start: []int{0, 0}}
		return nil
	}
	found, err := nearest.Find(ctx, g.src, nearest.Config{
		K: max(g.Neighbours, min(scaleNeighbour, nodes-1)), Search: cfg.Search,
		Recall: recall, Seed: cfg.Seed, Threads: cfg.Threads,
		Progress: fit.Share(cfg.Progress)})
	if err != nil {
		return err
	}
	g.Search = found.Search
	if g.Recall, err = nearest.Recall(ctx, g.src, found, cfg.Threads); err != nil {
		return err
	}
	if x.Rows > 0 && slices.Max(found.Dist) == 0 {
		return fault.Inputf("scale the columns (--scale minmax or zscore)",
			"the rows lie so close together that distances do not fit 32-bit numbers")
	}
	if g.Bandwidth == 0 {
		g.scales = scalesOf(found, min(scaleNeighbour, nodes-1))
	}
	g.Weights = g.weigh(found)
	return nil
}

// scalesOf returns σ_i of each node: the dissimilarity of its neighbour of that rank; where that is
// 0, as objects of a source may have it, its least above 0, or the median of the others'.
func scalesOf(found *nearest.Neighbours, rank int) []float64 {
	n := len(found.Index) / found.K
	out := make([]float64, n)
	var some []float64
	for i := range out {
		for t := rank - 1; t < found.K && out[i] == 0; t++ {
			out[i] = float64(found.Dist[i*found.K+t])
		}
		if out[i] > 0 {
			some = append(some, out[i])
		}
	}
	middle := 1.0
	if len(some) > 0 {
		slices.Sort(some)
		middle = some[len(some)/2]
	}
	for i, s := range out {
		if s == 0 {
			out[i] = middle
		}
	}
	return out
}

// weight returns the weight of a pair of nodes of dissimilarity d.
func (g *Graph) weight(i, j int, d float64) float64 {
	if g.scales == nil {
		d /= g.Bandwidth
		return math.Exp(-d * d / 2)
	}
	return math.Exp(-(d / g.scales[i]) * (d / g.scales[j]))
}

// weigh makes the symmetric matrix of the first Neighbours of each list. Weights that underflow are
// left out.
func (g *Graph) weigh(found *nearest.Neighbours) *linalg.Sparse {
	n, k := g.Nodes(), found.K
	m := &linalg.Sparse{Start: make([]int, n+1)}
	// In both directions, then without repeats: linked from i, and i linked from j.
	count := make([]int, n+1)
	each := func(do func(i, j int32, d float32)) {
		for i := range n {
			for t := range g.Neighbours {
				if j := found.Index[i*k+t]; j >= 0 {
					do(int32(i), j, found.Dist[i*k+t])
				}
			}
		}
	}
	each(func(i, j int32, _ float32) { count[i+1]++; count[j+1]++ })
	for i := range n {
		count[i+1] += count[i]
	}
	type end struct {
		to int32
		d  float32
	}
	ends := make([]end, count[n])
	next := slices.Clone(count[:n])
	each(func(i, j int32, d float32) {
		ends[next[i]], ends[next[j]] = end{j, d}, end{i, d}
		next[i]++
		next[j]++
	})
	for i := range n {
		mine := ends[count[i]:count[i+1]]
		slices.SortFunc(mine, func(a, b end) int { return int(a.to) - int(b.to) })
		for t := 0; t < len(mine); t++ {
			e, share := mine[t], 0.5
			if t+1 < len(mine) && mine[t+1].to == e.to { // from both ends
				t, share = t+1, 1
			}
			if w := share * g.weight(min(i, int(e.to)), max(i, int(e.to)), float64(e.d)); w > 0 {
				m.Col, m.Value = append(m.Col, e.to), append(m.Value, w)
			}
		}
		m.Start[i+1] = len(m.Col)
	}
	return m
}
