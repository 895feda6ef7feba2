package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/columns"
	"github.com/kindred-go/kindred/internal/pages"
)

// keyColumns are the columns of raw runs before those of the measures.
var keyColumns = []string{"part", "set", "setting", "draw", "start", "method"}

// rawSchema is that of a file of raw runs: the key columns, then a number or nothing for each
// measure.
func rawSchema(measures []string) *parquet.Schema {
	var o columns.Ordered
	text := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	number := parquet.Encoded(parquet.Int(32), &parquet.DeltaBinaryPacked)
	for i, node := range []parquet.Node{text, text, text, number, number, text} {
		o.Add(keyColumns[i], node)
	}
	for _, name := range measures {
		o.Add(name, parquet.Optional(parquet.Leaf(parquet.DoubleType)))
	}
	return parquet.NewSchema("runs", &o)
}

// writeRuns writes raw runs as Parquet, the same bytes for the same runs.
func writeRuns(w io.Writer, measures []string, runs []Run) error {
	out := parquet.NewGenericWriter[any](w, rawSchema(measures), parquet.Compression(&parquet.Zstd),
		parquet.CreatedBy("kindred", "", ""))
	rows := make([]parquet.Row, len(runs))
	for i, run := range runs {
		rows[i] = rawRow(run)
	}
	if _, err := out.WriteRows(rows); err != nil {
		return err
	}
	return out.Close()
}

func rawRow(run Run) parquet.Row {
	row := parquet.Row{
		parquet.ValueOf(run.Part), parquet.ValueOf(run.Set), parquet.ValueOf(run.Setting),
		parquet.Int32Value(int32(run.Draw)), parquet.Int32Value(int32(run.Start)),
		parquet.ValueOf(run.Method),
	}
	for i, v := range row {
		row[i] = v.Level(0, 0, i)
	}
	for _, v := range run.Values {
		if math.IsNaN(v) {
			row = append(row, parquet.NullValue().Level(0, 0, len(row)))
		} else {
			row = append(row, parquet.DoubleValue(v).Level(0, 1, len(row)))
		}
	}
	return row
}

// readRuns reads a file of raw runs. It refuses one that is damaged, or has other columns.
func readRuns(path string, measures []string) (runs []Run, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	defer func() { err = fixed(err) }()
	defer pages.Recover(path, &err)
	f, err := pages.Open(file, info.Size())
	if err != nil {
		return nil, pages.Fault(path, err)
	}
	if err := sameColumns(path, f.Schema(), measures); err != nil {
		return nil, err
	}
	leaves, err := pages.Leaves(f)
	if err != nil {
		return nil, pages.Fault(path, err)
	}
	for group := range f.RowGroups() {
		columns := make([]*pages.Values, len(leaves))
		for j, l := range leaves {
			if columns[j], err = pages.NewReader(f, file).Values(group, l, 0); err != nil {
				return nil, pages.Fault(path, err)
			}
		}
		if runs, err = readGroup(path, columns, measures, runs); err != nil {
			return nil, err
		}
	}
	if int64(len(runs)) != f.NumRows() {
		return nil, pages.Fault(path, errors.New("rows are missing"))
	}
	return runs, nil
}

// sameColumns refuses columns of other names or kinds than runs have.
func sameColumns(path string, have *parquet.Schema, measures []string) error {
	want := rawSchema(measures).Fields()
	same := func(a, b parquet.Field) bool {
		return a.Name() == b.Name() && a.Optional() == b.Optional() && !a.Repeated() && a.Leaf() &&
			a.Type().Kind() == b.Type().Kind()
	}
	if !slices.EqualFunc(have.Fields(), want, same) {
		return refusedRuns(path,
			"the columns are not "+strings.Join(slices.Concat(keyColumns, measures), ","))
	}
	return nil
}

func readGroup(path string, columns []*pages.Values, measures []string, runs []Run) ([]Run, error) {
	row := make([][]byte, len(columns)) // nil where there is no value
	for {
		for j, c := range columns {
			value, ok, err := c.Next()
			if err == io.EOF && j == 0 {
				return runs, nil
			}
			if err == io.EOF {
				err = pages.ErrRows
			}
			if err != nil {
				return nil, pages.Fault(path, err)
			}
			if row[j] = nil; ok {
				row[j] = value
			}
		}
		run, column, problem := takeRow(row, measures)
		if problem != "" {
			return nil, &fault.Input{
				File: path, Row: len(runs) + 1, Column: column, Problem: problem, Fix: begin,
			}
		}
		runs = append(runs, run)
	}
}

// takeRow makes a run of a row, or returns what is wrong in which column.
func takeRow(row [][]byte, measures []string) (run Run, column, problem string) {
	run.Part, run.Set, run.Setting = string(row[0]), string(row[1]), string(row[2])
	run.Method = string(row[5])
	for i, to := range []*int{&run.Draw, &run.Start} {
		if *to = int(int32(binary.LittleEndian.Uint32(row[3+i]))); *to < 1 {
			return run, keyColumns[3+i], fmt.Sprintf("%d is no whole number from 1", *to)
		}
	}
	for i, value := range row[len(keyColumns):] {
		v := math.NaN()
		if value != nil {
			v = math.Float64frombits(binary.LittleEndian.Uint64(value))
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return run, measures[i], fmt.Sprintf("%g is no number", v)
			}
		}
		run.Values = append(run.Values, v)
	}
	return run, "", ""
}

// begin is the fix for runs that cannot be gone on from.
const begin = "name another folder with --out, or remove this file to begin anew"

func refusedRuns(path, problem string) error {
	return &fault.Input{File: path, Problem: problem, Fix: begin}
}

// fixed returns err with what to do about a file of raw runs.
func fixed(err error) error {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		in.Fix = begin
	}
	return err
}
