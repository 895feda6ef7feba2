package kmeans_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Two rows close together are known to differ, so each end of the line keeps one.
func ExampleFitLCVQE() {
	data, _ := dataset.NewMatrix(7, 1, []float64{0, 1, 2, 5.4, 5.6, 9, 10})
	links := []link.Link{{A: 3, B: 4, Kind: link.CannotLink}, {A: 4, B: 6, Kind: link.MustLink}}
	r, err := kmeans.FitLCVQE(context.Background(), data,
		kmeans.LCVQEConfig{Knowledge: fit.Knowledge{Links: links}, Clusters: 2,
			Init: kmeans.PrototypesSample})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Labels, "violated:", len(r.Violated), r.Stopped)
	// Output: [0 0 0 0 1 1 1] violated: 0 converged
}
