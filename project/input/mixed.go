package input

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval/describe"
)

// OfVector reports whether a column of Ready.X is a number of a vector that stands beside features,
// which means nothing to a person by itself.
func (d *Data) OfVector(column int) bool {
	c := d.Table.Column(d.Ready.Names[column])
	return c >= 0 && d.Table.Columns[c].Vector != ""
}

// Mixed reports whether vectors of texts or pictures stand beside features.
func (d *Data) Mixed() bool { return d.read != nil }

// Telling returns for each cluster the features that set it apart, as [describe.Traits] does, but
// for numbers of vectors, and one of each column of the table: at most so many. Nil where columns
// mean nothing to a person.
func (d *Data) Telling(ctx context.Context, labels []int, most int) ([]describe.Group, error) {
	if d.Ready == nil || d.Opaque() || d.Kind() != "fields" && !d.Mixed() {
		return nil, nil
	}
	groups, err := describe.Traits(ctx, d.Ready.X, labels, d.Ready.X.Cols)
	if err != nil {
		return nil, err
	}
	var sources []string // of the features
	for i := range d.Ready.Encoding.Columns {
		c := &d.Ready.Encoding.Columns[i]
		sources = append(sources, slices.Repeat([]string{c.Source}, c.Width())...)
	}
	for i := range groups {
		var told []string
		groups[i].Traits = slices.DeleteFunc(groups[i].Traits, func(t describe.Trait) bool {
			source := sources[t.Feature]
			if len(told) == most || slices.Contains(told, source) || d.OfVector(t.Feature) {
				return true
			}
			told = append(told, source)
			return false
		})
	}
	return groups, nil
}

// blocks returns the columns of Ready.X that are the numbers of one text, or of one picture, beside
// features; nil where there are none.
func (d *Data) blocks() [][]int {
	if d.read == nil {
		return nil
	}
	var block []int
	for j := range d.Ready.X.Cols {
		if d.OfVector(j) {
			block = append(block, j)
		}
	}
	if block == nil {
		return nil
	}
	return [][]int{block}
}

// noteLeft notes the rows that lack a text or a picture, unless these stand beside features: then
// they are counted with the rows that lack other values.
func (d *Data) noteLeft() {
	if !d.source.mixed() {
		d.notes = append(d.notes, d.left()...)
	}
}

// mix prepares the vectors of the texts or pictures of the rows that are kept beside the features of
// the table.
func (d *Data) mix(ctx context.Context, x dataset.Matrix) error {
	t, err := d.Table.WithVectors(ctx, d.source.Text+d.source.Images, x, d.kept)
	if err != nil {
		return err
	}
	at := make(map[int]int, x.Rows) // of a row of the table
	for i := range x.Rows {
		at[d.At(i)] = i
	}
	d.read, d.Table = d.Table, t
	if err := d.prepare(ctx, t, false, false); err != nil {
		return err
	}
	d.kept = d.Ready.Rows
	for _, of := range []*[]string{&d.texts, &d.images} {
		if *of == nil {
			continue
		}
		left := make([]string, d.Ready.X.Rows)
		for i := range left {
			left[i] = (*of)[at[d.At(i)]]
		}
		*of = left
	}
	d.index()
	d.view()
	return d.classify()
}
