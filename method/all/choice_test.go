package all_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// apart are n rows of k clusters on the corners of a polygon, far from each other.
func apart(n, k int) dataset.Matrix {
	rng := rand.New(rand.NewPCG(6, 9))
	corners := [][2]float64{{0, 0}, {10, 1}, {3, 11}, {14, 12}, {-9, 8}, {-8, -9}, {7, -10}}
	m := dataset.Matrix{Rows: n, Cols: 2}
	for i := range n {
		c := corners[i%k]
		m.F64 = append(m.F64, c[0]+rng.NormFloat64(), c[1]+rng.NormFloat64())
	}
	return m
}

// chosen fits a method under values to a problem.
func chosen(t *testing.T, name string, values map[string]string,
	p method.Problem) (*method.Outcome, error) {
	t.Helper()
	m, err := all.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := m.With(values)
	if err != nil {
		t.Fatal(err)
	}
	return c.Fit(t.Context(), p)
}

// Every criterion finds the number of clusters that are far apart, and reports all that were tried.
func TestTheNumberOfClustersIsFound(t *testing.T) {
	for _, c := range []struct {
		method, by string
		starts     bool
	}{
		{"kmeans", "", true}, {"kmeans", "gap", true}, {"kmeans", "stability", true},
		{"gmm", "", true}, {"gmm", "icl", true}, {"gmm", "silhouette", true}, {"fcm", "", true},
		{"agglomerative", "", false}, {"agglomerative", "gap", false}, {"spectral", "", false},
	} {
		if testing.Short() && c.by == "stability" {
			continue
		}
		for _, k := range []int{3, 5} {
			values := map[string]string{"clusters": "2..8"}
			if c.starts {
				values["starts"] = "5"
			}
			if c.by != "" {
				values["choose"] = c.by
			}
			out, err := chosen(t, c.method, values, method.Problem{Data: apart(240, k)})
			if err != nil {
				t.Fatalf("%s by %q: %v", c.method, c.by, err)
			}
			if out.Clusters != k || out.Choice == nil || out.Choice.Clusters != k ||
				len(out.Choice.Tried) != 7 {
				t.Errorf("%s by %q: %d clusters of %d: %v", c.method, c.by, out.Clusters, k,
					strings.Join(out.Choice.Table(), "\n"))
			}
			star := out.Choice.Table()[k-1]
			if !strings.HasPrefix(star, "*") {
				t.Errorf("the line of %d clusters is %q", k, star)
			}
			if found := strings.Join(out.Notes, "\n"); !strings.Contains(found, "are chosen by") {
				t.Errorf("notes %q", found)
			}
		}
	}
}

// One cluster can be chosen by what is defined for it.
func TestOneClusterIsFound(t *testing.T) {
	for by, name := range map[string]string{"bic": "gmm", "gap": "kmeans"} {
		out, err := chosen(t, name, map[string]string{"clusters": "1..5", "choose": by},
			method.Problem{Data: apart(150, 1)})
		if err != nil || out.Clusters != 1 {
			t.Errorf("%s: %+v, %v", by, out, err)
		}
	}
}

// What is chosen is what one fit of that number finds; more rows than are fitted again, threads and
// progress change nothing.
func TestAChoiceIsAFit(t *testing.T) {
	n := 2400
	if testing.Short() {
		n = 300
	}
	data := apart(n, 4)
	for _, by := range []string{"silhouette", "gap", "stability"} {
		values := map[string]string{"clusters": "3..5", "choose": by, "seed": "3"}
		p := method.Problem{Data: data, Threads: 1}
		one, err := chosen(t, "kmeans", values, p)
		if err != nil {
			t.Fatal(err)
		}
		last := 0.0
		p.Threads, p.Progress = 3, func(now fit.Progress) {
			if now.Share < last || now.Share > 1 {
				t.Errorf("%s: progress goes from %g to %g", by, last, now.Share)
			}
			last = now.Share
		}
		three, err := chosen(t, "kmeans", values, p)
		if err != nil || !reflect.DeepEqual(one, three) {
			t.Errorf("%s: three threads find something else, %v", by, err)
		}
		alone, err := chosen(t, "kmeans", map[string]string{"clusters": "4", "seed": "3"},
			method.Problem{Data: data})
		if err != nil || one.Clusters != 4 || !reflect.DeepEqual(one.Labels, alone.Labels) {
			t.Errorf("%s: %d clusters, %v", by, one.Clusters, err)
		}
		if want := n > 2000 && by != "silhouette"; (one.Choice.Subsample == 2000) != want {
			t.Errorf("%s of %d rows is of %d", by, n, one.Choice.Subsample)
		}
	}
}

// Rows that are known by their dissimilarities alone are judged by them.
func TestAChoiceByDissimilarities(t *testing.T) {
	data := apart(90, 3)
	o := method.Objects{Comparison: method.Comparison{Metric: dissim.Euclidean}, Rows: data}
	src, err := o.Source()
	if err != nil {
		t.Fatal(err)
	}
	dense, err := dissim.NewDense(t.Context(), src, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{"clusters": "2..6", "linkage": "average"}
	got, err := chosen(t, "agglomerative", values, method.Problem{Dissim: dense})
	if err != nil || got.Clusters != 3 {
		t.Fatalf("%+v, %v", got, err)
	}
	want, err := chosen(t, "agglomerative", values, method.Problem{Data: data, Objects: o})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want.Choice.Tried {
		a, b := got.Choice.Tried[i].Criteria["silhouette"], w.Criteria["silhouette"]
		if a-b > 1e-4 || b-a > 1e-4 {
			t.Errorf("%d clusters: silhouette %g by dissimilarities, %g by vectors", w.Clusters, a,
				b)
		}
	}
	values["choose"] = "stability"
	if got, err = chosen(t, "agglomerative", values, method.Problem{Dissim: dense}); err != nil ||
		got.Clusters != 3 {
		t.Errorf("by stability %+v, %v", got, err)
	}
	values["choose"] = "gap"
	if _, err = chosen(t, "agglomerative", values, method.Problem{Dissim: dense}); err == nil ||
		!strings.Contains(err.Error(), "silhouette or stability") {
		t.Errorf("by gap: %v", err)
	}
}

func TestWhatARangeIsRefusedFor(t *testing.T) {
	data := apart(60, 3)
	m, _ := all.Find("pckmeans")
	c, err := m.With(map[string]string{"clusters": "2..4"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Begin(t.Context(), method.Problem{Data: data}); err == nil ||
		!strings.Contains(err.Error(), "one number of clusters") {
		t.Errorf("asked: %v", err)
	}
	links := []link.Link{{A: 0, B: 3, Kind: link.MustLink}}
	p := method.Problem{Data: data, Knowledge: fit.Knowledge{Links: links}}
	if out, err := c.Fit(t.Context(), p); err != nil || out.Clusters != 3 {
		t.Errorf("under links %+v, %v", out, err)
	}
	var setting fault.Setting
	if _, err := chosen(t, "pckmeans", map[string]string{"clusters": "2..4", "choose": "gap"},
		p); !errors.As(err, &setting) {
		t.Errorf("under links by gap: %v", err)
	}
	for _, values := range []map[string]string{{"clusters": "4..2"}, {"clusters": "0..2"},
		{"clusters": "2..3", "choose": "bic"}, {"clusters": "2..x"}} {
		m, _ := all.Find("kmeans")
		if _, err := m.With(values); !errors.As(err, &setting) {
			t.Errorf("%v: %v", values, err)
		}
	}
	// more clusters than rows end the range, and are an error where it begins there
	few := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 10, 11}}
	out, err := chosen(t, "kmeans", map[string]string{"clusters": "2..9"},
		method.Problem{Data: few})
	if err != nil || out.Clusters != 2 ||
		!strings.Contains(strings.Join(out.Notes, "\n"), "no more than 4 clusters are tried") {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := chosen(t, "kmeans", map[string]string{"clusters": "5..9"},
		method.Problem{Data: few}); !fault.IsInput(err) {
		t.Errorf("5..9 clusters of 4 rows: %v", err)
	}
	out, err = chosen(t, "kmeans", map[string]string{"clusters": "2", "choose": "gap"},
		method.Problem{Data: few})
	if err != nil || !strings.Contains(strings.Join(out.Notes, "\n"), "--choose has no effect") {
		t.Errorf("%+v, %v", out, err)
	}
}

// A choice ends with its context.
func TestAChoiceIsCancelled(t *testing.T) {
	for _, by := range []string{"silhouette", "gap", "stability"} {
		ctx, cancel := context.WithCancel(t.Context())
		m, _ := all.Find("kmeans")
		c, err := m.With(map[string]string{"clusters": "2..6", "choose": by})
		if err != nil {
			t.Fatal(err)
		}
		p := method.Problem{Data: apart(200, 3), Progress: func(now fit.Progress) {
			if now.Share > .3 {
				cancel()
			}
		}}
		if _, err := c.Fit(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", by, err)
		}
		cancel()
	}
}
