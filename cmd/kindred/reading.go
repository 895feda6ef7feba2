package main

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// read reads a table; keep holds all cells.
func read(ctx context.Context, a *app, s *input.Source, name string, keep bool) (*dataset.Table,
	error) {
	return watched(a, func(p input.Progress) (*dataset.Table, error) {
		return s.Read(ctx, a.place(), name, keep, p)
	})
}

// objects reads rows and the dissimilarities among them.
func objects(ctx context.Context, a *app, s *input.Source, name string, consume bool) (*input.Data,
	error) {
	return watched(a, func(p input.Progress) (*input.Data, error) {
		return s.Objects(ctx, a.place(), name, false, consume, p)
	})
}

// rectangle reads dissimilarities of new objects to fitted ones.
func rectangle(ctx context.Context, a *app, s *input.Source, name string) (dataset.Matrix, error) {
	return watched(a, func(p input.Progress) (dataset.Matrix, error) {
		return s.Rectangle(ctx, a.place(), name, p)
	})
}

// opened opens a project by one of the ways to do so.
func (a *app) opened(ctx context.Context, cfg project.Config,
	open func(context.Context, project.Config) (*project.Project, error)) (*project.Project,
	error) {
	return watched(a, func(p input.Progress) (*project.Project, error) {
		cfg.Place, cfg.Progress = a.place(), p
		return open(ctx, cfg)
	})
}

// hasIDs reports whether a column names the rows of a table, rather than their numbers.
func hasIDs(t *dataset.Table) bool {
	return slices.ContainsFunc(t.Columns,
		func(c dataset.Column) bool { return c.Role == dataset.ID })
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
