package ecm_test

import (
	"context"
	"fmt"
	"log"

	"github.com/kindred-go/kindred/cluster/ecm"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Two pairs of points, one in the middle and one far from all.
var points = dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 9, 10, 5, 18}}

func ExampleFit() {
	r, err := ecm.Fit(context.Background(), points, ecm.Config{Clusters: 2, NoiseDistance: 4})
	if err != nil {
		log.Fatal(err)
	}
	if err := r.Credal.Relabel(r.Credal.BySize()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Credal.HardCredal())
	// Output: [{1} {1} {2} {2} {1+2} {}]
}

func ExampleFit_links() {
	between := []link.Link{{A: 4, B: 3, Kind: link.MustLink}}
	near := points.Subset([]int{0, 1, 2, 3, 4})
	r, err := ecm.Fit(context.Background(), near,
		ecm.Config{Clusters: 2, Knowledge: fit.Knowledge{Links: between}})
	if err != nil {
		log.Fatal(err)
	}
	labels := r.Credal.Hard(belief.MaxPlausibility)
	fmt.Println(labels[4] == labels[3], labels[4] == labels[0])
	// Output: true false
}

func ExampleFitRelational() {
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		log.Fatal(err)
	}
	r, err := ecm.FitRelational(context.Background(), src,
		ecm.Config{Clusters: 2, NoiseDistance: 4})
	if err != nil {
		log.Fatal(err)
	}
	if err := r.Credal.Relabel(r.Credal.BySize()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Credal.HardCredal())
	// Output: [{1} {1} {2} {2} {1+2} {}]
}

func ExampleFitMedian() {
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		log.Fatal(err)
	}
	r, err := ecm.FitMedian(context.Background(), src,
		ecm.Config{Clusters: 2, Medoids: []int{0, 3}})
	if err != nil {
		log.Fatal(err)
	}
	labels := r.Credal.Hard(belief.MaxPlausibility)
	fmt.Println(labels[0] == labels[1], labels[2] == labels[3], labels[1] == labels[2])
	// Output: true true false
}

func ExampleFitCredal() {
	r, err := ecm.FitCredal(context.Background(), points,
		ecm.Config{Clusters: 2, NoiseDistance: 4})
	if err != nil {
		log.Fatal(err)
	}
	labels := r.Credal.Hard(belief.MaxPlausibility)
	fmt.Println(labels[0] == labels[1], labels[2] == labels[3], labels[1] == labels[2])
	// Output: true true false
}
