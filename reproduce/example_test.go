package reproduce_test

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/reproduce"
	"github.com/kindred-go/kindred/reproduce/frame"
)

func ExampleFind() {
	e, err := reproduce.Find("competitive-learning-2013")
	if err != nil {
		fmt.Println(err)
		return
	}
	// Wine is shipped with kindred; one repetition of the paper's ten.
	r, err := e.Run(context.Background(),
		frame.Config{Sets: []string{"wine"}, Parts: []string{"tables"}, Trials: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(r.Runs.All()), "runs;", r.Notes[0])
	for _, row := range r.Tables[0].Rows[:5] {
		c := row.Cells[0]
		fmt.Printf("%s labelled a class: the paper has %+.3f, and we are within 0.1: %v\n",
			row.Keys[1], c.Paper.Value, math.Abs(c.Mean.Value-c.Paper.Value) < .1)
	}
	// Output:
	// 75 runs; Wine is the sample that kindred ships
	// 0 labelled a class: the paper has +0.003, and we are within 0.1: true
	// 5 labelled a class: the paper has +0.008, and we are within 0.1: true
	// 10 labelled a class: the paper has +0.030, and we are within 0.1: true
	// 15 labelled a class: the paper has +0.035, and we are within 0.1: true
	// 20 labelled a class: the paper has +0.038, and we are within 0.1: true
}
