package optics_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/optics"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// Two groups of points on a line.
var points = dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 20, 21, 22}}

func ExampleFit() {
	r, err := optics.Fit(context.Background(), points,
		optics.Config{MinPoints: 2, MinClusterSize: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Order, r.Reachability)
	labels, clusters := r.CutAt(5)
	fmt.Println(labels, clusters)
	// Output:
	// [0 1 2 3 4 5] [+Inf 1 1 18 1 1]
	// [0 0 0 1 1 1] 2
}

func ExampleFitSource() {
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := optics.FitSource(context.Background(), src,
		optics.Config{MinPoints: 2, Extraction: optics.Eps, Eps: 5})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels, r.Clusters)
	// Output:
	// [0 0 0 1 1 1] 2
}
