package gmm_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/gmm"
	"github.com/kindred-go/kindred/data/dataset"
)

// The narrow group keeps to itself what is nearer to the mean of the wide one.
func ExampleFit() {
	data, _ := dataset.NewMatrix(10, 1, []float64{-9, -4, 0, 4, 9, 13.8, 13.9, 14, 14.1, 14.2})
	r, err := gmm.Fit(context.Background(), data, gmm.Config{Clusters: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	wide, narrow := r.Labels[0], r.Labels[9]
	fmt.Printf("means %.0f and %.0f, variances %.0f and %.2f\n", r.Means.F64[wide],
		r.Means.F64[narrow], r.Covariances[wide], r.Covariances[narrow])
	// Output: means 0 and 14, variances 39 and 0.02
}
