package kin_test

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

const same, different, unknown = link.MustLink, link.CannotLink, link.Unknown

// arcs are rows on half circles around each other, which no means part: rows of class 0, 1, 0, 1, …
func arcs(n int) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(4, 4))
	x, classes := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
	for i := range n {
		classes[i] = int32(i % 2)
		u, v := 2*rng.Float64()-1, 0.04*rng.NormFloat64()
		if i%2 == 0 {
			x.F64 = append(x.F64, u, 1-u*u+v)
		} else {
			x.F64 = append(x.F64, u+1, u*u-0.5+v)
		}
	}
	return x, classes
}

func begin(t testing.TB, x dataset.Matrix, cfg kin.Config) *kin.Run {
	t.Helper()
	run, err := kin.New(t.Context(), x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func truly(classes []int32, a, b int) link.Kind {
	if classes[a] == classes[b] {
		return same
	}
	return different
}

// answer answers up to most questions, and returns them.
func answer(t testing.TB, run *kin.Run, most int,
	says func(a, b int) link.Kind) (asked []link.Link) {
	t.Helper()
	for len(asked) < most {
		q, ok := run.Next()
		if !ok {
			break
		}
		asked = append(asked, link.Link{A: q.A, B: q.B, Kind: says(q.A, q.B)})
		if err := run.Answer(says(q.A, q.B)); err != nil {
			t.Fatal(err)
		}
	}
	if err := run.Err(); err != nil {
		t.Fatal(err)
	}
	return asked
}

func result(t testing.TB, run *kin.Run) *kin.Result {
	t.Helper()
	res, err := run.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if res.Credal != nil {
		if err := res.Credal.Check(); err != nil {
			t.Fatal(err)
		}
	}
	return res
}

func ari(t testing.TB, labels []int, classes []int32) float64 {
	t.Helper()
	truth := make([]int, len(classes))
	for i, c := range classes {
		truth[i] = int(c) + 1
	}
	r, err := eval.Compare(labels, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// TestFewAnswersFollowTheShape of groups that are no balls, and no pair is asked twice. Of answers
// that are reliable none is asked for that is entailed, and of others few.
func TestFewAnswersFollowTheShape(t *testing.T) {
	const budget, mostAgain = 30, 6
	x, classes := arcs(400)
	for _, reliable := range []bool{false, true} {
		run := begin(t, x, kin.Config{SuperInstances: 100, Reliable: reliable})
		set, asked, entailed := link.NewSet(400), make(map[[2]int]bool), 0
		for _, l := range answer(t, run, budget,
			func(a, b int) link.Kind { return truly(classes, a, b) }) {
			if asked[l.Pair()] {
				t.Errorf("reliable %v: %d and %d are asked about twice", reliable, l.A, l.B)
			}
			asked[l.Pair()] = true
			if set.Relation(l.A, l.B) != unknown {
				entailed++
			}
			if err := set.Add(l); err != nil {
				t.Fatal(err)
			}
		}
		if reliable && entailed > 0 || entailed > mostAgain {
			t.Errorf("reliable %v: %d questions are entailed", reliable, entailed)
		}
		res := result(t, run)
		if v := ari(t, res.Labels, classes); v < 0.98 || res.Clusters != 2 || len(res.Unmet) > 0 {
			t.Errorf("reliable %v: adjusted Rand index %.3f in %d clusters, unmet %v", reliable, v,
				res.Clusters, res.Unmet)
		}
		if likely, most := run.Remaining(); likely < 1 || most < likely {
			t.Errorf("reliable %v: remaining %d, at most %d", reliable, likely, most)
		}
	}
}

// TestManyGroups are found before the first answer, and also that a person means few, each of many.
func TestManyGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const groups, wide, each, d = 80, 4, 20, 24
	rng := rand.New(rand.NewPCG(8, 8))
	centres := make([]float64, groups*d)
	for i := range centres {
		centres[i] = rng.NormFloat64()
	}
	rows := func(spread float64) (dataset.Matrix, []int32) {
		x, classes := dataset.Matrix{Rows: groups * each, Cols: d}, make([]int32, groups*each)
		for i := range x.Rows {
			classes[i] = int32(i % groups)
			for j := range d {
				x.F64 = append(x.F64, centres[i%groups*d+j]+spread*rng.NormFloat64())
			}
		}
		return x, classes
	}
	x, classes := rows(0.1)
	res := result(t, begin(t, x, kin.Config{}))
	if v := ari(t, res.Labels, classes); res.Clusters < 70 || v < 0.8 {
		t.Errorf("apart: %d clusters, adjusted Rand index %.3f", res.Clusters, v)
	}
	x, classes = rows(1.1)
	for _, rate := range []float64{0, 0.1} {
		run := begin(t, x, kin.Config{ErrorRate: rate})
		before := result(t, run)
		if v := ari(t, before.Labels, classes); before.Clusters < 60 || before.Clusters > 130 ||
			v < 0.45 {
			t.Errorf("overlapping: %d clusters before the first answer, adjusted Rand index %.3f",
				before.Clusters, v)
		}
		answer(t, run, 50, func(a, b int) link.Kind { return truly(classes, a, b) })
		res := result(t, run)
		if v := ari(t, res.Labels, classes); res.Clusters < 60 || res.Clusters > 130 || v < 0.45 ||
			res.Fewest > res.Clusters || res.Most < res.Clusters {
			t.Errorf("rate %g: overlapping: %d clusters after 50 answers, from %d to %d, index %.3f",
				rate, res.Clusters, res.Fewest, res.Most, v)
		}
	}
	for i := range groups { // every fourth is of one wide group
		centres[i*d+i%wide] += 10
	}
	x, classes = rows(0.3)
	run := begin(t, x, kin.Config{})
	answer(t, run, 30, func(a, b int) link.Kind { return truly(classes, a%wide, b%wide) })
	four := make([]int32, len(classes))
	for i := range four {
		four[i] = int32(i % wide)
	}
	res = result(t, run)
	if v := ari(t, res.Labels, four); res.Clusters > 2*wide || v < 0.9 {
		t.Errorf("four groups: %d clusters after 30 answers, adjusted Rand index %.3f", res.Clusters,
			v)
	}
}

// TestToTheEnd: with each row a super-instance, questions end, and the groups are the classes.
func TestToTheEnd(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	x, classes := dataset.Matrix{Rows: 40, Cols: 2}, make([]int32, 40)
	for i := range 40 {
		x.F64 = append(x.F64, rng.Float64(), rng.Float64())
		classes[i] = int32(rng.IntN(4))
	}
	run := begin(t, x, kin.Config{})
	answer(t, run, 1000, func(a, b int) link.Kind { return truly(classes, a, b) })
	res := result(t, run)
	if v := ari(t, res.Labels, classes); v < 1 || !res.Complete || len(res.Unmet) > 0 {
		t.Errorf("adjusted Rand index %.3f after %d answers, complete %t", v, len(res.Answers),
			res.Complete)
	}
	if likely, most := run.Remaining(); likely != 0 || most != 0 {
		t.Errorf("remaining %d, at most %d", likely, most)
	}
}

// TestAFunctionOfTheAnswers: it does not matter how they came to be what they are, nor how many
// threads there are.
func TestAFunctionOfTheAnswers(t *testing.T) {
	x, classes := arcs(300)
	says := func(a, b int) link.Kind {
		if (a+b)%11 == 0 {
			return unknown
		}
		return truly(classes, a, b)
	}
	for _, rate := range []float64{0, 0.1} {
		run := begin(t, x, kin.Config{SuperInstances: 90, ErrorRate: rate,
			Options: fit.Options{Threads: 1}})
		answer(t, run, 22, says)
		if err := run.Tell(link.Link{A: 5, B: 8, Kind: truly(classes, 5, 8)}); err != nil {
			t.Fatal(err)
		}
		answer(t, run, 22, says)
		for range 15 {
			run.Undo()
		}
		run.Redo()
		run.Queue(6)
		answer(t, run, 5, says)
		first := run.Answers()[0]
		if err := run.Edit(first.A, first.B, unknown); err != nil {
			t.Fatal(err)
		}
		answer(t, run, 3, says)
		other := begin(t, x,
			kin.Config{SuperInstances: 90, ErrorRate: rate, Options: fit.Options{Threads: 3}})
		if err := other.Restore(run.Answers(), nil); err != nil {
			t.Fatal(err)
		}
		p, _ := run.Next()
		q, _ := other.Next()
		if p != q {
			t.Errorf("rate %g: it asks %+v, and taken up again %+v", rate, p, q)
		}
		if one, two := result(t, run), result(t, other); !reflect.DeepEqual(one, two) {
			t.Errorf("rate %g: taken up again, the result is another", rate)
		}
	}
}

// TestTheQueue has questions for several people: the group of no row is asked for twice, and
// looking moves nothing.
func TestTheQueue(t *testing.T) {
	x, classes := arcs(300)
	run := begin(t, x, kin.Config{SuperInstances: 80})
	for range 5 {
		first, _ := run.Next()
		queue := run.Queue(8)
		if len(queue) != 8 || queue[0].Question != first {
			t.Fatalf("%d questions, from %+v, and the next is %+v", len(queue), queue[0], first)
		}
		asked := make(map[int]bool)
		for _, q := range queue {
			if q.Groups {
				continue
			}
			if asked[q.A] {
				t.Errorf("the group of row %d is asked for twice", q.A)
			}
			asked[q.A] = true
		}
		if again := run.Queue(8); !slices.Equal(queue, again) {
			t.Errorf("the queue is %+v, and then %+v", queue, again)
		}
		answer(t, run, 6, func(a, b int) link.Kind { return truly(classes, a, b) })
	}
}

// TestErrorsAreInferred: right answers raise no doubt. Where contradictions are to be kept, groups
// are found as if the share of wrong answers had been stated; else they are better than those that
// believe all answers.
func TestErrorsAreInferred(t *testing.T) {
	if testing.Short() {
		t.Skip("it answers a thousand questions")
	}
	x, classes := clouds(400)
	after := func(cfg kin.Config, wrong float64) (index float64, rate float64) {
		const seeds = 5
		for seed := range uint64(seeds) {
			cfg.Seed = seed
			run := begin(t, x, cfg)
			answer(t, run, 100, func(a, b int) link.Kind {
				kind := truly(classes, a, b)
				if rand.New(rand.NewPCG(seed, uint64(min(a, b))<<32|uint64(max(a, b)))).
					Float64() < wrong {
					return same + different - kind
				}
				return kind
			})
			res := result(t, run)
			index += ari(t, res.Labels, classes) / seeds
			rate += res.ErrorRate / seeds
		}
		return index, rate
	}
	blind, _ := after(kin.Config{Reliable: true}, 0)
	right, none := after(kin.Config{}, 0)
	told, _ := after(kin.Config{ErrorRate: 0.1}, 0.1)
	inferred, some := after(kin.Config{}, 0.1)
	keep := kin.Config{Knowledge: fit.Knowledge{Contradictions: link.Keep}}
	kept, _ := after(keep, 0.1)
	believed, _ := after(kin.Config{Reliable: true}, 0.1)
	t.Logf("right %.3f and %.3f; a tenth wrong %.3f told, %.3f kept, %.3f inferred (rate %.3f), "+
		"%.3f believed", blind, right, told, kept, inferred, some, believed)
	if none != 0 || right < blind-0.02 {
		t.Errorf("right answers: rate %g, index %.3f, and %.3f without doubt", none, right, blind)
	}
	if some < 0.03 || some > 0.2 || kept < told-0.05 || inferred < believed+0.05 {
		t.Errorf("a tenth wrong: rate %.3f, index %.3f, %.3f where contradictions are kept, %.3f "+
			"where it is told, and %.3f where all is believed", some, inferred, kept, told, believed)
	}
}

// TestGivenLinks between any rows hold, also within a super-instance.
func TestGivenLinks(t *testing.T) {
	x, classes := arcs(200)
	var given []link.Link
	for i := range 20 {
		given = append(given, link.Link{A: i, B: i + 20, Kind: truly(classes, i, i+20)},
			link.Link{A: i, B: i + 61, Kind: truly(classes, i, i+61)})
	}
	run := begin(t, x, kin.Config{SuperInstances: 25, Knowledge: fit.Knowledge{Links: given}})
	if res := result(t, run); len(res.Unmet) > 0 {
		t.Errorf("unmet %v", res.Unmet)
	}
	answer(t, run, 20, func(a, b int) link.Kind { return truly(classes, a, b) })
	res := result(t, run)
	if v := ari(t, res.Labels, classes); v < 0.8 || len(res.Unmet) > 0 {
		t.Errorf("adjusted Rand index %.3f, unmet %v", v, res.Unmet)
	}
	var clash *link.Contradiction
	given = append(given, link.Link{A: 0, B: 2, Kind: same}, link.Link{A: 0, B: 2, Kind: different})
	if _, err := kin.New(t.Context(), x,
		kin.Config{Knowledge: fit.Knowledge{Links: given}}); !errors.As(err, &clash) {
		t.Errorf("links that clash: %v", err)
	}
	if res := result(t, begin(t, x,
		kin.Config{Knowledge: fit.Knowledge{Links: given, Contradictions: link.Keep}})); len(
		res.Unmet) != 1 {
		t.Errorf("unmet %v", res.Unmet)
	}
}

// TestNobodyKnows: unknown answers leave super-instances and groups aside, and questions end.
func TestNobodyKnows(t *testing.T) {
	x, _ := arcs(60)
	run := begin(t, x, kin.Config{SuperInstances: 20})
	asked := answer(t, run, 500, func(a, b int) link.Kind { return unknown })
	if len(asked) == 0 || len(asked) == 500 {
		t.Errorf("%d questions", len(asked))
	}
	seen := make(map[[2]int]bool)
	for _, l := range asked {
		if seen[l.Pair()] {
			t.Errorf("rows %d and %d are asked about again", l.A, l.B)
		}
		seen[l.Pair()] = true
	}
	result(t, run)
}

// TestRowsLeftOut are not asked about, and in no cluster.
func TestRowsLeftOut(t *testing.T) {
	x, classes := arcs(200)
	run := begin(t, x, kin.Config{SuperInstances: 50})
	var out []int
	for row := range 200 {
		if row%4 < 2 {
			out = append(out, row)
		}
	}
	run.Exclude(out)
	for _, l := range answer(t, run, 40, func(a, b int) link.Kind { return truly(classes, a, b) }) {
		if l.A%4 < 2 || l.B%4 < 2 {
			t.Errorf("it asks about rows %d and %d", l.A, l.B)
		}
	}
	for row, label := range result(t, run).Labels {
		if (label == 0) != (row%4 < 2) {
			t.Fatalf("row %d is in cluster %d", row, label)
		}
	}
	run.Exclude(nil)
	if res := result(t, run); slices.Contains(res.Labels, 0) {
		t.Error("rows stay out")
	}
	all := make([]int, 200)
	for i := range all {
		all[i] = i
	}
	run.Exclude(all)
	if res := result(t, run); res.Clusters != 0 {
		t.Errorf("%d clusters of no rows", res.Clusters)
	}
	if q, ok := run.Next(); ok {
		t.Errorf("it asks %+v", q)
	}
}

// TestWrongAnswers do less harm where they are reckoned with.
func TestWrongAnswers(t *testing.T) {
	x, classes := arcs(300)
	mean := func(cfg kin.Config) (sum float64) {
		for seed := range uint64(4) {
			cfg.SuperInstances, cfg.Seed, cfg.Contradictions = 100, seed, link.Keep
			run := begin(t, x, cfg)
			answer(t, run, 60, func(a, b int) link.Kind {
				kind := truly(classes, a, b)
				if rand.New(rand.NewPCG(seed, uint64(min(a, b)*1000+max(a, b)))).Float64() < 0.1 {
					return same + different - kind
				}
				return kind
			})
			sum += ari(t, result(t, run).Labels, classes) / 4
		}
		return sum
	}
	plain := mean(kin.Config{Reliable: true})
	for _, rate := range []float64{0, 0.1} { // inferred, and stated
		if robust := mean(kin.Config{ErrorRate: rate}); robust <= plain {
			t.Errorf("adjusted Rand index %.3f, and %.3f where wrong answers are reckoned with, at "+
				"rate %g", plain, robust, rate)
		}
	}
}

// TestHostileRows are grouped or refused: all alike, one, two, more super-instances than rows,
// single precision.
func TestHostileRows(t *testing.T) {
	for _, n := range []int{1, 2, 3, 30} {
		x := dataset.Matrix{Rows: n, Cols: 2, F32: make([]float32, 2*n)}
		run := begin(t, x, kin.Config{SuperInstances: 50})
		answer(t, run, 50, func(a, b int) link.Kind { return same })
		if res := result(t, run); res.Clusters != 1 || len(res.Labels) != n {
			t.Errorf("%d rows that are all alike are in %d clusters", n, res.Clusters)
		}
	}
	x, _ := arcs(20)
	for _, cfg := range []kin.Config{{SuperInstances: -1},
		{SuperInstances: kin.MaxSuperInstances + 1}, {ErrorRate: 0.5}, {ErrorRate: -1}} {
		if _, err := kin.New(t.Context(), x, cfg); !fault.IsInput(err) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestCancelled: a context that is over ends the look, not the run.
func TestCancelled(t *testing.T) {
	x, classes := arcs(200)
	run := begin(t, x, kin.Config{SuperInstances: 60})
	answer(t, run, 15, func(a, b int) link.Kind { return truly(classes, a, b) })
	want, _ := run.Next()
	run.Undo()
	run.Redo()
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run.Result(over); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
	if got, ok := run.Next(); !ok || got != want {
		t.Errorf("then it asks %+v, before %+v", got, want)
	}
	if _, err := kin.New(over, x, kin.Config{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}

// TestSettled: questions settle, and what comes after that changes few rows.
func TestSettled(t *testing.T) {
	x, classes := arcs(300)
	run := begin(t, x, kin.Config{SuperInstances: 100})
	says := func(a, b int) link.Kind { return truly(classes, a, b) }
	for i := 0; !run.Settled(); i++ {
		if i == 80 {
			t.Fatal("80 answers do not settle it")
		}
		answer(t, run, 1, says)
	}
	before := ari(t, result(t, run).Labels, classes)
	answer(t, run, 20, says)
	if after := ari(t, result(t, run).Labels, classes); before < 0.9 || after > before+0.03 {
		t.Errorf("settled at an adjusted Rand index of %.3f, and after 20 more answers %.3f",
			before, after)
	}
}

// A number of groups that is expected is that before the first answer, as far as there are nodes to
// tell so many apart; answers lead to others.
func TestExpectedGroups(t *testing.T) {
	x, classes := arcs(400)
	for expected, want := range map[int]int{1: 1, 5: 5, 23: 23, 60: 40} { // of 100 nodes 40 stand out
		run := begin(t, x, kin.Config{SuperInstances: 100, Expected: expected})
		if got := result(t, run).Clusters; got != want {
			t.Errorf("%d groups before the first answer, where %d are expected", got, expected)
		}
		if expected > 1 {
			answer(t, run, 60, func(a, b int) link.Kind { return truly(classes, a, b) })
			if res := result(t, run); ari(t, res.Labels, classes) < 0.9 {
				t.Errorf("%d expected: ARI %.3f of %d groups after 60 answers", expected,
					ari(t, res.Labels, classes), res.Clusters)
			}
		}
	}
	for _, expected := range []int{-1, 401} {
		if _, err := kin.New(t.Context(), x, kin.Config{Expected: expected}); !fault.IsInput(err) {
			t.Errorf("%d groups of 400 rows: %v", expected, err)
		}
	}
}
