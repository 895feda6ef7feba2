package hierarchy_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/hierarchy"
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
	tree, err := hierarchy.FitSource(context.Background(), src,
		hierarchy.Config{Linkage: hierarchy.Average})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(tree.Merges[len(tree.Merges)-1].Height)
	// Output: 20
}
