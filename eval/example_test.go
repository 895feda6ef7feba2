package eval_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/link"
)

func ExampleCompare() {
	found := []int{1, 1, 1, 2, 2, 0}
	truth := []int{1, 1, 2, 2, 2, 2}
	report, err := eval.Compare(found, truth)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report)
	// Output:
	// 6 objects in 2 clusters, 2 classes, 1 of them noise
	// adjusted Rand   0.0367
	// Rand            0.5333
	// NMI             0.3967 (arithmetic 0.3863)
	// purity          0.8333
	// pairs           0.3636 (precision 0.5000, recall 0.2857)
}

func ExampleSingletons() {
	fmt.Println(eval.Singletons([]int{1, 0, 3, 0}))
	// Output: [1 2 3 4]
}

func ExampleCheckLinks() {
	report, err := eval.CheckLinks([]int{1, 1, 2}, []link.Link{
		{A: 0, B: 2, Kind: link.MustLink},
		{A: 1, B: 2, Kind: link.CannotLink},
	})
	fmt.Println(report, err)
	// Output: 1 of 2 links violated: 1 of 1 must-link (100.0 %), 0 of 1 cannot-link (0.0 %) <nil>
}

func ExampleSilhouette() {
	x, err := dataset.NewMatrix(4, 1, []float64{0, 1, 10, 11})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := eval.Silhouette(context.Background(), x, []int{1, 1, 2, 2}, eval.SilhouetteConfig{})
	fmt.Println(s, err)
	fmt.Printf("%t %.3f\n", s.Sampled(), s.Values)
	// Output:
	// silhouette 0.8997 over all 4 objects in 2 clusters <nil>
	// false [0.905 0.895 0.895 0.905]
}

// Two methods on six data sets. They tie on one, whose zero difference is ranked by Pratt's way.
func ExampleWilcoxonWith() {
	a := []float64{.9, .8, .7, .6, .9, .8}
	b := []float64{.8, .6, .4, .2, .4, .8}
	r, err := eval.WilcoxonWith(a, b, eval.PrattZeros)
	fmt.Println(r.N, r.Zeros, r.Plus, r.Minus, r.P, err)
	// Output: 5 1 20 0 0.0625 <nil>
}
