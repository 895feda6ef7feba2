package main

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/project/input"
)

// read reads a table; keep holds all cells.
func read(ctx context.Context, a *app, s *input.Source, name string, keep bool) (*dataset.Table,
	error) {
	w := a.watch()
	defer w.done()
	return s.Read(ctx, a.place(), name, keep, w.update)
}

// objects reads rows and the dissimilarities among them.
func objects(ctx context.Context, a *app, s *input.Source, name string, consume bool) (*input.Data,
	error) {
	w := a.watch()
	defer w.done()
	return s.Objects(ctx, a.place(), name, false, consume, w.update)
}

// rectangle reads dissimilarities of new objects to fitted ones.
func rectangle(ctx context.Context, a *app, s *input.Source, name string) (dataset.Matrix, error) {
	w := a.watch()
	defer w.done()
	return s.Rectangle(ctx, a.place(), name, w.update)
}

// place returns each row the label of a matched partition of the table; 0 where it has none.
func place(d *input.Data, m *partition.Matched) []int {
	labels := make([]int, d.N())
	for i, row := range m.Rows {
		if at, ok := d.Of(row); ok {
			labels[at] = max(0, m.Pred[i])
		}
	}
	return labels
}
