package input

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
)

// cosine reports whether rows are compared by cosine.
func (s *Source) cosine() bool {
	m, err := dissim.ParseMetric(s.Metric)
	return err == nil && m == dissim.Cosine
}

// scaling returns how the features of a table are scaled: as --scale states, and else to [0, 1],
// unless lengths and angles mean something as they are. That is so for vectors (of --embedding,
// texts, pictures, a column of lists), for an embedding (see [dataset.Table.Embedding]) and for
// --metric cosine. Why is a sentence on it for a summary; "" where there is nothing to explain.
func (s *Source) scaling(t *dataset.Table, vectors bool) (how dataset.Scale, why string) {
	if s.Scale != "" {
		how, _ = dataset.ParseScale(s.Scale) // which Preparation reports
		return how, ""
	}
	switch {
	case vectors, s.Unscaled && allNumbers(t):
		return dataset.ScaleNone, ""
	case s.Plain || s.scaled:
		return dataset.ScaleMinMax, ""
	case t.Embedding():
		return dataset.ScaleNone, "an array of " + words.Count(len(t.Features()), "column") +
			" is taken as vectors, which are not scaled: --scale minmax scales each column"
	case s.cosine():
		return dataset.ScaleNone, "columns are not scaled, as cosine compares directions: " +
			"--scale minmax scales them first"
	}
	return dataset.ScaleMinMax, ""
}

// allNumbers reports whether the features of a table are all numbers or booleans.
func allNumbers(t *dataset.Table) bool {
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Role == dataset.Feature && c.Type != dataset.Number && c.Type != dataset.Boolean {
			return false
		}
	}
	return true
}

// prepare makes d.Ready of a table; vectors means that its features are vectors that were made or
// named as such.
func (d *Data) prepare(ctx context.Context, t *dataset.Table, vectors, consume bool) error {
	o, err := d.source.Preparation(consume)
	if err != nil {
		return err
	}
	var why string
	o.Scale, why = d.source.scaling(t, vectors)
	o.Unit = d.source.unit
	if t != d.Table { // rows of it are those that are kept
		o.ID, o.Missing = d.ID, dataset.MissingRefuse
	}
	if d.Ready, err = t.Prepare(ctx, o); err != nil {
		return err
	}
	d.scaledBy = o.Scale
	if why != "" {
		d.Ready.Notes = append(d.Ready.Notes, why)
	}
	return nil
}
