package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/outline"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/columns"
	"github.com/kindred-go/kindred/internal/words"
)

// convertRows is how many rows are written between two looks at the context.
const convertRows = 1024

// tableFormat returns the format that a table written to path has.
func tableFormat(path string) (dataset.Format, error) {
	format, ok := map[string]dataset.Format{".csv": dataset.FormatCSV, ".tsv": dataset.FormatTSV,
		".npy": dataset.FormatNPY, ".parquet": dataset.FormatParquet, ".jsonl": dataset.FormatJSONL,
		".ndjson": dataset.FormatJSONL}[strings.ToLower(filepath.Ext(path))]
	if ok {
		return format, nil
	}
	return "", fault.Inputf("end it with .csv, .tsv, .npy, .parquet or .jsonl",
		"the name does not tell the format to write").In(path)
}

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
		in := &fault.Input{
			File: t.Name, Column: column,
			Problem: "cannot be written: it " + t.Hidden(t.Column(column)),
			Fix: "leave out what cannot be written with --drop " +
				words.Shell(strings.Join(slices.Concat(dropped, refused), ",")) +
				", or write it as numbers or texts first",
		}
		if t.HoldsVectors(t.Column(column)) {
			in.Fix = "write each number as a column with --vectors " + words.Shell(column) +
				", or leave out " +
				"what cannot be written with --drop " +
				words.Shell(strings.Join(slices.Concat(dropped, refused), ","))
		}
		return nil, in
	}
	if len(kept) == 0 {
		return nil, fault.Inputf("leave those to write out of --drop",
			"every column is dropped").In(t.Name)
	}
	return kept, nil
}

// kind is how the values of a column are written.
type kind uint8

const (
	asText kind = iota
	asNumber
	asBoolean
)

// typedCells returns how each of the columns is written, whatever its role, and its values. Numbers
// stay text where one of them cannot be written as a number without a loss.
func typedCells(t *dataset.Table, cols []int) (as []kind, cells []func(row int) string) {
	as, cells = make([]kind, len(cols)), make([]func(int) string, len(cols))
	for k, j := range cols {
		c := &t.Columns[j]
		cells[k] = func(row int) string { return t.Cell(row, j) }
		switch truth := c.Truth(); {
		case truth != nil:
			as[k] = asBoolean
			cells[k] = func(row int) string {
				cell := t.Cell(row, j)
				if cell == "" {
					return ""
				}
				return strconv.FormatBool(truth[cell])
			}
		case c.Type == dataset.Number && allNumbers(t, j):
			as[k] = asNumber
			cells[k] = func(row int) string {
				switch v, _ := t.Number(row, j); {
				case math.IsNaN(v):
					return ""
				case v == math.Trunc(v) && math.Abs(v) < 1<<53: // as ids are written
					return strconv.FormatFloat(v, 'f', -1, 64)
				case t.HasValues(j):
					return t.Cell(row, j)
				default:
					return strconv.FormatFloat(v, 'g', -1, 64)
				}
			}
		}
	}
	return as, cells
}

// allNumbers reports whether all values of a column are numbers that can be written as such.
func allNumbers(t *dataset.Table, col int) bool {
	for row := range t.Rows {
		if _, ok := t.Number(row, col); !ok {
			return false
		}
	}
	return true
}

// writeTable writes columns of a table, and calls progress with the share done.
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
		row, end = p.write, p.w.Close
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
	as, cells := typedCells(t, cols)
	names := make([][]byte, len(cols))
	for k, j := range cols {
		names[k], _ = json.Marshal(t.Columns[j].Name) // a string is always JSON
	}
	return func(i int) error {
		for k := range cols {
			b.WriteByte("{,"[min(k, 1)])
			b.Write(names[k])
			b.WriteByte(':')
			switch cell := cells[k](i); {
			case cell == "":
				b.WriteString("null")
			case as[k] != asText:
				b.WriteString(cell)
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
	as    []kind
	cells []func(row int) string
	row   parquet.Row
}

func newParquetTable(w io.Writer, t *dataset.Table, cols []int) (*parquetTable, error) {
	var o columns.Ordered
	p := &parquetTable{row: make(parquet.Row, len(cols))}
	p.as, p.cells = typedCells(t, cols)
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

func (p *parquetTable) write(i int) error {
	for k := range p.row {
		cell := p.cells[k](i)
		if cell == "" {
			p.row[k] = parquet.NullValue().Level(0, 0, k)
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
			v = parquet.BooleanValue(cell == "true")
		}
		p.row[k] = v.Level(0, 1, k)
	}
	_, err := p.w.WriteRows([]parquet.Row{p.row})
	return err
}

// writeNPY writes a matrix in its own type.
func writeNPY(ctx context.Context, w io.Writer, x dataset.Matrix, progress func(float64)) error {
	b := bufio.NewWriterSize(w, 1<<18)
	if err := x.WriteNPY(b, func(row int) error {
		if row%convertRows > 0 {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(float64(row) / float64(x.Rows))
		return nil
	}); err != nil {
		return err
	}
	return b.Flush()
}

// fewAngles is the number of angles below which an outline shows little of its shape.
const fewAngles = 8

// outline is a line of cyclic strings.
type outlineOf struct {
	ID     string    `json:"id"`
	Class  string    `json:"class,omitempty"`
	Angles []float64 `json:"angles"`
}

// pictures turns a folder of silhouettes into cyclic strings.
func (f *convertFlags) pictures(ctx context.Context, a *app, in, out string) error {
	if !(f.segment >= 2) {
		return fault.Settingf("--segment is %g: give 2 pixels or more", f.segment)
	}
	if format, err := tableFormat(out); err != nil || format != dataset.FormatJSONL {
		return fault.Settingf("%s: outlines of pictures are written as .jsonl", out)
	}
	names, err := pictureNames(in)
	if err != nil {
		return err
	}
	b := a.bar("tracing outlines")
	defer b.done()
	classes := map[string]bool{}
	coarse := 0
	err = atomicfile.Write(out, func(w io.Writer) error {
		buffered := bufio.NewWriter(w)
		lines := json.NewEncoder(buffered)
		for i, name := range names {
			if err := ctx.Err(); err != nil {
				return err
			}
			b.update(float64(i) / float64(len(names)))
			angles, err := outline.FromFile(filepath.Join(in, filepath.FromSlash(name)),
				outline.Options{Segment: f.segment})
			if err != nil {
				return err
			}
			if len(angles) < fewAngles {
				coarse++
			}
			class := classOf(name)
			classes[class] = true
			if err := lines.Encode(outlineOf{strings.TrimSuffix(name, path.Ext(name)), class,
				angles}); err != nil {
				return err
			}
		}
		return buffered.Flush()
	})
	if err != nil {
		return err
	}
	of := fmt.Sprintf("%d classes", len(classes))
	if len(classes) == 1 {
		of = "1 class"
	}
	a.notef("%s of %s in %s", words.Count(len(names), "outline"), of, out)
	if coarse > 0 {
		a.notef("%d of %d have fewer than %d angles, which tell shapes apart poorly: a smaller "+
			"--segment than %g gives more", coarse, len(names), fewAngles, f.segment)
	}
	return nil
}

// pictureNames lists the pictures of a folder and its sub-folders, sorted. Links are not followed.
func pictureNames(folder string) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		switch strings.ToLower(path.Ext(name)) {
		case ".png", ".gif", ".jpg", ".jpeg", ".pbm", ".pgm":
			names = append(names, name)
		}
		return nil
	})
	if err == nil && len(names) == 0 {
		return nil, fault.Inputf("give one with .png, .gif, .jpg, .pbm or .pgm files",
			"there are no pictures in the folder").In(folder)
	}
	return names, err
}

// classOf takes the class of a picture from its sub-folder, or from what its name begins with.
func classOf(name string) string {
	if folder := path.Dir(name); folder != "." {
		return folder
	}
	base := strings.TrimSuffix(name, path.Ext(name))
	if end := strings.IndexAny(base, "0123456789-_"); end >= 0 {
		base = base[:end]
	}
	return strings.TrimSpace(base)
}
