package cobras

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

const unknown, same, different = link.Unknown, link.MustLink, link.CannotLink

// problem draws a few rows on a grid, some of them equal, and their classes.
func problem(t *rapid.T) (dataset.Matrix, []int32) {
	n, d := rapid.IntRange(1, 24).Draw(t, "n"), rapid.IntRange(1, 3).Draw(t, "d")
	x := dataset.Matrix{Rows: n, Cols: d}
	for range n * d {
		x.F64 = append(x.F64, float64(rapid.IntRange(0, 9).Draw(t, "value")))
	}
	classes := make([]int32, n)
	for i := range classes {
		classes[i] = int32(rapid.IntRange(0, 3).Draw(t, "class"))
	}
	return x, classes
}

func start(t testing.TB, x dataset.Matrix, cfg Config) *Run {
	t.Helper()
	r, err := New(t.Context(), x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func truth(classes []int32, a, b int) link.Kind {
	if classes[a] == classes[b] {
		return same
	}
	return different
}

// drive answers up to most questions, and returns them.
func drive(t testing.TB, r *Run, most int, answer func(a, b int) link.Kind) (asked []link.Link) {
	t.Helper()
	for range most {
		q, ok := r.Next()
		if !ok {
			break
		}
		l := link.Link{A: q.A, B: q.B, Kind: answer(q.A, q.B)}
		if err := r.Answer(l.Kind); err != nil {
			t.Fatal(err)
		}
		asked = append(asked, l)
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return asked
}

func result(t testing.TB, r *Run) *Result {
	t.Helper()
	res, err := r.Result(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestAllAnswersGiveTheClasses: somebody who answers every question truly gets his classes, but for
// rows that are equal; each pair is asked about once, and nothing that is entailed.
func TestAllAnswersGiveTheClasses(t *testing.T) {
	for _, rate := range []float64{0, 0.1} {
		rapid.Check(t, func(rt *rapid.T) {
			x, classes := problem(rt)
			first := make(map[[3]float64]int32) // equal rows are of one class
			for i := range classes {
				var key [3]float64
				copy(key[:], x.AppendRow(nil, i))
				if c, ok := first[key]; ok {
					classes[i] = c
				}
				first[key] = classes[i]
			}
			r := start(t, x, Config{ErrorRate: rate,
				Options: fit.Options{Seed: rapid.Uint64().Draw(rt, "seed")}})
			known := link.NewSet(x.Rows)
			for {
				q, ok := r.Next()
				if !ok {
					break
				}
				if k := known.Relation(q.A, q.B); rate == 0 && k != unknown {
					rt.Fatalf("asks %+v, which is known to be %v", q, k)
				}
				if err := known.Add(link.Link{A: q.A, B: q.B,
					Kind: truth(classes, q.A, q.B)}); err != nil {
					rt.Fatal(err)
				}
				if err := r.Answer(truth(classes, q.A, q.B)); err != nil {
					rt.Fatal(err)
				}
			}
			res := result(t, r)
			for a := range classes {
				for b := range a {
					if (res.Labels[a] == res.Labels[b]) != (classes[a] == classes[b]) {
						rt.Fatalf("rows %d and %d of classes %v are in %v", b, a, classes,
							res.Labels)
					}
				}
			}
			if !res.Complete || len(res.Mistakes)+len(res.Unmet)+res.Undecided > 0 ||
				r.Err() != nil {
				rt.Fatalf("%+v, %v", res, r.Err())
			}
		})
	}
}

// TestQuestionsAreThoseOfThePaper compares the questions with those of a plain reading of the
// paper.
func TestQuestionsAreThoseOfThePaper(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, classes := problem(rt)
		cfg := Config{Options: fit.Options{Seed: rapid.Uint64().Draw(rt, "seed")}}
		r := start(t, x, cfg)
		var want, got [][2]int
		byTheBook(t, start(t, x, cfg).chooser.tree, classes,
			func(a, b int) { want = append(want, [2]int{a, b}) })
		for _, l := range drive(t, r, math.MaxInt32,
			func(a, b int) link.Kind { return truth(classes, a, b) }) {
			got = append(got, [2]int{l.A, l.B})
		}
		if !reflect.DeepEqual(got, want) {
			rt.Fatalf("asks %v, the paper %v", got, want)
		}
	})
}

// byTheBook is COBRAS with clusters as lists that are compared all with all after every merge. Only
// the k-means splits are those of the package.
func byTheBook(t *testing.T, tree *tree, classes []int32, ask func(a, b int)) {
	said := link.NewSet(len(classes))
	query := func(s, q *part) link.Kind {
		a, b := int(tree.standing(s)[0]), int(tree.standing(q)[0])
		a, b = min(a, b), max(a, b)
		if k := said.Relation(a, b); k != unknown {
			return k
		}
		ask(a, b)
		if err := said.Add(link.Link{A: a, B: b, Kind: truth(classes, a, b)}); err != nil {
			t.Fatal(err)
		}
		return truth(classes, a, b)
	}
	split := func(s *part, k int) []*part {
		parts, err := tree.split(t.Context(), s, k)
		if err != nil {
			t.Fatal(err)
		}
		return parts
	}
	clusters := [][]*part{{tree.root}}
	var made []*part
	made = append(made, tree.root)
	failed := map[*part]bool{}
	for {
		var largest *part
		for _, s := range made {
			if len(s.rows) > 1 && !failed[s] &&
				(largest == nil || len(s.rows) > len(largest.rows)) {
				largest = s
			}
		}
		if largest == nil {
			return
		}
		level := 0
		for at := largest; at != nil; {
			halves := split(at, 2)
			if len(halves) < 2 || query(halves[0], halves[1]) == same {
				break
			}
			level++
			at = nil
			for _, h := range halves {
				if len(h.rows) > 1 && (at == nil || len(h.rows) < len(at.rows)) {
					at = h
				}
			}
		}
		parts := split(largest, min(len(largest.rows), 1<<max(1, level)))
		if len(parts) < 2 {
			failed[largest] = true
			continue
		}
		made = append(slices.DeleteFunc(made, func(s *part) bool { return s == largest }), parts...)
		for i := range clusters {
			clusters[i] = slices.DeleteFunc(clusters[i], func(s *part) bool { return s == largest })
		}
		clusters = slices.DeleteFunc(clusters, func(c []*part) bool { return len(c) == 0 })
		for _, s := range parts {
			clusters = append(clusters, []*part{s})
		}
		for merged := true; merged; {
			merged = false
			type pair struct {
				d    float64
				i, j int
				s, q *part
			}
			var pairs []pair
			for i := range clusters {
				for j := range i {
					for _, s := range clusters[i] {
						for _, q := range clusters[j] {
							a, b := tree.standing(s)[0], tree.standing(q)[0]
							k := said.Relation(int(a), int(b))
							if k == different {
								continue
							}
							d := linalg.SquaredDistance(tree.data.AppendRow(nil, int(a)),
								tree.data.AppendRow(nil, int(b)))
							if k == same {
								d = -1 // what is known needs no question
							}
							// Ties count as the package has them: the later super-instance, then
							// the earlier.
							later, earlier := s, q
							if slices.Index(made, s) < slices.Index(made, q) {
								later, earlier = q, s
							}
							pairs = append(pairs, pair{d, i, j, later, earlier})
						}
					}
				}
			}
			slices.SortStableFunc(pairs, func(p, q pair) int {
				for _, c := range []float64{p.d - q.d,
					float64(slices.Index(made, p.s) - slices.Index(made, q.s)),
					float64(slices.Index(made, p.q) - slices.Index(made, q.q))} {
					if c != 0 {
						return int(math.Copysign(1, c))
					}
				}
				return 0
			})
			for _, p := range pairs {
				if query(p.s, p.q) == same {
					clusters[p.j] = append(clusters[p.j], clusters[p.i]...)
					clusters = slices.Delete(clusters, p.i, p.i+1)
					merged = true
					break
				}
			}
		}
	}
}

func drawLink(n int) *rapid.Generator[link.Link] {
	return rapid.Custom(func(t *rapid.T) link.Link {
		a := rapid.IntRange(0, n-2).Draw(t, "a")
		return link.Link{A: a, B: rapid.IntRange(a+1, n-1).Draw(t, "b"),
			Kind: rapid.SampledFrom([]link.Kind{unknown, same, different}).Draw(t, "kind")}
	})
}

// seen is all that can be seen of a run.
func seen(t testing.TB, r *Run) []any {
	q, ok := r.Next()
	likely, most := r.Remaining()
	res := *result(t, r)
	res.Answers = nil
	return []any{q, ok, likely, most, res, r.Queue(3), append([]link.Link(nil), r.Answers()...),
		r.Settled()}
}

// TestStateFollowsFromAnswers: whatever was told, undone, edited and left out, looked at between or
// not, a run is as one that was given its answers at once.
func TestStateFollowsFromAnswers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x, _ := problem(rt)
		n := x.Rows
		if n < 2 {
			return
		}
		cfg := Config{
			ErrorRate: rapid.SampledFrom([]float64{0, 0.1}).Draw(rt, "rate"),
			Knowledge: fit.Knowledge{Contradictions: link.Keep,
				Links: rapid.SliceOfN(drawLink(n), 0, 4).Draw(rt, "given")},
			Options: fit.Options{Threads: rapid.IntRange(1, 3).Draw(rt, "threads")},
		}
		r := start(t, x, cfg)
		for range rapid.IntRange(0, 12).Draw(rt, "steps") {
			switch rapid.IntRange(0, 5).Draw(rt, "step") {
			case 0:
				if err := r.Tell(drawLink(n).Draw(rt, "told")); err != nil {
					rt.Fatal(err)
				}
			case 1:
				before := seen(t, r)
				if _, ok := r.Next(); ok {
					_ = r.Answer(same)
					r.Undo()
					if after := seen(t, r); !reflect.DeepEqual(before, after) {
						rt.Fatalf("an answer and its undo make\n%+v\nof\n%+v", after, before)
					}
				}
			case 2:
				if answers := r.Answers(); len(answers) > 0 {
					l := answers[0]
					if err := r.Edit(l.A, l.B,
						rapid.SampledFrom([]link.Kind{unknown, same, different}).Draw(rt,
							"edited")); err != nil {
						rt.Fatal(err)
					}
				}
			case 3:
				r.Exclude(rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(rt, "excluded"))
			default:
				if q, ok := r.Next(); ok {
					if r.Out(q.A) || r.Out(q.B) {
						rt.Fatalf("asks %+v", q)
					}
					if err := r.Answer(rapid.SampledFrom([]link.Kind{unknown, same,
						different}).Draw(rt, "answer")); err != nil {
						rt.Fatal(err)
					}
				}
			}
		}
		cfg.Threads = 1
		again := start(t, x, cfg)
		again.Exclude(r.Excluded())
		if err := again.Restore(r.Answers(), nil); err != nil {
			rt.Fatal(err)
		}
		if got, want := seen(t, again), seen(t, r); !reflect.DeepEqual(got, want) {
			rt.Fatalf("restored\n%+v\nwant\n%+v", got, want)
		}
		res := result(t, r)
		for row, l := range res.Labels {
			if (l == 0) != r.Out(row) || l > res.Clusters {
				rt.Fatalf("row %d is in cluster %d of %d", row, l, res.Clusters)
			}
		}
	})
}

// TestSettledWaitsForTheMerge: as long as super-instances wait to be merged nobody can say that
// answers change nothing, however many it takes; a run settles when a merge ends.
func TestSettledWaitsForTheMerge(t *testing.T) {
	x := dataset.Matrix{Rows: 300, Cols: 1}
	classes := make([]int32, x.Rows)
	for i := range classes {
		x.F64 = append(x.F64, float64(i))
		if i < 100 {
			classes[i] = int32(i / 5 % 3) // many small groups in the end, beside a large one
		}
	}
	settled := 0
	for seed := range uint64(5) {
		r := start(t, x, Config{Options: fit.Options{Seed: seed}})
		for range 200 {
			if len(drive(t, r, 1, func(a, b int) link.Kind { return truth(classes, a, b) })) == 0 ||
				r.Settled() {
				break
			}
		}
		if r.Settled() {
			settled++
			if r.chooser.last.asked > r.chooser.last.settled {
				t.Errorf("seed %d: settled after %d answers, in the midst of a merge", seed,
					r.chooser.last.asked)
			}
		}
	}
	if settled == 0 {
		t.Error("no run settled")
	}
}

// TestUnknownIsNotAskedAgain: somebody who never knows is asked about pairs of other rows, three a
// comparison, and comes to an end.
func TestUnknownIsNotAskedAgain(t *testing.T) {
	for _, rate := range []float64{0, 0.1} {
		rapid.Check(t, func(rt *rapid.T) {
			x, _ := problem(rt)
			r := start(t, x, Config{ErrorRate: rate})
			once := make(map[[2]int]bool)
			for _, l := range drive(t, r, 2000, func(a, b int) link.Kind { return unknown }) {
				if once[l.Pair()] || l.A == l.B {
					rt.Fatalf("%v is asked again", l)
				}
				once[l.Pair()] = true
			}
			if res := result(t, r); !res.Complete ||
				res.Clusters > 1 && res.Undecided != res.Clusters*(res.Clusters-1)/2 {
				rt.Fatalf("%+v", res)
			}
		})
	}
}

func TestGivenLinksSplit(t *testing.T) {
	x := dataset.Matrix{Rows: 8, Cols: 1, F64: []float64{0, 0.1, 0.2, 5, 5.1, 9, 9.1, 9.2}}
	links := []link.Link{{A: 0, B: 3, Kind: different}, {A: 4, B: 5, Kind: different},
		{A: 1, B: 7, Kind: same}}
	r := start(t, x, Config{Knowledge: fit.Knowledge{Links: links}})
	res, err := r.alone(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 1, 2, 2, 1, 1, 1}; !slices.Equal(res.Labels, want) ||
		len(res.Unmet) > 0 {
		t.Errorf("links alone make %v, unmet %v", res.Labels, res.Unmet)
	}
	// What no link tells of went with what one does: the one pair of clusters there is is known to
	// differ.
	near := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 0.1, 3, 9, 20, 40}}
	if res, err = start(t, near,
		Config{Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 1, Kind: different}}}}).
		alone(t.Context()); err != nil ||
		res.Clusters != 2 || res.Undecided != 0 {
		t.Errorf("two rows that differ: %+v (%v)", res, err)
	}
	if alone, err := start(t, x, Config{}).alone(t.Context()); err != nil || alone.Clusters != 1 {
		t.Errorf("without links: %+v (%v)", alone, err)
	}
	// Rows that are equal cannot be told apart: the link is not met.
	x.F64[3] = 0
	if res, err = start(t, x,
		Config{Knowledge: fit.Knowledge{Links: links[:1]}}).alone(t.Context()); err != nil ||
		len(res.Unmet) != 1 {
		t.Errorf("equal rows: %+v (%v)", res, err)
	}
}

func TestBadInput(t *testing.T) {
	good := dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 2}}
	for name, c := range map[string]struct {
		x   dataset.Matrix
		cfg Config
	}{
		"nothing":    {dataset.Matrix{}, Config{}},
		"infinite":   {dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, math.Inf(1)}}, Config{}},
		"no number":  {dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, math.NaN()}}, Config{}},
		"starts":     {good, Config{Limits: fit.Limits{Starts: -1}}},
		"iterations": {good, Config{Limits: fit.Limits{MaxIterations: -1}}},
		"rate":       {good, Config{ErrorRate: 0.5}},
		"no rate":    {good, Config{ErrorRate: math.NaN()}},
		"certainty":  {good, Config{ErrorRate: 0.1, Certainty: 1}},
		"link": {good,
			Config{Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 2, Kind: same}}}}},
	} {
		var bad *fault.Input
		if _, err := New(t.Context(), c.x, c.cfg); !errors.As(err, &bad) {
			t.Errorf("%s: %v", name, err)
		}
	}
	clash := []link.Link{{A: 0, B: 1, Kind: same}, {A: 1, B: 0, Kind: different}}
	var c *link.Contradiction
	if _, err := New(t.Context(), good,
		Config{Knowledge: fit.Knowledge{Links: clash}}); !errors.As(err, &c) {
		t.Errorf("links that contradict each other: %v", err)
	}
	if _, err := New(t.Context(), good,
		Config{Knowledge: fit.Knowledge{Links: clash}, ErrorRate: 0.1}); !errors.As(err, &c) {
		t.Errorf("links that contradict each other, in spite of mistakes: %v", err)
	}
	r := start(t, good, Config{Knowledge: fit.Knowledge{Links: clash, Contradictions: link.Keep}})
	if res := result(t, r); len(res.Unmet) != 1 {
		t.Errorf("kept: %+v", res)
	}
}

func TestCancelledLookCanBeRepeated(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 5, 6}}
	r := start(t, x, Config{})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Result(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
	if q, ok := r.Next(); !ok || q.A == q.B {
		t.Errorf("then asks %+v (%v)", q, r.Err())
	}
}

// TestASplitUnderWayIsNotWhole: where the answers stop in the middle of a split, some of them may
// not hold in the clustering before it, and the notes say so.
func TestASplitUnderWayIsNotWhole(t *testing.T) {
	x := dataset.Matrix{Rows: 60, Cols: 1}
	classes := make([]int32, x.Rows)
	for i := range classes {
		x.F64 = append(x.F64, float64(i))
		classes[i] = int32(i / 7)
	}
	r := start(t, x, Config{})
	splitting := 0
	for len(drive(t, r, 1, func(a, b int) link.Kind { return truth(classes, a, b) })) > 0 {
		out, err := r.outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		notes := strings.Join(out.Notes, "\n")
		under := r.chooser.last.asked > r.chooser.last.settled
		if strings.Contains(notes, "whole") && under && len(out.Unmet) > 0 {
			t.Errorf("after %d answers %d are not met, and the notes are %q", out.Queries,
				len(out.Unmet), out.Notes)
		}
		if strings.Contains(notes, "a group is being split") {
			splitting++
		}
	}
	if splitting == 0 {
		t.Error("no split was seen under way")
	}
}
