// Package evclus makes credal partitions from dissimilarities: EVCLUS and k-EVCLUS (kevclus-2016),
// and CEVCLUS with must-links and cannot-links (cevclus-2013).
package evclus

import (
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
)

// Transform turns a dissimilarity d into the conflict δ in [0, 1] that it calls for.
type Transform uint8

// The transforms.
const (
	Exponential Transform = iota // δ = 1 − exp(−γ d²), γ = −ln α / d0² (kevclus-2016 eqs. 14, 15)
	Linear                       // δ = min(1, d/d0)
	// δ = share of the dissimilarities used that are below d, equal ones counted half, to 1/4096:
	// for ordinal ones; d0 means nothing
	Rank
)

// Stress is the criterion that is minimised.
type Stress uint8

// The criteria.
const (
	Conflict Stress = iota // η Σ (κ − δ)² (kevclus-2016 eqs. 12, 22)
	Sammon                 // (1/Σd) Σ (aκ + b − d)²/d with a and b free (cevclus-2013 eq. 13)
)

// Optimizer is how it is minimised.
type Optimizer uint8

// The optimisers.
const (
	IRQP     Optimizer = iota // row by row, a quadratic programme each (kevclus-2016 Algorithm 1)
	Gradient                  // on softmax parameters with a step size each (cevclus-2013 App. A)
)

// Start is where a fit begins.
type Start uint8

// The starts.
const (
	// from medoids of samples, other ones for each start; random masses after the first where the
	// sample is all objects
	Medoids Start = iota
	Random        // random masses
	// Config.Initial, then random masses; of a descent by gradients under links the random ones are
	// fitted under the links alone
	Given
)

// Constraints is how links enter the fit.
type Constraints uint8

// The ways.
const (
	// Anchor or Propagate, by how many links the fit without them violates
	Choose Constraints = iota
	Anchor             // from the fit without links, only the linked rows move
	// each end lends its link to its neighbours; all rows move, then Anchor
	Propagate
	// the paper's: all rows move under ξ/(2L) a link (cevclus-2013 eq. 19)
	Penalty
)

// D0 is the dissimilarity from which two objects plausibly belong to different clusters
// (kevclus-2016 eq. 15). The zero value is the 0.9 quantile of the dissimilarities used.
type D0 struct {
	Value    float64 // > 0: this dissimilarity
	Quantile float64 // in (0, 1], where Value is 0: a quantile of the dissimilarities used
	Auto     bool    // chosen so that the mean δ agrees with the sizes of the starting clusters
}

// Config reports how to fit. Every zero value is the documented default; only Clusters is needed.
type Config struct {
	Clusters int          // c, from 2 to n and at most 63
	Focal    []belief.Set // nil: ∅, singletons, Ω
	// K > 0: then refit with the pairs that are mutual K nearest clusters (kevclus-2016 §5); 0: no
	// second step
	Pairs    int
	Partners int // k: partners a row (k-EVCLUS); 0: all pairs (EVCLUS); n−1 or more: n−1

	D0        D0
	Tail      float64 // α in (0, 1): δ(d0) = 1 − α; 0: 0.05
	Transform Transform
	Stress    Stress
	Optimizer Optimizer

	// Constraints is how the links enter. Their plausibilities count (soft links).
	Constraints Constraints
	LinkWeight  float64 // ξ, the weight of the links; 0: 1
	fit.Knowledge

	Start   Start // Medoids unless said otherwise
	Initial *credal.Partition
	// Limits: Starts 0: 1; the lowest objective wins, the first on a tie. MaxIterations bounds the
	// sweeps, or gradient steps, of a start and step; 0: 1000. Tolerance is ε; 0: 1e-5.
	fit.Limits

	// Consume allows a dissim.Dense source to be overwritten, so that there is one matrix in
	// memory; links that propagate then see it through the transform.
	Consume bool
	// Options: Progress counts sweeps, and Share is an estimate.
	fit.Options
}

// Result is a fit. Slices belong to it.
type Result struct {
	Credal *credal.Partition
	// eq. 12 (or 22, or 13 of cevclus-2013) on the final masses, without links
	Stress    float64
	Objective float64 // Stress plus the penalty of the links, as it was minimised last
	// objective before the first sweep and after each, of the winning start; with links, of the
	// last sweeps under them
	Trace       []float64
	StartValues []float64 // final objective of each start; without links, unless by gradients
	Winner      int       // the start that won
	Iterations  int       // sweeps or gradient steps: those of Trace
	Stopped     fit.Reason
	D0, Gamma   float64
	A, B        float64 // the affine coefficients of the Sammon stress; 0 otherwise
	Partners    int     // k as used; 0: all pairs
	Used        Constraints
	Links       int          // links that weigh in the fit: those of a known kind
	Violated    int          // links that the fit without links violates; 0 without links
	Pairs       []belief.Set // pairs added by the second step
	Notes       []string     // what a person should know, a sentence each

	scale *scale
}
