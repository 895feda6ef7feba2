package eknn_test

import (
	"context"
	"fmt"
	"log"

	"github.com/kindred-go/kindred/cluster/eknn"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

func ExampleFitSource() {
	points := dataset.Matrix{Rows: 7, Cols: 1, F64: []float64{0, 1, 2, 10, 11, 12, 13}}
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		log.Fatal(err)
	}
	r, err := eknn.FitSource(context.Background(), src, eknn.Config{Neighbours: 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Clusters, r.Labels)
	// Output: 2 [0 0 0 1 1 1 1]
}
