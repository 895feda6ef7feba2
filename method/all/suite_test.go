package all_test

import (
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// costly are the methods that take most of the time of the suite.
var costly = []string{"cevclus", "cobras", "cosc", "ncobras"}

// each runs a part of the suite for all methods, with -short for all but the costly ones.
func each(t *testing.T, do func(t *testing.T, m method.Method)) {
	forAll(t, func(t *testing.T, m method.Method) {
		if testing.Short() && slices.Contains(costly, m.Name) {
			t.Skip("takes seconds")
		}
		do(t, m)
	})
}

// forAll runs a part of the suite for all methods.
func forAll(t *testing.T, do func(t *testing.T, m method.Method)) {
	for _, m := range all.List() {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			do(t, m)
		})
	}
}

// blobs are three clusters in three columns: rows of 0, 1, 2, 0, 1, …
func blobs(n int) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(5, 8))
	values, classes := make([]float64, 0, 3*n), make([]int32, n)
	centres := [3][3]float64{{0.2, 0.3, 0.8}, {0.8, 0.2, 0.3}, {0.5, 0.8, 0.6}}
	for i := range n {
		classes[i] = int32(i % 3)
		for _, c := range centres[i%3] {
			values = append(values, c+0.12*(rng.Float64()+rng.Float64()+rng.Float64()-1.5))
		}
	}
	return dataset.Matrix{Rows: n, Cols: 3, F64: values}, classes
}

// problemOf returns a method what it takes, as the command does: dissimilarities beside the rows,
// and what it learns from, the first rows of each class.
func problemOf(t *testing.T, m method.Method, x dataset.Matrix, classes []int32,
	known int) method.Problem {
	t.Helper()
	p := method.Problem{Data: x, Classes: classes}
	if m.Dissimilarity {
		p.Objects = method.Objects{Comparison: method.Comparison{Metric: dissim.Euclidean}, Rows: x}
		src, err := p.Objects.Source()
		if err != nil {
			t.Fatal(err)
		}
		p.Dissim = src
	}
	var rows []int
	count := map[int32]int{}
	for i, c := range classes {
		if count[c] < known {
			count[c]++
			rows = append(rows, i)
		}
	}
	switch {
	case m.Labels:
		p.Known = slices.Repeat([]int32{-1}, x.Rows)
		for _, i := range rows {
			p.Known[i] = classes[i]
		}
	case m.Links:
		p.Links = linksAmong(classes, rows)
	}
	return p
}

func linksAmong(classes []int32, rows []int) (links []link.Link) {
	for i, a := range rows {
		for _, b := range rows[:i] {
			l := link.Link{A: b, B: a, Kind: link.CannotLink}
			if classes[a] == classes[b] {
				l.Kind = link.MustLink
			}
			links = append(links, l)
		}
	}
	return links
}

// values are those of parameters, as text.
type values = map[string]string

// valuesOf are the values that a method needs, quick ones where the default is slow.
func valuesOf(m method.Method, k int) values {
	v := valuesFor(m, values{"seed": "3", "super-instances": "12", "clusters": strconv.Itoa(k),
		"epochs": "20"})
	if m.Takes("focal") && k > 6 { // all subsets of many clusters are too many
		v["focal"] = "simple"
	}
	return v
}

// valuesFor returns those of the values whose parameters a method takes.
func valuesFor(m method.Method, v values) values {
	return maps.Collect(func(yield func(string, string) bool) {
		for name, value := range v {
			if m.Takes(name) && !yield(name, value) {
				return
			}
		}
	})
}

// answered asks the classes wherever the method asks, and fits otherwise.
func answered(ctx context.Context, m method.Method, p method.Problem, v values,
	budget int) (*method.Outcome, error) {
	c, err := m.With(v)
	if err != nil {
		return nil, err
	}
	if m.Asks() {
		return c.Answered(ctx, p, ask.Labels(p.Classes), budget)
	}
	return c.Fit(ctx, p)
}

// run fits, or asks the classes where the method needs answers.
func run(ctx context.Context, m method.Method, p method.Problem, v values) (*method.Outcome,
	error) {
	c, err := m.With(v)
	if err != nil {
		return nil, err
	}
	if m.NeedsAnswers {
		return c.Answered(ctx, p, ask.Labels(p.Classes), 0)
	}
	return c.Fit(ctx, p)
}

// plain fits without questions.
func plain(ctx context.Context, m method.Method, p method.Problem, v values) (*method.Outcome,
	error) {
	c, err := m.With(v)
	if err != nil {
		return nil, err
	}
	return c.Fit(ctx, p)
}

// fitted fits without questions, and checks that the outcome hangs together.
func fitted(t *testing.T, m method.Method, p method.Problem, v values) *method.Outcome {
	t.Helper()
	out, err := plain(t.Context(), m, p, v)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, m, p, out)
	return out
}

// outcomeOf runs a method, and checks that the outcome hangs together.
func outcomeOf(t *testing.T, m method.Method, p method.Problem, v values) *method.Outcome {
	t.Helper()
	out, err := run(t.Context(), m, p, v)
	if err != nil {
		t.Fatal(err)
	}
	sound(t, m, p, out)
	return out
}

// sound reports whether an outcome hangs together.
func sound(t *testing.T, m method.Method, p method.Problem, out *method.Outcome) {
	t.Helper()
	n := p.Data.Rows
	if len(out.Labels) != n {
		t.Fatalf("%d labels of %d rows", len(out.Labels), n)
	}
	sizes := make([]int, out.Clusters+1)
	for _, l := range out.Labels {
		if l < 0 || l > out.Clusters {
			t.Fatalf("a row is in cluster %d of %d", l, out.Clusters)
		}
		sizes[l]++
	}
	if !slices.IsSortedFunc(sizes[1:], func(a, b int) int { return b - a }) && out.Credal == nil {
		t.Errorf("clusters of %v rows are not numbered by size", sizes[1:])
	}
	if math.IsNaN(out.Objective) || math.IsInf(out.Objective, 0) {
		t.Errorf("the objective is %g", out.Objective)
	}
	if degrees := out.Model != nil && out.Model.Degrees != nil; degrees != m.Degrees {
		t.Errorf("the model has degrees: %t, and the registry says %t", degrees, m.Degrees)
	}
	if (out.Credal != nil) != (m.Masses && out.Clusters > 0) {
		t.Errorf("masses: %t, and the registry says %t", out.Credal != nil, m.Masses)
	}
	if out.Credal != nil {
		if err := out.Credal.Check(); err != nil {
			t.Error(err)
		}
	}
	if out.Iterations > 0 && out.Stopped == "" {
		t.Error("the outcome does not say why it stopped")
	}
}

func same(a, b *method.Outcome) bool {
	return slices.Equal(a.Labels, b.Labels) && a.Objective == b.Objective &&
		(a.Credal == nil || slices.Equal(a.Credal.Mass, b.Credal.Mass))
}

func agreement(t *testing.T, a, b []int) float64 {
	t.Helper()
	r, err := eval.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

func truth(classes []int32) []int {
	out := make([]int, len(classes))
	for i, c := range classes {
		out[i] = int(c) + 1
	}
	return out
}

// wine returns the sample of wines, with its classes as labels.
func wine(t *testing.T) (*dataset.Table, *dataset.Prepared) {
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
	return table, p
}
