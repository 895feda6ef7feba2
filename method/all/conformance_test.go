package all_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/plot"
)

// The suite that every method of the registry passes: what a user may count on whatever the method.
// Each part is a test with a case a method.

// On three clusters that lie apart, with a few links or classes, every method finds them, says so
// in words and pictures, and leaves the data as they were.
func TestEveryMethodFindsThreeClusters(t *testing.T) {
	forAll(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(240)
		p := problemOf(t, m, x, classes, 8)
		before, links, known := slices.Clone(x.F64), slices.Clone(p.Links), slices.Clone(p.Known)
		p.Progress = func(q fit.Progress) {
			if q.Share < 0 || q.Share > 1 {
				t.Errorf("the share of the work done is %g", q.Share)
			}
		}
		out := outcomeOf(t, m, p, valuesOf(m, 3))
		if ari := agreement(t, out.Labels, truth(classes)); ari < 0.9 {
			t.Errorf("adjusted Rand index %.3f, in %d clusters", ari, out.Clusters)
		}
		if !slices.Equal(before, x.F64) || !slices.Equal(links, p.Links) ||
			!slices.Equal(known, p.Known) {
			t.Error("the caller's data are changed")
		}
		if m.Title == "" || m.Source == "" {
			t.Errorf("the method does not describe itself: %q, %q", m.Title, m.Source)
		}
		c, err := method.Doubts(t.Context(), p, out, 0)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range c.Certainty {
			if !(v >= 0 && v <= 1) || c.Words(i) == "" {
				t.Fatalf("row %d is sure to %g: %q", i, v, c.Words(i))
			}
		}
		drawn(t, m, x, out)
	})
}

// drawn draws a picture of the outcome.
func drawn(t *testing.T, m method.Method, x dataset.Matrix, out *method.Outcome) {
	t.Helper()
	view, err := plot.Plane(t.Context(), x, []string{"a", "b", "c"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var fig *plot.Figure
	if out.Credal != nil {
		fig, err = plot.Rough(plot.RoughConfig{Cloud: plot.Cloud{Points: view.Points},
			Credal: out.Credal, Page: plot.Page{Title: m.Name}})
	} else {
		fig, err = plot.Scatter(plot.ScatterConfig{Cloud: plot.Cloud{Points: view.Points},
			Clusters: out.Labels, Page: plot.Page{Title: m.Name}})
	}
	if err == nil {
		err = fig.Save(filepath.Join(t.TempDir(), "groups.svg"))
	}
	if err != nil {
		t.Error(err)
	}
}

// The number of threads changes no bit, and neither does a second run.
func TestThreadsChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(200)
		p := problemOf(t, m, x, classes, 3)
		p.Threads = 1
		one := outcomeOf(t, m, p, valuesOf(m, 3))
		for _, threads := range []int{2, 5} {
			p.Threads = threads
			if !same(one, outcomeOf(t, m, p, valuesOf(m, 3))) {
				t.Errorf("%d threads give another outcome", threads)
			}
		}
	})
}

// The order of rows changes nothing where nothing is drawn, and the quality hardly else.
func TestTheOrderOfRows(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(201)
		p := problemOf(t, m, x, classes, 5)
		out := outcomeOf(t, m, p, valuesOf(m, 3))
		perm := rand.New(rand.NewPCG(1, 2)).Perm(x.Rows)
		at := make([]int, x.Rows) // of each row in the permuted ones
		for to, from := range perm {
			at[from] = to
		}
		moved := problemOf(t, m, x.Subset(perm), nil, 0)
		for _, l := range p.Links {
			moved.Links = append(moved.Links, link.Link{A: at[l.A], B: at[l.B], Kind: l.Kind})
		}
		if p.Known != nil {
			moved.Known = make([]int32, x.Rows)
		}
		for to, from := range perm {
			if p.Known != nil {
				moved.Known[to] = p.Known[from]
			}
			moved.Classes = append(moved.Classes, classes[from])
		}
		other := outcomeOf(t, m, moved, valuesOf(m, 3))
		back := make([]int, x.Rows)
		for from := range back {
			back[from] = other.Labels[at[from]]
		}
		ari := agreement(t, out.Labels, back)
		if least := 0.9; m.Draws && ari < least || !m.Draws && ari < 1 {
			t.Errorf("agreement %.4f with the partition of the rows in another order (draws: %t)",
				ari, m.Draws)
		}
	})
}

// Rows that are there several times, and columns that are all alike, do no harm.
func TestDuplicatesAndConstants(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(60)
		wide := dataset.Matrix{Rows: 180, Cols: 5}
		var all []int32
		for i := range wide.Rows {
			wide.F64 = append(wide.F64, x.F64[i/3*3], x.F64[i/3*3+1], 0, x.F64[i/3*3+2], 7)
			all = append(all, classes[i/3])
		}
		out := outcomeOf(t, m, problemOf(t, m, wide, all, 6), valuesOf(m, 3))
		if ari := agreement(t, out.Labels, truth(all)); ari < 0.8 {
			t.Errorf("adjusted Rand index %.3f in %d clusters", ari, out.Clusters)
		}
	})
}

// finds reports whether the method itself finds a given number of clusters, and not only a strategy
// asks for it.
func finds(m method.Method) bool {
	set := &param.Set{}
	m.Configure(set)
	_, takes := set.Lookup("clusters")
	return takes
}

// refusesOrHolds lets a method refuse a problem as bad input, or solve it; anything else is a
// fault.
func refusesOrHolds(t *testing.T, m method.Method, p method.Problem, v values,
	what string) *method.Outcome {
	t.Helper()
	out, err := run(t.Context(), m, p, v)
	switch {
	case err == nil:
		sound(t, m, p, out)
		return out
	case !fault.IsInput(err):
		var clash *link.Contradiction
		var setting fault.Setting
		if !errors.As(err, &clash) && !errors.As(err, &setting) {
			t.Errorf("%s: %v is no fault of the input", what, err)
		}
	}
	return nil
}

// One cluster, as many clusters as rows, more clusters than rows, next to no rows and rows that are
// all alike are solved or refused in words.
func TestEdges(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(12)
		if out := refusesOrHolds(t, m, problemOf(t, m, x, make([]int32, 12), 2), valuesOf(m, 1),
			"one cluster"); out != nil && finds(m) && out.Clusters != 1 {
			t.Errorf("one cluster is wanted and %d are found", out.Clusters)
		}
		each := make([]int32, 12)
		for i := range each {
			each[i] = int32(i)
		}
		if out := refusesOrHolds(t, m, problemOf(t, m, x, each, 1), valuesOf(m, 12),
			"as many clusters as rows"); out != nil && finds(m) && !m.Masses &&
			!m.Draws && out.Clusters != 12 {
			t.Errorf("12 clusters of 12 rows are wanted and %d are found", out.Clusters)
		}
		if finds(m) {
			if _, err := run(t.Context(), m, problemOf(t, m, x, classes, 2),
				valuesOf(m, 13)); !fault.IsInput(err) {
				t.Errorf("13 clusters of 12 rows: %v", err)
			}
		}
		for n := range 4 {
			few := dataset.Matrix{Rows: n, Cols: 3, F64: x.F64[:3*n]}
			refusesOrHolds(t, m, problemOf(t, m, few, classes[:n], 1), valuesOf(m, 2), "few rows")
		}
		alike := dataset.Matrix{Rows: 20, Cols: 3, F64: slices.Repeat([]float64{0.5}, 60)}
		refusesOrHolds(t, m, problemOf(t, m, alike, make([]int32, 20), 2), valuesOf(m, 2),
			"rows that are all alike")
		spoilt := dataset.Matrix{Rows: 12, Cols: 3, F64: slices.Clone(x.F64)}
		spoilt.F64[7] = math.NaN()
		p := problemOf(t, m, x, classes, 2)
		p.Data, p.Objects, p.Dissim = spoilt, method.Objects{}, nil
		if out, err := run(t.Context(), m, p, valuesOf(m, 2)); err == nil {
			t.Errorf("a value that is no number is taken: %v", out.Labels)
		}
	})
}

// A method under way ends soon after its context, and one whose context is over does not begin.
func TestCancellation(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(3000)
		p := problemOf(t, m, x, classes, 10)
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := run(over, m, p, valuesOf(m, 3)); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that is over: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		defer cancel()
		done := make(chan error, 1)
		go func() {
			_, err := run(ctx, m, p, valuesOf(m, 3))
			done <- err
		}()
		select {
		case err := <-done:
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		case <-time.After(2 * time.Minute): // on a machine that does much else
			t.Error("the method goes on although its context is over")
		}
	})
}

// Links are met, or counted as unmet; those that contradict each other are refused, or kept as
// asked.
func TestLinksAreMetOrCounted(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		if !m.Links {
			t.Skip("the method does not learn from links")
		}
		x, classes := blobs(150)
		rng := rand.New(rand.NewPCG(9, 9))
		wrong := slices.Clone(classes)
		for range 15 {
			wrong[rng.IntN(150)] = int32(rng.IntN(3))
		}
		p := problemOf(t, m, x, classes, 0)
		p.Known, p.Links = nil, linksAmong(wrong, rng.Perm(150)[:20])
		v := valuesOf(m, 3)
		out := fitted(t, m, p, v)
		if want := link.Violated(out.Labels, p.Links); !sameLinks(out.Unmet, want) {
			t.Errorf("%d links are said to be unmet, and %d are violated", len(out.Unmet),
				len(want))
		}
		p.Links = append(p.Links,
			link.Link{A: 0, B: 3, Kind: link.MustLink}, link.Link{A: 3, B: 6, Kind: link.MustLink},
			link.Link{A: 0, B: 6, Kind: link.CannotLink})
		var clash *link.Contradiction
		if _, err := plain(t.Context(), m, p, v); !errors.As(err, &clash) {
			t.Errorf("links that contradict each other: %v", err)
		}
		v["contradictions"] = "keep"
		kept := fitted(t, m, p, v)
		if want := link.Violated(kept.Labels, p.Links); len(want) == 0 ||
			!sameLinks(kept.Unmet, want) {
			t.Errorf("%d links are said to be unmet, and %d are violated", len(kept.Unmet),
				len(want))
		}
	})
}

// sameLinks reports whether two lists have the same links, in any order.
func sameLinks(a, b []link.Link) bool {
	order := func(l []link.Link) [][3]int {
		var out [][3]int
		for _, v := range l {
			out = append(out, [3]int{min(v.A, v.B), max(v.A, v.B), int(v.Kind)})
		}
		slices.SortFunc(out, func(a, b [3]int) int { return slices.Compare(a[:], b[:]) })
		return out
	}
	return slices.Equal(order(a), order(b))
}

// A model, kept in a file and read again, places the rows of the fit where the fit has them.
func TestModelsPlaceTheRowsOfTheFit(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		table, prepared := wine(t)
		classes, _, _ := table.Labels()
		p := problemOf(t, m, prepared.X, classes, 5)
		out := outcomeOf(t, m, p, valuesOf(m, 3))
		if m.Name == "cevclus" {
			t.Skip("a fit of the Sammon stress places no new rows")
		}
		if out.Model == nil {
			t.Fatal("there is no model")
		}
		out.Model.Method, out.Model.Encoding = m.Name, prepared.Encoding
		path := filepath.Join(t.TempDir(), "m.json")
		if err := model.Save(out.Model, path); err != nil {
			t.Fatal(err)
		}
		read, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		labels, _, err := model.Predict(t.Context(), read, table, 2)
		if err != nil {
			t.Fatal(err)
		}
		agree := 0
		for i, l := range labels {
			if l == out.Labels[i] {
				agree++
			}
		}
		if agree < len(labels)*85/100 {
			t.Errorf("%d of %d rows are placed as in the fit", agree, len(labels))
		}
	})
}

// What a method claims of scales holds: a factor on everything, or on each column, leaves the
// partition as it is.
func TestScalesThatMeanNothing(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		if m.Invariant == method.NotInvariant {
			t.Skip("the method claims nothing")
		}
		x, classes := blobs(150)
		out := outcomeOf(t, m, problemOf(t, m, x, classes, 4), valuesOf(m, 3))
		scaled := x.Clone()
		for i := range scaled.F64 {
			factor := 1024.0
			if m.Invariant == method.ToColumns {
				factor = [3]float64{1024, 1. / 16, 8}[i%3]
			}
			scaled.F64[i] *= factor
		}
		other := outcomeOf(t, m, problemOf(t, m, scaled, classes, 4), valuesOf(m, 3))
		if ari := agreement(t, out.Labels, other.Labels); ari < 1 {
			t.Errorf("agreement %.4f with the partition of scaled rows", ari)
		}
	})
}

// Data in float32 give about the partition of the same data in float64.
func TestSinglePrecision(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(120)
		single := dataset.Matrix{Rows: x.Rows, Cols: x.Cols}
		for _, v := range x.F64 {
			single.F32 = append(single.F32, float32(v))
		}
		out := outcomeOf(t, m, problemOf(t, m, single, classes, 4), valuesOf(m, 3))
		if ari := agreement(t, out.Labels, truth(classes)); ari < 0.9 {
			t.Errorf("adjusted Rand index %.3f", ari)
		}
	})
}

// A method that takes dissimilarities takes them alone, without rows, and returns what it gives
// with them.
func TestDissimilaritiesAlone(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		if !m.Dissimilarity {
			t.Skip("the method takes no dissimilarities")
		}
		x, classes := blobs(90)
		p := problemOf(t, m, x, classes, 4)
		dense, err := dissim.NewDense(t.Context(), p.Dissim, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Data, p.Objects, p.Dissim = dataset.Matrix{}, method.Objects{}, dense
		out, err := run(t.Context(), m, p, valuesOf(m, 3))
		if err != nil {
			t.Fatal(err)
		}
		if ari := agreement(t, out.Labels, truth(classes)); ari < 0.8 {
			t.Errorf("adjusted Rand index %.3f in %d clusters", ari, out.Clusters)
		}
		if _, err := method.Doubts(t.Context(), p, out, 1); err != nil {
			t.Error(err)
		}
	})
}
