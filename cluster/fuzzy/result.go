package fuzzy

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// Result is a fuzzy partition of n rows of d values into c clusters. Memberships, Labels and
// Objective belong to Centers as they stand.
type Result struct {
	// n×c: how much each row belongs to each cluster; every row adds up to 1
	Memberships []float64
	// the nearest centre of each row, from 0, which is that of the greatest membership
	Labels    []int32
	Centers   dataset.Matrix // c×d, float64
	Objective float64        // Σ uᵐ‖x − v‖²

	Iterations int // of the start that was kept
	// fit.Converged: the objective stayed; fit.Tolerance or fit.IterationLimit
	Stopped fit.Reason
	// the objective of each iteration's memberships, and the centres before them
	Trace []float64
	Start int // the start that was kept, from 0
}
