package partition_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
)

func ExampleWrite() {
	ids := []string{"ann", "bob", "=2+2"}
	partition.Write(os.Stdout, dataset.FormatCSV, []int{1, 2, 1},
		func(row int) string { return ids[row] })
	// Output:
	// id,cluster
	// ann,1
	// bob,2
	// '=2+2,1
}

// read reads a partition written to a file of the given name.
func read(t *testing.T, path, label string) *partition.Partition {
	t.Helper()
	table, err := dataset.Read(t.Context(), path, dataset.ReadOptions{Label: label})
	if err != nil {
		t.Fatal(err)
	}
	p, err := partition.Of(table)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestEveryFormatComesBack(t *testing.T) {
	labels := make([]int, 5000)
	for i := range labels {
		labels[i] = i % 7
	}
	id := func(row int) string { return fmt.Sprintf("row %d, \"x\"\nnext", row) }
	for _, name := range []string{"p.csv", "p.jsonl", "p.parquet"} {
		path := filepath.Join(t.TempDir(), name)
		if err := partition.WriteFile(path, labels, id); err != nil {
			t.Fatal(err)
		}
		p := read(t, path, partition.ClusterColumn)
		if !slices.Equal(p.Labels, labels) {
			t.Errorf("%s: labels differ", name)
		}
		if got := p.Table.ID(1234); got != id(1234) {
			t.Errorf("%s: id %q", name, got)
		}
	}
	if err := partition.WriteFile(filepath.Join(t.TempDir(), "p.xls"), labels,
		id); !fault.IsInput(err) {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestAFailedWriteLeavesTheOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { recover() }()
		partition.WriteFile(path, []int{1, 2}, func(row int) string { panic("no id") })
	}()
	if b, _ := os.ReadFile(path); string(b) != "old" {
		t.Errorf("the file holds %q", b)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
	full := errors.New("disk full")
	for _, f := range []dataset.Format{dataset.FormatCSV, dataset.FormatJSONL,
		dataset.FormatParquet} {
		if err := partition.Write(failing{full}, f, make([]int, 100), strconv.Itoa); !errors.Is(err,
			full) {
			t.Errorf("%s: %v", f, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWordsAreNumbered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte("id,class\n1,wolf\n2,cat\n3,\n4,wolf\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	p := read(t, path, "class")
	if !slices.Equal(p.Labels, []int{2, 1, -1, 2}) {
		t.Errorf("labels %v", p.Labels)
	}
}

func TestMatchNamesTheUnknownRow(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	truth := read(t, write("truth.csv", "id,class\na,1\nb,1\nc,2\nd,\n"), "class")
	pred := read(t, write("pred.csv", "id,cluster\nd,3\nc,1\na,2\n"), "cluster")
	m, err := partition.Match(t.Context(), pred, truth)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Pred, []int{3, 1, 2}) || !slices.Equal(m.Truth, []int{-1, 2, 1}) ||
		!slices.Equal(m.Rows, []int{3, 2, 0}) {
		t.Errorf("%+v", m)
	}
	if p, c, rows := m.Both(); !slices.Equal(p, []int{1, 2}) || !slices.Equal(c, []int{2, 1}) ||
		!slices.Equal(rows, []int{2, 0}) {
		t.Errorf("labelled by both: %v %v %v", p, c, rows)
	}
	stranger := read(t, write("stranger.csv", "id,cluster\na,1\nz,2\n"), "cluster")
	if _, err := partition.Match(t.Context(), stranger, truth); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), `row 2: the id "z" is not in `) {
		t.Errorf("%v", err)
	}
}

// TestGuardedIdsFindTheirOwnRow, also where an id looks like a guarded one.
func TestGuardedIdsFindTheirOwnRow(t *testing.T) {
	folder := t.TempDir()
	ids := []string{"=x", "'=x", "''=x"}
	truth := filepath.Join(folder, "truth.csv")
	if err := os.WriteFile(truth, []byte("id,class\n=x,1\n'=x,2\n''=x,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	pred := filepath.Join(folder, "pred.csv")
	if err := partition.WriteFile(pred, []int{1, 2, 3},
		func(row int) string { return ids[row] }); err != nil {
		t.Fatal(err)
	}
	m, err := partition.Match(t.Context(), read(t, pred, "cluster"), read(t, truth, "class"))
	if err != nil || !slices.Equal(m.Pred, m.Truth) {
		t.Errorf("%+v %v", m, err)
	}
}

func TestOnlyPlainNumbersAreNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte("x,class\n1,1\n2,01\n3,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := read(t, path, "class")
	if p.Labels[0] == p.Labels[1] {
		t.Errorf("1 and 01 are one class: %v", p.Labels)
	}
}

func TestLabelColumn(t *testing.T) {
	for want, names := range map[string][]string{
		"Class": {"x", "Class", "y"}, "cluster": {"class", "cluster"}, "": {"x", "classes"},
	} {
		if got := partition.LabelColumn(names); got != want {
			t.Errorf("LabelColumn(%q) = %q", names, got)
		}
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	labels := make([]int, 1_000_000)
	var out bytes.Buffer
	for b.Loop() {
		out.Reset()
		if err := partition.Write(&out, dataset.FormatCSV, labels,
			func(row int) string { return "17" }); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(out.Len()))
}

// Further columns follow the cluster in every format.
func TestFurtherColumns(t *testing.T) {
	more := []partition.Column{{Name: "strength", Values: []float64{0.5, 1}},
		{Name: "glosh", Values: []float64{0.1, 0}}}
	id := func(row int) string { return []string{"=a", "b"}[row] }
	folder := t.TempDir()
	for name, want := range map[string]string{
		"g.csv": "id,cluster,strength,glosh\n'=a,2,0.5,0.1\nb,1,1,0\n",
		"g.jsonl": `{"id":"=a","cluster":2,"strength":0.5,"glosh":0.1}` + "\n" +
			`{"id":"b","cluster":1,"strength":1,"glosh":0}` + "\n",
		"g.parquet": "",
	} {
		path := filepath.Join(folder, name)
		if err := partition.WriteFile(path, []int{2, 1}, id, more...); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil || want != "" && string(text) != want {
			t.Errorf("%s: %s %v", name, text, err)
		}
		table, err := dataset.Read(t.Context(), path, dataset.ReadOptions{ID: "id", Label: "cluster"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil || !slices.Equal(p.X.F64, []float64{0.5, 0.1, 1, 0}) {
			t.Errorf("%s: %v %v", name, p, err)
		}
	}
}
