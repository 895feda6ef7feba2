package all_test

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/model"
)

// rows is a table of two groups on a line, with a category.
func rows(t *testing.T, text string) (*dataset.Table, *dataset.Prepared) {
	t.Helper()
	table, err := dataset.ReadStream(t.Context(), strings.NewReader(text), "rows.csv",
		dataset.ReadOptions{Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	return table, p
}

const two = "x,colour,class\n1,red,a\n1.5,red,a\n2,red,a\n9,blue,b\n9.5,blue,b\n"

// TestEveryMethodFindsTwoGroups holds what any method owes.
func TestEveryMethodFindsTwoGroups(t *testing.T) {
	table, p := rows(t, two)
	classes, _, _ := table.Labels()
	for _, m := range all.List() {
		if m.Takes("min-points") {
			continue // three rows are not dense
		}
		problem := method.Problem{Data: p.X, Classes: classes}
		before := p.X.Clone()
		problem.Threads = 2
		out, err := answered(t.Context(), m, problem, valuesFor(m, values{"clusters": "2"}), 0)
		if err != nil {
			t.Errorf("%s: %v", m.Name, err)
			continue
		}
		if !slices.Equal(out.Labels, []int{1, 1, 1, 2, 2}) || out.Clusters != 2 {
			t.Errorf("%s: %+v", m.Name, out)
		}
		if !slices.Equal(before.F64, p.X.F64) {
			t.Errorf("%s changed the caller's data", m.Name)
		}
		if m.Title == "" || m.Source == "" {
			t.Errorf("%s does not say what it is", m.Name)
		}
		found, err := all.Find(m.Name)
		if err != nil || found.Name != m.Name {
			t.Errorf("%s cannot be found: %v", m.Name, err)
		}

		if m.Name == "cevclus" { // the Sammon stress places no new rows
			if out.Model != nil {
				t.Errorf("%s has a model", m.Name)
			}
			continue
		}
		// The model gives the rows it was made from what the fit gave them, and takes new ones.
		out.Model.Method, out.Model.Encoding = m.Name, p.Encoding
		path := filepath.Join(t.TempDir(), "m.model")
		if err := model.Save(out.Model, path); err != nil {
			t.Fatal(err)
		}
		read, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		labels, kept, err := model.Predict(t.Context(), read, table, 1)
		if err != nil || kept != nil || !slices.Equal(labels, out.Labels) {
			t.Errorf("%s: predicts %v (%v)", m.Name, labels, err)
		}
		if read.Masses != nil && !m.Links { // rows with links have other masses
			placed, _, err := model.Placement(t.Context(), read, table, 1)
			if err != nil || !slices.Equal(placed.Focal, out.Credal.Focal) ||
				!slices.EqualFunc(placed.Mass, out.Credal.Mass,
					func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
				t.Errorf("%s: predicts %+v, and found %+v (%v)", m.Name, placed, out.Credal, err)
			}
		}
		fresh, err := dataset.ReadStream(t.Context(),
			strings.NewReader("colour,x\ngreen,8\nred,0\n"), "new.csv",
			dataset.ReadOptions{Features: p.Encoding.Sources()})
		if err != nil {
			t.Fatal(err)
		}
		labels, _, err = model.Predict(t.Context(), read, fresh, 1)
		if read.Credal() && err == nil {
			var placed *credal.Partition // which may call a strange row an outlier
			placed, _, err = model.Placement(t.Context(), read, fresh, 1)
			labels = placed.ArgMax(belief.MaxPlausibility)
		}
		if err != nil || !slices.Equal(labels, []int{2, 1}) {
			t.Errorf("%s: new rows get %v (%v)", m.Name, labels, err)
		}
	}
}

func TestWhatAMethodNeeds(t *testing.T) {
	_, p := rows(t, two)
	for name, words := range map[string]string{"kmeans": "number of clusters",
		"lcvqe": "number of clusters", "crpcl": "number of clusters",
		"cobra": "someone to answer"} {
		m, err := all.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plain(t.Context(), m, method.Problem{Data: p.X}, nil); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := all.Find("kmeens"); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "did you mean kmeans?") {
		t.Errorf("%v", err)
	}
	if _, err := all.Find("spec"); !strings.Contains(err.Error(), "did you mean spectral?") {
		t.Errorf("%v", err)
	}
	for _, far := range []string{"zzzz", "foo", "hac", "x", "", "birch", "a method"} {
		if _, err := all.Find(far); !fault.IsInput(err) || strings.Contains(err.Error(), "mean") ||
			!strings.Contains(err.Error(), "kindred methods lists them all") {
			t.Errorf("%v", err)
		}
	}
}

func TestCobraFromLinksAlone(t *testing.T) {
	_, p := rows(t, two)
	m, _ := all.Find("cobra")
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.MustLink},
		{A: 3, B: 4, Kind: link.MustLink}, {A: 0, B: 4, Kind: link.CannotLink}}
	problem := method.Problem{Data: p.X}
	problem.Links = links
	out, err := plain(t.Context(), m, problem, nil)
	if err != nil || !slices.Equal(out.Labels, []int{1, 1, 1, 2, 2}) || out.Queries != 0 {
		t.Errorf("%+v %v", out, err)
	}
}

func TestABudgetLeavesAValidClustering(t *testing.T) {
	table, p := rows(t, two)
	classes, _, _ := table.Labels()
	m, _ := all.Find("cobra")
	out, err := answered(t.Context(), m, method.Problem{Data: p.X, Classes: classes}, nil, 1)
	if err != nil || out.Queries != 1 || out.Clusters != 4 || out.Stopped != "questions remain" {
		t.Errorf("%+v %v", out, err)
	}
}

func TestNamesOfMethodsElsewhere(t *testing.T) {
	for name, want := range map[string]string{"pam": "mecm", "K-Medoids": "mecm",
		"single": "agglomerative", "average": "agglomerative", "complete-linkage": "agglomerative",
		"hclust": "agglomerative", "fuzzy": "fcm", "kmenas": "kmeans"} {
		_, err := all.Find(name)
		if err == nil || !strings.Contains(err.Error(), "did you mean "+want+"?") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
