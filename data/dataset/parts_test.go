package dataset

import (
	"archive/zip"
	"bytes"
	"slices"
	"testing"

	"github.com/xuri/excelize/v2"
)

// What a file holds is known whether it could be read or not, and which of it was read.
func TestPartsOfAFileAreListed(t *testing.T) {
	var one bytes.Buffer
	if err := (Matrix{Rows: 2, Cols: 1, F64: []float64{1, 2}}).WriteNPY(&one, nil); err != nil {
		t.Fatal(err)
	}
	array := npzFile(t, zip.Store, map[string][]byte{"x.npy": one.Bytes(), "y.npy": one.Bytes()})
	_, err := readBytes(t.Context(), array, "a.npz", ReadOptions{})
	if p := PartsOf(err); p == nil || p.What != "array" || p.Setting() != "sheet" ||
		!slices.Equal(p.Names, []string{"x", "y"}) || p.Chosen != "" {
		t.Errorf("of arrays: %+v of %v", p, err)
	}
	path := book(t, func(f *excelize.File) {
		rows(t, f, "Sheet1", 1, []any{"a"}, []any{1}, []any{2})
		if _, err := f.NewSheet("empty"); err != nil {
			t.Fatal(err)
		}
	})
	table, err := Read(t.Context(), path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p := table.Parts; p == nil || p.What != "sheet" || p.Chosen != "Sheet1" ||
		!slices.Equal(p.Names, []string{"Sheet1", "empty"}) {
		t.Errorf("of a workbook: %+v", p)
	}
	_, err = Read(t.Context(), path, ReadOptions{Sheet: "empty"})
	if p := PartsOf(err); p == nil || p.Chosen != "empty" || len(p.Names) != 2 {
		t.Errorf("of a sheet without values: %+v of %v", p, err)
	}
	base := database(t, "CREATE TABLE a (x)", "CREATE TABLE b (x)", "INSERT INTO b VALUES (1), (2)")
	_, err = Read(t.Context(), base, ReadOptions{})
	if p := PartsOf(err); p == nil || p.Setting() != "table" || p.Chosen != "" ||
		!slices.Equal(p.Names, []string{"a", "b"}) {
		t.Errorf("of a database: %+v of %v", p, err)
	}
	table, err = Read(t.Context(), base, ReadOptions{Table: "B"})
	if err != nil || table.Parts.Chosen != "b" {
		t.Errorf("of a table that is chosen: %+v, %v", table, err)
	}
	if _, err := readBytes(t.Context(), []byte("a,b\n1\n"), "a.csv", ReadOptions{}); err == nil ||
		PartsOf(err) != nil {
		t.Errorf("a text has parts, or is read: %v", err)
	}
}
