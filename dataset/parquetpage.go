package dataset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

var errRowCount = errors.New("a column has more or fewer values than the file has rows")

// readStripe reads the columns from lo to hi of a row group, whose first row is base.
func (r *parquetReader) readStripe(ctx context.Context, b *block, group, base, lo, hi int) (err error) {
	defer recoverParquet(r.name, &err)
	p := r.takeReader()
	defer r.giveBack(p)
	for col := lo; col < hi; col++ {
		l, c := r.leaves[col], r.plan.columns[col]
		if c.keep == forget && (l.lists || l.defined == 0) {
			continue // nothing to keep and nothing that could be missing
		}
		meta := &r.file.Metadata().RowGroups[group].Columns[l.index].MetaData
		var err error
		switch {
		case c.keep == asNumber:
			err = p.eachPage(ctx, meta, l, b.rows, true, func(row int, g page) {
				r.store(g, l.defined, c.slot, base+row)
			})
		case c.keep == forget:
			err = p.eachPage(ctx, meta, l, b.rows, false, func(row int, g page) {
				for i, level := range g.levels {
					if level != l.defined {
						b.miss(col, row+i)
					}
				}
			})
		case l.kind == parquet.Boolean:
			err = p.eachPage(ctx, meta, l, b.rows, true, func(row int, g page) {
				r.addBooleans(b, l, col, base, row, g)
			})
		default:
			err = r.readValues(ctx, r.file.RowGroups()[group].ColumnChunks()[l.index], b, l, col, base)
		}
		if err != nil {
			return parquetFault(r.name, err)
		}
	}
	return nil
}

// takeReader gives a reader of pages that nobody else uses, one used before if there is one.
func (r *parquetReader) takeReader() *pageReader {
	r.lock.Lock()
	defer r.lock.Unlock()
	last := len(r.idle) - 1
	if last < 0 {
		return &pageReader{pageScanner: newPageScanner(r.in)}
	}
	p := r.idle[last]
	r.idle = r.idle[:last]
	return p
}

func (r *parquetReader) giveBack(p *pageReader) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.idle = append(r.idle, p)
}

// store writes the values of a page, NaN for those missing, down a slot from a row on.
func (r *parquetReader) store(g page, defined byte, slot, row int) {
	next := 0
	for i := range g.n {
		v := math.NaN()
		if g.levels == nil || g.levels[i] == defined {
			v = g.numbers[next]
			next++
		}
		r.values.set(row+i, slot, v)
	}
}

// addBooleans adds a page of booleans to a column, row being that of the first within the block.
func (r *parquetReader) addBooleans(b *block, l leaf, col, base, row int, g page) {
	texts := [2][]byte{[]byte("false"), []byte("true")}
	next := 0
	for i := range g.n {
		var text []byte
		missing := g.levels != nil && g.levels[i] != l.defined
		if !missing {
			text = texts[int(g.numbers[next])]
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
func (r *parquetReader) readValues(ctx context.Context, chunk parquet.ColumnChunk, b *block, l leaf, col, base int) error {
	c := &r.plan.columns[col]
	rows := 0
	var text []byte
	err := eachValue(chunk, func(row int, value parquet.Value) error {
		rows = row + 1
		if rows > b.rows {
			return errRowCount
		}
		if row%encodeBlock == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		missing := value.IsNull()
		if !missing {
			var err error
			if text, err = l.text(text[:0], value); err != nil {
				return &fault.Input{File: r.name, Row: base + row + 1, Column: c.name, Problem: err.Error(), Mend: "write texts as UTF-8, or leave the column out (--drop)"}
			}
			missing = isMissing(text) && c.keep != asIDs
		}
		r.put(b, col, base, row, text, missing)
		return nil
	})
	if err == nil && rows != b.rows {
		return errRowCount
	}
	return err
}

// text writes a value as CSV would have it.
func (l leaf) text(dst []byte, v parquet.Value) ([]byte, error) {
	switch l.kind {
	case parquet.Int32:
		if l.unsigned {
			return strconv.AppendUint(dst, uint64(v.Uint32()), 10), nil
		}
		return strconv.AppendInt(dst, int64(v.Int32()), 10), nil
	case parquet.Int64:
		if l.unsigned {
			return strconv.AppendUint(dst, v.Uint64(), 10), nil
		}
		return strconv.AppendInt(dst, v.Int64(), 10), nil
	case parquet.Float:
		return strconv.AppendFloat(dst, float64(v.Float()), 'g', -1, 32), nil
	case parquet.Double:
		return strconv.AppendFloat(dst, v.Double(), 'g', -1, 64), nil
	}
	if s := v.ByteArray(); utf8.Valid(s) {
		return append(dst, s...), nil
	}
	return dst, fmt.Errorf("the text is not UTF-8")
}

// eachValue gives the values of a column chunk to do, with the row within the chunk; an error of do
// ends the loop.
func eachValue(chunk parquet.ColumnChunk, do func(row int, value parquet.Value) error) error {
	pages := chunk.Pages()
	defer pages.Close()
	var buffer [256]parquet.Value
	row := 0
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		values := page.Values()
		for {
			n, err := values.ReadValues(buffer[:])
			for _, v := range buffer[:n] {
				if e := do(row, v); e != nil {
					parquet.Release(page)
					return e
				}
				row++
			}
			if err == io.EOF || err == nil && n == 0 {
				break
			}
			if err != nil {
				parquet.Release(page)
				return err
			}
		}
		parquet.Release(page)
	}
}
