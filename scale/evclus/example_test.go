package evclus_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/scale/evclus"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// Two crowds of 500 rows each, one row between them and one far away, in two files.
func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	var near, far strings.Builder
	near.WriteString("name,x,y\n")
	far.WriteString("name,x,y\n")
	for i := range 500 {
		fmt.Fprintf(&near, "a%d,%d,%d\n", i, i%20, i/20)
		fmt.Fprintf(&far, "b%d,%d,%d\n", i, 60+i%20, i/20)
	}
	far.WriteString("between,39.5,12\n")
	far.WriteString("stranger,40,900\n")
	for name, text := range map[string]string{"1.csv": near.String(), "2.csv": far.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			log.Fatal(err)
		}
	}

	ctx, runner := context.Background(), fold.Local{}
	src, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}, ID: "name"})
	if err != nil {
		log.Fatal(err)
	}
	sv, err := survey.Run(ctx, runner, src, splits)
	if err != nil {
		log.Fatal(err)
	}
	m, err := all.Find("kevclus")
	if err != nil {
		log.Fatal(err)
	}
	how, err := m.With(map[string]string{"clusters": "2", "landmarks": "200"})
	if err != nil {
		log.Fatal(err)
	}
	fit, err := evclus.Fit(ctx, runner, src, sv, evclus.Config{Method: how})
	if err != nil {
		log.Fatal(err)
	}
	out := evclus.Output{Path: filepath.Join(folder, "groups"), Format: "csv", Doubtful: 1}
	sum, err := evclus.Place(ctx, runner, src, sv, fit.Model, out)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d rows in clusters of %d and %d; %d outlier\n", sum.Rows, sum.Clusters[0].Size,
		sum.Clusters[1].Size, sum.Outliers)
	fmt.Printf("the most doubtful row is %s: it may be of any of %v\n", sum.Doubtful[0].ID,
		sum.Doubtful[0].May)
	// Output:
	// 1002 rows in clusters of 500 and 501; 1 outlier
	// the most doubtful row is between: it may be of any of [1 2]
}
