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
		l, c := r.leaves[col], r.plan.columns[col]
		if c.keep == forget && (l.Lists || l.Defined == 0) {
			continue // nothing to keep and nothing that could be missing
		}
		var err error
		switch {
		case c.keep == asNumber:
			err = p.Each(ctx, group, l, true, func(row int, g pages.Page) {
				r.store(g, l.Defined, c.slot, base+row)
			})
		case c.keep == forget:
			err = p.Each(ctx, group, l, false, func(row int, g pages.Page) {
				for i, level := range g.Levels {
					if level != l.Defined {
						b.miss(col, row+i)
					}
				}
			})
		case l.Kind == parquet.Boolean:
			err = p.Each(ctx, group, l, true, func(row int, g pages.Page) {
				r.addBooleans(b, l, col, base, row, g)
			})
		default:
			err = r.readValues(ctx, p, group, b, l, col, base)
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

// put adds a text to a column, at a row of the block.
func (r *parquetReader) put(b *block, col, base, row int, text []byte, missing bool) {
	c := &r.plan.columns[col]
	switch {
	case c.keep == asSlot && missing:
		r.values.set(base+row, c.slot, math.NaN())
	case c.keep == asSlot:
		r.values.set(base+row, c.slot, float64(b.dicts[c.part].code(text)))
	case missing:
		b.addMissing(col, row)
	default:
		b.addAt(col, row, text)
	}
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
