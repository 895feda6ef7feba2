package main

import (
	"database/sql"
	"encoding/csv"
	"os"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/xuri/excelize/v2"
	_ "modernc.org/sqlite"
)

// formatCommand writes a CSV file in a format that the command only reads: format out.xlsx in.csv.
// In .arrow the columns after the first, of texts, are one column of vectors.
func formatCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: format out in.csv")
	}
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(args[1]))).ReadAll()
	ts.Check(err)
	out := ts.MkAbs(args[0])
	switch {
	case strings.HasSuffix(out, ".xlsx"):
		ts.Check(writeWorkbook(out, rows))
	case strings.HasSuffix(out, ".arrow"):
		ts.Check(writeVectors(out, rows))
	default:
		ts.Check(writeDatabase(out, rows))
	}
}

// cellsOf turns a row into numbers where it can.
func cellsOf(row []string) []any {
	out := make([]any, len(row))
	for i, cell := range row {
		out[i] = cell
		if v, err := strconv.ParseFloat(cell, 64); err == nil {
			out[i] = v
		}
	}
	return out
}

func writeWorkbook(path string, rows [][]string) error {
	f := excelize.NewFile()
	defer f.Close()
	if _, err := f.NewSheet("data"); err != nil {
		return err
	}
	if err := f.SetCellValue("data", "A1", "A report"); err != nil {
		return err
	}
	for i, row := range rows {
		line := cellsOf(row)
		if err := f.SetSheetRow("data", "A"+strconv.Itoa(i+3), &line); err != nil {
			return err
		}
	}
	return f.SaveAs(path)
}

func writeVectors(path string, rows [][]string) error {
	schema := arrow.NewSchema([]arrow.Field{{Name: rows[0][0], Type: arrow.BinaryTypes.String},
		{Name: "embedding", Type: arrow.ListOf(arrow.PrimitiveTypes.Float32)}}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	lists := b.Field(1).(*array.ListBuilder)
	for _, row := range rows[1:] {
		b.Field(0).(*array.StringBuilder).Append(row[0])
		lists.Append(true)
		for _, v := range cellsOf(row[1:]) {
			lists.ValueBuilder().(*array.Float32Builder).Append(float32(v.(float64)))
		}
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w, err := ipc.NewFileWriter(f, ipc.WithSchema(schema), ipc.WithZstd())
	if err != nil {
		return err
	}
	if err := w.Write(b.NewRecordBatch()); err != nil {
		return err
	}
	return w.Close()
}

func writeDatabase(path string, rows [][]string) error {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE data (" + strings.Join(rows[0], ", ") + ")"); err != nil {
		return err
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", len(rows[0])), ",")
	for _, row := range rows[1:] {
		if _, err := db.Exec("INSERT INTO data VALUES ("+marks+")", cellsOf(row)...); err != nil {
			return err
		}
	}
	_, err = db.Exec("CREATE TABLE other (x); INSERT INTO other VALUES (1)")
	return err
}
