package fuzzy_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/fuzzy"
	"github.com/kindred-go/kindred/data/dataset"
)

// A row half-way between two groups belongs to both.
func ExampleFit() {
	data, _ := dataset.NewMatrix(5, 1, []float64{0, 1, 5, 9, 10})
	r, err := fuzzy.Fit(context.Background(), data, fuzzy.Config{Clusters: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f %.2f, of the first row its own: %.3f\n", r.Memberships[4], r.Memberships[5],
		r.Memberships[r.Labels[0]])
	// Output: 0.50 0.50, of the first row its own: 0.987
}
