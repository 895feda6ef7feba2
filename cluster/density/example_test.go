package density_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// line has two dense pieces and one row far off.
var line = dataset.Matrix{Rows: 9, Cols: 1, F64: []float64{0, 1, 2, 3, 6, 7, 8, 9, 30}}

func ExampleFitDBSCAN() {
	r, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: line},
		density.Config{Eps: 1, MinPoints: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels, r.Clusters)
	// Output: [0 0 0 0 1 1 1 1 -1] 2
}

// A cannot-link parts what a wider radius joins.
func ExampleFitCDBSCAN() {
	links := []link.Link{{A: 0, B: 7, Kind: link.CannotLink}, {A: 8, B: 7, Kind: link.MustLink}}
	cfg := density.CDBSCANConfig{Config: density.Config{Eps: 3, MinPoints: 2}}
	cfg.Links = links
	r, err := density.FitCDBSCAN(context.Background(), density.Objects{Vectors: line}, cfg)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels, r.Parted)
	// Output: [0 0 0 0 1 1 1 1 1] 1
}

// One row of each class is known.
func ExampleFitSSDBSCAN() {
	classes := []int32{0, -1, -1, -1, -1, -1, -1, 1, -1}
	r, err := density.FitSSDBSCAN(context.Background(), density.Objects{Vectors: line}, classes,
		density.Config{MinPoints: 2})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels)
	for _, c := range r.Classes {
		fmt.Println(c)
	}
	// Output:
	// [0 0 0 0 1 1 1 1 -1]
	// class 1: Eps 1, MinPoints 2
	// class 2: Eps 1, MinPoints 2
}

// Nothing is known of the second piece.
func ExampleFitMultiDensity() {
	classes := []int32{0, -1, -1, -1, -1, -1, -1, -1, -1}
	cfg := density.MultiDensityConfig{Config: density.Config{MinPoints: 2}, NewClusters: true}
	r, err := density.FitMultiDensity(context.Background(), density.Objects{Vectors: line}, classes,
		cfg)
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Labels, r.New)
	// Output: [0 0 0 0 1 1 1 1 -1] 1
}
