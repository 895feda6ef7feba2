package dataset

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

// TestParquetBytes reads a file of pyarrow with a column of bytes: it never is a feature, and does
// not keep the others from being read.
func TestParquetBytes(t *testing.T) {
	ctx := context.Background()
	for _, o := range []ReadOptions{{}, {Drop: []string{"raw"}}, {Features: []string{"x"}},
		{Keep: true}} {
		table, err := Read(ctx, "testdata/bytes.parquet", o)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"x"}, table.Features()); diff != "" || table.Rows != 4 {
			t.Errorf("%d rows, features (-want +got):\n%s", table.Rows, diff)
		}
		raw := table.Columns[1]
		if raw.Missing != 1 || raw.FirstMissing != 3 {
			t.Errorf("%d values missing from row %d on", raw.Missing, raw.FirstMissing)
		}
		if o.Drop == nil && o.Features == nil && raw.Why != "holds bytes" {
			t.Errorf("left out because it %q", raw.Why)
		}
	}
	_, err := Read(ctx, "testdata/bytes.parquet", ReadOptions{Features: []string{"raw"}})
	wantFault(t, err, "testdata/bytes.parquet, column raw: cannot be the feature: it holds bytes")
}

// TestParquetBytesFarDown has texts in the rows that decide on a column, and no text after them.
func TestParquetBytesFarDown(t *testing.T) {
	type row struct {
		X float64 `parquet:"x"`
		S []byte  `parquet:"s"`
	}
	rows := make([]row, sampleRows+5)
	for i := range rows {
		rows[i] = row{float64(i), []byte("text")}
	}
	rows[sampleRows+2].S = []byte{0xff}
	var b bytes.Buffer
	if err := parquet.Write(&b, rows); err != nil {
		t.Fatal(err)
	}
	path := writeFile(t, "a.parquet", b.Bytes())
	_, err := Read(context.Background(), path, ReadOptions{})
	wantFault(t, err, path+", row 1003, column s: the text is not UTF-8; write texts as UTF-8, "+
		"or leave the column out (--drop)")
	if _, err := Read(context.Background(), path, ReadOptions{Drop: []string{"s"}}); err != nil {
		t.Error(err)
	}
}

// TestParquetWithoutRows reads files of pyarrow with a row group that is empty, alone and among
// others.
func TestParquetWithoutRows(t *testing.T) {
	ctx := context.Background()
	_, err := Read(ctx, "testdata/norows.parquet", ReadOptions{})
	wantFault(t, err, "testdata/norows.parquet: has no rows; give a table with rows")
	table, err := Read(ctx, "testdata/emptygroup.parquet", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"1.5", "a"}, {"2.5", "a"}}, cells(table)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDamagedParquetOfOthers cuts the files of pyarrow short and changes their bytes, one at a
// time: they are read or refused with a fault.
func TestDamagedParquetOfOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	files, err := filepath.Glob("testdata/*.parquet")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		refused, read := 0, 0
		for at := 0; at < len(whole); at += 7 {
			cut, changed := whole[:at], bytes.Clone(whole)
			changed[at] ^= 1 << (at % 8)
			for _, content := range [][]byte{cut, changed} {
				_, err := ReadStream(context.Background(), bytes.NewReader(content), "a.parquet",
					ReadOptions{InflateLimit: 1 << 20, Keep: true})
				switch {
				case err == nil:
					read++
				case fault.IsInput(err):
					refused++
				default:
					t.Fatalf("%s, byte %d: not a fault: %v", file, at, err)
				}
			}
		}
		if refused < len(whole)/7 {
			t.Errorf("%s: only %d of %d were refused", file, refused, refused+read)
		}
	}
}
