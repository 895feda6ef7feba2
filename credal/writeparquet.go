package credal

import (
	"context"
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/belief"
	"github.com/kindred-go/kindred/internal/parallel"
)

// parquetEncoder writes each group as a row group, its columns side by side.
type parquetEncoder struct {
	w      *parquet.GenericWriter[any]
	layout *layout
	width  int // columns
}

// ordered is a group of columns in an order of its own, as parquet.Group sorts them by name.
type ordered struct {
	parquet.Group
	names []string
}

// Fields gives the columns in their order.
func (o ordered) Fields() []parquet.Field {
	byName := map[string]parquet.Field{}
	for _, f := range o.Group.Fields() {
		byName[f.Name()] = f
	}
	fields := make([]parquet.Field, len(o.names))
	for i, name := range o.names {
		fields[i] = byName[name]
	}
	return fields
}

func newParquet(w io.Writer, l *layout, focal []belief.Set) *parquetEncoder {
	numbers := numberColumns(l, focal)
	o := ordered{Group: parquet.Group{}, names: append(fixedColumns[:len(fixedColumns):len(fixedColumns)], numbers...)}
	few := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	for i, node := range []parquet.Node{parquet.String(), parquet.Int(64), few, few, parquet.Leaf(parquet.BooleanType)} {
		o.Group[fixedColumns[i]] = node
	}
	for _, name := range numbers {
		o.Group[name] = parquet.Leaf(parquet.DoubleType)
	}
	return &parquetEncoder{
		w:      parquet.NewGenericWriter[any](w, parquet.NewSchema("credal", o), parquet.Compression(&parquet.Snappy)),
		layout: l, width: len(o.names),
	}
}

func (e *parquetEncoder) close() error { return e.w.Close() }

func (e *parquetEncoder) encode(g *group) error {
	rg := e.w.BeginRowGroup()
	columns := rg.ColumnWriters()
	errs := make([]error, e.width)
	parallel.Blocks(context.Background(), e.width, 1, 0, func(column, _, _ int) {
		errs[column] = e.encodeColumn(columns[column], g, column)
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	_, err := rg.Commit()
	return err
}

// encodeColumn writes the values of a column, some thousand at a time.
func (e *parquetEncoder) encodeColumn(w *parquet.ColumnWriter, g *group, column int) error {
	value := e.values(g, column)
	var block [2048]parquet.Value
	for lo := 0; lo < len(g.ids); lo += len(block) {
		part := block[:min(len(block), len(g.ids)-lo)]
		for i := range part {
			part[i] = value(lo+i).Level(0, 0, column)
		}
		if _, err := w.WriteRowValues(part); err != nil {
			return err
		}
	}
	return w.Close()
}

// values gives what makes the value of a row in a column.
func (e *parquetEncoder) values(g *group, column int) func(i int) parquet.Value {
	l := e.layout
	number := func(from []float64, width, offset int) func(i int) parquet.Value {
		return func(i int) parquet.Value { return parquet.DoubleValue(from[i*width+offset]) }
	}
	switch column {
	case 0:
		return func(i int) parquet.Value { return parquet.ByteArrayValue([]byte(g.ids[i])) }
	case 1:
		return func(i int) parquet.Value { return parquet.Int64Value(int64(g.cluster[i])) }
	case 2:
		return e.sets(g.lower)
	case 3:
		return e.sets(g.upper)
	case 4:
		return func(i int) parquet.Value { return parquet.BooleanValue(g.outlier[i]) }
	}
	column -= len(fixedColumns)
	switch kind, k := column/l.c, column%l.c; kind {
	case 0:
		return number(g.pl, l.c, k)
	case 1:
		return func(i int) parquet.Value { return parquet.DoubleValue(g.belief(l, i, k)) }
	case 2:
		return number(g.betp, l.c, k)
	}
	return number(g.mass, l.f, column-3*l.c)
}

// sets makes values of sets, the text of each set once.
func (e *parquetEncoder) sets(sets []belief.Set) func(i int) parquet.Value {
	text := map[belief.Set]parquet.Value{}
	return func(i int) parquet.Value {
		v, ok := text[sets[i]]
		if !ok {
			v = parquet.ByteArrayValue(appendSet([]byte{}, sets[i], e.layout.c))
			text[sets[i]] = v
		}
		return v
	}
}
