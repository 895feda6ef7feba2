package all_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

func ExampleFind() {
	m, err := all.Find("kmeans")
	if err != nil {
		panic(err)
	}
	x := dataset.Matrix{Rows: 5, Cols: 1, F64: []float64{0, 1, 0.5, 9, 10}}
	c, err := m.With(map[string]string{"clusters": "2"})
	if err != nil {
		panic(err)
	}
	out, err := c.Fit(context.Background(), method.Problem{Data: x})
	fmt.Println(m.Title)
	fmt.Println(out.Labels, out.Stopped, err)
	// Output:
	// k-means: K groups around their means
	// [1 1 1 2 2] converged <nil>
}
