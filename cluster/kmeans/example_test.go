package kmeans_test

import (
	"context"
	"fmt"
	"log"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
)

func Example() {
	// Six points in the plane, three near (1, 1) and three near (8, 8).
	data := dataset.Matrix{Rows: 6, Cols: 2, F64: []float64{1, 1, 1, 2, 2, 1, 8, 8, 8, 9, 9, 8}}
	ctx := context.Background()
	result, err := kmeans.Fit(ctx, data, kmeans.Config{
		Clusters: 2,
		Centers:  dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{0, 0, 10, 10}},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("labels", result.Labels, "sizes", result.Sizes)
	fmt.Printf("inertia %.3f after %d iterations, %v\n", result.Objective, result.Iterations,
		result.Stopped)

	medoids, err := kmeans.Medoids(ctx, data, result.Labels, result.Centers, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("medoids", medoids)
	// Output:
	// labels [0 0 0 1 1 1] sizes [3 3]
	// inertia 2.667 after 2 iterations, converged
	// medoids [0 3]
}

func ExampleResult_Predict() {
	result := kmeans.Result{Centers: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 10}}}
	labels, err := result.Predict(context.Background(),
		dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{-3, 5, 6}}, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(labels)
	// Output: [0 0 1]
}
