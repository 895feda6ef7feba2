package spectral_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Two groups of points that are known to differ, by the graph of their nearest neighbours.
func ExampleFitCCSR() {
	points := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 20, 21, 22}}
	src, err := dissim.Vectors(points, dissim.Euclidean)
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := spectral.ObjectGraph(context.Background(), src, spectral.GraphConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	links := []link.Link{{A: 0, B: 3, Kind: link.CannotLink}, {A: 0, B: 2, Kind: link.MustLink}}
	r, err := spectral.FitCCSR(context.Background(), g, spectral.CCSRConfig{
		Config: spectral.Config{Clusters: 2}, Knowledge: fit.Knowledge{Links: links}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Rows(), g.Nodes(), r.Labels[0] == r.Labels[2], r.Labels[0] == r.Labels[3])
	// Output: 6 6 true false
}
