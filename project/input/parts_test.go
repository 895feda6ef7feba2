package input

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

// TestAFolderOfParquetFiles is one table of the rows of all of them, in the order of their paths,
// in a project too.
func TestAFolderOfParquetFiles(t *testing.T) {
	type row struct {
		X, Y float64
	}
	part := func(rows ...row) string {
		var b bytes.Buffer
		if err := parquet.Write(&b, rows); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	folder := write(t, map[string]string{
		"part-1.parquet": part(row{1, 2}, row{3, 4}), "part-0.parquet": part(row{5, 9}),
		"year=2/p.parquet": part(row{7, 8}),
		"_SUCCESS":         "3", "_half/p.parquet": "torn", ".part-2.parquet": "torn",
		"empty.parquet": "",
		"notes.txt":     "text",
	})
	root, err := os.OpenRoot(filepath.Dir(folder))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, c := range []struct {
		place Place
		name  string
	}{{Place{}, folder}, {Place{Root: root}, filepath.Base(folder)}} {
		path, where, err := c.place.Locate(c.name)
		if err != nil || where != InParts {
			t.Fatal(path, where, err)
		}
		d, err := Open(t.Context(), c.place, c.name, recipe(t, "scale", "none"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.N() != 4 || d.Ready.X.At(0, 1) != 9 || d.Ready.X.At(2, 0) != 3 ||
			d.Ready.X.At(3, 0) != 7 || d.ID(3) != "4" {
			t.Errorf("%d rows, %v", d.N(), d.Ready.X)
		}
	}
	if stored := Stored(folder, filepath.Join(filepath.Dir(folder), "a.kindred"),
		Place{}); stored == "" {
		t.Error("a project does not keep the place of the folder")
	}
	torn := write(t, map[string]string{"a.parquet": part(row{1, 2}),
		"b.parquet": "PAR1 and no more of it"})
	if _, err := Open(t.Context(), Place{}, torn, recipe(t), nil); !fault.IsInput(err) {
		t.Errorf("a torn file: %v", err)
	}
}
