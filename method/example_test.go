package method_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// A method of one's own declares its parameters and fits: here it cuts the first column at a value.
func ExampleMethod_With() {
	threshold := method.Method{Name: "threshold", Title: "rows below and above a value",
		Configure: func(set *param.Set) method.Steps {
			at := 0.0
			set.Float(&at, param.Param{Name: "at", Max: 100, Default: "0", Help: "the value"})
			return method.Steps{Fit: func(_ context.Context, p method.Problem) (*method.Outcome,
				error) {
				out := &method.Outcome{Clusters: 2, Labels: make([]int, p.Data.Rows)}
				for i := range out.Labels {
					out.Labels[i] = 1
					if p.Data.At(i, 0) > at {
						out.Labels[i] = 2
					}
				}
				return out, nil
			}}
		}}
	c, err := threshold.With(map[string]string{"at": "5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := dataset.NewMatrix(3, 1, []float64{1, 2, 9})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := c.Fit(context.Background(), method.Problem{Data: x})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Labels)
	_, err = threshold.With(map[string]string{"at": "200"})
	fmt.Println(err)
	// Output:
	// [1 1 2]
	// --at is "200": give a number from 0 to 100, such as 0
}
