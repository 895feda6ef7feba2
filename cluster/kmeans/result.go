package kmeans

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// Result is a partition of n rows of d values around K centres.
//
// Labels, Sizes and Objective are those of Centers: Labels[i] is the centre nearest to
// row i, the lowest among equals, as [Result.Predict] returns it. When Stopped is [fit.Converged]
// the centres are also the means of their clusters, or with Config.Spherical the directions of these;
// otherwise the labels are those found after the last update of the centres.
//
// No cluster is empty, save where there are no rows to fill it with: with fewer distinct rows than
// K the clusters without rows repeat a centre of lower index, so no row is nearer to them.
type Result struct {
	Labels  []int32        // cluster of each row, from 0
	Centers dataset.Matrix // K×d, float64
	Sizes   []int          // rows in each cluster
	// the inertia Σ‖x − centre‖², summed from squared differences
	Objective float64

	Iterations int // of the start that was kept
	// fit.Converged: the labels repeated; fit.Tolerance: the centres moved by no more than the
	// tolerance; or fit.IterationLimit
	Stopped fit.Reason
	// per iteration, the inertia of its labels about the centres that they are by, to about ten
	// digits
	Trace []float64

	Start int // the start that was kept, from 0
	// distances computed between a row and a centre, all starts, initialisation included
	Distances     int64
	EmptyRepaired int // clusters found empty and given a row, in the start that was kept
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
	if err := r.Centers.CheckSize("centres"); err != nil {
		return nil, err
	}
	if err := data.CheckSize("rows"); err != nil {
		return nil, err
	}
	if err := data.CheckCols("centres", r.Centers.Cols); err != nil {
		return nil, err
	}
	if data.Rows == 0 {
		return []int32{}, nil
	}
	if data.Single() {
		return predict(ctx, data.F32, data, r.Centers, threads)
	}
	return predict(ctx, data.F64, data, r.Centers, threads)
}
