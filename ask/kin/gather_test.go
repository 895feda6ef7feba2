package kin

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// TestPassing: in a chain of four nodes, of which the first two are known and answers found the
// group of the second, walks from the third that come to the second go on from there now and then,
// and end at the first.
func TestPassing(t *testing.T) {
	g := &graph{m: 4, threads: 1, joined: [][]entry{{{1, 1}}, {{0, 1}, {2, 1}}, {{1, 1}, {3, 1}},
		{{2, 1}}}}
	w, err := g.walk(t.Context(), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	p := &play{base: &base{}, walk: w, group: []int{0, 1}, sure: []bool{true, true},
		tentative: []bool{true, false}, size: 2}
	come := value(w.hits[2], 1) // where walks from the third come to, as they do not come to others
	got := p.masses()
	want := [][2]float64{{1, 0}, {0, 1}, {(1 - firm) * come, firm * come}}
	for i, want := range want {
		for group, v := range want {
			if math.Abs(value(got[i], group)-v) > 1e-12 {
				t.Errorf("node %d: %v, want %v", i, got[i], want)
			}
		}
	}
	p.tentative[1] = true // nothing passes what stands for a tentative group
	p.group = slices.Clone(p.group)
	if got := p.masses()[2]; math.Abs(value(got, 1)-come) > 1e-12 || value(got, 0) != 0 {
		t.Errorf("third node: %v, want %g on its group", got, come)
	}
}

// TestAnExceptionIsNotFollowed: a row among those of one group is of another. Once an answer says
// so, the rows around it stay where they are.
func TestAnExceptionIsNotFollowed(t *testing.T) {
	const each = 60
	x, classes := balls(2, each)
	run, err := New(t.Context(), x, Config{Options: fit.Options{Seed: 1}, Reliable: true})
	if err != nil {
		t.Fatal(err)
	}
	odd := -1
	for range 40 {
		q, ok := run.Next()
		if !ok {
			break
		}
		if odd < 0 && !q.Groups { // the first row whose group is asked for
			odd = q.A
			classes[odd] = 1 - classes[odd]
		}
		kind := link.CannotLink
		if classes[q.A] == classes[q.B] {
			kind = link.MustLink
		}
		if err := run.Answer(kind); err != nil {
			t.Fatal(err)
		}
		if odd < 0 || run.chooser.current(run.Ledger).at[run.chooser.base.of[odd]] < 0 {
			continue
		}
		res, err := run.Result(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0
		for row, l := range res.Labels {
			if row != odd && classes[row] != classes[odd] && l == res.Labels[odd] {
				wrong++
			}
		}
		if res.Labels[odd] == res.Labels[(odd+2)%len(classes)] || wrong > 2 {
			t.Errorf("%d rows follow the exception, which is in cluster %d", wrong, res.Labels[odd])
		}
		return
	}
	t.Fatal("the exception was not found")
}
