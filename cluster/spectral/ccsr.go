package spectral

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// CCSRConfig is how to cluster by [FitCCSR]. Only Clusters must be set. Of [Config]:
//
//   - MaxIterations bounds the steps of the projected gradient, 5000 by default, which stop where
//     the length of a step, as a share of M's norm, is within Tolerance, 10⁻⁸ by default.
//   - Dimensions is m, from 2 to 60. 0: 15, as in the paper, or Clusters where that is more; but of
//     fewer than 120 nodes so few that M has no more entries than there are nodes, or else it fits
//     any rows (ours). There cannot be more than nodes.
type CCSRConfig struct {
	Config

	// Links weigh as their plausibilities, and, where Contradictions is [link.Keep], against each
	// other. Known means nothing.
	fit.Knowledge

	// LinkWeight is the weight of the square of a link beside that of a row, above 0. 0: 1, as in
	// the paper.
	LinkWeight float64
}

// CCSRResult is a partition, and what it was made by. Objective is Σ_i (uᵢᵀMuᵢ − 1)² + weighted
// squares of links; Iterations are steps of the projected gradient.
type CCSRResult struct {
	Result

	// Kernel is M, m×m, positive semidefinite, for rows u of √n times the eigenvectors; nil without
	// cannot-links.
	Kernel *mat.SymDense

	Clashing []*link.Contradiction // links that contradict earlier ones; kept all the same
}

// mostDimensions bounds m: the programme has m(m+1)/2 unknowns, and a matrix of their pairs.
const mostDimensions = 60

// FitCCSR is constrained clustering by spectral regularisation (Z. Li, J. Liu and X. Tang, CVPR
// 2009): the layout by the m lowest eigenvectors of the normalised Laplacian, rows u_i, is
// transformed so that rows lie on the unit sphere, those of a must-link together, and those of a
// cannot-link at right angles. With M ⪰ 0 and a plausibility p of a link that weighs it,
//
//	min Σ_i (u_iᵀMu_i − 1)² + w Σ_ML p (u_iᵀMu_j − 1)² + w Σ_CL p (u_iᵀMu_j)²,
//
// a convex least-squares problem in the m(m+1)/2 entries of M on the cone of semidefinite matrices;
// the paper makes a semidefinite programme of it. Here an accelerated projected gradient solves it
// (Beck and Teboulle 2009, with restarts where the objective rises: O'Donoghue and Candès 2015),
// which projects by setting negative eigenvalues to 0. k-means then clusters the rows of U·M^½.
// Links are soft: some may be broken.
//
// Without any cannot-link an M that puts all rows at one point costs nothing. The rows are then
// clustered by [Fit] (ours), and Kernel is nil.
func FitCCSR(ctx context.Context, g *Graph, cfg CCSRConfig) (*CCSRResult, error) {
	if err := g.checkClusters(cfg.Clusters); err != nil {
		return nil, err
	}
	switch {
	case cfg.Dimensions < 0 || cfg.Dimensions > mostDimensions:
		return nil, fault.Inputf(
			fmt.Sprintf("ask for 1 to %d, or 0 for the default", mostDimensions),
			"%d eigenvectors asked for", cfg.Dimensions)
	case !(cfg.LinkWeight >= 0) || math.IsInf(cfg.LinkWeight, 1):
		return nil, fault.Inputf("give a number above 0, or 0 for the default",
			"the weight of links is %g", cfg.LinkWeight)
	case cfg.Starts < 0 || cfg.MaxIterations < 0 || !(cfg.Tolerance >= 0):
		return nil, fault.Inputf("give 0 for the default",
			"a number of starts or iterations, or the tolerance, is negative")
	}
	if err := checkDimensions(cfg.Dimensions, cfg.Clusters); err != nil {
		return nil, err
	}
	_, clashing, err := link.Build(g.Rows(), cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	r := &CCSRResult{Clashing: clashing}
	if r.Labels = g.trivial(cfg.Clusters); r.Labels != nil {
		return r, ctx.Err()
	}
	if !slices.ContainsFunc(cfg.Links,
		func(l link.Link) bool { return l.Kind == link.CannotLink }) {
		cfg.Dimensions = 0
		free, err := Fit(ctx, g, cfg.Config)
		if err != nil {
			return nil, err
		}
		r.Labels, r.Values = free.Labels, free.Values
		r.Notes = append(free.Notes, "there are no cannot-links: clustered without links")
		return r, nil
	}
	cfg.Limits = cfg.Limits.Or(fit.Limits{Starts: 10, MaxIterations: 5000, Tolerance: 1e-8})
	cfg.LinkWeight = cmp.Or(cfg.LinkWeight, 1)
	m := cfg.Dimensions
	if m == 0 {
		for m = 15; m*(m+1)/2 > g.Nodes(); m-- {
		}
		m = min(mostDimensions, max(2, m, cfg.Clusters))
	}
	e, err := g.Embed(ctx, m, fewest(m, cfg.Clusters), cfg.Seed, cfg.Threads,
		part(cfg.Progress, 0, 0.6))
	if err != nil {
		return nil, err
	}
	m = len(e.Vectors)
	rows := make([]float64, g.Nodes()*m)
	up := math.Sqrt(float64(g.Nodes()))
	for c, v := range e.Vectors {
		for i, t := range v {
			rows[i*m+c] = up * t
		}
	}
	problem, err := newKernelProblem(ctx, g, rows, m, cfg.Links, cfg.LinkWeight, cfg.Threads)
	if err != nil {
		return nil, err
	}
	var settled bool
	r.Kernel, r.Iterations, settled, err = problem.solve(ctx, cfg.MaxIterations, cfg.Tolerance,
		part(cfg.Progress, 0.6, 0.9))
	if err != nil {
		return nil, err
	}
	r.Objective = problem.objective(packed(r.Kernel))
	layout, err := transformed(rows, m, r.Kernel)
	if err != nil {
		return nil, err
	}
	means, err := g.cluster(ctx, layout, m, cfg.Clusters, cfg.Starts, cfg.Seed, cfg.Threads)
	if err != nil {
		return nil, err
	}
	part(cfg.Progress, 0, 1)(1)
	r.Labels, r.Values, r.Notes = means.Labels, e.Values, e.notes()
	if !settled {
		r.Stopped = fit.IterationLimit
		r.Notes = append(r.Notes,
			fmt.Sprintf("the kernel had not settled after %d steps", r.Iterations))
	}
	return r, nil
}

// transformed returns the rows of U·M^½.
func transformed(rows []float64, m int, kernel *mat.SymDense) ([]float64, error) {
	values, vectors, err := linalg.Symmetric(kernel)
	if err != nil {
		return nil, err
	}
	root := make([]float64, m*m) // symmetric
	for c, v := range values {
		if v <= 0 {
			break
		}
		s := math.Sqrt(v)
		for i := range m {
			for j := range m {
				root[i*m+j] += float64(s * float64(vectors.At(i, c)*vectors.At(j, c)))
			}
		}
	}
	out := make([]float64, len(rows))
	for at := 0; at < len(rows); at += m {
		for i, u := range rows[at : at+m] {
			for j := range m {
				out[at+j] += float64(u * root[i*m+j])
			}
		}
	}
	return out, nil
}
