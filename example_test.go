package kindred_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred"
)

func Example() {
	ctx := context.Background()
	table, err := kindred.Read(ctx, "iris", kindred.Params{"label": "class"})
	if err != nil {
		panic(err)
	}
	result, err := table.Cluster(ctx, "kmeans", kindred.Params{"clusters": "3"})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Clusters, result.Labels[:5])
	// Output: 3 [2 2 2 2 2]
}

func ExampleResult_Plot() {
	ctx := context.Background()
	table, err := kindred.Read(ctx, "iris", kindred.Params{"label": "class"})
	if err != nil {
		panic(err)
	}
	result, err := table.Cluster(ctx, "agglomerative", kindred.Params{"clusters": "3"})
	if err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "kindred")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	fmt.Println(result.Plot(ctx, filepath.Join(folder, "tree.svg"), "dendrogram"))
	// Output: <nil>
}

// Answers come from a person, or, as here, from what is known.
func ExampleTable_Ask() {
	ctx := context.Background()
	table, err := kindred.Read(ctx, "iris", kindred.Params{"label": "class"})
	if err != nil {
		panic(err)
	}
	answer := func(_ context.Context, q kindred.Question) (kindred.Answer, error) {
		if q.A/50 == q.B/50 { // the flowers are sorted by their kind
			return kindred.Same, nil
		}
		return kindred.Different, nil
	}
	result, err := table.Ask(ctx, answer, kindred.Params{"budget": "20"})
	if err != nil {
		panic(err)
	}
	fmt.Println(result.Clusters, result.Labels[0] != result.Labels[149])
	// Output: 3 true
}

func ExampleModel_Predict() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "kindred")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "points.csv")
	if err := os.WriteFile(file, []byte("x\n1\n1.5\n2\n9\n9.5\n"), 0o644); err != nil {
		panic(err)
	}
	table, err := kindred.Read(ctx, file)
	if err != nil {
		panic(err)
	}
	result, err := table.Cluster(ctx, "kmeans", kindred.Params{"clusters": "2"})
	if err != nil {
		panic(err)
	}
	path := filepath.Join(folder, "groups.model")
	if err := result.Save(path); err != nil {
		panic(err)
	}
	model, err := kindred.Load(path)
	if err != nil {
		panic(err)
	}
	labels, err := model.Predict(ctx, table)
	if err != nil {
		panic(err)
	}
	fmt.Println(labels)
	// Output: [1 1 1 2 2]
}

func ExampleMethods() {
	for _, m := range kindred.Methods() {
		if m.Name == "kmeans" {
			fmt.Println(m.Title)
		}
	}
	// Output: k-means: K groups around their means
}
