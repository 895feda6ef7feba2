package kin_test

import (
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// believed returns the mass of each row on its cluster.
func believed(res *kin.Result) []float64 {
	out, beliefs := make([]float64, len(res.Labels)), res.Credal.Beliefs()
	for row, label := range res.Labels {
		out[row] = beliefs[row*res.Credal.Clusters+label-1]
	}
	return out
}

// TestDifferentMakesNoRowCertain: rows that were put in a group, and others of which answers are only
// that they are different, are no surer of a group than those around them; an answer "same" makes
// both rows certain.
func TestDifferentMakesNoRowCertain(t *testing.T) {
	x, classes := twins(150)
	run := begin(t, x, kin.Config{})
	if v := slices.Max(believed(result(t, run))); v > 0.99 {
		t.Errorf("before any answer a row is of a group by %.3f", v)
	}
	asked := answer(t, run, 10, func(a, b int) link.Kind { return truly(classes, a, b) })
	masses, together := believed(result(t, run)), make(map[int]bool)
	for _, a := range asked {
		together[a.A] = together[a.A] || a.Kind == link.MustLink
		together[a.B] = together[a.B] || a.Kind == link.MustLink
	}
	others, with := 0, 0
	for row, same := range together {
		switch v := masses[row]; {
		case !same && v > 0.99:
			t.Errorf("row %d is of its group by %.3f", row, v)
		case same && v < 0.9:
			t.Errorf("row %d is of its group by %.3f only", row, v)
		case same:
			with++
		default:
			others++
		}
	}
	if others == 0 || with == 0 {
		t.Errorf("%d rows have only different answers, %d others", others, with)
	}
}

// TestLinkedRowsAreEquallySure: must-linked rows have the masses of the one that is surest.
func TestLinkedRowsAreEquallySure(t *testing.T) {
	x, _ := twins(1800)
	free := result(t, begin(t, x, kin.Config{}))
	rows := []int{0, 6, 900, 1794} // of one group
	links := make([]link.Link, 0, len(rows)-1)
	for _, row := range rows[1:] {
		links = append(links, link.Link{A: rows[0], B: row, Kind: link.MustLink})
	}
	res := result(t, begin(t, x, kin.Config{Knowledge: fit.Knowledge{Links: links}}))
	masses, first := believed(res), res.Credal.Row(rows[0])
	for _, row := range rows[1:] {
		if !slices.Equal(res.Credal.Row(row), first) {
			t.Errorf("row %d has the masses %v, row %d %v", row, res.Credal.Row(row), rows[0], first)
		}
	}
	apart := believed(free)
	if slices.Equal(free.Credal.Row(rows[0]), free.Credal.Row(rows[1])) ||
		masses[rows[0]] < max(apart[rows[0]], apart[rows[1]]) {
		t.Errorf("linked they are of their group by %.3f, before by %.3f and %.3f",
			masses[rows[0]], apart[rows[0]], apart[rows[1]])
	}
}

// TestRowsOfTheOnlyGroupAreNotCertain: while one group may turn out to be several, hardly any row
// is certain to be of it but those that answers put there.
func TestRowsOfTheOnlyGroupAreNotCertain(t *testing.T) {
	x, _ := twins(150)
	run := begin(t, x, kin.Config{})
	said := make(map[int]bool)
	for _, a := range answer(t, run, 4, func(int, int) link.Kind { return link.MustLink }) {
		said[a.A], said[a.B] = true, true
	}
	res := result(t, run)
	if res.Clusters != 1 {
		t.Fatalf("there are %d groups", res.Clusters)
	}
	masses, sure := believed(res), 0
	for row, v := range masses {
		switch {
		case said[row] && v < 0.9:
			t.Errorf("row %d is of the group by %.3f only", row, v)
		case v < 0.5:
			t.Errorf("row %d is of the only group by %.3f", row, v)
		case !said[row] && v > 0.99:
			sure++
		}
	}
	slices.Sort(masses)
	if middle := masses[len(masses)/2]; middle < 0.7 {
		t.Errorf("half of the rows are of the group by %.3f at most", middle)
	}
	if most := (len(masses) - len(said)) / 20; sure > most {
		t.Errorf("%d rows that no answer is about are certain, want at most %d", sure, most)
	}
}
