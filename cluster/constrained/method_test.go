package constrained_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// with returns a method with values of its parameters.
func with(t *testing.T, name string, values map[string]string) (*method.Configured, error) {
	t.Helper()
	m, err := all.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return m.With(values)
}

// Methods that learn from classes take as many clusters as there are classes, those included that
// links distinguish.
func TestAsManyClustersAsClasses(t *testing.T) {
	data := dataset.Matrix{Rows: 7, Cols: 1, F64: []float64{0, 1, 2, 8, 9, 10, 20}}
	links := fit.Knowledge{Links: []link.Link{{A: 0, B: 1, Kind: link.MustLink},
		{A: 4, B: 3, Kind: link.MustLink}, {A: 1, B: 3, Kind: link.CannotLink}}}
	three := fit.Knowledge{Known: []int32{0, -1, 1, 1, -1, 2, -1}}
	for _, name := range []string{"seeded-kmeans", "constrained-kmeans", "ssnb"} {
		for what, c := range map[string]struct {
			known    fit.Knowledge
			clusters string
			want     int // 0: an error
		}{
			"classes":          {three, "", 3},
			"links":            {links, "", 2},
			"more than known":  {links, "3", 3},
			"none known":       {fit.Knowledge{}, "2", 2},
			"nothing":          {fit.Knowledge{}, "", 0},
			"fewer than known": {three, "2", 0},
		} {
			values := map[string]string{}
			if c.clusters != "" {
				values["clusters"] = c.clusters
			}
			m, err := with(t, name, values)
			if err != nil {
				t.Fatal(err)
			}
			out, err := m.Fit(t.Context(), method.Problem{Data: data, Knowledge: c.known})
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

func TestInvalidSettings(t *testing.T) {
	for name, values := range map[string]map[string]string{
		"mpckmeans":     {"cluster-metric": "round"},
		"ssnb":          {"likelihood": "poisson"},
		"fcm":           {"fuzziness": "0.5"},
		"pckmeans":      {"link-weight": "-1"},
		"olcvqe":        {"unlearning-rate": "1"},
		"wta":           {"penalty": "plain"},
		"lcvqe":         {"init": "random"},
		"kmeans":        {"tolerance": "0"},
		"seeded-kmeans": {"cluster": "3"},
	} {
		var wrong fault.Setting
		if _, err := with(t, name, values); !errors.As(err, &wrong) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m, err := with(t, "ssnb", map[string]string{"clusters": "2", "likelihood": "multinomial"})
	if err != nil {
		t.Fatal(err)
	}
	negative := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{-1, 1}}
	if _, err := m.Fit(t.Context(), method.Problem{Data: negative}); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "gaussian") {
		t.Errorf("counts below 0: %v", err)
	}
}

// The outcome has the note that the objective of MPCK-means rose only where it did, though it is
// below 0, and the one that Euclidean distances are not learnt.
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
		m, err := with(t, "mpckmeans",
			map[string]string{"clusters": "3", "cluster-metric": metric, "shared-metric": "true"})
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Fit(t.Context(), method.Problem{Data: data})
		if err != nil {
			t.Fatal(metric, err)
		}
		if below := metric != "euclidean"; below != (out.Objective < 0) ||
			!slices.Equal(out.Notes, want) {
			t.Errorf("%s: objective %g, notes %q", metric, out.Objective, out.Notes)
		}
	}
}
