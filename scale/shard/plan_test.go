package shard

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

type point struct {
	X float64 `parquet:"x"`
	Y float64 `parquet:"y"`
}

type lonePoint struct {
	X float64 `parquet:"x"`
}

type textPoint struct {
	X float64 `parquet:"x"`
	Y string  `parquet:"y"`
}

type widePoint struct {
	X float64 `parquet:"x"`
	Y float64 `parquet:"y"`
	Z float64 `parquet:"z"`
}

func points(n int) []point {
	rows := make([]point, n)
	for i := range rows {
		rows[i] = point{float64(i), float64(-i)}
	}
	return rows
}

// TestWhatIsTableAndWhatIsNot plans a folder with leftovers, and patterns and files that meet each
// other.
func TestWhatIsTableAndWhatIsNot(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"b.parquet", "a.parquet", "sub/c.parquet", "_temporary/d.parquet",
		".hidden/e.parquet", ".f.parquet", "_g.parquet"} {
		writeParquet(t, in(name), points(3))
	}
	writeParquet(t, in("norows.parquet"), points(0))
	for name, content := range map[string]string{"_SUCCESS": "3", "README.md": "about",
		"empty.parquet": "", ".part-00001.parquet.123.tmp": "half"} {
		if err := os.WriteFile(in(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, paths := range [][]string{{folder}, {link},
		{folder + "/sub/../", folder + "//a.parquet"}, {folder + "/", in("a.parquet")},
		{"file://" + folder}, {in("*.parquet"), in("s*")}, {in("sub"), in("[ab].parquet")}} {
		s, splits, err := Plan(context.Background(), Source{Paths: paths})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, split := range splits {
			got = append(got, strings.TrimPrefix(strings.TrimPrefix(split.File, folder+"/"),
				link+"/"))
			if split.Index != i || split.Rows != 3 || split.First != int64(3*i) {
				t.Errorf("%v: %+v", paths, split)
			}
		}
		if diff := cmp.Diff([]string{"a.parquet", "b.parquet", "sub/c.parquet"}, got); diff != "" ||
			!slices.Equal(s.Columns, []string{"x", "y"}) {
			t.Errorf("%v: columns %v, files (-want +got):\n%s", paths, s.Columns, diff)
		}
	}
}

// TestHowFilesAreCut joins small row groups and cuts large ones; no row is in two splits or in
// none.
func TestHowFilesAreCut(t *testing.T) {
	for _, c := range []struct {
		rows       int
		group      int64
		split, box int
		want       []int64
	}{
		{rows: 100, group: 10, split: 30, box: 5, want: []int64{40, 40, 20}},
		{rows: 100, group: 100, split: 30, box: 5, want: []int64{25, 25, 25, 25}},
		{rows: 100, group: 100, split: 30, box: 8, want: []int64{32, 32, 32, 4}},
		{rows: 100, group: 45, split: 30, box: 5, want: []int64{45, 45, 10}},
		{rows: 100, group: 46, split: 30, box: 5, want: []int64{25, 21, 25, 21, 8}},
		{rows: 100, group: 50, split: 1000, box: 5, want: []int64{100}},
	} {
		path := filepath.Join(t.TempDir(), "a.parquet")
		writeParquet(t, path, points(c.rows), parquet.MaxRowsPerRowGroup(c.group),
			parquet.PageBufferSize(64))
		s, splits, err := Plan(context.Background(),
			Source{Paths: []string{path}, SplitRows: c.split, BlockRows: c.box})
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		row := int64(0)
		for _, split := range splits {
			got = append(got, split.Rows)
			if split.Row != row || split.First != row {
				t.Errorf("%+v: %+v", c, split)
			}
			row += split.Rows
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", c, diff)
		}
		all := gather(t, s, splits)
		for i, v := range all.rows {
			if v != int64(i) || all.x[2*i] != float64(i) || all.x[2*i+1] != float64(-i) {
				t.Fatalf("%+v: row %d", c, i)
			}
		}
		if len(all.rows) != c.rows {
			t.Errorf("%+v: %d rows", c, len(all.rows))
		}
	}
}

// TestFilesThatDisagree names both files, and the column.
func TestFilesThatDisagree(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	writeParquet(t, in("a.parquet"), points(3))
	writeParquet(t, in("lone.parquet"), []lonePoint{{1}})
	writeParquet(t, in("text.parquet"), []textPoint{{1, "one"}})
	writeParquet(t, in("wide.parquet"), []widePoint{{1, 2, 3}})
	if err := os.WriteFile(in("broken.parquet"), []byte("PAR1 and no more than that"),
		0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		files  []string
		source Source
		want   string
	}{
		{[]string{"a", "lone"}, Source{},
			"lone.parquet, column y: there is no such column, but a.parquet has one"},
		{[]string{"a", "text"}, Source{},
			"text.parquet, column y: holds texts, but a.parquet has numbers"},
		{[]string{"a", "wide"}, Source{},
			"wide.parquet, column z: holds numbers, but a.parquet has no such column of numbers"},
		{[]string{"a", "wide"}, Source{Columns: []string{"x", "y"}}, ""},
		{[]string{"a", "text"}, Source{Columns: []string{"x"}}, ""},
		{[]string{"a", "text"}, Source{Columns: []string{"x"}, Label: "y"}, ""},
		{[]string{"a", "lone"}, Source{Columns: []string{"x"}, ID: "y"},
			"lone.parquet, column y: there is no such column, but a.parquet has one"},
		{[]string{"a"}, Source{Columns: []string{"q"}},
			"column q: there is no such column; name one of x, y"},
		{[]string{"a"}, Source{Columns: []string{"x"}, ID: "q"},
			"column q: there is no such column; name one of x, y"},
		{[]string{"a"}, Source{Columns: []string{"x"}, ID: "x"}, "column x: is named twice"},
		{[]string{"text"}, Source{Columns: []string{"y"}},
			"column y: cannot be a feature: it holds texts"},
		{[]string{"a"}, Source{Ignore: []string{"x", "y"}}, "no column can be a feature"},
		{[]string{"broken"}, Source{}, "broken.parquet: is a damaged Parquet file"},
		{[]string{"missing"}, Source{}, "missing.parquet: there is no such file or folder"},
		{[]string{"a"}, Source{Prepare: Preparation{Missing: "median"}},
			"unknown treatment of missing values median"},
		{[]string{"a"}, Source{Prepare: Preparation{Missing: "mean"}}, "one value for each column"},
		{[]string{"a"}, Source{Prepare: Preparation{Shift: []float64{1}, Divisor: []float64{1}}},
			"not of the table's columns"},
		{nil, Source{}, "no files are named"},
		{nil, Source{Paths: []string{""}}, "a path is empty"},
	} {
		for _, name := range c.files {
			c.source.Paths = append(c.source.Paths, in(name+".parquet"))
		}
		_, _, err := Plan(context.Background(), c.source)
		if c.want == "" && err != nil ||
			c.want != "" && (!fault.IsInput(err) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.files, err, c.want)
		}
	}
	writeParquet(t, in("none/norows.parquet"), points(0))
	if err := os.MkdirAll(in("bare"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("notes.txt"), []byte("hello"), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"none": "has no rows",
		"bare": "there are no files with rows", "q*.parquet": "there are no files with rows",
		"notes.txt": "is of no format", "[": "is no pattern"} {
		if _, _, err := Plan(context.Background(),
			Source{Paths: []string{in(path)}}); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestNamesOfTwoRoles would leave in one of the two positions of a row nothing but what was there
// before.
func TestNamesOfTwoRoles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(name, []byte("x,y\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Source{{Columns: []string{"x", "x"}},
		{Columns: []string{"x"}, ID: "y", Label: "y"}, {Columns: []string{"x"}, Label: "x"}} {
		s.Paths = []string{name}
		if _, _, err := Plan(context.Background(), s); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "is named twice") {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestTextWithoutRows has a file of a header alone first and last, as engines write them, which
// cannot distinguish words from numbers.
func TestTextWithoutRows(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for name, text := range map[string]string{"a.csv": "x,word,flag\n",
		"b.csv": "x,word,flag\n1,red,true\n", "c.csv": "x,word,flag\n\n", ".d.csv": "x\n5\n",
		".e/f.csv": "x\n6\n"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("nowhere", "g.csv"); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	s, splits, err := Plan(context.Background(), Source{Paths: []string{"."}})
	if err != nil || len(splits) != 1 || splits[0].File != "b.csv" {
		t.Fatalf("%+v, %v", splits, err)
	}
	if diff := cmp.Diff([]any{[]string{"x", "flag"}, []string{"flag"},
		[]string{"word: holds words"}}, []any{s.Columns, s.Booleans, s.Left}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, _, err := Plan(context.Background(),
		Source{Paths: []string{"a.csv", "c.csv"}}); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "has no rows") {
		t.Error(err)
	}
}
