package input

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/store"
)

// priced are the stories, with a price and a kind of each.
func priced() string {
	lines := strings.Split(strings.TrimSpace(stories()), "\n")
	for i, line := range lines {
		switch {
		case i == 0:
			lines[i] = line + ",price,kind"
		default:
			lines[i] = fmt.Sprintf("%s,%d,%s", line, 10+i%4/2*80+i%3, []string{"new", "old"}[i%5/3])
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// distances returns the mean squared distance of all pairs of rows in some columns.
func distances(x dataset.Matrix, from, to int) (mean float64) {
	n := 0
	for a := range x.Rows {
		for b := range a {
			n++
			for j := from; j < to; j++ {
				d := x.At(a, j) - x.At(b, j)
				mean += d * d
			}
		}
	}
	return mean / float64(n)
}

// TestTextsStandBesideColumns as one of them, whatever the number of their dimensions.
func TestTextsStandBesideColumns(t *testing.T) {
	folder := write(t, map[string]string{"priced.csv": priced()})
	for _, encoder := range []string{"builtin", "lsa"} {
		d, r := openData(t, folder, "priced.csv", "text", "story", "features", "price,kind", "encoder",
			encoder, "scale", "minmax")
		width := d.Ready.X.Cols
		if want := map[string]int{"builtin": 3 + 256, "lsa": 0}[encoder]; want > 0 && width != want {
			t.Fatalf("%d columns, want %d", width, want)
		}
		if b := d.Problem().Blocks; len(b) != 1 || len(b[0]) != width-3 || b[0][0] != 3 {
			t.Errorf("%s: blocks %v", encoder, b)
		}
		if r.MethodName != "kin" || d.Kind() != "text" || d.Opaque() ||
			!strings.HasPrefix(d.What(), "2 columns beside texts in story, as ") {
			t.Errorf("by %s, as %s: %s", r.MethodName, d.Kind(), d.What())
		}
		// Pairs of numbers spread evenly over [0, 1] have the mean squared distance 1/6.
		if got := distances(d.Ready.X, 3, width); math.Abs(got-1./6*20/19) > 0.001 {
			t.Errorf("%s: texts have the mean squared distance %v", encoder, got)
		}
		twice, _ := openData(t, folder, "priced.csv", "text", "story", "features", "price,kind",
			"encoder", encoder, "column-weights", "story=2")
		if got := distances(twice.Ready.X, 3, width); math.Abs(got-4./6*20/19) > 0.004 {
			t.Errorf("%s: of weight 2 texts have the mean squared distance %v", encoder, got)
		}
		again, err := r.Take(t.Context(), Place{}, filepath.Join(folder, "priced.csv"),
			Manner{Choose: r.Asking, Keep: true, Before: twice}, nil)
		if err != nil || again.Ready.X.Cols != width {
			t.Errorf("taken again: %v", err)
		}
		if c := d.Card(2); c.Text == "" || !slices.ContainsFunc(c.Fields,
			func(f Field) bool { return f.Name == "price" }) || len(c.Fields) != 2 {
			t.Errorf("%+v", c)
		}
		predictsItsRows(t, d, folder)
	}
}

// predictsItsRows expects a model of data to place them as the fit did.
func predictsItsRows(t *testing.T, d *Data, folder string) {
	t.Helper()
	fit, err := kmeans.Fit(t.Context(), d.Ready.X, kmeans.Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	m := &method.Model{Means: fit.Centers, ClusterOf: []int{1, 2, 3}}
	by, err := Find("kmeans")
	if err != nil {
		t.Fatal(err)
	}
	d.Sign(m, by)
	path := filepath.Join(folder, "m.model")
	if err := model.Save(m, path); err != nil {
		t.Fatal(err)
	}
	if m, err = model.Load(path); err != nil {
		t.Fatal(err)
	}
	_, rows, _, err := Source{}.ForModel(t.Context(), Place{}, m, filepath.Join(folder, "priced.csv"),
		nil)
	if err != nil {
		t.Fatal(err)
	}
	labels, _, err := model.Predict(t.Context(), m, rows, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, label := range labels {
		if label != int(fit.Labels[i])+1 {
			t.Errorf("row %d is in cluster %d, and was in %d", i, label, fit.Labels[i]+1)
		}
	}
}

// TestTextsAreComparedOnce, and not as a category of the features, too.
func TestTextsAreComparedOnce(t *testing.T) {
	for _, flag := range []string{"text", "images"} {
		err := recipe(t, flag, "story", "features", "price,story").Check()
		var slip fault.Setting
		if !errors.As(err, &slip) || !strings.Contains(string(slip), "--features names story, which --"+
			flag+" compares: leave story out of --features") {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func TestPicturesStandBesideColumns(t *testing.T) {
	folder := bars(t)
	d, _ := openData(t, folder, "table.csv", "images", "file", "features", "size")
	width := d.Ready.X.Cols
	if d.N() != 24 || d.Kind() != "image" || d.Placeable() ||
		!strings.HasPrefix(d.What(), "1 column beside pictures, as ") {
		t.Fatalf("%d rows shown as %s: %s", d.N(), d.Kind(), d.What())
	}
	if got := distances(d.Ready.X, 1, width); math.Abs(got-1./6*24/23) > 0.001 {
		t.Errorf("pictures have the mean squared distance %v", got)
	}
	e := d.Explain(0, 1)
	if len(e.Columns) != 2 ||
		!slices.ContainsFunc(e.Columns, func(a Apart) bool { return a.Column == "file" }) {
		t.Errorf("%+v", e)
	}
}

// TestMixedRowsKeepTheirTexts where others are left out.
func TestMixedRowsKeepTheirTexts(t *testing.T) {
	text := strings.Replace(priced(), "k3,", "k3,,1,new\nx,", 1)             // a text is missing
	text = strings.Replace(text, "\nk7,", "\nk7,boat sail wave,,old\ny,", 1) // a price is missing
	folder := write(t, map[string]string{"priced.csv": text})
	d, _ := openData(t, folder, "priced.csv", "text", "story", "features", "price,kind", "missing",
		"drop", "encoder", "builtin")
	if d.N() != 20 {
		t.Fatalf("%d rows", d.N())
	}
	if notes := strings.Join(d.Notes(), "\n"); strings.Count(notes, "left out") != 1 ||
		!strings.Contains(notes, "2 rows with missing values left out") {
		t.Errorf("the rows that are left out are not counted once: %s", notes)
	}
	for row := range d.N() {
		want := d.Table.Cell(d.At(row), d.Table.Column("story"))
		if got, _ := d.Text(row); got != want || got == "" {
			t.Errorf("row %d (%s) has the text %q, want %q", row, d.ID(row), got, want)
		}
	}
}

// TestEarlierProjectsCompareTextsAlone, though they name features.
func TestEarlierProjectsCompareTextsAlone(t *testing.T) {
	folder := write(t, map[string]string{"priced.csv": priced()})
	for reading, mixed := range map[int]bool{readingDerived: false, ReadingNow: true} {
		r := New()
		if _, err := r.Recall(store.Header{Method: "kin", Given: true, Reading: reading,
			Settings: map[string]string{"plain": "false", "text": "story", "features": "price"}},
			filepath.Join(folder, "p.kindred")); err != nil {
			t.Fatal(err)
		}
		d, err := Open(t.Context(), Place{}, filepath.Join(folder, "priced.csv"), r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := !d.Opaque(); got != mixed {
			t.Errorf("begun with reading %d: columns beside texts: %v", reading, got)
		}
	}
}
