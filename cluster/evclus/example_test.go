package evclus_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
)

// Four of six objects are fitted; the others are placed by their dissimilarities to these.
func ExampleFitLandmarks() {
	points := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 20, 21, 22}}
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := evclus.FitLandmarks(context.Background(), src, 4, evclus.Config{Clusters: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	labels := r.Credal.Hard(belief.MaxPlausibility)
	fmt.Println(labels[0] == labels[1], labels[0] == labels[2], labels[0] == labels[3],
		labels[3] == labels[4], labels[3] == labels[5])
	fmt.Println(len(r.Landmarks(3, 1)))
	// Output:
	// true true false true true
	// 3
}
