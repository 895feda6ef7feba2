package kmeans

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Result is a partition of n rows of d values around K centres.
//
// Labels, Sizes and Inertia belong to Centers as they stand: Labels[i] is the centre nearest to row
// i, the lowest among equals, exactly as [Result.Predict] would say. When Stopped is Converged the
// centres are also the means of their clusters; otherwise the labels are those found after the last
// update of the centres.
//
// No cluster is empty, save where there are no rows to fill it with: with fewer distinct rows than
// K the clusters without rows repeat a centre of lower index, so no row is nearer to them.
type Result struct {
	Labels  []int32        // cluster of each row, from 0
	Centers dataset.Matrix // K×d, float64
	Sizes   []int          // rows in each cluster
	Inertia float64        // Σ‖x − centre‖², summed from squared differences

	Iterations int    // iterations of the winning start
	Stopped    Reason // why it stopped
	// per iteration, the inertia of its labels about the centres that gave them, to about ten
	// digits
	Trace []float64

	Start int // which start won, from 0
	// distances computed between a row and a centre, all starts, initialisation included
	Distances     int64
	EmptyRepaired int // clusters found empty and given a row, in the winning start
}

// Reason says why an iteration stopped.
type Reason int

const (
	Converged      Reason = iota // the labels repeated
	Tolerance                    // the centres moved by no more than the tolerance
	IterationLimit               // MaxIterations were done
	// the context was done; seen in errors alone, as there is no result
	Interrupted
)

// String returns the reason in words.
func (r Reason) String() string {
	switch r {
	case Converged:
		return "converged"
	case Tolerance:
		return "tolerance"
	case IterationLimit:
		return "iteration limit"
	case Interrupted:
		return "interrupted"
	}
	return fmt.Sprintf("Reason(%d)", int(r))
}

// Predict returns for each row of data the nearest of the centres, the lowest among equals. Data
// needs as many columns as the centres have and may be float32 or float64; rows that were fitted
// get the labels they have. Threads ≤ 0 means one per processor. Only Centers is used, so a Result
// with nothing else set can predict.
func (r *Result) Predict(ctx context.Context, data dataset.Matrix, threads int) ([]int32, error) {
	if r.Centers.Rows < 1 || r.Centers.Single() {
		return nil, fmt.Errorf(
			"kmeans: predicting needs at least one centre, as float64; there are %d",
			r.Centers.Rows)
	}
	if err := valid(r.Centers, "centres"); err != nil {
		return nil, err
	}
	if err := valid(data, "rows"); err != nil {
		return nil, err
	}
	if data.Cols != r.Centers.Cols {
		return nil, &fault.Input{
			Problem: fmt.Sprintf("the rows have %d columns and the centres %d", data.Cols,
				r.Centers.Cols),
			Fix: "give the columns that were fitted",
		}
	}
	if data.Rows == 0 {
		return []int32{}, nil
	}
	if data.Single() {
		return predict(ctx, data.F32, data, r.Centers, threads)
	}
	return predict(ctx, data.F64, data, r.Centers, threads)
}
