package knn_test

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/knn"
)

// A graph of one neighbour of each of three rows.
func ExampleWrite() {
	g := knn.Graph{K: 1, Index: []int32{1, 0, 1}, Dist: []float32{0.5, 0.5, 2}}
	err := knn.Write(context.Background(), os.Stdout, dataset.FormatCSV, g,
		func(row int) string { return "row " + strconv.Itoa(row+1) })
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// id,neighbour,rank,distance
	// row 1,row 2,1,0.5
	// row 2,row 1,1,0.5
	// row 3,row 2,1,2
}
