package kevclus2016_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/reproduce/frame"
	"github.com/kindred-go/kindred/reproduce/kevclus2016"
)

// The butterfly needs no data set.
func ExampleExperiment() {
	r, err := kevclus2016.Experiment().Run(context.Background(),
		frame.Config{Trials: 1, Parts: []string{"butterfly"}})
	if err != nil {
		panic(err)
	}
	for _, p := range r.Pictures {
		fmt.Println(p.Title)
	}
	fmt.Printf("object 9 is of its cluster by %.1f\n", r.Tables[0].Rows[8].Cells[1].Mean.Value)
	// Output:
	// Figure 1. The butterfly, with an outlier
	// Figure 2. Credal partition of the butterfly
	// Figure 3. Dissimilarities and the conflicts that they call for
	// Figure 4. Shepard diagram of the butterfly
	// object 9 is of its cluster by 0.8
}
