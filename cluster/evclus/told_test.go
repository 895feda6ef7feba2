package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

func begin(t testing.TB, cfg Config) *Run {
	t.Helper()
	cfg.Clusters = 3
	r, err := NewRun(t.Context(), blobs(60, 3, 4), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestToldIsRestored: answers told one by one leave a run that asks and fits as one given them all
// at once does, whether or not it was looked at between.
func TestToldIsRestored(t *testing.T) {
	base := begin(t, Config{}) // fits without links are the same for all
	keep := begin(t, Config{Knowledge: fit.Knowledge{Contradictions: link.Keep}})
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom([]*Run{base, keep}).Draw(t, "run")
		r.Exclude(rapid.SliceOfN(rapid.IntRange(0, 59), 0, 5).Draw(t, "excluded"))
		if err := r.Restore(nil, nil); err != nil {
			t.Fatal(err)
		}
		var all []link.Link
		for range rapid.IntRange(0, 12).Draw(t, "links") {
			a := rapid.IntRange(0, 58).Draw(t, "a")
			l := link.Link{A: a, B: rapid.IntRange(a+1, 59).Draw(t, "b"),
				Kind: rapid.SampledFrom([]link.Kind{link.Unknown, link.MustLink,
					link.CannotLink}).Draw(t, "kind")}
			if rapid.Bool().Draw(t, "as asked") {
				q, _ := r.Next()
				l.A, l.B = q.B, q.A
			}
			l.Plausibility = rapid.SampledFrom([]float64{0, 0.8}).Draw(t, "plausibility")
			var clash *link.Contradiction
			switch err := r.Tell(l); {
			case err == nil:
				all = append(all, l)
			case !errors.As(err, &clash) || r == keep:
				t.Fatalf("%+v gave %v", l, err)
			}
		}
		told := seen(t, r)
		if err := r.Restore(all, nil); err != nil {
			t.Fatal(err)
		}
		if restored := seen(t, r); !reflect.DeepEqual(told, restored) {
			t.Fatalf("told %+v\nrestored %+v", told, restored)
		}
	})
}

// seen is what can be seen of a run, settledness aside.
func seen(t interface{ Fatal(...any) }, r *Run) []any {
	q, ok := r.Next()
	_, most := r.Remaining()
	res, err := r.Result(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return []any{q, ok, most, r.Answers(), r.Queue(7), res}
}

// TestAQueueHoldsOneQuestionAnObject in their order, and changes nothing.
func TestAQueueHoldsOneQuestionAnObject(t *testing.T) {
	r := begin(t, Config{})
	next, _ := r.Next()
	queue := r.Queue(1000)
	if len(queue) < 50 {
		t.Fatalf("%d questions about 60 objects", len(queue))
	}
	objects, pairs := map[int]bool{}, map[[2]int]bool{}
	for _, g := range queue {
		pair := link.Link{A: g.A, B: g.B}.Pair()
		if objects[g.A] || pairs[pair] {
			t.Errorf("asks twice about %d, or %v", g.A, pair)
		}
		if objects[g.A], pairs[pair] = true, true; g.Group.Question().A != g.A ||
			g.Group.Question().B != g.B {
			t.Errorf("%+v is asked of %+v", g.Question, *g.Group)
		}
	}
	if queue[0].Question != next {
		t.Errorf("begins with %+v, next is %+v", queue[0], next)
	}
	if again, _ := r.Next(); again != next || !reflect.DeepEqual(r.Queue(3), queue[:3]) ||
		len(r.Queue(0)) != 0 {
		t.Error("a queue moved something")
	}
	if err := r.Tell(link.Link{A: queue[2].A, B: queue[2].B}); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(r.Queue(1000), func(p ask.Prompt) bool {
		return p.A == queue[2].A && p.B == queue[2].B
	}) {
		t.Error("a pair that was answered is in the queue")
	}
}

// TestExcludedObjectsAreNeverAskedAbout, nor stand for a cluster; they come back when nothing is
// left out.
func TestExcludedObjectsAreNeverAskedAbout(t *testing.T) {
	r := begin(t, Config{})
	before := seen(t, r)
	var out []int
	for range 20 {
		queue := r.Queue(1)
		if len(queue) == 0 {
			break
		}
		out = append(out, queue[0].A, queue[0].Group.References[0].Object)
		r.Exclude(append(out, -1, 60))
		if !slices.Equal(r.Excluded(), sorted(out)) {
			t.Fatalf("%v are left out, want %v", r.Excluded(), out)
		}
		for _, g := range r.Queue(60) {
			if slices.Contains(out, g.A) ||
				slices.ContainsFunc(g.Group.References,
					func(ref ask.Reference) bool { return slices.Contains(out, ref.Object) }) {
				t.Fatalf("%+v, and %v are left out", g, out)
			}
		}
	}
	if likely, most := r.Remaining(); likely > most || len(out) < 30 {
		t.Errorf("%d of %d remain, %d are left out", likely, most, len(out))
	}
	r.Exclude(nil)
	if after := seen(t, r); !reflect.DeepEqual(before, after) || r.Excluded() != nil {
		t.Error("leaving out objects left a trace")
	}
	all := make([]int, 60)
	for i := range all {
		all[i] = i
	}
	r.Exclude(all)
	if q, ok := r.Next(); ok {
		t.Errorf("asks %+v when all is left out", q)
	}
}

func sorted(list []int) []int {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func TestGuesses(t *testing.T) {
	r := begin(t, Config{})
	check := func(a, b int, least, most float64, says string) {
		t.Helper()
		if same, words := r.Guess(a, b); same < least || same > most ||
			!strings.Contains(words, says) {
			t.Errorf("objects %d and %d: %v, %q", a, b, same, words)
		}
	}
	check(0, 3, 0.6, 1, "same: plausible ")
	check(0, 1, 0, 0.4, "same: plausible ")
	check(0, 60, 0.5, 0.5, "nothing")
	check(-1, 60, 0.5, 0.5, "nothing")
	check(5, 5, 1, 1, "entail")
	if err := r.Tell(link.Link{A: 0, B: 3, Kind: link.CannotLink}); err != nil {
		t.Fatal(err)
	}
	if err := r.Tell(link.Link{A: 1, B: 0, Kind: link.MustLink}); err != nil {
		t.Fatal(err)
	}
	check(0, 3, 0, 0, "entail")
	check(3, 1, 0, 0, "entail")
	check(0, 1, 1, 1, "entail")
	check(0, 6, 0.5, 1, "same: plausible ")
	if r.chooser.now != nil || r.chooser.view != nil {
		t.Error("a guess fits")
	}
}
