package credal

import (
	"cmp"
	"context"
	"io"
	"sync"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/columns"
	"github.com/kindred-go/kindred/internal/parallel"
)

// parquetEncoder writes each group as a row group, its columns side by side.
type parquetEncoder struct {
	w      *parquet.GenericWriter[any]
	layout *layout
	width  int     // columns
	first  int     // of the further columns that is written
	sum    *summer // of the masses; nil where they are not written
}

// newParquet writes the further columns from the first one on.
func newParquet(w io.Writer, l *layout, focal []belief.Set, more []partition.Column,
	first int) *parquetEncoder {
	further := furtherColumns(l, focal, more)
	var o columns.Ordered
	few := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	for i, node := range []parquet.Node{parquet.String(), parquet.Int(64), few, few,
		parquet.Leaf(parquet.BooleanType)} {
		o.Add(fixedColumns[i], parquet.Compressed(node, &parquet.Snappy))
	}
	// Fractions compress by a quarter at best, and that takes longer than all the rest: they stay
	// as they are.
	for j, name := range further[first:] {
		node := parquet.Leaf(parquet.DoubleType)
		if at := first + j - 3*l.c - l.f; at < -l.f { // what follows from the masses
			node = parquet.Leaf(parquet.FloatType)
		} else if at >= 0 && more[at].Values == nil {
			node = parquet.Compressed(few, &parquet.Snappy)
		}
		o.Add(name, node)
	}
	e := &parquetEncoder{
		w:      parquet.NewGenericWriter[any](w, parquet.NewSchema("credal", &o)),
		layout: l, width: o.Len(), first: first,
	}
	if first == 0 {
		e.sum = newSummer(focal)
	}
	return e
}

func (e *parquetEncoder) close() error {
	if e.sum != nil {
		e.w.SetKeyValueMetadata(digestKey, e.sum.sum().String())
	}
	return e.w.Close()
}

func (e *parquetEncoder) encode(g *group) error {
	rg := e.w.BeginRowGroup()
	columns := rg.ColumnWriters()
	errs := make([]error, e.width)
	var summing sync.WaitGroup
	if e.sum != nil {
		summing.Go(func() { e.sum.add(g.ids, g.mass) })
	}
	defer summing.Wait()
	parallel.Blocks(context.Background(), e.width, 1, 0, func(column, _, _ int) {
		errs[column] = e.encodeColumn(columns[column], g, column)
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	_, err := rg.Commit()
	return err
}

// encodeColumn writes the values of a column.
func (e *parquetEncoder) encodeColumn(w *parquet.ColumnWriter, g *group, column int) error {
	n, l := len(g.ids), e.layout
	switch column {
	case 0:
		return writeValues(w, n, texts(g.ids))
	case 1:
		return writeValues(w, n,
			func(i int) parquet.Value { return parquet.Int64Value(int64(g.cluster[i])) })
	case 2:
		return writeValues(w, n, setValues(g.lower))
	case 3:
		return writeValues(w, n, setValues(g.upper))
	case 4:
		return writeValues(w, n,
			func(i int) parquet.Value { return parquet.BooleanValue(g.outlier[i]) })
	}
	column += e.first - len(fixedColumns)
	if of := g.texts(l, column); of != nil {
		return writeValues(w, n, texts(of))
	}
	value := parquet.DoubleValue
	if column < 3*l.c { // what follows from the masses
		value = func(v float64) parquet.Value { return parquet.FloatValue(float32(v)) }
	}
	return writeValues(w, n,
		func(i int) parquet.Value { return value(g.number(l, i, column)) })
}

// valueBlock is how many values are handed over at a time.
const valueBlock = 1024

func writeValues(w *parquet.ColumnWriter, n int, value func(i int) parquet.Value) error {
	var block [valueBlock]parquet.Value
	for lo := 0; lo < n; lo += valueBlock {
		part := block[:min(valueBlock, n-lo)]
		for i := range part {
			part[i] = value(lo + i)
		}
		if _, err := w.WriteRowValues(part); err != nil {
			return err
		}
	}
	return w.Close()
}

// texts makes values of texts, all in one piece of memory.
func texts(of []string) func(i int) parquet.Value {
	size := 0
	for _, s := range of {
		size += len(s)
	}
	all := make([]byte, 0, size)
	return func(i int) parquet.Value {
		start := len(all)
		all = append(all, of[i]...)
		return parquet.ByteArrayValue(all[start:])
	}
}

// setValues makes values of sets, the text of each set once.
func setValues(sets []belief.Set) func(i int) parquet.Value {
	text := map[belief.Set]parquet.Value{}
	return func(i int) parquet.Value {
		v, ok := text[sets[i]]
		if !ok {
			v = parquet.ByteArrayValue(appendSet([]byte{}, sets[i]))
			text[sets[i]] = v
		}
		return v
	}
}
