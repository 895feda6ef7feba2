//go:build ignore

package method_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// line returns rows on a line, in groups around 0, 10, 20, …; the first group has the fewest rows.
func line(sizes ...int) dataset.Matrix {
	x := dataset.Matrix{Cols: 1}
	for g, n := range sizes {
		for i := range n {
			x.F64 = append(x.F64, float64(10*g)+float64(i)/float64(n))
		}
	}
	x.Rows = len(x.F64)
	return x
}

func fit(t *testing.T, name string, p method.Problem, s method.Settings) *method.Outcome {
	t.Helper()
	m, err := method.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Fit(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTheScanFindsTheNumberOfGroups, and numbers the largest first.
func TestTheScanFindsTheNumberOfGroups(t *testing.T) {
	out := fit(t, "evclus", method.Problem{Data: line(8, 10, 12)}, method.Settings{
		Clusters: 2, Evidential: method.Evidential{MostClusters: 5, D0: evclus.D0{Value: 5}},
	})
	if out.Clusters != 3 || len(out.Scan) != 4 || out.Evidential.Credal.Clusters != 3 {
		t.Fatalf("%d clusters, scan %v", out.Clusters, out.Scan)
	}
	if out.Labels[0] != 3 || out.Labels[8] != 2 || out.Labels[18] != 1 {
		t.Errorf("labels %v", out.Labels)
	}
	for i, s := range out.Scan {
		if s.Clusters != i+2 || i < 1 && s.Nonspecificity < out.Scan[1].Nonspecificity ||
			i > 1 && s.Empty == 0 {
			t.Errorf("scan %v", out.Scan)
		}
	}
	if !slices.ContainsFunc(out.Notes, func(n string) bool {
		return strings.Contains(n,
			"Of 2 to 5 clusters, 3 have the lowest nonspecificity among those of which none is "+
				"empty")
	}) {
		t.Errorf("notes %q", out.Notes)
	}
}

// TestACancelledFitGivesWhatItHas: the best partition so far, with the error.
func TestACancelledFitGivesWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	m, _ := method.Find("evclus")
	out, err := m.Fit(ctx, method.Problem{Data: line(20, 25, 30)}, method.Settings{
		Clusters: 3, Tolerance: 1e-12,
		Progress: func(share float64) {
			if share > 0.4 {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) || out == nil || len(out.Labels) != 75 ||
		out.Evidential.Converged {
		t.Errorf("%+v %v", out, err)
	}
}

// TestModelsOfEveryKindOfObject place the objects they were made from as the fit did, whatever
// these are.
func TestModelsOfEveryKindOfObject(t *testing.T) {
	text := "id,word,curve,x,colour\n"
	for i, word := range []string{"lion", "lions", "lino", "line", "telegraph", "telegraphs",
		"telegram", "telegraphy"} {
		curve := [...]string{"1 1 2 1", "9 8 9 9 9"}[i/4]
		text += string(rune('a'+i)) + "," + word + "," + curve + " " + string(rune('0'+i%4)) + "," +
			string(rune('0'+i)) + "," + [...]string{"red", "blue"}[i/4] + "\n"
	}
	table, err := dataset.ReadStream(t.Context(), strings.NewReader(text), "t.csv",
		dataset.ReadOptions{Features: []string{"x", "colour"}, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []method.Comparison{
		{Metric: dissim.Levenshtein, Column: "word"},
		{Metric: dissim.DTW, Column: "curve", Band: 2},
		{Metric: dissim.CyclicEdit, Column: "curve", EditCost: 20},
		{Metric: dissim.Gower},
	} {
		objects, _, err := method.ObjectsOf(table, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		out := fit(t, "evclus", method.Problem{Objects: objects}, method.Settings{Clusters: 2})
		hard := out.Evidential.Credal.ArgMax(belief.MaxPlausibility)
		if hard[0] == hard[7] {
			t.Errorf("%s: labels %v", c.Metric, hard)
		}
		out.Model.Method = "evclus"
		path := filepath.Join(t.TempDir(), "m")
		if err := out.Model.Save(path); err != nil {
			t.Fatal(err)
		}
		model, err := method.LoadModel(path)
		if err != nil {
			t.Fatalf("%s: %v", c.Metric, err)
		}
		p, rows, err := model.Placement(t.Context(), table, 2)
		if err != nil || rows != nil || !slices.Equal(p.ArgMax(belief.MaxPlausibility), hard) {
			t.Errorf("%s: %v placed as %v (%v)", c.Metric, hard, p, err)
		}
		if _, err := model.PlacementOf(t.Context(),
			dataset.Matrix{Rows: 1, Cols: 3, F64: []float64{1, 2, 3}}, 1); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "3 columns") {
			t.Errorf("%s: a matrix of the wrong width: %v", c.Metric, err)
		}
	}
}

// TestAModelOfAMatrix places new objects by their dissimilarities to all old ones, or to the
// landmarks.
func TestAModelOfAMatrix(t *testing.T) {
	x := line(6, 7)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	dense, err := dissim.NewDense(t.Context(), src, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := fit(t, "evclus", method.Problem{Dissim: dense},
		method.Settings{Clusters: 2, Evidential: method.Evidential{ModelRows: 5}})
	l := out.Model.Landmarks
	if l.Len() != 5 || l.Fitted != 13 {
		t.Fatalf("%d landmarks of %d", l.Len(), l.Fitted)
	}
	all := dataset.Matrix{Rows: 13, Cols: 13, F32: dense.D}
	some := dataset.Matrix{Rows: 13, Cols: 5}
	for i := range 13 {
		for _, w := range l.Which {
			some.F64 = append(some.F64, all.At(i, int(w)))
		}
	}
	p, err := out.Model.PlacementOf(t.Context(), all, 1)
	if err != nil {
		t.Fatal(err)
	}
	q, err := out.Model.PlacementOf(t.Context(), some, 1)
	if err != nil || !slices.Equal(p.Mass, q.Mass) {
		t.Errorf("the landmarks alone give other masses (%v)", err)
	}
	if got := p.ArgMax(belief.MaxPlausibility); got[0] != 2 || got[12] != 1 {
		t.Errorf("placed as %v", got)
	}
	all.F32 = slices.Clone(all.F32)
	all.F32[13+2] = -1
	if _, err := out.Model.PlacementOf(t.Context(), all, 1); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 2: the dissimilarity to object 3 is -1") {
		t.Errorf("%v", err)
	}
	table, _ := rows(t, two)
	if _, _, err := out.Model.Placement(t.Context(), table, 1); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "--dissimilarity") {
		t.Errorf("%v", err)
	}
}

func TestSeriesThatAreNone(t *testing.T) {
	table, err := dataset.ReadStream(t.Context(),
		strings.NewReader("id,s\na,1 2\nb,[3; 4]\nc,1 x\nd,\n"), "t.csv",
		dataset.ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = method.ObjectsOf(table, method.Comparison{Metric: dissim.DTW, Column: "s"}, nil)
	if !fault.IsInput(err) || !strings.Contains(err.Error(), `t.csv, row 3, column s: "x" is no number of a series`) {
		t.Errorf("%v", err)
	}
	_, _, err = method.ObjectsOf(table, method.Comparison{Metric: dissim.DTW, Column: "z"}, nil)
	if !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "t.csv, column z: there is no such column") {
		t.Errorf("%v", err)
	}
}

// TestLandmarksStandForTheRest: a fit of some rows places the others.
func TestLandmarksStandForTheRest(t *testing.T) {
	out := fit(t, "kevclus", method.Problem{Data: line(60, 80, 100)}, method.Settings{
		Clusters: 3, Evidential: method.Evidential{Landmarks: 40, D0: evclus.D0{Value: 5}},
	})
	if out.Labels[0] != 3 || out.Labels[100] != 2 || out.Labels[239] != 1 ||
		out.Model.Landmarks.Fitted != 240 {
		t.Errorf("labels %v", out.Labels)
	}
}
