package bayes_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// One row of each class is known.
func ExampleFit() {
	data, _ := dataset.NewMatrix(6, 1, []float64{0, 1, 2, 8, 9, 10})
	r, err := bayes.Fit(context.Background(), data,
		bayes.Config{Knowledge: fit.Knowledge{Known: []int32{-1, 0, -1, -1, 1, -1}}, Clusters: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels)
	_, labels, err := r.Model.Predict(context.Background(),
		dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{-3, 7}}, 1)
	fmt.Println(labels, err)
	// Output:
	// [0 0 0 1 1 1]
	// [0 1] <nil>
}
