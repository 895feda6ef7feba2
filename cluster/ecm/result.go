package ecm

import (
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// Result is a credal partition of n objects into c clusters, and the prototypes that it goes by.
type Result struct {
	Credal *credal.Partition // n mass functions, of minimal objective for the prototypes

	Centers dataset.Matrix // c×d float64, of Fit and FitCredal; else empty
	// clusters of Fit and FitCredal whose centres are within a hundredth of the data's spread of
	// another's
	Merged  int
	Medoids []int // of FitMedian: the object that stands for each cluster; of others nil

	// Metric, and for Diagonal and Full the factor W of each cluster's metric S = WᵀW: c×d, or c
	// lower triangles row by row.
	Metric competitive.Metric
	Roots  []float64

	// Objective is what the fit minimises: for ECM, CCM and RECM in squared units of the data, for
	// MECM in units of the dissimilarities, and with links a pure number.
	Objective float64
	Trace     []float64 // the objective after each iteration of the start that won

	Iterations int  // of the start that won
	Converged  bool // whether that start ended before the limit of iterations
	Start      int  // which won, from 0
	Starts     []float64

	NoiseDistance float64 // δ, as given or chosen
	// of FitRelational: what was added to the squared dissimilarities to keep distances real;
	// mostly 0
	Lifted float64

	Links    int                   // that took part, the unknown ones left out
	Clashing []*link.Contradiction // links that contradict earlier ones; kept all the same
}
