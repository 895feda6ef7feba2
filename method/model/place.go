package model

import (
	"context"

	"github.com/kindred-go/kindred/cluster/ecm"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/method"
)

// Place returns where the rows are that a table keeps after preparation, as labels or masses, or
// both, and which rows those are (nil: all).
func Place(ctx context.Context, m *method.Model, t *dataset.Table, threads int) (
	out *method.Outcome, rows []int32, err error) {
	out = &method.Outcome{}
	switch {
	case m.Credal():
		out.Credal, rows, err = Placement(ctx, m, t, threads)
	case m.Condensed != nil:
		return inTree(ctx, m, t, threads)
	default:
		out.Labels, rows, err = Predict(ctx, m, t, threads)
	}
	return out, rows, err
}

// PlaceColumns returns where new objects are by their dissimilarities: d has a row for each, and a
// column for each fitted object or for each that the model keeps. The model must be of a method
// that takes dissimilarities.
func PlaceColumns(ctx context.Context, m *method.Model, d dataset.Matrix, threads int) (
	out *method.Outcome, err error) {
	out = &method.Outcome{}
	switch {
	case m.Landmarks != nil:
		out.Credal, err = PlacementOf(ctx, m, d, threads)
	case m.Condensed != nil:
		from, wrong := m.Condensed.Columns(d)
		if wrong != nil {
			return nil, wrong
		}
		return m.Condensed.By.Place(ctx, from, d.Rows, threads)
	default:
		out.Labels, err = PredictColumns(ctx, m, d, threads)
	}
	return out, err
}

// inTree places the rows of a table in a condensed tree.
func inTree(ctx context.Context, m *method.Model, t *dataset.Table, threads int) (
	out *method.Outcome, rows []int32, err error) {
	c := m.Condensed
	if c.Objects.Metric == dissim.Euclidean {
		x, rows, err := m.Encoding.Apply(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		out, err = c.By.PlaceVectors(ctx, c.Objects.Rows, x, threads)
		return out, rows, err
	}
	from, n, rows, err := c.Among(ctx, t, m.Encoding)
	if err != nil {
		return nil, nil, err
	}
	out, err = c.By.Place(ctx, from, n, threads)
	return out, rows, err
}

// Placement returns the masses of the rows that the table keeps after preparation, and which rows
// those are (nil: all). The model must be credal, and of rows of tables.
func Placement(ctx context.Context, m *method.Model, t *dataset.Table, threads int) (
	p *credal.Partition, rows []int32, err error) {
	if m.Masses != nil {
		x, rows, err := m.Encoding.Apply(ctx, t)
		if err != nil {
			return nil, nil, err
		}
		p, err = byMeans(ctx, m, x, threads)
		return p, rows, err
	}
	from, n, rows, err := m.Landmarks.Among(ctx, t, m.Encoding)
	if err != nil {
		return nil, nil, err
	}
	p, err = m.Landmarks.By.Place(ctx, from, n, threads)
	return p, rows, err
}

// byMeans returns the masses of rows by their distances from the means of a model.
func byMeans(ctx context.Context, m *method.Model, x dataset.Matrix, threads int) (
	*credal.Partition, error) {
	metric, err := metricOf(m)
	if err != nil {
		return nil, err
	}
	by := m.Masses
	of := &ecm.Result{Centers: m.Means, Metric: metric, Roots: m.Roots,
		NoiseDistance: by.NoiseDistance, Barycentre: by.Barycentre}
	return of.Place(ctx, x, ecm.Config{Options: fit.Options{Threads: threads},
		Clusters: m.Means.Rows, Focal: by.Focal, SetPenalty: by.SetPenalty,
		Fuzziness: by.Fuzziness})
}

// PlacementOf returns the masses of new objects by their dissimilarities: d has a row for each, and
// a column for each fitted object or for each landmark. The model must have landmarks.
func PlacementOf(ctx context.Context, m *method.Model, d dataset.Matrix, threads int) (
	*credal.Partition, error) {
	from, err := m.Landmarks.Columns(d)
	if err != nil {
		return nil, err
	}
	return m.Landmarks.By.Place(ctx, from, d.Rows, threads)
}

// PredictColumns returns the cluster of each new object by its dissimilarities: d has a row for
// each, and a column for each fitted object or for each that the model keeps.
func PredictColumns(ctx context.Context, m *method.Model, d dataset.Matrix, threads int) ([]int,
	error) {
	from, err := m.Exemplars.Columns(d)
	if err != nil {
		return nil, err
	}
	return m.Exemplars.Place(ctx, from, d.Rows, threads)
}
