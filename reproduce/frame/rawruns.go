package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/columns"
)

// keyColumns are the columns of raw runs before those of the measures.
var keyColumns = []string{"part", "set", "setting", "draw", "start", "method"}

// rawSchema is that of a file of raw runs: the key columns, then a number or nothing for each measure.
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
	out := parquet.NewGenericWriter[any](w, rawSchema(measures), parquet.Compression(&parquet.Zstd), parquet.CreatedBy("kindred", "", ""))
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
		parquet.Int32Value(int32(run.Draw)), parquet.Int32Value(int32(run.Start)), parquet.ValueOf(run.Method),
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
	defer func() { // the library panics over some damaged files
		if p := recover(); p != nil {
			runs, err = nil, damagedRuns(path, fmt.Errorf("%v", p))
		}
	}()
	if err := footed(file, info.Size()); err != nil {
		return nil, damagedRuns(path, err)
	}
	f, err := parquet.OpenFile(file, info.Size(), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damagedRuns(path, err)
	}
	if err := sameColumns(path, f.Schema(), measures); err != nil {
		return nil, err
	}
	for _, group := range f.RowGroups() {
		if runs, err = readGroup(path, group, measures, runs); err != nil {
			return nil, err
		}
	}
	if int64(len(runs)) != f.NumRows() {
		return nil, damagedRuns(path, errors.New("rows are missing"))
	}
	return runs, nil
}

// footed refuses a file that has no footer of Parquet, or one longer than itself.
func footed(file io.ReaderAt, size int64) error {
	const shortest = 12 // the mark at both ends, and the length of the footer
	if size < shortest {
		return fmt.Errorf("it has only %d bytes", size)
	}
	tail := make([]byte, 8)
	if _, err := file.ReadAt(tail, size-8); err != nil {
		return err
	}
	if string(tail[4:]) != "PAR1" || int64(binary.LittleEndian.Uint32(tail)) > size-shortest {
		return errors.New("it ends too early, without its footer")
	}
	return nil
}

// sameColumns refuses columns of other names or kinds than runs have.
func sameColumns(path string, have *parquet.Schema, measures []string) error {
	want := rawSchema(measures).Fields()
	same := func(a, b parquet.Field) bool {
		return a.Name() == b.Name() && a.Optional() == b.Optional() && !a.Repeated() && a.Leaf() && a.Type().Kind() == b.Type().Kind()
	}
	if !slices.EqualFunc(have.Fields(), want, same) {
		return refusedRuns(path, "the columns are not "+strings.Join(slices.Concat(keyColumns, measures), ","))
	}
	return nil
}

func readGroup(path string, group parquet.RowGroup, measures []string, runs []Run) ([]Run, error) {
	rows := group.Rows()
	defer rows.Close()
	buffer := make([]parquet.Row, 256)
	for {
		n, err := rows.ReadRows(buffer)
		for _, row := range buffer[:n] {
			run, column, problem := takeRow(row, measures)
			if problem != "" {
				return nil, &fault.Input{File: path, Row: len(runs) + 1, Column: column, Problem: problem, Mend: begin}
			}
			runs = append(runs, run)
		}
		if err == io.EOF {
			return runs, nil
		}
		if err != nil {
			return nil, damagedRuns(path, err)
		}
	}
}

// takeRow makes a run of a row, or says what is wrong in which column.
func takeRow(row parquet.Row, measures []string) (run Run, column, problem string) {
	if len(row) != len(keyColumns)+len(measures) {
		return run, "", fmt.Sprintf("has %d values, not %d", len(row), len(keyColumns)+len(measures))
	}
	run = Run{Key: Key{Part: row[0].String(), Set: row[1].String(), Setting: row[2].String()}, Method: row[5].String()}
	for i, to := range []*int{&run.Draw, &run.Start} {
		if *to = int(row[3+i].Int32()); *to < 1 {
			return run, keyColumns[3+i], fmt.Sprintf("%d is no whole number from 1", *to)
		}
	}
	for i, value := range row[len(keyColumns):] {
		v := math.NaN()
		if !value.IsNull() {
			if v = value.Double(); math.IsNaN(v) || math.IsInf(v, 0) {
				return run, measures[i], fmt.Sprintf("%g is no number", v)
			}
		}
		run.Values = append(run.Values, v)
	}
	return run, "", ""
}

// begin is the mend for runs that cannot be gone on from.
const begin = "name another folder with --out, or remove this file to begin anew"

func refusedRuns(path, problem string) error {
	return &fault.Input{File: path, Problem: problem, Mend: begin}
}

// damagedRuns says that the file is damaged, unless the machine is what failed.
func damagedRuns(path string, err error) error {
	var machine *fs.PathError
	if errors.As(err, &machine) {
		return err
	}
	return &fault.Input{File: path, Problem: "is a damaged Parquet file: " + strings.TrimPrefix(err.Error(), "parquet: "), Mend: begin, Err: err}
}
