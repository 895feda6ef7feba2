package dataset_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/data/dataset"
)

// TestColumnNamesOfFronts: the names of columns come without the rest of a file, which may be
// anything.
func TestColumnNamesOfFronts(t *testing.T) {
	dir := t.TempDir()
	var rows, lines strings.Builder
	rows.WriteString("name;height;note\n")
	for i := range 40_000 {
		fmt.Fprintf(&rows, "n%d;%d,5;a word\n", i, i%7)
		fmt.Fprintf(&lines, "{\"name\": \"n%d\", \"height\": %d}\n", i, i%7)
	}
	rows.WriteString("too;many;cells;here\n")
	lines.WriteString("no JSON\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(rows.String()))
	z.Close()
	type leaf struct {
		Width, Depth float64
	}
	var table bytes.Buffer
	if err := parquet.Write(&table, []leaf{{1, 2}, {3, 4}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		text []byte
		want []string
	}{
		{"a.csv", []byte(rows.String()), []string{"name", "height", "note"}},
		{"a.csv.gz", packed.Bytes(), []string{"name", "height", "note"}},
		{"a.jsonl", []byte(lines.String()), []string{"name", "height"}},
		{"a.parquet", table.Bytes(), []string{"Width", "Depth"}},
		{"b.csv", []byte("x,y\n1,2\n3,4\n"), []string{"x", "y"}},
		{"a.json", []byte(`[{"x": 1, "y": 2}, {"x": 2, "y": 3}]`), []string{"x", "y"}},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, c.text, 0o600); err != nil {
			t.Fatal(err)
		}
		names, err := dataset.ColumnNames(t.Context(), path, dataset.ReadOptions{})
		if err != nil || !slices.Equal(names, c.want) {
			t.Errorf("%s has columns %q, want %q: %v", c.name, names, c.want, err)
		}
	}
	if _, err := dataset.ColumnNames(t.Context(), filepath.Join(dir, "none.csv"),
		dataset.ReadOptions{}); err == nil {
		t.Error("a file that is not there has columns")
	}
}
