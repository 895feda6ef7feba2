package dataset

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/arrowfile"
)

// readArrow reads the columns of an Arrow IPC file or stream. Columns within structs are named
// "struct.column".
func readArrow(ctx context.Context, src *source, t *Table, o ReadOptions) (err error) {
	defer recoverArrow(src.name, &err)
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	limit := max(o.inflateLimit(), 64*size)
	f, err := arrowfile.Open(in, size, limit)
	if err != nil {
		return arrowFault(src.name, err)
	}
	r := &arrowReader{name: src.name, file: f}
	cols, err := r.describe(ctx, o.Plain)
	if err != nil {
		return arrowFault(src.name, err)
	}
	t.Notes = append(t.Notes, nameApart(cols, o)...)
	s, err := spreadVectors(src.name, cols, &o,
		func(col int) bool { return f.Columns[col].IsVector() },
		func(col int) (int, error) { return r.vectorWidth(ctx, col) })
	if err != nil {
		return arrowFault(src.name, err)
	}
	r.spread = s
	columns, p, err := assignRoles(src.name, s.cols, o)
	if err != nil {
		return err
	}
	if s.vector >= 0 {
		t.Notes = append(t.Notes, s.note(o.Vectors))
	}
	t.Columns, r.plan, p.single = s.mark(columns, o.Vectors), p, r.isSingle(p)
	if err := p.claim(src.name, f.Rows, limit); err != nil {
		return err
	}
	if r.values, err = allocate(src.name, f.Rows, p.width, p.single); err != nil {
		return err
	}
	groups := make([]int, len(f.Batches))
	for i, b := range f.Batches {
		groups[i] = b.Rows
	}
	blocks, err := readStripes(ctx, src, p, groups, len(f.Columns), size, o,
		func(b *block, group, base, lo, hi int) (err error) {
			defer recoverArrow(src.name, &err)
			for col := lo; col < hi; col++ {
				if err := r.read(ctx, b, group, base, col); err != nil {
					return r.fault(col, err)
				}
			}
			return nil
		})
	if err != nil {
		return err
	}
	return assemble(t, p, blocks, &r.values, nil)
}

// recoverArrow turns a panic over a damaged file into a fault.
func recoverArrow(name string, err *error) {
	if p := recover(); p != nil {
		*err = arrowFault(name, fmt.Errorf("%v", p))
	}
}

// arrowFault reports a damaged file, or a failure of the machine as it is.
func arrowFault(name string, err error) error { return damaged(name, "Arrow file", err) }

// arrowReader reads the columns of a file into a matrix.
type arrowReader struct {
	columnar
	name string
	file *arrowfile.File
	spread
}

// fault names the column of an error.
func (r *arrowReader) fault(col int, err error) error {
	err = arrowFault(r.name, err)
	var in *fault.Input
	if errors.As(err, &in) && in.Column == "" {
		in.Column = r.file.Columns[col].Name
	}
	return err
}

// describe describes the columns. Which texts are categories is decided by the first rows.
func (r *arrowReader) describe(ctx context.Context, plain bool) (cols []sampled, err error) {
	for i := range r.file.Columns {
		c := &r.file.Columns[i]
		s := sampled{name: c.Name}
		switch c.Kind {
		case arrowfile.Int, arrowfile.Float, arrowfile.Decimal, arrowfile.Duration, arrowfile.Null:
		case arrowfile.Bool:
			s.typ = Boolean
		case arrowfile.Date:
			s.typ, s.moments = Time, moments{kind: dates}
		case arrowfile.Timestamp:
			s.typ, s.moments = Time, moments{kind: stamps, zoned: c.Zone != ""}
		case arrowfile.Clock:
			s.typ, s.moments = Time, moments{kind: clocks}
		case arrowfile.Text:
		case arrowfile.Bytes:
			s.never = "holds bytes"
		case arrowfile.List:
			s.never = "holds lists"
		case arrowfile.Map:
			s.never = "holds maps"
		default:
			s.never = "holds values that are no part of a table"
		}
		switch {
		case s.never != "":
			s.typ, s.hidden = Text, true
		case c.Kind == arrowfile.Text || c.Coded():
			s.moments = moments{}
			v, err := r.sample(ctx, c)
			if err != nil {
				return nil, r.fault(i, err)
			}
			v.plain = plain
			s.typ = v.typ()
			s.observe(v)
		}
		cols = append(cols, s)
	}
	return cols, nil
}

// sample looks at the first values of a column of texts.
func (r *arrowReader) sample(ctx context.Context, c *arrowfile.Column) (*vote, error) {
	v, seen := &vote{declared: c.Kind == arrowfile.Text}, 0
	for i := range r.file.Batches {
		err := r.file.Texts(ctx, &r.file.Batches[i], c,
			func(_ int, text []byte, ok bool) error {
				if seen++; seen > sampleRows {
					return errFound
				}
				if ok {
					v.add(text)
				}
				return nil
			})
		if err == errFound {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return v, nil
}

// vectorWidth finds how many numbers the vectors of a column have.
func (r *arrowReader) vectorWidth(ctx context.Context, col int) (width int, err error) {
	c := &r.file.Columns[col]
	base := 0
	for i := range r.file.Batches {
		last := -1
		err := r.file.Lists(ctx, &r.file.Batches[i], c, maxColumns,
			func(row int, list []float64, ok bool) error {
				last = row
				if ok {
					width = len(list)
					return errFound
				}
				return nil
			})
		if err == errFound {
			return width, nil
		}
		if err != nil {
			return 0, listFault(err, r.name, c.Name, base+last+1)
		}
		base += r.file.Batches[i].Rows
	}
	return 0, &fault.Input{File: r.name, Column: c.Name, Problem: "every list is missing",
		Fix: "name another column with --vectors"}
}

// isSingle reports whether every number that is a feature is a float of 32 bits or less.
func (r *arrowReader) isSingle(p *plan) bool {
	floats := 0
	for i := range r.file.Columns {
		c := &r.file.Columns[i]
		switch {
		case i == r.vector:
			c = &arrowfile.Column{Field: *c.Item()}
		case p.columns[r.at[i]].keep != asNumber:
			continue
		}
		if c.Kind != arrowfile.Float || c.Bits > 32 || c.Coded() {
			return false
		}
		floats++
	}
	return floats > 0
}

// read reads a column of a batch, whose first row is base.
func (r *arrowReader) read(ctx context.Context, b *block, group, base, col int) error {
	batch, c, at := &r.file.Batches[group], &r.file.Columns[col], r.at[col]
	keep := r.plan.columns[at]
	if col == r.vector {
		last := -1
		put := putVectors(r.name, c.Name, r.values, keep.slot, r.spread.width, base)
		err := r.file.Lists(ctx, batch, c, r.spread.width,
			func(row int, list []float64, ok bool) error {
				last = row
				return put(row, list, ok)
			})
		return listFault(err, r.name, c.Name, base+last+1)
	}
	switch {
	case keep.keep == forget:
		return r.file.Missing(ctx, batch, c, func(row int) { b.miss(at, row) })
	case c.IsVector():
		return r.lists(ctx, b, batch, c, at, base)
	case keep.keep == asNumber && !c.Coded():
		return r.file.Numbers(ctx, batch, c, func(row int, values []float64) error {
			for i, v := range values {
				r.values.set(base+row+i, keep.slot, v)
			}
			return nil
		})
	}
	last := -1
	err := r.file.Texts(ctx, batch, c, func(row int, text []byte, ok bool) error {
		last = row
		r.put(b, at, base, row, text, !ok || isMissing(text) && keep.keep != asIDs)
		return nil
	})
	if errors.Is(err, arrowfile.ErrText) {
		return &fault.Input{File: r.name, Row: base + last + 2, Column: c.Name,
			Problem: err.Error(),
			Fix:     "write texts as UTF-8, or leave the column out (--drop)"}
	}
	return err
}

// lists keeps lists as texts.
func (r *arrowReader) lists(ctx context.Context, b *block, batch *arrowfile.Batch,
	c *arrowfile.Column, at, base int) error {
	last := -1
	var text []byte
	single := c.Item().Kind == arrowfile.Float && c.Item().Bits <= 32
	err := r.file.Lists(ctx, batch, c, maxRecord, func(row int, list []float64, ok bool) error {
		last = row
		text = appendList(text[:0], list, single)
		r.put(b, at, base, row, text, !ok)
		return nil
	})
	return listFault(err, r.name, c.Name, base+last+1)
}
