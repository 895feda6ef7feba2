package relational_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// Two groups of points on a line.
var points = dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 20, 21, 22}}

func ExampleFitSource() {
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := relational.FitSource(context.Background(), src, relational.Config{Clusters: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f\n", r.Memberships)
	// Output: [0.0 1.0 0.0 1.0 0.0 1.0 1.0 0.0 1.0 0.0 1.0 0.0]
}
