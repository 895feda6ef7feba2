package method_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/method"
)

// TestCertaintyByDistance is what its definition says, for any representatives, in both types and
// with any threads.
func TestCertaintyByDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d, clusters := rapid.IntRange(1, 60).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "d"),
			rapid.IntRange(1, 4).Draw(t, "clusters")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := dataset.Matrix{Rows: n, Cols: d}
		single := rapid.Bool().Draw(t, "single")
		for range n * d {
			v := float64(rng.IntN(20))
			if single {
				x.F32 = append(x.F32, float32(v))
			} else {
				x.F64 = append(x.F64, v)
			}
		}
		o := &method.Outcome{Clusters: clusters}
		for range n {
			o.Labels = append(o.Labels, rng.IntN(clusters+1))
		}
		var reps [][]float64
		var of []int
		if rapid.Bool().Draw(t, "medoids") {
			for range rapid.IntRange(1, 20).Draw(t, "medoids") {
				m := rng.IntN(n)
				o.Medoids = append(o.Medoids, m)
				if o.Labels[m] > 0 {
					reps, of = append(reps, x.AppendRow(nil, m)), append(of, o.Labels[m])
				}
			}
		} else {
			k := rapid.IntRange(1, 20).Draw(t, "means")
			o.Model = &method.Model{Means: dataset.Matrix{Rows: k, Cols: d}}
			for range k {
				var mean []float64
				for range d {
					mean = append(mean, float64(rng.IntN(20)))
				}
				reps, of = append(reps, mean), append(of, 1+rng.IntN(clusters))
				o.Model.Means.F64 = append(o.Model.Means.F64, mean...)
			}
			o.Model.ClusterOf = of
		}
		got, err := method.Doubts(t.Context(), method.Problem{Data: x}, o,
			rapid.IntRange(1, 3).Draw(t, "threads"))
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range o.Labels {
			want, other := 0.0, 0
			switch {
			case label > 0 && clusters == 1:
				want = 1 // whatever stands for it
			case label > 0 && len(reps) > 0:
				want, other = ratio(x.AppendRow(nil, i), label, reps, of)
			}
			if math.Abs(float64(got.Certainty[i])-want) > 1e-6 || int(got.Other[i]) != other {
				t.Fatalf("row %d of cluster %d: %v beside %d, want %v beside %d", i, label,
					got.Certainty[i], got.Other[i], want, other)
			}
			if words := got.Words(i); words == "" || (label == 0) != (words == "in no group") {
				t.Fatalf("row %d of cluster %d: %q", i, label, words)
			}
		}
	})
}

// ratio returns 1 − own/other from its definition, and the other cluster.
func ratio(x []float64, label int, reps [][]float64, of []int) (certainty float64, other int) {
	near := map[int]float64{}
	for r, rep := range reps {
		sum := 0.0
		for j, v := range x {
			sum += (v - rep[j]) * (v - rep[j])
		}
		if least, known := near[of[r]]; !known || sum < least {
			near[of[r]] = sum
		}
	}
	for l, sum := range near {
		if l != label && (other == 0 || sum < near[other] || sum == near[other] && l < other) {
			other = l
		}
	}
	own, known := near[label]
	switch {
	case other == 0:
		return 1, 0
	case !known || own >= near[other]:
		return 0, other
	}
	return 1 - math.Sqrt(own/near[other]), other
}

// places is an outcome of five rows on a line with means at 0, 10 and 30.
func places() (method.Problem, *method.Outcome) {
	x := dataset.Matrix{Rows: 7, Cols: 1, F64: []float64{0, 4, 4.7, 4.9, 6, 9, 30}}
	o := &method.Outcome{
		Labels: []int{1, 1, 1, 1, 1, 2, 0}, Clusters: 3,
		Model: &method.Model{Means: dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 10, 30}},
			ClusterOf: []int{1, 2, 3}},
	}
	return method.Problem{Data: x}, o
}

func TestWordsOfDistances(t *testing.T) {
	p, o := places()
	c, err := method.Doubts(t.Context(), p, o, 0)
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range []string{
		"group 1: over 100 times as far from group 2",
		"between groups 1 and 2: 1.5 times as far from 2",
		"between groups 1 and 2: 1.1 times as far from 2",
		"between groups 1 and 2: hardly nearer to 1",
		"between groups 1 and 2: as near to both",
		"group 2: 9.0 times as far from group 1",
		"in no group",
	} {
		if got := c.Words(row); got != want {
			t.Errorf("row %d: %q, want %q", row, got, want)
		}
	}
	o.Model.ClusterOf = []int{1, 1, 1}
	o.Labels = []int{1, 1, 1, 1, 1, 1, 1}
	if c, err = method.Doubts(t.Context(), p, o, 0); err != nil ||
		c.Words(0) != "group 1, the only one" || c.Certainty[0] != 1 {
		t.Errorf("%q (%v)", c.Words(0), err)
	}
}

// TestCertaintyByMass: the margin of the mass that falls to the cluster, and words that name the
// clusters it may be in.
func TestCertaintyByMass(t *testing.T) {
	const c = 4
	focal := []belief.Set{0, 1, 2, 4, 8, 5, 15}
	rows := [][]float64{
		{0, 1, 0, 0, 0, 0, 0},
		{0.04, 0.05, 0, 0.2, 0, 0.71, 0},
		{0.9, 0.1, 0, 0, 0, 0, 0},
		{1, 0, 0, 0, 0, 0, 0},
		{0, 0, 0, 0, 0, 0, 1},
		{0, 0.5, 0.5, 0, 0, 0, 0},
		{0, 0, 0.7, 0, 0, 0, 0.3},
	}
	p := &credal.Partition{Clusters: c, Focal: focal}
	for _, row := range rows {
		p.Mass = append(p.Mass, row...)
	}
	o := &method.Outcome{Labels: p.Hard(belief.MaxPlausibility), Clusters: c, Credal: p}
	got, err := method.Doubts(t.Context(), method.Problem{}, o, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		certainty float64
		other     int32
		may       belief.Set
		words     string
	}{
		{1, 0, 1, "group 1: 100 %"},
		{0.15, 1, 5, "group 1 or 3, not 2 or 4: 96 %"},
		{0.1, 0, 1, "like no group: 90 %"},
		{0, 0, 0, "like no group: 100 %"},
		{0, 2, 15, "any group: 100 %"},
		{0, 2, 3, "group 1 or 2, not 3 or 4: 100 %"},
		{0.7, 1, 2, "group 2: 70 %"},
	} {
		if math.Abs(float64(got.Certainty[i])-want.certainty) > 1e-6 ||
			got.Other[i] != want.other || got.May[i] != want.may || got.Words(i) != want.words {
			t.Errorf("object %d: %v beside %d, may be in %v: %q; want %+v", i, got.Certainty[i],
				got.Other[i], got.May[i], got.Words(i), want)
		}
	}
}

// TestMassOnNearlyAllClusters: of many clusters the few are named that are ruled out.
func TestMassOnNearlyAllClusters(t *testing.T) {
	const c = 5
	p := &credal.Partition{
		Clusters: c,
		Focal:    []belief.Set{0, 1, 2, 4, 8, 16, 15, 3},
		Mass: []float64{
			0, 0.1, 0, 0, 0, 0, 0.9, 0,
			0, 0.1, 0, 0, 0, 0, 0, 0.9,
		},
	}
	o := &method.Outcome{Labels: p.Hard(belief.MaxPlausibility), Clusters: c, Credal: p}
	got, err := method.Doubts(t.Context(), method.Problem{}, o, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"any group but 5: 100 %", "group 1 or 2, not 3, 4 or 5: 100 %",
	} {
		if got.Words(i) != want {
			t.Errorf("object %d: %q, want %q", i, got.Words(i), want)
		}
	}
}

func TestOutcomesWithoutCertainty(t *testing.T) {
	p, o := places()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := method.Doubts(ended, p, o, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("without time: %v", err)
	}
	o.Model = nil
	if _, err := method.Doubts(t.Context(), p, o, 0); err == nil ||
		!strings.Contains(err.Error(), "stands for") {
		t.Errorf("without representatives: %v", err)
	}
	o.Labels = o.Labels[1:]
	if _, err := method.Doubts(t.Context(), p, o, 0); err == nil {
		t.Error("an outcome of other rows")
	}
}

// A partition is fuzzy where only single clusters have mass, whatever sets there are room for.
func TestFuzzy(t *testing.T) {
	fuzzy, err := credal.FromFuzzy([]float64{0.25, 0.75, 1, 0}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !method.Fuzzy(fuzzy) {
		t.Error("memberships are no fuzzy partition")
	}
	possible, err := credal.FromPossibilistic([]float64{1, 0.5}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if method.Fuzzy(possible) {
		t.Error("a possibilistic partition is a fuzzy one")
	}
}

// Where all rows are one cluster, nothing needs to stand for it: no row can be in another.
func TestDoubtsOfOneCluster(t *testing.T) {
	p := method.Problem{Data: dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{0, 1, 9}}}
	for _, labels := range [][]int{{1, 1, 1}, {1, 0, 1}, {0, 0, 0}} {
		o := &method.Outcome{Labels: labels, Clusters: slices.Max(labels)}
		c, err := method.Doubts(t.Context(), p, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		for row, label := range labels {
			if want := float32(label); c.Certainty[row] != want || c.Other[row] != 0 {
				t.Errorf("of %v, row %d has the certainty %g and the other cluster %d", labels, row,
					c.Certainty[row], c.Other[row])
			}
		}
	}
}
