package spectral

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/words"
)

// Embedding is the lowest eigenvectors of the normalised Laplacian of a graph.
type Embedding struct {
	Values     []float64   // eigenvalues, rising, in [0, 2]
	Vectors    [][]float64 // of each value, one entry a node, orthonormal
	Components int         // connected parts of the graph, before any were joined
	Joined     int         // links added to join components
	Settled    int         // vectors within the tolerance
	Products   int         // products with the matrix
}

const (
	embedTolerance = 1e-6 // of eigenvectors that rows are clustered by
	embedProducts  = 4000 // bounds the work on graphs whose eigenvalues lie close together
)

// Embed finds the count lowest eigenvectors of the Laplacian, fewer where there are fewer nodes.
// Where the graph has more than most components, the smallest are joined with what is nearest to
// them until that many are left (ours). The eigenvalue 0 has a vector for each component, which are
// known without iterating.
func (g *Graph) Embed(ctx context.Context, count, most int, seed uint64, threads int,
	progress func(share float64)) (*Embedding, error) {
	weights, components, err := g.joined(ctx, most, threads)
	if err != nil {
		return nil, err
	}
	e := &Embedding{Components: components, Joined: max(0, components-most)}
	known := nullVectors(weights)
	count = min(count, g.Nodes())
	for _, v := range known[:min(len(known), count)] {
		e.Values, e.Vectors = append(e.Values, 0), append(e.Vectors, v)
	}
	e.Settled = len(e.Vectors)
	if left := count - len(known); left > 0 {
		cfg := linalg.EigenConfig{Count: left, Tolerance: embedTolerance,
			MaxProducts: embedProducts, Known: known, Seed: seed, Threads: threads}
		if progress != nil {
			cfg.Progress = func(products, settled int) {
				progress(max(float64(settled)/float64(left), float64(products)/embedProducts))
			}
		}
		r, err := linalg.Eigen(ctx, weights.Normalised(), cfg)
		if err != nil {
			return nil, err
		}
		for _, v := range r.Values {
			e.Values = append(e.Values, max(0, 1-v))
		}
		e.Vectors = append(e.Vectors, r.Vectors...)
		e.Settled += r.Settled
		e.Products = r.Products
	}
	return e, nil
}

// nullVectors returns for each component the unit eigenvector of the normalised Laplacian to the
// eigenvalue 0: the roots of the degrees.
func nullVectors(m *linalg.Sparse) [][]float64 {
	of, count := m.Components()
	degree := m.Sums()
	volume := make([]float64, count)
	for i, c := range of {
		volume[c] += degree[i]
	}
	out := make([][]float64, count)
	for c := range out {
		out[c] = make([]float64, m.N())
	}
	for i, c := range of {
		out[c][i] = 1 // a node alone
		if volume[c] > 0 {
			out[c][i] = math.Sqrt(degree[i] / volume[c])
		}
	}
	return out
}

// notes returns in words what was peculiar about the graph and its vectors.
func (e *Embedding) notes() []string {
	var out []string
	switch {
	case e.Joined > 0:
		out = append(out, fmt.Sprintf("the graph has %d components; the smallest were joined "+
			"with their nearest until %d were left", e.Components, e.Components-e.Joined))
	case e.Components > 1:
		out = append(out, fmt.Sprintf("the graph has %d components", e.Components))
	}
	if left := len(e.Vectors) - e.Settled; left > 0 {
		out = append(out, fmt.Sprintf("%d of %d eigenvectors had not settled after %d products: "+
			"eigenvalues lie close together", left, len(e.Vectors), e.Products))
	}
	return out
}

// fewest is the number of components that a layout of d dimensions can have for k clusters: where
// each dimension separates one of them from the others, no more than d clusters can be separated.
func fewest(d, k int) int {
	if d < k {
		return max(1, d-1)
	}
	return k
}

// checkDimensions refuses a layout in which all rows of a connected graph are one.
func checkDimensions(d, k int) error {
	if d < 0 || d == 1 && k > 1 {
		return fault.Inputf("ask for at least 2, or 0 for the default",
			"%s asked for: too few to separate clusters", words.Count(d, "eigenvector"))
	}
	return nil
}

// checkClusters refuses more clusters than there are nodes.
func (g *Graph) checkClusters(k int) error {
	if err := fit.CheckClusters("clusters", k, g.Rows()); err != nil {
		return err
	}
	switch n := g.Nodes(); {
	case k > n && n == 1:
		return fault.Inputf("ask for 1", "%d clusters asked for, and there is only 1 distinct row",
			k)
	case k > n:
		return fault.Inputf(fmt.Sprintf("ask for at most %d", n),
			"%d clusters asked for, and there are only %d distinct rows", k, n)
	}
	return nil
}

// trivial returns the labels where they are settled beforehand: one cluster, or one for each node.
func (g *Graph) trivial(k int) []int32 {
	switch k {
	case 1:
		return make([]int32, g.Rows())
	case g.Nodes():
		return append([]int32(nil), g.Node...)
	}
	return nil
}

// cluster partitions rows by k-means, given the d coordinates of each node.
func (g *Graph) cluster(ctx context.Context, coordinates []float64, d, k, starts int, seed uint64,
	threads int) (*kmeans.Result, error) {
	rows := make([]float64, 0, g.Rows()*d)
	for _, c := range g.Node {
		rows = append(rows, coordinates[int(c)*d:(int(c)+1)*d]...)
	}
	return kmeans.Fit(ctx, dataset.Matrix{Rows: g.Rows(), Cols: d, F64: rows}, kmeans.Config{
		Clusters: k,
		Limits:   fit.Limits{Starts: starts, Tolerance: -1},
		Options:  fit.Options{Seed: seed, Threads: threads},
	})
}
