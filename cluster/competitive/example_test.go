package competitive_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

func Example() {
	// The first rows of a stream place two prototypes; then all rows are learnt as they come.
	warm := dataset.Matrix{Rows: 4, Cols: 2, F64: []float64{1, 1, 2, 1, 8, 8, 9, 8}}
	learner, err := competitive.New(competitive.Config{Rule: competitive.WinnerTakeAll,
		Clusters: 2}, warm)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range [][]float64{{1, 2}, {8, 9}, {2, 2}} {
		number, label, err := learner.Observe(row)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("row %d is %.2f from its prototype, %.2f nearer than to the other\n", number,
			label.Distance, label.Margin)
	}
	// A snapshot places rows without learning them, from any goroutine.
	now := learner.Publish()
	low, err := now.Label([]float64{0, 0})
	if err != nil {
		log.Fatal(err)
	}
	high, err := learner.Label([]float64{9, 9})
	fmt.Println(now.Clusters(), low.Cluster != high.Cluster, learner.Snapshot().Rows, err)
	// Output:
	// row 1 is 1.12 from its prototype, 8.49 nearer than to the other
	// row 2 is 1.12 from its prototype, 9.17 nearer than to the other
	// row 3 is 1.09 from its prototype, 7.78 nearer than to the other
	// 2 true 3 <nil>
}

func ExampleLearner_Link() {
	warm := dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 4, 20}}
	learner, err := competitive.New(competitive.Config{Rule: competitive.OLCVQE, Clusters: 2,
		Rate: competitive.Rate{Start: 0.2}}, warm)
	if err != nil {
		log.Fatal(err)
	}
	for _, row := range [][]float64{{0}, {4}} {
		if _, _, err := learner.Observe(row); err != nil {
			log.Fatal(err)
		}
	}
	// The two rows are in one cluster. A link that they differ is repeated until they do.
	for links := 1; ; links++ {
		result, err := learner.Link(1, 2, link.CannotLink, 1)
		if err != nil {
			log.Fatal(err)
		}
		if result.Met {
			fmt.Println("apart after", links, "times")
			break
		}
	}
	_, err = learner.Link(1, 2, link.MustLink, 1)
	fmt.Println("a link can be replaced:", err == nil)
	_, err = learner.Link(1, 3, link.MustLink, 1)
	fmt.Println(err)
	// Output:
	// apart after 4 times
	// a link can be replaced: true
	// competitive: row 3 of 2: not seen yet
}

func ExampleFit() {
	// Six points in two groups.
	data := dataset.Matrix{Rows: 6, Cols: 2, F64: []float64{1, 1, 1, 2, 2, 1, 8, 8, 8, 9, 9, 8}}
	links := []link.Link{{A: 0, B: 3, Kind: link.CannotLink}, {A: 4, B: 5, Kind: link.MustLink}}
	result, err := competitive.Fit(context.Background(), data, competitive.FitConfig{Links: links,
		Config: competitive.Config{Rule: competitive.CRPCL, Clusters: 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	same := func(a, b int) bool { return result.Labels[a] == result.Labels[b] }
	fmt.Println(same(0, 1), same(0, 2), same(0, 3), same(3, 5))
	fmt.Println("broken links:", len(result.Violated))
	// Output:
	// true true false true
	// broken links: 0
}

func ExampleLearner_State() {
	learner, err := competitive.New(competitive.Config{Clusters: 1},
		dataset.Matrix{Rows: 1, Cols: 1, F64: []float64{5}})
	if err != nil {
		log.Fatal(err)
	}
	saved, err := json.Marshal(learner.State())
	if err != nil {
		log.Fatal(err)
	}
	var state competitive.State
	if err := json.Unmarshal(saved, &state); err != nil {
		log.Fatal(err)
	}
	again, err := competitive.Restore(state)
	if err != nil {
		log.Fatal(err)
	}
	number, label, err := again.Observe([]float64{7})
	fmt.Println(number, label.Distance, err)
	// Output: 1 2 <nil>
}
