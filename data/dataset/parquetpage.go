package dataset

import (
	"context"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages"
)

// readStripe reads the columns from lo to hi of a row group, whose first row is base.
func (r *parquetReader) readStripe(ctx context.Context, b *block, group, base, lo,
	hi int) (err error) {
	defer pages.Recover(r.name, &err)
	p := r.takeReader()
	defer r.giveBack(p)
	for col := lo; col < hi; col++ {
		l, at := r.leaves[col], r.at[col]
		c := r.plan.columns[at]
		if c.keep == forget && (l.Lists || l.Defined == 0) {
			continue // nothing to keep and nothing that could be missing
		}
		var err error
		switch {
		case col == r.vector:
			err = r.readLists(ctx, p, group, l, base, l.Name, r.width,
				putVectors(r.name, l.Name, r.values, c.slot, r.width, base))
		case l.Vector:
			var text []byte
			err = r.readLists(ctx, p, group, l, base, l.Name, maxRecord,
				func(row int, list []float64, ok bool) error {
					text = appendList(text[:0], list, l.Kind == parquet.Float)
					r.put(b, at, base, row, text, !ok)
					return nil
				})
		case c.keep == asNumber && l.Never == "":
			err = p.Each(ctx, group, l, true, func(row int, g pages.Page) {
				r.store(g, l.Defined, c.slot, base+row)
			})
		case c.keep == forget:
			err = p.Each(ctx, group, l, false, func(row int, g pages.Page) {
				for i, level := range g.Levels {
					if level != l.Defined {
						b.miss(at, row+i)
					}
				}
			})
		case l.Kind == parquet.Boolean:
			err = p.Each(ctx, group, l, true, func(row int, g pages.Page) {
				r.addBooleans(b, l, at, base, row, g)
			})
		default:
			err = r.readValues(ctx, p, group, b, l, at, base)
		}
		if err != nil {
			return pages.Fault(r.name, err)
		}
	}
	return nil
}

// takeReader returns a reader of pages that nobody else uses, one used before if there is one.
func (r *parquetReader) takeReader() *pages.Reader {
	r.lock.Lock()
	defer r.lock.Unlock()
	last := len(r.idle) - 1
	if last < 0 {
		return pages.NewReader(r.file, r.in)
	}
	p := r.idle[last]
	r.idle = r.idle[:last]
	return p
}

func (r *parquetReader) giveBack(p *pages.Reader) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.idle = append(r.idle, p)
}

// store writes the values of a page, NaN for those missing, down a slot from a row on.
func (r *parquetReader) store(g pages.Page, defined byte, slot, row int) {
	next := 0
	for i := range g.N {
		v := math.NaN()
		if g.Levels == nil || g.Levels[i] == defined {
			v = g.Numbers[next]
			next++
		}
		r.values.set(row+i, slot, v)
	}
}

// addBooleans adds a page of booleans to a column, row being that of the first within the block.
func (r *parquetReader) addBooleans(b *block, l pages.Leaf, col, base, row int, g pages.Page) {
	texts := [2][]byte{[]byte("false"), []byte("true")}
	next := 0
	for i := range g.N {
		var text []byte
		missing := g.Levels != nil && g.Levels[i] != l.Defined
		if !missing {
			text = texts[int(g.Numbers[next])]
			next++
		}
		r.put(b, col, base, row+i, text, missing)
	}
}

// readLists passes the lists of a column to put, and gives their faults a place.
func (r *parquetReader) readLists(ctx context.Context, p *pages.Reader, group int, l pages.Leaf,
	base int, column string, most int, put func(row int, list []float64, ok bool) error) error {
	last := -1
	err := p.Lists(ctx, group, l, most, func(row int, list []float64, ok bool) error {
		last = row
		return put(row, list, ok)
	})
	return listFault(err, r.name, column, base+last+1)
}

// readValues reads a column of texts, or one of numbers that is kept as text.
func (r *parquetReader) readValues(ctx context.Context, p *pages.Reader, group int, b *block,
	l pages.Leaf, col, base int) error {
	c := &r.plan.columns[col]
	values, err := p.Values(group, l, 0)
	if err != nil {
		return err
	}
	var text []byte
	for row := 0; ; row++ {
		if row%encodeBlock == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		value, ok, err := values.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		moment, _ := l.Moment()
		if (moment != pages.NoTime || l.IsDuration()) && c.keep == asNumber {
			v := math.NaN()
			if ok {
				v = l.Seconds(value)
			}
			r.values.set(base+row, c.slot, v)
			continue
		}
		if ok {
			if text, err = l.Text(text[:0], value); err != nil {
				return &fault.Input{File: r.name, Row: base + row + 1, Column: c.name,
					Problem: err.Error(),
					Fix:     "write texts as UTF-8, or leave the column out (--drop)"}
			}
			ok = !isMissing(text) || c.keep == asIDs
		}
		r.put(b, col, base, row, text, !ok)
	}
}
