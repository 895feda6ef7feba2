package competitive_test

import (
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/method/param"
)

// wine is a problem of three classes, with the links that follow from the first rows of each.
func wine(t *testing.T) (*dataset.Table, *dataset.Prepared, method.Problem) {
	t.Helper()
	s, ok := sample.Find("wine")
	if !ok {
		t.Fatal("there is no sample wine")
	}
	file, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := dataset.ReadStream(t.Context(), file, "wine.csv",
		dataset.ReadOptions{Label: "class"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	classes, _, _ := table.Labels()
	problem := method.Problem{Data: p.X, Classes: classes}
	for b := 0; b < table.Rows; b += 7 {
		for a := 0; a < b; a += 7 {
			kind := link.CannotLink
			if classes[a] == classes[b] {
				kind = link.MustLink
			}
			problem.Links = append(problem.Links, link.Link{A: a, B: b, Kind: kind})
		}
	}
	return table, p, problem
}

func fitted(t *testing.T, name string, p method.Problem,
	values map[string]string) *method.Outcome {
	t.Helper()
	m, err := all.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.With(values)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.Fit(t.Context(), p)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return out
}

// What is unmet is what the labels break, and clusters are numbered by size.
func TestLearningUnderLinks(t *testing.T) {
	_, _, p := wine(t)
	values := map[string]string{"clusters": "3", "starts": "3"}
	for _, name := range []string{"lcvqe", "crpcl", "olcvqe"} {
		p.Threads = 1
		out := fitted(t, name, p, values)
		if want := link.Violated(out.Labels, p.Links); !slices.Equal(out.Unmet, want) {
			t.Errorf("%s: %d links unmet, and %d violated", name, len(out.Unmet), len(want))
		}
		if len(out.Unmet)*5 > len(p.Links) {
			t.Errorf("%s: %d of %d links unmet", name, len(out.Unmet), len(p.Links))
		}
		sizes := make([]int, out.Clusters)
		for _, l := range out.Labels {
			sizes[l-1]++
		}
		if !slices.IsSortedFunc(sizes, func(a, b int) int { return b - a }) || out.Clusters != 3 {
			t.Errorf("%s: clusters of %v", name, sizes)
		}
		p.Threads = 3
		again := fitted(t, name, p, values)
		if !slices.Equal(again.Labels, out.Labels) || again.Objective != out.Objective {
			t.Errorf("%s: the partition depends on the number of threads", name)
		}
	}
}

// Given more prototypes than there are clusters, RPCL leaves some without rows, and notes how many
// clusters it takes there to be; pruned, it returns as many.
func TestRPCLEstimatesTheNumberOfClusters(t *testing.T) {
	rows := make([]float64, 0, 600)
	for i := range 300 {
		c := float64(i % 3)
		rows = append(rows, 10*c+wave(i), 8*c*(2-c)+wave(2*i+1))
	}
	data, err := dataset.NewMatrix(300, 2, rows)
	if err != nil {
		t.Fatal(err)
	}
	p := method.Problem{Data: data}
	values := map[string]string{"clusters": "6", "init": "sample"}
	plain := fitted(t, "rpcl", p, values)
	if plain.Estimate < 3 || plain.Estimate > 5 ||
		!strings.Contains(strings.Join(plain.Notes, "\n"),
			"the estimate of the number of clusters is") {
		t.Errorf("estimates %d clusters of 3, with the notes %q", plain.Estimate, plain.Notes)
	}
	pruned := fitted(t, "rpcl", p,
		map[string]string{"clusters": "6", "init": "sample", "prune": "true"})
	if pruned.Clusters != plain.Estimate || pruned.Model.Means.Rows != plain.Estimate ||
		slices.Contains(pruned.Labels, 0) {
		t.Errorf("pruned to %d clusters of %d prototypes, and %d are estimated", pruned.Clusters,
			pruned.Model.Means.Rows, plain.Estimate)
	}
	if wta := fitted(t, "wta", p, values); wta.Estimate != 0 {
		t.Errorf("wta estimates %d clusters", wta.Estimate)
	}
}

// wave returns numbers in [0, 1] that are spread evenly and come in no order.
func wave(i int) float64 { return math.Mod(float64(i)*0.6180339887, 1) }

// A model keeps the metrics that prototypes have learnt.
func TestModelsWithMetrics(t *testing.T) {
	table, prepared, p := wine(t)
	for _, metric := range []string{"diagonal", "full"} {
		for _, prune := range []bool{false, true} {
			out := fitted(t, "crpcl", p, map[string]string{"clusters": "4", "epochs": "20",
				"prototype-metric": metric, "prune": strconv.FormatBool(prune)})
			if out.Model.Metric != metric {
				t.Errorf("the model has the metric %q, not %q", out.Model.Metric, metric)
			}
			out.Model.Method, out.Model.Encoding = "crpcl", prepared.Encoding
			path := filepath.Join(t.TempDir(), "m.json")
			if err := model.Save(out.Model, path); err != nil {
				t.Fatal(err)
			}
			m, err := model.Load(path)
			if err != nil {
				t.Fatal(err)
			}
			labels, _, err := model.Predict(t.Context(), m, table, 2)
			if err != nil || !slices.Equal(labels, out.Labels) {
				t.Errorf("%s, pruned %t: the model places rows elsewhere than the fit (%v)", metric,
					prune, err)
			}
		}
	}
}

// A stream declares the parameters of all rules: their defaults are what the zero value means, and
// an unlearning rate of 0 is none.
func TestDeclaredDefaults(t *testing.T) {
	warm := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 1}}
	learner := func(values map[string]string) competitive.Config {
		c := competitive.Config{Clusters: 2}
		set := &param.Set{}
		competitive.Declare(set, &c, competitive.OLCVQE, competitive.CRPCL)
		for _, p := range set.Params() {
			text, ok := values[p.Name]
			if !ok {
				text = p.Default
			}
			if text == "" || values == nil {
				continue
			}
			if err := set.Set(p.Name, text); err != nil {
				t.Fatal(err)
			}
		}
		l, err := competitive.New(c, warm)
		if err != nil {
			t.Fatal(err)
		}
		return l.Config()
	}
	if zero, set := learner(nil), learner(map[string]string{}); zero != set {
		t.Errorf("%+v, and by the defaults %+v", zero, set)
	}
	if none := learner(map[string]string{"unlearning-rate": "0"}); !(none.Rate.Unlearn < 0) {
		t.Errorf("an unlearning rate of 0 becomes %g", none.Rate.Unlearn)
	}
}
