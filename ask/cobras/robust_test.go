package cobras

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// drawBelief returns statements about few rows, each pair once.
func drawBelief(t *rapid.T) *belief {
	n := rapid.IntRange(2, 6).Draw(t, "rows")
	b := newBelief(0.1, 0)
	for v := range n {
		for u := range v {
			if kind := rapid.SampledFrom([]link.Kind{unknown, same, different}).Draw(t,
				"kind"); kind != unknown {
				b.add(link.Link{A: u, B: v, Kind: kind,
					Plausibility: rapid.SampledFrom([]float64{0, 0.7}).Draw(t, "confidence")},
					false)
			}
		}
	}
	return b
}

// consistent tells by definition whether statements can all be true: no chain of must-links joins
// the ends of a cannot-link.
func consistent(b *belief, flips []int32) bool {
	set := link.NewSet(len(b.rows))
	for i, s := range b.said {
		kind := different
		if s.same != slices.Contains(flips, int32(i)) {
			kind = same
		}
		if set.Add(link.Link{A: int(s.a), B: int(s.b), Kind: kind}) != nil {
			return false
		}
	}
	return true
}

// TestWorldsAgainstAll compares the likeliest explanations, and the alternatives to a consistent
// belief, with all sets of mistakes there are.
func TestWorldsAgainstAll(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		b := drawBelief(rt)
		best, all := math.Inf(1), [][]int32{}
		for bits := range 1 << len(b.said) {
			var flips []int32
			cost := 0.0
			for i, s := range b.said {
				if bits>>i&1 != 0 {
					flips = append(flips, int32(i))
					cost += s.cost
				}
			}
			if consistent(b, flips) {
				all = append(all, flips)
				best = min(best, cost)
			}
		}
		if b.clashes == consistent(b, nil) {
			rt.Fatalf("clashes: %v", b.clashes)
		}
		worlds := b.explanations()
		for _, w := range worlds {
			if !consistent(b, w.flips) || math.Abs(w.cost-best) > 1e-9 {
				rt.Fatalf("%v costs %g, the best %g", w.flips, w.cost, best)
			}
		}
		b.judge(worlds[0])
		if b.clashes {
			rt.Fatal("contradictions are left")
		}
		// All sets of up to three flips of the belief, of which no part will do, and that touch the
		// first statement.
		var want [][]int32
		for _, flips := range all {
			var turned []int32 // against what is believed
			for i := range b.said {
				if slices.Contains(flips, int32(i)) != b.said[i].wrong {
					turned = append(turned, int32(i))
				}
			}
			if len(turned) > 0 && len(turned) <= 3 && turned[0] == 0 {
				want = append(want, turned)
			}
		}
		want = slices.DeleteFunc(slices.Clone(want), func(w []int32) bool {
			return slices.ContainsFunc(want, func(v []int32) bool {
				return len(v) < len(w) &&
					!slices.ContainsFunc(v, func(f int32) bool { return !slices.Contains(w, f) })
			})
		})
		if len(b.said) == 0 {
			return
		}
		found := b.alternatives([]int32{0})
		for _, w := range want {
			if !slices.ContainsFunc(found, func(f world) bool { return slices.Equal(f.flips, w) }) {
				rt.Fatalf("%v is not among %v", w, found)
			}
		}
	})
}

// TestManyDoubtfulStatements: four that nobody was sure of are likelier mistakes than three of
// which one was sure.
func TestManyDoubtfulStatements(t *testing.T) {
	b := newBelief(0.1, 0)
	for _, l := range []link.Link{
		{A: 0, B: 2, Kind: same}, {A: 1, B: 2, Kind: same}, {A: 1, B: 3, Kind: same},
		{A: 2, B: 4, Kind: same}, {A: 2, B: 5, Kind: same},
		{A: 2, B: 3, Kind: different, Plausibility: 0.7},
		{A: 3, B: 4, Kind: different, Plausibility: 0.7},
		{A: 0, B: 5, Kind: different, Plausibility: 0.7},
		{A: 4, B: 5, Kind: different, Plausibility: 0.7},
	} {
		b.add(l, false)
	}
	worlds := b.explanations()
	if len(worlds) != 1 || !slices.Equal(worlds[0].flips, []int32{5, 6, 7, 8}) {
		t.Errorf("%+v", worlds)
	}
}

// TestLaterAnswersRevokeMistakes: five rows are surely of one cluster, and a sixth is compared with
// each in turn. When two say that it is of the cluster and two that it is not, both pairs may be
// the mistakes, whichever was believed before; a fifth settles it.
func TestLaterAnswersRevokeMistakes(t *testing.T) {
	const rows = 5
	b := newBelief(0.1, 0)
	for v := range rows {
		for u := range v {
			b.add(link.Link{A: u, B: v, Kind: same}, false)
		}
	}
	at := make([]int32, rows) // statements about the sixth row
	say := func(row int, kind link.Kind) {
		at[row] = int32(len(b.said))
		b.add(link.Link{A: row, B: rows, Kind: kind}, false)
	}
	say(0, same)
	say(1, different)
	say(2, different)
	if worlds := b.explanations(); len(worlds) != 1 || !slices.Equal(worlds[0].flips, at[:1]) {
		t.Fatalf("one against two: %+v", worlds)
	}
	b.judge(b.explanations()[0])
	say(3, same)
	var got [][]int32
	for _, w := range b.explanations() {
		got = append(got, w.flips)
	}
	if want := [][]int32{{at[3]}, {at[0], at[1], at[2]}}; len(got) != 2 ||
		!slices.Equal(got[0], want[0]) && !slices.Equal(got[1], want[0]) ||
		!slices.Equal(got[0], want[1]) && !slices.Equal(got[1], want[1]) {
		t.Fatalf("two against two: %v, want %v", got, want)
	}
	b.judge(world{flips: at[3:4]}) // both that say the same are taken for mistakes
	other := slices.ContainsFunc(b.alternatives(at[1:2]),
		func(w world) bool { return len(w.flips) == 4 && math.Abs(w.cost) < 1e-9 })
	if !other {
		t.Error("that the other two are mistakes is as likely, and no alternative")
	}
	say(4, same)
	worlds := b.explanations()
	if b.judge(worlds[0]); len(worlds) != 1 || len(b.mistakes()) != 2 || !b.said[at[1]].wrong ||
		!b.said[at[2]].wrong {
		t.Errorf("three against two: %+v", worlds)
	}
}

// TestMistakesAreFound: one answer of the first thirty is wrong, whichever it is. The clustering is
// right all the same; a mistake about rows that represent nothing any more may stay unnamed.
func TestMistakesAreFound(t *testing.T) {
	x := dataset.Matrix{Cols: 2}
	var classes []int32
	for i := range 90 {
		c := i % 3
		classes = append(classes, int32(c))
		x.F64 = append(x.F64, 10*float64(c%2)+math.Sin(float64(7*i)),
			10*float64(c/2)+math.Cos(float64(11*i)))
	}
	x.Rows = len(classes)
	right, found := 0, 0
	const trials = 30
	for wrong := range trials {
		r := start(t, x, Config{ErrorRate: 0.1})
		number := 0
		asked := drive(t, r, 60, func(a, b int) link.Kind {
			number++
			kind := truth(classes, a, b)
			if number == wrong+1 {
				return same + different - kind
			}
			return kind
		})
		res := result(t, r)
		good := true
		for i := range classes {
			good = good && res.Labels[i] == res.Labels[int(classes[i])]
		}
		if good && res.Clusters == 3 {
			right++
		}
		if len(res.Mistakes) == 1 && res.Mistakes[0].Pair() == asked[wrong].Pair() {
			found++
		}
	}
	if right < trials-1 || found < trials-6 {
		t.Errorf("of %d runs %d are right in the end, and %d name the mistake", trials, right,
			found)
	}
	// Plain COBRAS believes it.
	r := start(t, x, Config{})
	drive(t, r, 60, func(a, b int) link.Kind { return different })
	if res := result(t, r); len(res.Mistakes) != 0 || res.Clusters < 10 {
		t.Errorf("%+v", res)
	}
}

// TestVerdictsAreOfTheirRows: an answer is taken back, and a row is left out and taken in again
// meanwhile, so that other rows stand for the super-instances of the same numbers. What a play
// before found out about those must not choose the question.
func TestVerdictsAreOfTheirRows(t *testing.T) {
	x := dataset.Matrix{Rows: 16, Cols: 3, F64: make([]float64, 48)}
	x.F64[16], x.F64[20] = 1, 1
	cfg := Config{ErrorRate: 0.1, Knowledge: fit.Knowledge{Contradictions: link.Keep,
		Links: []link.Link{{A: 0, B: 3, Kind: same}}}}
	r := start(t, x, cfg)
	undone := func() {
		seen(t, r)
		if err := r.Answer(same); err != nil {
			t.Fatal(err)
		}
		r.Undo()
		seen(t, r)
	}
	undone()
	drive(t, r, 1, func(a, b int) link.Kind { return same })
	undone()
	r.Exclude([]int{3})
	undone()
	drive(t, r, 1, func(a, b int) link.Kind { return different })
	drive(t, r, 1, func(a, b int) link.Kind { return unknown })
	r.Exclude(nil)
	again := start(t, x, cfg)
	if err := again.Restore(r.Answers(), nil); err != nil {
		t.Fatal(err)
	}
	if got, want := seen(t, again), seen(t, r); !reflect.DeepEqual(got, want) {
		t.Errorf("restored\n%+v\nwant\n%+v", got, want)
	}
}
