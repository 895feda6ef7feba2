package constrained_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// The rows of 5 and 6 are close together, and known to differ.
func ExampleFitPCK() {
	data, _ := dataset.NewMatrix(7, 1, []float64{0, 1, 2, 5, 6, 9, 10})
	links := []link.Link{{A: 3, B: 4, Kind: link.CannotLink}, {A: 4, B: 6, Kind: link.MustLink}}
	r, err := constrained.FitPCK(context.Background(), data,
		constrained.PCKConfig{Config: constrained.Config{Knowledge: fit.Knowledge{Links: links},
			Clusters: 2}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Sizes[r.Labels[0]], r.Sizes[r.Labels[6]], "violated:", len(r.Violated), r.Stopped)
	// Output: 4 3 violated: 0 converged
}

// Three rows that all differ do not go into two clusters.
func ExampleFitCOP() {
	data, _ := dataset.NewMatrix(4, 1, []float64{0, 1, 2, 3})
	links := []link.Link{{A: 0, B: 1, Kind: link.CannotLink}, {A: 1, B: 3, Kind: link.CannotLink},
		{A: 0, B: 3, Kind: link.CannotLink}}
	_, err := constrained.FitCOP(context.Background(), data,
		constrained.Config{Knowledge: fit.Knowledge{Links: links}, Clusters: 2})
	problem, fix, _ := strings.Cut(err.Error(), "; ")
	fmt.Println(problem)
	fmt.Println(fix)
	// Output:
	// rows 1, 2 and 4 are all different from each other: 3 of them, and there are 2 clusters
	// ask for at least 3 clusters, or take back one of their links
}

// Two rows of known classes decide which cluster is which.
func ExampleFitSeeded() {
	data, _ := dataset.NewMatrix(6, 1, []float64{0, 1, 2, 8, 9, 10})
	known := []int32{-1, -1, 1, 0, -1, -1}
	r, err := constrained.FitSeeded(context.Background(), data,
		constrained.SeededConfig{Config: constrained.Config{Knowledge: fit.Knowledge{Known: known},
			Clusters: 2}, Hold: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels, r.Centers.F64)
	// Output: [1 1 1 0 0 0] [9 1]
}

// Two rows that are known to differ, and two that are known to go together.
func ExampleFitCVQE() {
	data, _ := dataset.NewMatrix(4, 1, []float64{0, 1, 8, 9})
	links := []link.Link{{A: 0, B: 2, Kind: link.CannotLink}, {A: 0, B: 1, Kind: link.MustLink}}
	r, err := constrained.FitCVQE(context.Background(), data,
		constrained.Config{Knowledge: fit.Knowledge{Links: links}, Clusters: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	same := func(a, b int) bool { return r.Labels[a] == r.Labels[b] }
	fmt.Println(same(0, 1), same(2, 3), same(0, 2), "violated:", len(r.Violated))
	// Output: true true false violated: 0
}
