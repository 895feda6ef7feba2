//go:build ignore

package method

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Methods that learn from classes take as many clusters as there are classes, those that links tell
// among them.
func TestClassesSayHowManyClusters(t *testing.T) {
	data := dataset.Matrix{Rows: 7, Cols: 1, F64: []float64{0, 1, 2, 8, 9, 10, 20}}
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 4, B: 3, Kind: link.MustLink},
		{A: 1, B: 3, Kind: link.CannotLink}}
	for _, name := range []string{"seeded-kmeans", "constrained-kmeans", "ssnb"} {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for what, c := range map[string]struct {
			p        Problem
			clusters int
			want     int // 0: a fault
		}{
			"classes":         {Problem{Data: data, Known: []int32{0, -1, 1, 1, -1, 2, -1}}, 0, 3},
			"links":           {Problem{Data: data, Links: links}, 0, 2},
			"more than known": {Problem{Data: data, Links: links}, 3, 3},
			"none known":      {Problem{Data: data}, 2, 2},
			"nothing":         {Problem{Data: data}, 0, 0},
			"fewer than known": {Problem{Data: data, Known: []int32{0, 1, 2, -1, -1, -1, -1}}, 2,
				0},
		} {
			out, err := m.Fit(context.Background(), c.p, Settings{Clusters: c.clusters})
			switch {
			case c.want == 0 && !fault.IsInput(err):
				t.Errorf("%s, %s: %v, %v", name, what, out, err)
			case c.want > 0 && err != nil:
				t.Errorf("%s, %s: %v", name, what, err)
			case c.want > 0 && len(out.Model.ClusterOf) != c.want:
				t.Errorf("%s, %s: %d clusters, want %d", name, what, len(out.Model.ClusterOf),
					c.want)
			}
		}
	}
}

// More clusters than masses can be about leave labels alone.
func TestManyFuzzyClusters(t *testing.T) {
	data := dataset.Matrix{Rows: 140, Cols: 1}
	for i := range data.Rows {
		data.F64 = append(data.F64, float64(i))
	}
	for _, name := range []string{"fcm", "ssnb"} {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Fit(context.Background(), Problem{Data: data}, Settings{Clusters: 70})
		if err != nil {
			t.Fatal(err)
		}
		told := slices.ContainsFunc(out.Notes,
			func(s string) bool { return strings.Contains(s, "at most 63 clusters") })
		if out.Credal != nil || !told || slices.Max(out.Labels) < 10 {
			t.Errorf("%s: masses %v, notes %q", name, out.Credal != nil, out.Notes)
		}
	}
}

func TestUnknownTunings(t *testing.T) {
	data := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 8, 9}}
	for name, tuning := range map[string]Tuning{"mpckmeans": {Metric: "round"},
		"ssnb": {Likelihood: "poisson"}, "fcm": {Fuzziness: 0.5}, "pckmeans": {LinkWeight: -1}} {
		m, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		if out, err := m.Fit(context.Background(), Problem{Data: data},
			Settings{Clusters: 2, Tuning: tuning}); !fault.IsInput(err) {
			t.Errorf("%s: %v, %v", name, out, err)
		}
	}
	negative := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{-1, 1}}
	m, _ := Find("ssnb")
	if _, err := m.Fit(context.Background(), Problem{Data: negative},
		Settings{Clusters: 2, Tuning: Tuning{Likelihood: "multinomial"}}); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "gaussian") {
		t.Errorf("counts below 0: %v", err)
	}
}

// MPCK-means says that its objective rose only where it did, though it is below 0, and that
// Euclidean distances are not learnt.
func TestNotesOfMPCKMeans(t *testing.T) {
	data := dataset.Matrix{Rows: 12, Cols: 2}
	for i := range data.Rows {
		data.F64 = append(data.F64, float64(i%3)+0.01*float64(i),
			0.1*float64(i%3)-0.002*float64(i*i%7))
	}
	for metric, want := range map[string][]string{
		"full": nil, "diagonal": nil,
		"euclidean": {"Euclidean distances are not learnt, so that sharing them means nothing"},
	} {
		out, err := fitMPCK(context.Background(), Problem{Data: data},
			Settings{Clusters: 3, Tuning: Tuning{Metric: metric, Shared: true}})
		if err != nil {
			t.Fatal(metric, err)
		}
		if below := metric != "euclidean"; below != (out.Objective < 0) ||
			!slices.Equal(out.Notes, want) {
			t.Errorf("%s: objective %g, notes %q", metric, out.Objective, out.Notes)
		}
	}
}
