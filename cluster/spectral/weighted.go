package spectral

import (
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// WeightedGraph is the graph of given weights, symmetric and not negative, between nodes that are
// the rows of x: so landmarks are linked by the rows that they have in common, for one. Nodes may
// have weights with themselves. Where components must be joined, a link weighs exp(−d²/2σ²) at
// distance d, with the bandwidth σ > 0.
func WeightedGraph(x dataset.Matrix, weights *Sparse, bandwidth float64) (*Graph, error) {
	n := weights.N()
	if n == 0 || n != x.Rows {
		return nil, fault.Inputf("give a row for each node", "weights of %d nodes and %d rows", n,
			x.Rows)
	}
	if !(bandwidth > 0) || math.IsInf(bandwidth, 1) {
		return nil, fault.Inputf("give a number above 0", "the bandwidth is %g", bandwidth)
	}
	for e, v := range weights.Value {
		if !(v >= 0) || math.IsInf(v, 1) {
			return nil, fault.Inputf("give finite weights of 0 or more",
				"entry %d of the weights is %g", e+1, v)
		}
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		return nil, err
	}
	g := &Graph{Weights: weights, Node: make([]int32, n), First: make([]int, n), Search: Exact,
		Bandwidth: bandwidth, src: src}
	for i := range n {
		g.Node[i], g.First[i] = int32(i), i
	}
	return g, nil
}
