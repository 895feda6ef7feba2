package competitive

import (
	"context"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/link"
)

// FitConfig says how to learn a data set in several epochs.
type FitConfig struct {
	Config
	Epochs            int            // passes over the data; 0: 100
	Starts            int            // starts, of which the one with the least squared error is kept; 0: 1
	Threads           int            // starts run at the same time; 0: one a processor; never changes the result
	InitialPrototypes dataset.Matrix // k×d; empty: Init draws them
	InOrder           bool           // rows as they lie; else every epoch is a fresh permutation
	Progress          func(epoch, of int)
}

// StartResult is what one start came to.
type StartResult struct {
	Labels    []int32
	Objective float64
}

// Result is a partition.
type Result struct {
	Labels     []int32 // nearest prototype of each row
	Prototypes dataset.Matrix
	Wins       []float64
	Objective  float64   // sum of squared distances
	Trace      []float64 // per epoch
	Active     []bool
	Violated   []link.Link
	Starts     []StartResult
	Start      int     // the one that was kept, from 0
	Seconds    float64 // of the learning loop, all starts
}

// Fit learns data.
func Fit(ctx context.Context, data dataset.Matrix, links []link.Link, cfg FitConfig) (*Result, error) {
	panic("not yet")
}

// Predict labels rows by the nearest prototype.
func (r *Result) Predict(ctx context.Context, data dataset.Matrix, threads int) ([]int32, error) {
	panic("not yet")
}
