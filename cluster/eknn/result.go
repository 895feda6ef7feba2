package eknn

import (
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
)

// Result is a partition of n objects.
type Result struct {
	Labels   []int32 // cluster of each object, from 0
	Clusters int     // c

	// Credal has for each object the mass function that its K neighbours amount to, on the clusters
	// alone and the frame; cluster k+1 is label k. nil where there are more clusters than
	// belief.MaxClusters.
	Credal *credal.Partition

	// Objective is the energy −Σ w_ij over pairs in one cluster, of the network that the iteration
	// runs down: the less, the more plausible is the partition.
	Objective float64

	// Trace is the energy before the first sweep by symmetric weights and after each, of the start
	// that won. It never rises.
	Trace []float64

	Iterations int        // sweeps of the start that won
	Stopped    fit.Reason // why it stopped: its last sweep changed no label, or MaxIterations
	Start      int        // which won, from 0
	Starts     []float64  // the energy of each start

	Neighbours int     // K, as given or chosen
	Scale      float64 // 1/γ
}
