// Package recipe turns how a source prepares its rows into what a model file has of it, and back.
package recipe

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/shard"
)

// Of returns the encoding of a source that is planned and prepared by a scaling: none, minmax or
// zscore; "": none.
func Of(src shard.Source, scale string) (dataset.Encoding, error) {
	p := src.Prepare
	e := dataset.Encoding{Single: src.Single}
	var err error
	if e.Scale, err = dataset.ParseScale(cmp.Or(scale, "none")); err != nil {
		return e, err
	}
	if e.Missing, err = dataset.ParseMissing(cmp.Or(p.Missing, shard.MissingRefuse)); err != nil {
		return e, err
	}
	for j, name := range src.Columns {
		c := dataset.EncodedColumn{Source: name, Type: dataset.Number}
		if slices.Contains(src.Booleans, name) {
			c.Type = dataset.Boolean
		}
		if p.Shift != nil {
			c.Shift, c.Divisor = []float64{p.Shift[j]}, []float64{p.Divisor[j]}
		}
		if p.Fill != nil {
			c.Fill = &p.Fill[j]
		}
		e.Columns = append(e.Columns, c)
	}
	return e, e.Check()
}

// Apply returns a source with the columns and the preparation of an encoding. One of categories or
// times is a *fault.Input.
func Apply(src shard.Source, e dataset.Encoding) (shard.Source, error) {
	p := shard.Preparation{Missing: e.Missing.String()}
	if e.Unit {
		return src, &fault.Input{Problem: "the model compares rows by cosine, and those of many " +
			"files are not brought to length 1", Fix: "make a model without --metric cosine"}
	}
	src.Columns, src.Ignore, src.Single, src.Booleans = nil, nil, e.Single, nil
	for _, c := range e.Columns {
		if c.Type == dataset.Category {
			return src, &fault.Input{Column: c.Source,
				Problem: "the model takes it for a category, and the columns of many files are " +
					"numbers", Fix: "make a model of numbers alone"}
		}
		if c.Type == dataset.Time {
			return src, &fault.Input{Column: c.Source,
				Problem: "the model takes it for dates or times, and the columns of many files " +
					"are numbers", Fix: "make a model of numbers alone"}
		}
		if c.Weight != 0 {
			return src, &fault.Input{Column: c.Source,
				Problem: "the model weighs it, and the columns of many files are not weighed",
				Fix:     "make a model without --column-weights"}
		}
		src.Columns = append(src.Columns, c.Source)
		if c.Type == dataset.Boolean {
			src.Booleans = append(src.Booleans, c.Source)
		}
		if e.Scale != dataset.ScaleNone {
			p.Shift, p.Divisor = append(p.Shift, c.Shift...), append(p.Divisor, c.Divisor...)
		}
		if c.Fill != nil {
			p.Fill = append(p.Fill, *c.Fill)
		}
	}
	switch {
	case e.Missing == dataset.MissingDrop:
		p.Fill = nil
	case e.Imputation != nil: // which looks at whole rows
		p.Fill, p.Missing = nil, shard.MissingRefuse
	case p.Fill == nil:
		p.Missing = shard.MissingRefuse
	case len(p.Fill) != len(src.Columns):
		return src, fault.Inputf("make it again with --missing mean",
			"the model fills in %d of %d columns", len(p.Fill), len(src.Columns))
	default:
		p.Missing = shard.MissingMean // a median is a value to fill in like a mean
	}
	src.Prepare = p
	return src, nil
}
