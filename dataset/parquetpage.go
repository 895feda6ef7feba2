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
func (r *parquetReader) readStripe(ctx context.Context, b *block, group parquet.RowGroup, base, lo, hi int) (err error) {
	defer recoverParquet(r.name, &err)
	for col := lo; col < hi; col++ {
		l, c := r.leaves[col], r.plan.columns[col]
		if c.keep == forget && (l.skip || l.defined == 0 && l.kind != parquet.ByteArray) {
			continue // nothing to keep and nothing that could be missing
		}
		chunk := group.ColumnChunks()[l.index]
		var err error
		if c.keep == asNumber {
			err = r.readNumbers(ctx, chunk, l, c.slot, base, b.rows)
		} else {
			err = r.readValues(ctx, chunk, b, l, col, base)
		}
		if err != nil {
			return parquetFault(r.name, err)
		}
	}
	return nil
}

// readNumbers reads a column of numbers into a slot, page by page, without boxing the values.
func (r *parquetReader) readNumbers(ctx context.Context, chunk parquet.ColumnChunk, l leaf, slot, base, rows int) error {
	pages := chunk.Pages()
	defer pages.Close()
	row := 0
	var numbers, dictionary []float64
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := pages.ReadPage()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		n := int(page.NumValues())
		if n > rows-row {
			parquet.Release(page)
			return errRowCount
		}
		data := page.Data()
		if d := page.Dictionary(); d != nil {
			if dictionary == nil {
				values := d.Page().Data()
				dictionary = l.numbers(nil, &values)
			}
			numbers = numbers[:0]
			for _, i := range data.Int32() {
				numbers = append(numbers, dictionary[i]) // an index that is out of range panics, which is caught
			}
		} else {
			numbers = l.numbers(numbers[:0], &data)
		}
		err = r.store(numbers, page.DefinitionLevels(), l.defined, n, slot, base+row)
		parquet.Release(page)
		if err != nil {
			return err
		}
		row += n
	}
	if row != rows {
		return errRowCount
	}
	return nil
}

// numbers appends the plain values of a page.
func (l leaf) numbers(dst []float64, data *parquetValues) []float64 {
	switch l.kind {
	case parquet.Double:
		return append(dst, data.Double()...)
	case parquet.Float:
		for _, v := range data.Float() {
			dst = append(dst, float64(v))
		}
	case parquet.Int32:
		for _, v := range data.Int32() {
			if l.unsigned {
				dst = append(dst, float64(uint32(v)))
			} else {
				dst = append(dst, float64(v))
			}
		}
	case parquet.Int64:
		for _, v := range data.Int64() {
			if l.unsigned {
				dst = append(dst, float64(uint64(v)))
			} else {
				dst = append(dst, float64(v))
			}
		}
	}
	return dst
}

// store writes n values, NaN for those not defined, down a slot from a row on.
func (r *parquetReader) store(numbers []float64, levels []byte, defined byte, n, slot, row int) error {
	if defined == 0 && len(numbers) != n || defined > 0 && len(levels) != n {
		return errRowCount
	}
	next := 0
	for i := range n {
		v := math.NaN()
		if defined == 0 || levels[i] == defined {
			if next == len(numbers) {
				return errRowCount
			}
			v = numbers[next]
			next++
		}
		r.values.set(row+i, slot, v)
	}
	return nil
}

// readValues reads a column of texts or booleans, or one that is kept as text.
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
				return &fault.Input{File: r.name, Row: base + row + 1, Column: c.name, Problem: err.Error(), Mend: "write texts as UTF-8"}
			}
			missing = isMissing(text) && c.keep != asIDs
		}
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
	case parquet.Boolean:
		return strconv.AppendBool(dst, v.Boolean()), nil
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
