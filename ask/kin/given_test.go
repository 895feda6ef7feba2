package kin_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// twins are rows of six normal groups, two and two of which are near each other.
func twins(n int) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(9, 9))
	x, classes := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
	for i := range n {
		c := i % 6
		classes[i] = int32(c)
		x.F64 = append(x.F64, 40*float64(c/2)+rng.NormFloat64(), 3.4*float64(c%2)+rng.NormFloat64())
	}
	return x, classes
}

// TestKnownClassesAreGroups: three groups are seen where there are six, and the classes of one row
// in twenty make them six, though few of these rows are medoids.
func TestKnownClassesAreGroups(t *testing.T) {
	x, classes := twins(1800)
	alone := ari(t, result(t, begin(t, x, kin.Config{})).Labels, classes)
	links, err := ask.KnownLinks(classes, ask.ClassRows(classes, 15, 1))
	if err != nil {
		t.Fatal(err)
	}
	run := begin(t, x, kin.Config{Knowledge: fit.Knowledge{Links: links}})
	res := result(t, run)
	if v := ari(t, res.Labels, classes); alone > 0.6 || v < 0.8 || res.Fewest < 6 {
		t.Errorf("adjusted Rand index %.3f without and %.3f with known classes, at least %d groups",
			alone, v, res.Fewest)
	}
	if unmet := link.Violated(res.Labels, links); len(unmet) > 0 {
		t.Errorf("%d links are unmet", len(unmet))
	}
	// Where a row that stands for others is left out another one does, and what is known remains.
	out := make([]int, 60)
	for row := range out {
		out[row] = row
	}
	run.Exclude(out)
	labels := result(t, run).Labels
	if v := ari(t, labels[60:], classes[60:]); v < 0.8 {
		t.Errorf("adjusted Rand index %.3f with sixty rows left out", v)
	}
}

// TestOneKnownRowOfEachClass makes groups, too.
func TestOneKnownRowOfEachClass(t *testing.T) {
	x, classes := twins(1800)
	links, err := ask.KnownLinks(classes, ask.ClassRows(classes, 1, 1))
	if err != nil {
		t.Fatal(err)
	}
	res := result(t, begin(t, x, kin.Config{Knowledge: fit.Knowledge{Links: links}}))
	if v := ari(t, res.Labels, classes); v < 0.65 || res.Fewest < 6 {
		t.Errorf("adjusted Rand index %.3f, at least %d groups", v, res.Fewest)
	}
}

// TestDontKnowSaysNothing of whether two groups are one.
func TestDontKnowSaysNothing(t *testing.T) {
	x, _ := twins(1800)
	run := begin(t, x, kin.Config{})
	before, asked := result(t, run).Labels, 0
	for ; asked < 6; asked++ {
		q, ok := run.Next()
		if !ok || !q.Groups {
			break
		}
		if err := run.Answer(link.Unknown); err != nil {
			t.Fatal(err)
		}
	}
	if after := result(t, run).Labels; asked < 4 || !slices.Equal(before, after) {
		t.Errorf("after %d don't knows the groups are others", asked)
	}
}
