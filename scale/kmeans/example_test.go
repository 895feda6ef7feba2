package kmeans_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// Two files are read as one table, here without an engine. The last round writes the labels.
func ExampleFit() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	for name, text := range map[string]string{
		"a.csv": "x,y\n0,0\n0,2\n20,20\n",
		"b.csv": "x,y\n20,22\n0,1\n",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
	ctx, local := context.Background(), fold.Local{}
	source, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}})
	if err != nil {
		log.Fatal(err)
	}
	table, err := survey.Run(ctx, local, source, splits)
	if err != nil {
		log.Fatal(err)
	}
	out := filepath.Join(folder, "labels")
	fit, err := kmeans.Fit(ctx, local, source, table, kmeans.Config{Clusters: 2, Out: out})
	if err != nil {
		log.Fatal(err)
	}
	for c, of := range fit.ClusterOf {
		fmt.Printf("cluster %d: %d rows around %v, like row %s\n", of, fit.Sizes[c],
			fit.Centers.AppendRow(nil, c), fit.Medoids[c].ID)
	}
	for split := range splits {
		text, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("part-%05d.csv", split)))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%q\n", text)
	}
	// Unordered output:
	// cluster 1: 3 rows around [0 1], like row 5
	// cluster 2: 2 rows around [20 21], like row 3
	// "id,cluster\n1,1\n2,1\n3,2\n"
	// "id,cluster\n4,2\n5,1\n"
}
