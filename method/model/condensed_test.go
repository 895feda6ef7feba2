package model_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/model"
)

// condensed returns the model of two clumps in the plane, and a table of the rows.
func condensed(t *testing.T, single bool, metric dissim.Metric) (*method.Model, *method.Outcome,
	*dataset.Table) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	x := dataset.Matrix{Rows: 60, Cols: 2}
	var text strings.Builder
	text.WriteString("x,y\n")
	for i := range 120 {
		v := float64(float32(rng.NormFloat64() + 9*float64(i/2%2)))
		fmt.Fprintf(&text, "%v%s", v, []string{",", "\n"}[i%2])
		if single {
			x.F32 = append(x.F32, float32(v))
		} else {
			x.F64 = append(x.F64, v)
		}
	}
	m, err := all.Find("hdbscan")
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.With(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := method.Problem{Data: x}
	p.Objects.Metric, p.Objects.Rows = metric, x
	out, err := c.Fit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	table, err := dataset.ReadStream(t.Context(), strings.NewReader(text.String()), "t.csv",
		dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out.Model.Method = "hdbscan"
	out.Model.Encoding = dataset.Encoding{Scale: dataset.ScaleNone, Missing: dataset.MissingRefuse,
		Columns: []dataset.EncodedColumn{{Source: "x", Type: dataset.Number},
			{Source: "y", Type: dataset.Number}}}
	return out.Model, out, table
}

// A model of a condensed tree places the same after it was saved, and fitted rows where they were.
func TestModelsOfCondensedTrees(t *testing.T) {
	for _, c := range []struct {
		single bool
		metric dissim.Metric
	}{{false, dissim.Euclidean}, {true, dissim.Euclidean}, {false, dissim.Manhattan}} {
		m, out, table := condensed(t, c.single, c.metric)
		path := filepath.Join(t.TempDir(), "m.model")
		if err := model.Save(m, path); err != nil {
			t.Fatal(err)
		}
		read, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := model.Place(t.Context(), m, table, 1)
		if err != nil {
			t.Fatal(err)
		}
		for threads := range 3 {
			got, _, err := model.Place(t.Context(), read, table, threads)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v: %s", c, diff)
			}
		}
		same := 0
		for i, l := range want.Labels {
			if l == out.Labels[i] {
				same++
			}
		}
		if same < 57 { // what leaves at its core distance may be placed a little higher
			t.Errorf("%v: %d of 60 rows are placed where they were", c, same)
		}
		labels, _, err := model.Predict(t.Context(), read, table, 0)
		if err != nil || !slices.Equal(labels, want.Labels) {
			t.Errorf("%v: %v %v", c, labels, err)
		}
	}
}

// Dissimilarities to all fitted objects place as the objects themselves do.
func TestColumnsInACondensedTree(t *testing.T) {
	m, _, table := condensed(t, false, dissim.Euclidean)
	x := m.Condensed.Objects.Rows
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	d := dataset.Matrix{Rows: x.Rows, Cols: x.Rows, F32: make([]float32, x.Rows*x.Rows)}
	for i := range x.Rows {
		src.Row(d.F32[i*x.Rows:(i+1)*x.Rows], i, m.Condensed.Which)
	}
	want, err := model.PlaceColumns(t.Context(), m, d, 0)
	if err != nil {
		t.Fatal(err)
	}
	got, _, err := model.Place(t.Context(), m, table, 0)
	if err != nil || !slices.Equal(got.Labels, want.Labels) {
		t.Errorf("%v, want %v: %v", got.Labels, want.Labels, err)
	}
	if _, err := model.PlaceColumns(t.Context(), m, d.Subset([]int{0}), 0); err != nil {
		t.Error(err)
	}
	d.Cols--
	if _, err := model.PlaceColumns(t.Context(), m, d, 0); !fault.IsInput(err) {
		t.Errorf("a column is missing: %v", err)
	}
}

// Files of condensed trees that do not hang together are refused.
func TestCondensedTreesThatAreNone(t *testing.T) {
	m, _, _ := condensed(t, false, dissim.Euclidean)
	path := filepath.Join(t.TempDir(), "m.model")
	if err := model.Save(m, path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	object, _, _ := strings.Cut(string(text), `,"digest":"`)
	for _, change := range [][2]string{{`"fitted":60`, `"fitted":61`}, {`"columns":2`, `"columns":3`},
		{`"min_points":5`, `"min_points":0`}, {`"parent":[-1`, `"parent":[0`},
		{`"lambda":"`, `"lambda":"AAAA`},
		{`"label":[0`, `"label":[9`}, {`"condensed":`, `"condense":`}} {
		changed := strings.Replace(object, change[0], change[1], 1) + "}\n"
		if changed == object+"}\n" {
			t.Errorf("there is no %s in %.200s", change[0], object)
		}
		if err := os.WriteFile(path, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := model.Load(path); !fault.IsInput(err) {
			t.Errorf("%v: %v", change, err)
		}
	}
}
