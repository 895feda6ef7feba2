package evclus

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
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

// TestToldIsRestored: answers told one by one leave a run that asks and fits as one given them all at once does, whether
// or not it was looked at between.
func TestToldIsRestored(t *testing.T) {
	base := begin(t, Config{}) // fits without links are the same for all
	keep := begin(t, Config{Contradictions: link.Keep})
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom([]*Run{base, keep}).Draw(t, "run")
		r.Exclude(rapid.SliceOfN(rapid.IntRange(0, 59), 0, 5).Draw(t, "excluded"))
		if err := r.Restore(nil, nil); err != nil {
			t.Fatal(err)
		}
		var all []link.Link
		for range rapid.IntRange(0, 12).Draw(t, "links") {
			a := rapid.IntRange(0, 58).Draw(t, "a")
			l := link.Link{A: a, B: rapid.IntRange(a+1, 59).Draw(t, "b"), Kind: rapid.SampledFrom([]link.Kind{link.Unknown, link.MustLink, link.CannotLink}).Draw(t, "kind")}
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
	res, err := r.Result()
	if err != nil {
		t.Fatal(err)
	}
	return []any{q, ok, most, r.Answers(), r.Queue(7), res}
}

func TestTellingWhatIsNoLink(t *testing.T) {
	r := begin(t, Config{})
	first, _ := r.Next()
	for _, l := range []link.Link{{A: 0, B: 60}, {A: -1, B: 0}, {A: 1, B: 1}, {A: 0, B: 1, Kind: 7}, {A: 0, B: 2, Plausibility: 2}} {
		if err := r.Tell(l); !fault.IsInput(err) {
			t.Errorf("%+v: %v", l, err)
		}
	}
	if got, _ := r.Next(); got != first || len(r.Answers()) != 0 {
		t.Errorf("asks %+v after %v", got, r.Answers())
	}
}

// stopper is an engine under which a context ends at the n-th use.
type stopper struct {
	engine
	left   int
	cancel func()
}

func (s *stopper) use() {
	if s.left--; s.left == 0 {
		s.cancel()
	}
}

func (s *stopper) reset(ctx context.Context, mass []float64) error {
	s.use()
	return s.engine.reset(ctx, mass)
}

func (s *stopper) sweep(ctx context.Context, only []bool) (float64, error) {
	s.use()
	return s.engine.sweep(ctx, only)
}

func (s *stopper) stress(ctx context.Context) (float64, error) {
	s.use()
	return s.engine.stress(ctx)
}

// TestALookMayBeCutShort anywhere: the run answers on, and the next look comes to what it would have come to.
func TestALookMayBeCutShort(t *testing.T) {
	answers := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 2, B: 7, Kind: link.CannotLink}, {A: 9, B: 12, Kind: link.MustLink},
		{A: 4, B: 5, Kind: link.MustLink}, {A: 8, B: 11, Kind: link.Unknown}, {A: 20, B: 21, Kind: link.MustLink},
	}
	last := link.Link{A: 30, B: 40, Kind: link.CannotLink}
	for _, cfg := range []Config{{}, {Partners: 20}, {Constraints: Propagate}} {
		calm := begin(t, cfg)
		if err := calm.Restore(answers, nil); err != nil {
			t.Fatal(err)
		}
		if err := calm.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := calm.Tell(last); err != nil {
			t.Fatal(err)
		}
		want, settled := seen(t, calm), calm.Settled()

		cut := 0
		for n := 1; ; n += 1 + n/8 {
			r := begin(t, cfg)
			if err := r.Restore(answers, nil); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			r.f.engine = &stopper{r.f.engine, n, cancel}
			err := r.Look(ctx)
			cancel()
			if err != nil && (!errors.Is(err, context.Canceled) || r.Err() != nil) {
				t.Fatalf("stopped: %v, %v", err, r.Err())
			}
			if err != nil {
				cut++
				if same, words := r.Guess(3, 50); same < 0 || same > 1 || words == "" {
					t.Fatalf("guesses %v: %s", same, words)
				}
			}
			if err := r.Tell(last); err != nil {
				t.Fatal(err)
			}
			if got := seen(t, r); !reflect.DeepEqual(got, want) {
				t.Fatalf("stopped at %d: %+v\nwant %+v", n, got, want)
			}
			if r.Settled() != settled {
				t.Fatalf("stopped at %d, it is settled: %v", n, !settled)
			}
			if err == nil {
				break
			}
		}
		if cut < 5 {
			t.Errorf("only %d looks were cut short", cut)
		}
	}
}

// TestTheEndOfARunEndsItsLooks for good.
func TestTheEndOfARunEndsItsLooks(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, err := NewRun(ctx, blobs(60, 3, 4), Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Tell(link.Link{A: 0, B: 1, Kind: link.MustLink}); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := r.Look(t.Context()); !errors.Is(err, context.Canceled) || r.Err() == nil || r.Queue(3) != nil {
		t.Errorf("%v, %v", err, r.Err())
	}
	if _, err := r.ResultContext(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("a result: %v", err)
	}
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
		pair := link.Link{A: g.Object, B: g.References[g.Ask].Object}.Pair()
		if objects[g.Object] || pairs[pair] {
			t.Errorf("asks twice about %d, or %v", g.Object, pair)
		}
		objects[g.Object], pairs[pair] = true, true
	}
	if g := queue[0]; g.Object != next.A || g.References[g.Ask].Object != next.B {
		t.Errorf("begins with %+v, next is %+v", g, next)
	}
	if again, _ := r.Next(); again != next || !reflect.DeepEqual(r.Queue(3), queue[:3]) || len(r.Queue(0)) != 0 {
		t.Error("a queue moved something")
	}
	if err := r.Tell(link.Link{A: queue[2].Object, B: queue[2].References[queue[2].Ask].Object}); err != nil {
		t.Fatal(err)
	}
	if slices.ContainsFunc(r.Queue(1000), func(g Group) bool {
		return g.Object == queue[2].Object && g.References[g.Ask].Object == queue[2].References[queue[2].Ask].Object
	}) {
		t.Error("a pair that was answered is in the queue")
	}
}

// TestExcludedObjectsAreNeverAskedAbout, nor stand for a cluster; they come back when nothing is left out.
func TestExcludedObjectsAreNeverAskedAbout(t *testing.T) {
	r := begin(t, Config{})
	before := seen(t, r)
	var out []int
	for range 20 {
		g, ok := r.Group()
		if !ok {
			break
		}
		out = append(out, g.Object, g.References[0].Object)
		r.Exclude(append(out, -1, 60))
		if !slices.Equal(r.Excluded(), sorted(out)) {
			t.Fatalf("%v are left out, want %v", r.Excluded(), out)
		}
		for _, g := range r.Queue(60) {
			if slices.Contains(out, g.Object) || slices.ContainsFunc(g.References, func(ref Reference) bool { return slices.Contains(out, ref.Object) }) {
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
		if same, words := r.Guess(a, b); same < least || same > most || !strings.Contains(words, says) {
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
	if r.now != nil || r.view != nil {
		t.Error("a guess fits")
	}
}

// TestSettledIsOfTheAnswers: an answer taken back and another one restored leave a run as settled as it was under them,
// without another fit for those that were looked at.
func TestSettledIsOfTheAnswers(t *testing.T) {
	r := begin(t, Config{})
	for range SettledAfter {
		if err := r.Answer(link.Unknown); err != nil {
			t.Fatal(err)
		}
	}
	if !r.Settled() {
		t.Fatal("answers that say nothing leave it unsettled")
	}
	answers := r.Answers()
	// Two blobs as one change the groups.
	for k := range 9 {
		if err := r.Tell(link.Link{A: 3 * k, B: 3*k + 1, Kind: link.MustLink}); err != nil {
			t.Fatal(err)
		}
	}
	if r.Settled() {
		t.Fatal("settled by answers that change groups")
	}
	if err := r.Restore(answers, nil); err != nil {
		t.Fatal(err)
	}
	if len(r.calm.due) != 0 || !r.Settled() {
		t.Error("unsettled under the answers that settled it")
	}
	r.Undo()
	if r.Settled() {
		t.Error("settled by four answers")
	}
	r.Redo()
	if !r.Settled() {
		t.Error("unsettled by the same answers")
	}
	fresh := begin(t, Config{})
	for _, l := range answers { // a fit for each
		if err := fresh.Restore(append(fresh.Answers(), l), nil); err != nil || fresh.Settled() && len(fresh.Answers()) < SettledAfter {
			t.Fatal(err)
		}
	}
	if !fresh.Settled() {
		t.Error("unsettled when restored one by one")
	}
	fresh = begin(t, Config{})
	if err := fresh.Restore(answers[:SettledAfter-1], nil); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Tell(answers[SettledAfter-1]); err != nil {
		t.Fatal(err)
	}
	if !fresh.Settled() {
		t.Error("unsettled when the last answer comes before the first look")
	}
}

// TestARestoredRunCountsAsTheFirstDid, answer by answer, over the last of them, also where some come after.
func TestARestoredRunCountsAsTheFirstDid(t *testing.T) {
	r := begin(t, Config{})
	var answers []link.Link
	for k := range 7 { // against the fit
		answers = append(answers, link.Link{A: 3 * k, B: 3*k + 1, Kind: link.MustLink})
	}
	for k := range 7 {
		answers = append(answers, link.Link{A: 30 + k, B: 40 + k})
	}
	for _, l := range answers {
		if err := r.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.Tell(l); err != nil {
			t.Fatal(err)
		}
	}
	settled := r.Settled()
	const first = 7 // answers after that change nothing
	if want := []int{0, 1, 2, 3, 4, 5, 6, 7}; !slices.Equal(r.calm.after[first:], want) || !settled {
		t.Fatalf("counts %v", r.calm.after)
	}
	counts := func(again *Run, want int) {
		t.Helper()
		if err := again.Look(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(again.answers); again.calm.after[n] != want {
			t.Errorf("counts %v, of %d answers %d changed nothing", again.calm.after, n, want)
		}
	}
	for n := first - 1; n < len(answers); n++ {
		again := begin(t, Config{})
		if err := again.Restore(answers[:n], nil); err != nil {
			t.Fatal(err)
		}
		if n > first { // else two are told before the first look
			counts(again, min(n-first, SettledAfter))
		}
		tell := answers[n:min(n+2, len(answers))]
		for _, l := range tell {
			if err := again.Tell(l); err != nil {
				t.Fatal(err)
			}
		}
		counts(again, min(n-first, SettledAfter)+len(tell))
	}
	again := begin(t, Config{})
	if err := again.Restore(answers[:first-1], nil); err != nil {
		t.Fatal(err)
	}
	counts(again, 0)
	if err := again.Restore(answers[:first+2], nil); err != nil {
		t.Fatal(err)
	}
	counts(again, 0) // as one change: only the first answers of a run are looked at one by one
	// Another answer in place of one of those that settled it.
	if err := again.Restore(answers, nil); err != nil || !again.Settled() {
		t.Fatal("unsettled")
	}
	for k := range 7 {
		if err := again.Edit(30+k, 40+k, link.CannotLink); err != nil {
			t.Fatal(err)
		}
	}
	for k := range 7 {
		if err := again.Edit(3*k, 3*k+1, link.CannotLink); err != nil {
			t.Fatal(err)
		}
	}
	counts(again, 0)
}

// TestAChangedAnswerIsCountedAnew: what was looked at under other answers is compared with nothing.
func TestAChangedAnswerIsCountedAnew(t *testing.T) {
	r := begin(t, Config{})
	tell := func(n int) {
		for range n {
			k := len(r.answers)
			if err := r.Tell(link.Link{A: 30 + k, B: 40 + k}); err != nil {
				t.Fatal(err)
			}
			if k < 6 && r.Settled() != (k >= SettledAfter-1) {
				t.Fatalf("counts %v", r.calm.after)
			}
		}
	}
	if r.Settled() {
		t.Fatal("settled before the first answer")
	}
	tell(6)
	if err := r.Tell(link.Link{A: 41, B: 31, Source: "ann"}); err != nil { // in place of the second
		t.Fatal(err)
	}
	tell(2)
	if r.Settled(); r.calm.after[8] != 0 {
		t.Errorf("counts %v", r.calm.after)
	}
}

// TestWhereQuestionsAreQuickTheResultIsChosen, once for the same answers, and says itself how links entered.
func TestWhereQuestionsAreQuickTheResultIsChosen(t *testing.T) {
	r, err := NewRun(t.Context(), blobs(60, 1, 4), Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	r.quick = true
	for k := range 12 { // many join what the fit splits, so that they are lent to others
		if err := r.Tell(link.Link{A: k, B: k + 30, Kind: link.MustLink}); err != nil {
			t.Fatal(err)
		}
	}
	one, err := r.Result()
	if err != nil || one.Used != Propagate || r.now.used != Anchor || one.Links != 12 {
		t.Fatalf("used %v, and %v for questions (%v)", one.Used, r.now.used, err)
	}
	chosen := r.chosen
	if err := r.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	two, err := r.Result()
	if err != nil || !reflect.DeepEqual(one, two) || r.chosen != chosen {
		t.Errorf("another result the second time (%v)", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Tell(link.Link{A: 50, B: 52, Kind: link.MustLink}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ResultContext(ctx); !errors.Is(err, context.Canceled) || r.Err() != nil {
		t.Errorf("a result: %v", err)
	}
	if err := r.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.ResultContext(ctx); !errors.Is(err, context.Canceled) || r.Err() != nil {
		t.Errorf("a result after a look: %v", err)
	}
	three, err := r.Result()
	if err != nil || three.Links != 13 || three.Used != Propagate {
		t.Errorf("%v", err)
	}
}
