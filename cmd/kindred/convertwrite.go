package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/columns"
)

// convertRows is how many rows are written between two looks at the context.
const convertRows = 1024

// tableFormat returns the format that a table written to path has.
func tableFormat(path string) (dataset.Format, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return dataset.FormatCSV, nil
	case ".tsv":
		return dataset.FormatTSV, nil
	case ".npy":
		return dataset.FormatNPY, nil
	case ".parquet":
		return dataset.FormatParquet, nil
	case ".jsonl", ".ndjson":
		return dataset.FormatJSONL, nil
	}
	return "", &fault.Input{File: path, Problem: "the name does not tell the format to write",
		Fix: "end it with .csv, .tsv, .npy, .parquet or .jsonl"}
}

// kind is how the values of a column are written.
type kind uint8

const (
	asText kind = iota
	asNumber
	asBoolean
)

// written returns the columns of a table that are written: all but those dropped. One whose values
// cannot be written is refused.
func written(t *dataset.Table, dropped []string) ([]int, error) {
	var kept []int
	var refused []string
	for j, c := range t.Columns {
		switch {
		case slices.Contains(dropped, c.Name):
		case t.Hidden(j) != "" && c.Missing < t.Rows:
			refused = append(refused, c.Name)
		default:
			kept = append(kept, j)
		}
	}
	if len(refused) > 0 {
		column := refused[0]
		return nil, &fault.Input{
			File: t.Name, Column: column,
			Problem: "cannot be written: it " + t.Hidden(t.Column(column)),
			Fix: "leave out what cannot be written with --drop " +
				strings.Join(slices.Concat(dropped, refused), ",") +
				", or write it as numbers or texts first",
		}
	}
	if len(kept) == 0 {
		return nil, &fault.Input{
			File: t.Name, Problem: "every column is dropped",
			Fix: "leave those to write out of --drop",
		}
	}
	return kept, nil
}

// kinds returns how each of the columns is written. A column that is kept as text although it holds
// numbers, such as an id, stays text.
func kinds(t *dataset.Table, cols []int) []kind {
	out := make([]kind, len(cols))
	for i, j := range cols {
		c := &t.Columns[j]
		switch {
		case c.Role != dataset.Feature:
		case c.Type == dataset.Number:
			out[i] = asNumber
		case c.Type == dataset.Boolean:
			out[i] = asBoolean
		}
	}
	return out
}

// truth reads a boolean as files write it.
func truth(cell string) bool {
	switch strings.ToLower(cell) {
	case "true", "yes", "t", "y", "1":
		return true
	}
	return false
}

// writeTable writes columns of a table; progress hears the share done.
func writeTable(ctx context.Context, w io.Writer, format dataset.Format, t *dataset.Table,
	cols []int, progress func(float64)) error {
	b := bufio.NewWriterSize(w, 1<<18)
	var row func(i int) error
	end := func() error { return nil }
	switch format {
	case dataset.FormatParquet:
		p, err := newParquetTable(b, t, cols)
		if err != nil {
			return err
		}
		row, end = p.row, p.w.Close
	case dataset.FormatJSONL:
		row = jsonRows(b, t, cols)
	default:
		c := csv.NewWriter(b)
		if format == dataset.FormatTSV {
			c.Comma = '\t'
		}
		record := make([]string, len(cols))
		for k, j := range cols {
			record[k] = t.Columns[j].Name
		}
		if err := c.Write(record); err != nil {
			return err
		}
		row = func(i int) error {
			for k, j := range cols {
				record[k] = t.Cell(i, j)
			}
			return c.Write(record)
		}
		end = func() error { c.Flush(); return c.Error() }
	}
	for i := range t.Rows {
		if i%convertRows == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress(float64(i) / float64(t.Rows))
		}
		if err := row(i); err != nil {
			return err
		}
	}
	if err := end(); err != nil {
		return err
	}
	return b.Flush()
}

// jsonRows writes a row as a JSON object; a missing value is null.
func jsonRows(b *bufio.Writer, t *dataset.Table, cols []int) func(i int) error {
	as := kinds(t, cols)
	names := make([][]byte, len(cols))
	for k, j := range cols {
		names[k], _ = json.Marshal(t.Columns[j].Name) // a string is always JSON
	}
	return func(i int) error {
		for k, j := range cols {
			b.WriteByte("{,"[min(k, 1)])
			b.Write(names[k])
			b.WriteByte(':')
			cell := t.Cell(i, j)
			switch {
			case cell == "":
				b.WriteString("null")
			case as[k] == asNumber:
				b.WriteString(cell)
			case as[k] == asBoolean:
				b.WriteString(strconv.FormatBool(truth(cell)))
			default:
				text, _ := json.Marshal(cell)
				b.Write(text)
			}
		}
		_, err := b.WriteString("}\n")
		return err
	}
}

// parquetTable writes rows of a table as Parquet.
type parquetTable struct {
	w     *parquet.GenericWriter[any]
	t     *dataset.Table
	cols  []int
	as    []kind
	cells parquet.Row
}

func newParquetTable(w io.Writer, t *dataset.Table, cols []int) (*parquetTable, error) {
	var o columns.Ordered
	p := &parquetTable{t: t, cols: cols, as: kinds(t, cols), cells: make(parquet.Row, len(cols))}
	for k, j := range cols {
		c := &t.Columns[j]
		node := parquet.String()
		switch p.as[k] {
		case asNumber:
			node = parquet.Leaf(parquet.DoubleType)
		case asBoolean:
			node = parquet.Leaf(parquet.BooleanType)
		}
		if o.Has(c.Name) || c.Name == "" {
			return nil, &fault.Input{File: t.Name, Column: c.Name,
				Problem: "Parquet needs a name of its own for each column", Fix: "name the columns"}
		}
		o.Add(c.Name, parquet.Compressed(parquet.Optional(node), &parquet.Zstd))
	}
	p.w = parquet.NewGenericWriter[any](w, parquet.NewSchema("table", &o))
	return p, nil
}

func (p *parquetTable) row(i int) error {
	for k, j := range p.cols {
		cell := p.t.Cell(i, j)
		if cell == "" {
			p.cells[k] = parquet.NullValue().Level(0, 0, k)
			continue
		}
		v := parquet.ByteArrayValue([]byte(cell))
		switch p.as[k] {
		case asNumber:
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return err
			}
			v = parquet.DoubleValue(x)
		case asBoolean:
			v = parquet.BooleanValue(truth(cell))
		}
		p.cells[k] = v.Level(0, 1, k)
	}
	_, err := p.w.WriteRows([]parquet.Row{p.cells})
	return err
}

// writeNPY writes a matrix as NumPy does, version 1.0 of the format, in its own type.
func writeNPY(ctx context.Context, w io.Writer, x dataset.Matrix, progress func(float64)) error {
	kind := "<f8"
	if x.Single() {
		kind = "<f4"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", kind,
		x.Rows, x.Cols)
	const fixed = 10 // bytes before the text
	head += strings.Repeat(" ", (64-(fixed+len(head)+1)%64)%64) + "\n"
	b := bufio.NewWriterSize(w, 1<<18)
	b.WriteString("\x93NUMPY\x01\x00")
	b.Write(binary.LittleEndian.AppendUint16(nil, uint16(len(head))))
	b.WriteString(head)
	var row []byte
	for i := range x.Rows {
		if i%convertRows == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			progress(float64(i) / float64(x.Rows))
		}
		row = row[:0]
		for j := range x.Cols {
			if x.Single() {
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(x.F32[i*x.Cols+j]))
			} else {
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(x.F64[i*x.Cols+j]))
			}
		}
		if _, err := b.Write(row); err != nil {
			return err
		}
	}
	return b.Flush()
}
