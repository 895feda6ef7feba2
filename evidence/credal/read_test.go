package credal_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

var names = []string{"p.csv", "p.jsonl", "p.parquet"}

func TestEveryFormatComesBack(t *testing.T) {
	const c = 3
	focal, err := belief.Focal(c, []belief.Set{3, 6})
	if err != nil {
		t.Fatal(err)
	}
	id := func(row int) string {
		if row < 4 {
			return []string{"=2+2", "'=x", "a \"b\",\nc\\ é", " lead"}[row]
		}
		return fmt.Sprint("row", row)
	}
	// two row groups
	for name, n := range map[string]int{"p.csv": 3000, "p.jsonl": 3000, "p.parquet": 66_000} {
		p := random(n, c, focal, 7)
		path := filepath.Join(t.TempDir(), name)
		if err := credal.WriteFile(path, p, id); err != nil {
			t.Fatal(err)
		}
		back, ids, err := credal.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if back.Clusters != c || !slices.Equal(back.Focal, focal) ||
			!slices.Equal(back.Mass, p.Mass) {
			t.Errorf("%s: the masses differ", name)
		}
		for i := range n {
			if ids[i] != id(i) {
				t.Fatalf("%s: id %q came back as %q", name, id(i), ids[i])
			}
		}
		table, err := dataset.Read(t.Context(), path,
			dataset.ReadOptions{Label: partition.ClusterColumn, ID: partition.IDColumn})
		if err != nil {
			t.Fatal(err)
		}
		hard, err := partition.Of(table)
		if err != nil || !slices.Equal(hard.Labels, p.Hard(belief.MaxPlausibility)) {
			t.Errorf("%s: the hard labels differ (%v)", name, err)
		}
	}
}

// TestBlocksLeaveNoTrace: the bytes are the same however the rows are handed over.
func TestBlocksLeaveNoTrace(t *testing.T) {
	const n, c = 66_000, 2
	focal, _ := belief.Simple(c)
	p := random(n, c, focal, 3)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	for _, format := range []dataset.Format{dataset.FormatCSV, dataset.FormatJSONL,
		dataset.FormatParquet} {
		var want strings.Builder
		if err := credal.Write(&want, format, p, func(i int) string { return ids[i] }); err != nil {
			t.Fatal(err)
		}
		var got strings.Builder
		w, err := credal.NewWriter(&got, format, focal, c)
		if err != nil {
			t.Fatal(err)
		}
		for lo, size := 0, 1; lo < n; lo, size = lo+size, size*3 {
			hi := min(n, lo+size)
			if err := w.WriteBlock(ids[lo:hi], p.Mass[lo*len(focal):hi*len(focal)]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil || got.String() != want.String() {
			t.Errorf("%s: %d bytes, want %d (%v)", format, got.Len(), want.Len(), err)
		}
	}
}

func TestPartitionsOfAnyShapeComeBack(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		p := drawPartition(t, "p")
		path := filepath.Join(folder, rapid.SampledFrom(names).Draw(t, "name"))
		if err := credal.WriteFile(path, p,
			func(i int) string { return fmt.Sprint("o", i) }); err != nil {
			t.Fatal(err)
		}
		back, ids, err := credal.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if back.Clusters != p.Clusters || !slices.Equal(back.Focal, p.Focal) ||
			!slices.Equal(back.Mass, p.Mass) || len(ids) != p.Len() {
			t.Fatalf("%+v came back as %+v", p, back)
		}
	})
}

func TestCompressedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv.gz")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(f)
	if err := credal.Write(z, dataset.FormatCSV, table1(),
		func(i int) string { return fmt.Sprint("o", i) }); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	if p, _, err := credal.Read(t.Context(), path); err != nil ||
		!slices.Equal(p.Mass, table1().Mass) {
		t.Errorf("%v %v", p, err)
	}
}

func TestOnlyIdsAndMassesAreNeeded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte("m_{2+1},id,m_{2},m_{1}\n.5,b,0,.5\n0,a,1,0\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	p, ids, err := credal.Read(t.Context(), path)
	if err != nil || !slices.Equal(ids, []string{"b", "a"}) ||
		!slices.Equal(p.Focal, []belief.Set{1, 2, 3}) ||
		!slices.Equal(p.Mass, []float64{.5, 0, .5, 0, 1, 0}) {
		t.Errorf("%+v %v %v", p, ids, err)
	}
}

// TestIdsComeBack from every format, those with blanks at their ends and those that look like
// something else too.
func TestIdsComeBack(t *testing.T) {
	ids := []string{"trail ", " lead", "\ttab", "no-break\u00a0", "=1+1", "'=1", "-5", "007", "1e5",
		"NA", "a,b", `a"b`, "a\nb", "{}", "true", "#x", `\.`, "é∅"}
	p, err := credal.FromHard(make([]int, len(ids)), 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []string{".csv", ".jsonl", ".parquet"} {
		path := filepath.Join(t.TempDir(), "p"+ending)
		if err := credal.WriteFile(path, p, func(i int) string { return ids[i] }); err != nil {
			t.Fatal(err)
		}
		if _, got, err := credal.Read(t.Context(), path); err != nil || !slices.Equal(got, ids) {
			t.Errorf("%s: %q came back as %q (%v)", ending, ids, got, err)
		}
	}
}

// TestBlanksBeforeTheFirstObject are no part of it.
func TestBlanksBeforeTheFirstObject(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.jsonl")
	if err := os.WriteFile(path, []byte("\r\n  {\"id\":\"a\",\"m_{1}\":1}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if p, ids, err := credal.Read(t.Context(), path); err != nil || p.Len() != 1 ||
		!slices.Equal(ids, []string{"a"}) {
		t.Error(p, ids, err)
	}
}

func TestBadFilesAreRefused(t *testing.T) {
	folder := t.TempDir()
	for _, test := range []struct{ name, text, want string }{
		{"sum.csv", "id,m_{1},m_{2}\na,.5,.5\nb,.5,.6\n",
			"sum.csv, row 2: the masses sum to 1.1; make them sum to 1"},
		{"negative.csv", "id,m_{1},m_{2}\na,-.5,1.5\n",
			"negative.csv, row 1, column m_{1}: -0.5 is no mass; "},
		{"word.csv", "id,m_{1},m_{2}\na,1,0\nb,x,1\n",
			`word.csv, row 2, column m_{1}: "x" is no mass; `},
		{"gap.csv", "id,m_{1},m_{2}\na,1,0\nb,,1\n",
			"gap.csv, row 2, column m_{1}: the mass is missing; give a number from 0 to 1"},
		{"set.csv", "id,m_{1},m_{x}\na,1,0\n",
			"set.csv, column m_{x}: the name is not that of a focal set; "},
		{"twice.csv", "id,m_{1+2},m_{2+1}\na,1,0\n", "is of the same focal set as m_{1+2}; "},
		{"none.csv", "id,cluster\na,1\n", "none.csv: has no columns of masses"},
		{"no-id.csv", "x,m_{1}\na,1\n", `no-id.csv: has no column "id"; give one`},
		{"same-id.csv", "id,m_{1}\na,1\na,1\n", "id"},
		{"empty.csv", "", "empty.csv: the names of the columns cannot be read"},
		{"half.jsonl", `{"id":"a","m_{1}":`, "half.jsonl: the names of the columns cannot be read"},
		{"text.jsonl", "{\"id\":\"a\",\"m_{1}\":1}\n{\"id\":\"b\",\"m_{1}\":\"no\"}\n",
			"column m_{1}"},
		{"short.parquet", "PAR1", "short.parquet: is a damaged Parquet file"},
		{"short.csv.gz", "\x1f\x8b\x08", "short.csv.gz: the names"},
	} {
		path := filepath.Join(folder, test.name)
		if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, _, err := credal.Read(t.Context(), path); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for _, path := range []string{filepath.Join(folder, "nowhere.csv"), folder} {
		if _, _, err := credal.Read(t.Context(), path); !fault.IsInput(err) {
			t.Errorf("%s: %v", path, err)
		}
	}
	p, err := credal.FromHard([]int{1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := credal.WriteFile(filepath.Join(folder, "p.xls"), p,
		strconv.Itoa); !fault.IsInput(err) {
		t.Error(err)
	}
}

func TestAFailedWriteIsReported(t *testing.T) {
	full := errors.New("disk full")
	for _, format := range []dataset.Format{dataset.FormatCSV, dataset.FormatJSONL,
		dataset.FormatParquet} {
		if err := credal.Write(failing{full}, format, table1(),
			func(int) string { return "x" }); !errors.Is(err, full) {
			t.Errorf("%s: %v", format, err)
		}
	}
	if _, err := credal.NewWriter(failing{full}, dataset.FormatNPY, table1().Focal, 2); err == nil {
		t.Error("NPY was taken")
	}
	w, err := credal.NewWriter(failing{full}, dataset.FormatCSV, table1().Focal, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.WriteBlock([]string{"a"}, []float64{1}); err == nil || w.Close() == nil {
		t.Error("a block with too few masses was taken")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func FuzzRead(f *testing.F) {
	f.Add("id,m_{1},m_{1+2}\na,.5,.5\n", 0)
	f.Add("{\"id\":\"a\",\"m_{}\":1}\n", 1)
	f.Add("PAR1\x00PAR1", 2)
	var whole strings.Builder
	if err := credal.Write(&whole, dataset.FormatParquet, table1(),
		func(i int) string { return fmt.Sprint(i) }); err != nil {
		f.Fatal(err)
	}
	f.Add(whole.String(), 2)
	f.Fuzz(func(t *testing.T, text string, kind int) {
		path := filepath.Join(t.TempDir(), names[(kind%3+3)%3])
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, ids, err := credal.Read(t.Context(), path)
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatal(err)
			}
			return
		}
		if err := p.Check(); err != nil || len(ids) != p.Len() {
			t.Fatalf("%d ids, %d rows, %v", len(ids), p.Len(), err)
		}
	})
}
