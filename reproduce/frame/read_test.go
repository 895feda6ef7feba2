package frame

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// reading is an experiment with one need, whose sets are to be read.
func reading(n Need) Experiment {
	n.Name, n.Title, n.Parts = "set", "Set", []string{"only"}
	n.From = "the moon"
	return Experiment{
		Name: "reading", Parts: []Part{{Name: "only"}}, Needs: []Need{n}, Trials: 1,
		Units:  func(Plan) []Unit { return nil },
		Tables: func(*Results) {},
	}
}

func filled(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func read(t *testing.T, n Need, folder string) *Set {
	t.Helper()
	sets, missing, _, err := reading(n).Load(t.Context(), Config{Datasets: folder})
	if err != nil || len(sets) != 1 || len(missing) != 0 {
		t.Fatalf("%d sets, %d missing, %v", len(sets), len(missing), err)
	}
	return sets[0]
}

const triangle = "0,3,4\n3,0,5\n4,5,0\n"

func TestAMatrixWithItsClasses(t *testing.T) {
	folder := filled(t, map[string]string{"d.csv": triangle,
		"l.csv": "name,class\na,wing\nb,back\nc,wing\n"})
	n := Need{File: "d.csv", Labels: "l.csv", Matrix: true, Rows: 3, Cols: 3, Classes: 2}
	s := read(t, n, folder)
	row := make([]float32, 3)
	s.D.Row(row, 1, nil)
	if !slices.Equal(row, []float32{3, 0, 5}) || !slices.Equal(s.Truth, []int32{1, 0, 1}) ||
		s.X.Rows != 0 {
		t.Errorf("row %v, classes %v", row, s.Truth)
	}
	// Other classes are other data.
	other := filled(t, map[string]string{"d.csv": triangle,
		"l.csv": "name,class\na,wing\nb,back\nc,back\n"})
	if again := read(t, n, other); again.Fingerprint == s.Fingerprint {
		t.Error("other classes have the same fingerprint")
	}
}

func TestClassesOfAColumn(t *testing.T) {
	folder := filled(t, map[string]string{
		"x.csv": "p,q,class\n1,2,ann\n3,4,bob\n5,6,ann\n",
		"l.csv": "class,pose\nann,up\nbob,left\nann,straight\n",
	})
	s := read(t, Need{File: "x.csv", Labels: "l.csv", Class: "pose", Rows: 3, Cols: 2, Classes: 3},
		folder)
	if !slices.Equal(s.Truth, []int32{2, 0, 1}) || s.X.Cols != 2 {
		t.Errorf("classes %v of %d columns", s.Truth, s.X.Cols)
	}
	own := read(t, Need{File: "x.csv", Rows: 3, Cols: 2, Classes: 2}, folder)
	if !slices.Equal(own.Truth, []int32{0, 1, 0}) || own.Fingerprint == s.Fingerprint {
		t.Errorf("classes %v of its own", own.Truth)
	}
}

func TestASetWithoutClasses(t *testing.T) {
	folder := filled(t, map[string]string{"x.csv": "p,q\n1,2\n3,4\n"})
	if s := read(t, Need{File: "x.csv", Rows: 2, Cols: 2}, folder); s.Truth != nil ||
		s.X.At(1, 1) != 4 {
		t.Errorf("%+v", s)
	}
}

func TestFilesByOtherEndings(t *testing.T) {
	// it is read by its content, not its name
	folder := filled(t, map[string]string{"x.csv.gz": "p,class\n1,a\n2,b\n"})
	n := Need{File: "x.csv", Rows: 2, Cols: 1, Classes: 2}
	if here, shipped := n.Here(folder); !here || shipped {
		t.Errorf("here %v, shipped %v", here, shipped)
	}
	if here, _ := (Need{File: "y.csv"}).Here(folder); here {
		t.Error("a file that is not there is here")
	}
	if here, shipped := (Need{File: "y.csv", Sample: "iris"}).Here(""); !here || !shipped {
		t.Error("a sample is not here")
	}
}

func TestSetsThatAreNotThePapersAreRefused(t *testing.T) {
	matrix := Need{File: "d.csv", Labels: "l.csv", Matrix: true, Rows: 3, Cols: 3, Classes: 2}
	table := Need{File: "x.csv", Rows: 2, Cols: 1, Classes: 2}
	for what, c := range map[string]struct {
		need  Need
		files map[string]string
		says  string
	}{
		"another size": {matrix,
			map[string]string{"d.csv": "0,1,1,1\n1,0,1,2\n1,1,0,1\n1,2,1,0\n",
				"l.csv": "class\na\nb\na\n"},
			"4 rows, 4 features and 2 classes, where the paper has 3, 3 and 2; the moon"},
		"too few classes": {matrix, map[string]string{"d.csv": triangle, "l.csv": "class\na\nb\n"},
			"3 rows, but 2 classes in l.csv"},
		"a class missing": {matrix,
			map[string]string{"d.csv": triangle, "l.csv": "class,x\na,1\n,1\nb,1\n"},
			"row 2, column class: no class"},
		"no such column": {matrix,
			map[string]string{"d.csv": triangle, "l.csv": "kind\na\nb\na\n"},
			"no column is named class"},
		"no column": {matrix, map[string]string{"d.csv": triangle, "l.csv": ""},
			"no column is named class"},
		"ragged": {matrix,
			map[string]string{"d.csv": triangle, "l.csv": "class\na\nb,c\na\n"}, "is no CSV"},
		"no labels": {matrix, map[string]string{"d.csv": triangle},
			"Set (d.csv with l.csv): the moon"},
		"no class":      {table, map[string]string{"x.csv": "p,kind\n1,a\n2,b\n"}, "class"},
		"a blank class": {table, map[string]string{"x.csv": "p,class\n1,a\n2,\n"}, "no class"},
	} {
		t.Run(what, func(t *testing.T) {
			_, _, _, err := reading(c.need).Load(t.Context(), Config{Datasets: filled(t, c.files)})
			if !fault.IsInput(err) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, not %q", err, c.says)
			}
		})
	}
}

// TestBarePartsNeedNothing: they run where none of the data sets is here, or is asked for.
func TestBarePartsNeedNothing(t *testing.T) {
	e := reading(Need{File: "x.csv", Rows: 2, Cols: 1, Classes: 2})
	e.Parts, e.Measures = append(e.Parts, Part{Name: "bare", Bare: true}), []string{"nmi"}
	e.Units = func(p Plan) []Unit {
		if !p.Has("bare") {
			return nil
		}
		return []Unit{{Key: Key{Part: "bare", Draw: 1}, Starts: 1, Methods: []string{"a"},
			Do: onerun(1)}}
	}
	for _, cfg := range []Config{{}, {Parts: []string{"bare"}}, {Parts: []string{"bare", "only"}}} {
		r, err := e.Run(t.Context(), cfg)
		if err != nil || len(r.Runs.All()) != 1 {
			t.Errorf("%v: %v", cfg.Parts, err)
		}
	}
	if _, err := e.Run(t.Context(), Config{Parts: []string{"only"}}); !fault.IsInput(err) {
		t.Errorf("got %v", err)
	}
}

// An array has no column of classes: they are in a file of their own.
func TestClassesOfAnArray(t *testing.T) {
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"
	header += strings.Repeat(" ", 128-10-1-len(header)) + "\n"
	array := []byte("\x93NUMPY\x01\x00\x76\x00" + header)
	for _, v := range []float32{1, 2, 3, 4, 5, 6} {
		array = binary.LittleEndian.AppendUint32(array, math.Float32bits(v))
	}
	folder := filled(t, map[string]string{"x.npy": string(array),
		"l.csv": "id,text,intent\n1,hello,greet\n2,bye,part\n3,hi,greet\n"})
	n := Need{File: "x.npy", Labels: "l.csv", Class: "intent", Vectors: true, Rows: 3, Cols: 2,
		Classes: 2}
	s := read(t, n, folder)
	if !slices.Equal(s.Truth, []int32{0, 1, 0}) || s.X.Cols != 2 || s.Texts != nil {
		t.Errorf("classes %v of %d columns, texts %q", s.Truth, s.X.Cols, s.Texts)
	}
	n.Text = "text"
	if s = read(t, n, folder); !slices.Equal(s.Texts, []string{"hello", "bye", "hi"}) {
		t.Errorf("texts %q", s.Texts)
	}
	n.Text = "note"
	_, _, _, err := reading(n).Load(t.Context(), Config{Datasets: folder})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "no column is named note") {
		t.Errorf("without texts: %v", err)
	}
}

// A set that is drawn by a law needs no file, and is the same each time.
func TestASetOfALaw(t *testing.T) {
	n := Need{Law: "blobs", Rows: 20, Cols: 3, Classes: 4}
	if here, shipped := n.Here(""); !here || shipped {
		t.Error("a set that is drawn is not here")
	}
	if got := n.Files(); got != "drawn by the law blobs" {
		t.Errorf("files %q", got)
	}
	s, again := read(t, n, ""), read(t, n, "")
	if s.X.Rows != 20 || s.X.Cols != 3 || slices.Max(s.Truth) != 3 || slices.Min(s.Truth) != 0 {
		t.Errorf("%d×%d with classes %v", s.X.Rows, s.X.Cols, s.Truth)
	}
	if s.Fingerprint == "" || s.Fingerprint != again.Fingerprint {
		t.Errorf("fingerprints %q and %q", s.Fingerprint, again.Fingerprint)
	}
	if other := read(t, Need{Law: "moons", Rows: 20, Cols: 2, Classes: 2}, ""); other.Fingerprint ==
		s.Fingerprint {
		t.Error("another law has the same fingerprint")
	}
}
