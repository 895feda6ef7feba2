//go:build ignore

package method_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
)

func ExampleFind() {
	m, err := method.Find("kmeans")
	if err != nil {
		panic(err)
	}
	x := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{0, 1, 0.5, 9, 10}}
	out, err := m.Fit(context.Background(), method.Problem{Data: x}, method.Settings{Clusters: 2})
	fmt.Println(m.Title)
	fmt.Println(out.Labels, out.Stopped, err)
	// Output:
	// k-means: K groups around their means
	// [1 1 1 2 2] converged <nil>
}
