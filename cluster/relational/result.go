package relational

import (
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// Result is a fuzzy partition of n objects into c clusters.
type Result struct {
	Clusters    int
	Memberships []float64 // n×c, row-major, from 0 to 1; a row adds up to 1

	// Objective is Σ u_ki^m d²_ki, in squared units of the dissimilarities, and for SSCARD what
	// violated links cost besides.
	Objective float64

	// Beta is what was added to each R_jk, j ≠ k, so that no d² is below 0; in squared units.
	Beta float64

	Iterations int        // of the winning start
	Stopped    fit.Reason // why that start stopped
	Start      int        // which start won, from 0

	// Trace is the objective at each iteration, once α is what it is to be. It never rises while β
	// stays.
	Trace []float64

	// Alpha is, for SSCARD, the weight of a violated link, in squared units; 0 without links.
	Alpha float64

	// Weights are, for SSCARD, what each of S relations counts for in each cluster: c×S, row-major;
	// a row adds up to 1.
	Weights  []float64
	Clashing []*link.Contradiction // links that contradict earlier ones; kept all the same
}

// Labels returns the cluster of greatest membership of each object, from 0, the lowest among
// equals.
func (r *Result) Labels() []int32 {
	out := make([]int32, len(r.Memberships)/r.Clusters)
	for k := range out {
		out[k] = int32(linalg.ArgMax(r.Memberships[k*r.Clusters:][:r.Clusters]))
	}
	return out
}
