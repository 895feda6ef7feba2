package model_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/model"
)

// The groups of a table are kept in a file, which places the rows of another.
func ExampleSave() {
	if err := save(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output: [2 1 1]
}

func save(ctx context.Context) error {
	read := func(rows string) (*dataset.Table, error) {
		return dataset.ReadStream(ctx, strings.NewReader("height\n"+rows), "plants.csv",
			dataset.ReadOptions{})
	}
	table, err := read("0\n1\n0.5\n9\n10\n")
	if err != nil {
		return err
	}
	ready, err := table.Prepare(ctx, dataset.Preparation{})
	if err != nil {
		return err
	}
	kmeans, err := all.Find("kmeans")
	if err != nil {
		return err
	}
	c, err := kmeans.With(map[string]string{"clusters": "2"})
	if err != nil {
		return err
	}
	out, err := c.Fit(ctx, method.Problem{Data: ready.X})
	if err != nil {
		return err
	}
	out.Model.Encoding = ready.Encoding
	folder, err := os.MkdirTemp("", "model")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "groups.model")
	if err := model.Save(out.Model, path); err != nil {
		return err
	}
	kept, err := model.Load(path)
	if err != nil {
		return err
	}
	others, err := read("8\n2\n-1\n")
	if err != nil {
		return err
	}
	labels, _, err := model.Predict(ctx, kept, others, 0)
	if err != nil {
		return err
	}
	fmt.Println(labels)
	return nil
}
