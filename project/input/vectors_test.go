package input

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// TestVectorsPassUnchanged through the table that prepares them.
func TestVectorsPassUnchanged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 30).Draw(t, "rows"), rapid.IntRange(1, 9).Draw(t, "cols")
		x := dataset.Matrix{Rows: rows, Cols: cols}
		if rapid.Bool().Draw(t, "single") {
			x.F32 = rapid.SliceOfN(rapid.Float32Range(-1e9, 1e9), rows*cols, rows*cols).Draw(t,
				"values")
		} else {
			x.F64 = rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), rows*cols, rows*cols).Draw(t,
				"values")
		}
		table, err := dataset.FromMatrix(t.Context(), "made", x)
		if err != nil {
			t.Fatal(err)
		}
		p, err := table.Prepare(t.Context(), dataset.Preparation{Scale: dataset.ScaleNone})
		if err != nil || p.X.Rows != rows || p.X.Cols != cols || !slices.Equal(p.X.F32, x.F32) ||
			!slices.Equal(p.X.F64, x.F64) {
			t.Fatalf("%v\n%+v\n%+v", err, p, x)
		}
	})
}

const rowsOfThings = "id,name,size\np,ax,3\nq,bow,4\nr,cap,5\ns,dice,6\n"

// TestEmbeddings are matched by id where they have one, else by order.
func TestEmbeddings(t *testing.T) {
	folder := write(t, map[string]string{
		"things.csv": rowsOfThings,
		"ids.csv":    "id,v1,v2\nr,5,6\nextra,0,0\np,1,2\nq,3,4\ns,7,8\n",
		"order.csv":  "v1,v2,class\n1,2,a\n3,4,a\n5,6,b\n7,8,b\n",
		"few.csv":    "v1,v2\n1,2\n3,4\n",
		"lack.csv":   "id,v1\np,1\nq,2\nr,3\n",
		"words.csv":  "id,v1\np,one\nq,two\nr,three\ns,four\n",
		"kinds.csv":  "v1,kind\n1,a\n2,a\n3,b\n4,b\n",
		"names.csv":  "row,v1\nr,1\nq,2\np,3\ns,4\n",
		"holes.csv":  "v1\n1\n\"\"\n3\n4\n",
	})
	want := []float64{1, 2, 3, 4, 5, 6, 7, 8}
	var prints []string
	for _, file := range []string{"ids.csv", "order.csv"} {
		d, r := openData(t, folder, "things.csv", "embedding", folder+"/"+file)
		var got []float64
		for i := range d.N() {
			got = d.Ready.X.AppendRow(got, i)
		}
		if !slices.Equal(got, want) || r.MethodName != "kin" || !d.Opaque() {
			t.Errorf("%s: %v by %s", file, got, r.MethodName)
		}
		if c := d.Card(1); c.ID != "q" || len(c.Fields) != 2 || d.Kind() != "fields" ||
			d.What() != "vectors of 2 dimensions from "+file {
			t.Errorf("%+v, %s", c, d.What())
		}
		if m := d.Compare(0, 1); m[1].Mark != "≠" || m[1].Apart != 1.0/3 {
			t.Errorf("%+v", m)
		}
		prints = append(prints, d.Fingerprint())
	}
	plain, _ := openData(t, folder, "things.csv")
	if prints = append(prints, plain.Fingerprint()); prints[0] == prints[1] ||
		prints[1] == prints[2] {
		t.Errorf("other vectors, the same fingerprint: %q", prints)
	}
	d, _ := openData(t, folder, "things.csv", "embedding", folder+"/order.csv", "scale", "minmax")
	if v := d.Ready.X.At(3, 1); v != 1 {
		t.Errorf("scaled as asked, the largest value is %v", v)
	}
	for file, problem := range map[string]string{
		"few.csv":   "has 2 vectors, and",
		"lack.csv":  "there is no vector for row s of",
		"none.csv":  "there is no such file",
		"words.csv": "column v1: holds words",
		"kinds.csv": "column kind: holds words",
		"names.csv": "call it id where it names the rows",
		"holes.csv": "the value is missing; give finite numbers",
	} {
		var in *fault.Input
		if _, err := Open(t.Context(), Place{}, folder+"/things.csv",
			recipe(t, "embedding", folder+"/"+file), nil); !errors.As(err, &in) ||
			!strings.Contains(err.Error(), problem) || !strings.Contains(in.File, file) {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, settings := range [][]string{
		{"text", "a", "images", "b"}, {"dissimilarity", "true", "embedding", "x.npy"},
		{"pictures", "x"},
		{"series", "a", "embedding", "x.npy"},
		{"embedding", "x.npy", "metric", "jaccard"},
		{"images", "a", "metric", "dtw"}, {"text", "a", "metric", "hamming"},
		{"images", "a", "missing", "mean"},
	} {
		var slip fault.Setting
		if _, err := recipe(t, settings...).Asking(); !errors.As(err, &slip) {
			t.Errorf("%v: %v", settings, err)
		}
	}
	if err := New().Set("dimensions", "1001"); err == nil {
		t.Error("1001 dimensions are taken")
	}
}
