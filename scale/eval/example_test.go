package eval_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// ExampleTable_Report judges ten thousand million rows, of which only counts are at hand.
func ExampleTable_Report() {
	t := eval.Table{Found: []string{"1", "2"}, Truth: []string{"bad", "good"},
		Cells: []eval.Cell{{Found: 0, Truth: 0, Count: 6e9}, {Found: 1, Truth: 0, Count: 1e9},
			{Found: 1, Truth: 1, Count: 3e9}}}
	r, err := t.Report()
	if err != nil {
		panic(err)
	}
	fmt.Println(r)
	apart, err := t.ReportApart() // there is no noise that would count apart
	fmt.Println(apart.AdjustedRand == r.AdjustedRand, err)
	// Output:
	// 10000000000 objects in 2 clusters, 2 classes
	// adjusted Rand   0.6377
	// Rand            0.8200
	// NMI             0.6019 (arithmetic 0.6012)
	// purity          0.9000
	// pairs           0.8364 (precision 0.8846, recall 0.7931)
	// true <nil>
}

// Two groups of a table in two files: silhouettes of the classes, and by the distances from
// centres.
func Example() {
	folder, err := os.MkdirTemp("", "scoring")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	for f := range 2 {
		var b strings.Builder
		b.WriteString("x,class\n")
		for i := range 1000 {
			fmt.Fprintf(&b, "%d,low\n%d,high\n", i%10, 30+i%7)
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("rows-%d.csv", f)),
			[]byte(b.String()), 0o644); err != nil {
			panic(err)
		}
	}

	ctx, runner := context.Background(), fold.Local{}
	src, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}, Label: "class"})
	if err != nil {
		panic(err)
	}
	sv, err := survey.Run(ctx, runner, src, splits)
	if err != nil {
		panic(err)
	}
	s, err := eval.Silhouette(ctx, runner, src, sv, eval.Side{Column: "class"},
		eval.SilhouetteConfig{Sample: 400})
	if err != nil {
		panic(err)
	}
	fmt.Printf("silhouette %.2f ± %.2f over %d rows\n", s.Mean, s.Error, s.Of)
	c, err := eval.AboutCenters(ctx, runner, src, sv,
		dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{4.5, 33}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("simplified %.2f, inertia %.0f\n", c.Simplified, c.Inertia)
	// Output:
	// silhouette 0.90 ± 0.00 over 4000 rows
	// simplified 0.93, inertia 24490
}
