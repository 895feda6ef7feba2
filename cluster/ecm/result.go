package ecm

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Result is a credal partition of n objects into c clusters, and the prototypes that it goes by.
type Result struct {
	Credal *credal.Partition // n mass functions, of minimal objective for the prototypes

	Centers dataset.Matrix // c×d float64, of [Fit] and [FitCredal]; else empty

	// Merged counts the clusters of [Fit] and [FitCredal] whose centres are within a hundredth of
	// the data's spread of another's.
	Merged int

	Medoids []int // the prototype of each cluster, an object, of [FitMedian]; else nil

	// Metric is what clusters learnt.
	Metric fit.Metric

	// Roots are, for Diagonal and Full, the factors W of the metrics S = WᵀW of the clusters: c×d,
	// or c lower triangles row by row.
	Roots []float64

	// Objective is what the fit minimises: for ECM, CCM and RECM in squared units of the data, for
	// MECM in units of the dissimilarities, and with links a pure number.
	Objective float64
	Trace     []float64 // the objective after each iteration of the start that won

	Iterations int        // of the start that won
	Stopped    fit.Reason // why that start stopped
	Start      int        // which won, from 0
	Starts     []float64  // the objective of each start

	NoiseDistance float64 // δ, as given or chosen
	Barycentre    float64 // γ of [FitCredal]; else 0

	// Lifted is what [FitRelational] added to the squared dissimilarities to keep distances real;
	// mostly 0.
	Lifted float64

	Links    int                   // that took part, the unknown ones left out
	Clashing []*link.Contradiction // links that contradict earlier ones; kept all the same
}
