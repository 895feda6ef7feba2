package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"
)

// partOf returns a file as a part of a table.
func partOf(path string) Part {
	return Part{Name: path, Open: func() (*os.File, error) { return os.Open(path) }}
}

// writeRowsAs writes rows as a Parquet file, and returns its path.
func writeRowsAs[T any](t interface{ Fatal(...any) }, folder, name string, rows []T) string {
	path := filepath.Join(folder, name)
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPartsAreOneTable cuts a table into files, one of which may have no rows, and reads what one
// file states.
func TestPartsAreOneTable(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		rows := make([]flower, n)
		for i := range rows {
			rows[i] = flower{Count: int32(i), Colour: []string{"red", "blue", "green"}[i%3]}
			if i%4 != 1 {
				rows[i].Length, rows[i].Ripe = ptr(float64(i)/7), ptr(i%3 == 0)
			}
			if i%5 != 2 {
				rows[i].Class = ptr(fmt.Sprint("class ", i%2))
			}
		}
		o := ReadOptions{Label: "class", Keep: rapid.Bool().Draw(t, "keep"),
			Threads: rapid.IntRange(1, 3).Draw(t, "threads")}
		whole := writeRowsAs(t, folder, "whole.parquet", rows)
		want, err := Read(context.Background(), whole, o)
		if err != nil {
			t.Fatal(err)
		}
		var files []Part
		hash := sha256.New()
		for lo, k := 0, 0; lo < n; k++ {
			hi := min(n, lo+rapid.IntRange(0, n).Draw(t, "file"))
			f := writeRowsAs(t, folder, fmt.Sprint(k, ".parquet"), rows[lo:hi])
			content, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			hash.Write(content)
			files = append(files, partOf(f))
			lo = hi
		}
		got, err := ReadParts(context.Background(), files, "table", o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cells(want), cells(got)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		wantX, err := want.Prepare(context.Background(), Preparation{Missing: MissingDrop})
		if err != nil {
			t.Fatal(err)
		}
		gotX, err := got.Prepare(context.Background(), Preparation{Missing: MissingDrop})
		if err != nil || !cmp.Equal(wantX.X, gotX.X) || !cmp.Equal(wantX.Rows, gotX.Rows) {
			t.Fatal("another matrix", err)
		}
		codes, names, _ := want.Labels()
		gotCodes, gotNames, _ := got.Labels()
		if !cmp.Equal(codes, gotCodes) || !cmp.Equal(names, gotNames) ||
			got.Fingerprint != hex.EncodeToString(hash.Sum(nil)) {
			t.Fatal("other classes, or another fingerprint")
		}
	})
}

// TestPartsThatDisagree names both files, and the column.
func TestPartsThatDisagree(t *testing.T) {
	type xy struct {
		X float64 `parquet:"x"`
		Y float64 `parquet:"y"`
	}
	type single struct {
		Y float32 `parquet:"y"`
		X float32 `parquet:"x"`
	}
	type lone struct {
		X float64 `parquet:"x"`
	}
	type text struct {
		X float64 `parquet:"x"`
		Y string  `parquet:"y"`
	}
	folder := t.TempDir()
	files := map[string]string{
		"a":       writeRowsAs(t, folder, "a.parquet", []xy{{1, 2}, {3, 4}}),
		"b":       writeRowsAs(t, folder, "b.parquet", []single{{6, 5}}),
		"lone":    writeRowsAs(t, folder, "lone.parquet", []lone{{1}}),
		"text":    writeRowsAs(t, folder, "text.parquet", []text{{1, "one"}}),
		"damaged": writeRowsAs(t, folder, "damaged.parquet", []xy{{1, 2}}),
	}
	if err := os.Truncate(files["damaged"], 50); err != nil {
		t.Fatal(err)
	}
	read := func(names ...string) (*Table, error) {
		var parts []Part
		for _, name := range names {
			parts = append(parts, partOf(files[name]))
		}
		return ReadParts(context.Background(), parts, "folder", ReadOptions{})
	}
	table, err := read("a", "b")
	if err != nil {
		t.Fatal(err)
	}
	if table.Value(1, 1) != 4 || table.Value(2, 0) != 5 || table.Value(2, 1) != 6 ||
		table.values.Single() {
		t.Error("columns in another order are taken by their places")
	}
	in := func(name string) string { return filepath.Join(folder, name+".parquet") }
	_, err = read("a", "lone")
	wantFault(t, err, in("lone")+
		", column y: there is no such column, but a.parquet has one; give files with the same "+
		"columns")
	_, err = read("lone", "a")
	wantFault(t, err, in("a")+", column y: is a column, but lone.parquet has none of that name; "+
		"give files with the same columns")
	_, err = read("a", "text")
	wantFault(t, err, in("text")+
		", column y: holds texts, but a.parquet holds numbers; write the column in the same way "+
		"in all files")
	_, err = read()
	wantFault(t, err, "folder: has no Parquet files; give a folder with some")
	if _, err = read("a", "damaged"); err == nil {
		t.Error("a damaged file is read")
	}
	_, err = ReadParts(context.Background(), []Part{partOf(files["a"])}, "folder",
		ReadOptions{Format: FormatCSV})
	wantFault(t, err, "folder: is a folder of Parquet files, not csv; leave out --format")
}

// TestManyPartsAreNotOpenAtOnce reads more files than most systems let a program have open, on
// several threads.
func TestManyPartsAreNotOpenAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	type lone struct {
		X    float64 `parquet:"x"`
		Word string  `parquet:"word"`
	}
	folder := t.TempDir()
	const n, threads = 300, 4
	var lock sync.Mutex
	var opened []*os.File
	most := 0
	var parts []Part
	for i := range n {
		path := writeRowsAs(t, folder, fmt.Sprint(i, ".parquet"),
			[]lone{{float64(i), "a"}, {-1, "b"}})
		parts = append(parts, Part{Name: path, Open: func() (*os.File, error) {
			lock.Lock()
			defer lock.Unlock()
			f, err := os.Open(path)
			opened = slices.DeleteFunc(opened,
				func(f *os.File) bool { _, err := f.Stat(); return errors.Is(err, os.ErrClosed) })
			opened = append(opened, f)
			most = max(most, len(opened))
			return f, err
		}})
	}
	table, err := ReadParts(context.Background(), parts, "table", ReadOptions{Threads: threads})
	if err != nil || table.Rows != 2*n || table.Value(2*n-2, 0) != n-1 {
		t.Fatal(table, err)
	}
	if most > mostOpen+threads {
		t.Errorf("%d files were open at a time", most)
	}
	for _, f := range opened {
		if _, err := f.Stat(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("%s is still open", f.Name())
		}
	}
	// A file that is another when it is opened again is not mixed with what it was.
	open := parts[0].Open
	times := 0
	parts[0].Open = func() (*os.File, error) {
		if times++; times == 2 {
			writeRowsAs(t, folder, "0.parquet", []lone{{7, "a"}, {8, "b"}, {9, "c"}})
		}
		return open()
	}
	_, err = ReadParts(context.Background(), parts, "table", ReadOptions{})
	wantFault(t, err, parts[0].Name+
		": was changed while the table was read; keep the files as they are until it is")
}
