package cobras_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/data/dataset"
)

func Example() {
	ctx := context.Background()
	x, err := dataset.NewMatrix(6, 1, []float64{0, 1, 2, 10, 11, 12})
	if err != nil {
		panic(err)
	}
	run, err := cobras.New(ctx, x, cobras.Config{})
	if err != nil {
		panic(err)
	}
	classes := []int32{0, 0, 0, 1, 1, 1} // of somebody who answers
	if err := ask.Drive(ctx, run.Session, ask.Labels(classes), 5, nil); err != nil {
		panic(err)
	}
	res, err := run.Result(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(res.Labels)
	// Output: [1 1 1 2 2 2]
}
