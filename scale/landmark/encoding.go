package landmark

import (
	"fmt"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/shard"
)

// encodingOf says of the preparation of a source what a model says of the preparation of a table.
func encodingOf(src shard.Source, scale string) (dataset.Encoding, error) {
	p := src.Prepare
	e := dataset.Encoding{Scale: dataset.ScaleNone, Single: src.Single}
	var err error
	if p.Shift != nil {
		e.Scale = dataset.ScaleMinMax
		if scale != "" {
			if e.Scale, err = dataset.ParseScale(scale); err != nil {
				return e, err
			}
		}
	}
	if p.Missing != "" {
		if e.Missing, err = dataset.ParseMissing(p.Missing); err != nil {
			return e, err
		}
	}
	for j, name := range src.Columns {
		c := dataset.EncodedColumn{Source: name, Type: dataset.Number}
		if p.Shift != nil {
			c.Shift, c.Divisor = []float64{p.Shift[j]}, []float64{p.Divisor[j]}
		}
		if p.Fill != nil {
			fill := p.Fill[j]
			c.Fill = &fill
		}
		e.Columns = append(e.Columns, c)
	}
	return e, e.Check()
}

// prepared gives the source with the columns and the preparation of a model.
func prepared(src shard.Source, e dataset.Encoding) (shard.Source, error) {
	p := shard.Preparation{Missing: e.Missing.String()}
	src.Columns, src.Single = nil, e.Single
	for _, c := range e.Columns {
		if c.Type == dataset.Category {
			return src, &fault.Input{Column: c.Source, Problem: "the model takes a category, and rows of many files are numbers alone", Mend: "make a model of columns of numbers"}
		}
		src.Columns = append(src.Columns, c.Source)
		if e.Scale != dataset.ScaleNone {
			p.Shift, p.Divisor = append(p.Shift, c.Shift...), append(p.Divisor, c.Divisor...)
		}
		if c.Fill != nil {
			p.Fill = append(p.Fill, *c.Fill)
		}
	}
	switch {
	case p.Fill == nil && e.Missing != dataset.MissingDrop:
		p.Missing = shard.MissingRefuse
	case p.Fill != nil && len(p.Fill) != len(src.Columns):
		return src, fmt.Errorf("landmark: the model fills in %d of %d columns", len(p.Fill), len(src.Columns))
	case p.Fill != nil:
		p.Missing = shard.MissingMean
	}
	src.Prepare = p
	return src, nil
}
