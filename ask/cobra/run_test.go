package cobra

import (
	"github.com/kindred-go/kindred/fit"

	"errors"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// drawRun returns a run on a few super-instances with members beside their medoids, some rows left
// out, and a second one of the same.
func drawRun(t *rapid.T, policy link.Policy) (n int, make func() *Run) {
	x, _, classes := randomProblem(t)
	n = len(classes)
	cfg := Config{
		SuperInstances: rapid.IntRange(1, n).Draw(t, "super-instances"),
		Knowledge:      fit.Knowledge{Contradictions: policy},
	}
	given, _, err := link.Build(n, rapid.SliceOfN(drawLink(n), 0, 3).Draw(t, "given"), link.Keep)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Links = given.Given()
	si, err := Build(t.Context(), x, cfg)
	if err != nil {
		t.Fatal(err)
	}
	excluded := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, n).Draw(t, "excluded")
	return n, func() *Run {
		r, err := Start(si, x, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r.chooser.walk.Target = 17
		r.Exclude(excluded)
		return r
	}
}

func drawLink(n int) *rapid.Generator[link.Link] {
	return rapid.Custom(func(t *rapid.T) link.Link {
		a := rapid.IntRange(0, n-2).Draw(t, "a")
		return link.Link{
			A: a, B: rapid.IntRange(a+1, n-1).Draw(t, "b"),
			Kind:         rapid.SampledFrom([]link.Kind{unknown, same, different}).Draw(t, "kind"),
			Plausibility: rapid.SampledFrom([]float64{0, 0.75}).Draw(t, "plausibility"),
		}
	})
}

// seen is all that can be seen of a run.
func seen(r *Run) []any {
	q, ok := r.Next()
	likely, most := r.Remaining()
	return []any{q, ok, likely, most, r.Result(), r.Queue(3), r.Answers()}
}

// TestToldIsRestored: answers told one by one, with questions looked at between, leave a run as all
// of them restored do; a refused one changes nothing.
func TestToldIsRestored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := rapid.SampledFrom([]link.Policy{link.Refuse, link.Keep}).Draw(t, "policy")
		n, begin := drawRun(t, policy)
		told := begin()
		var all []link.Link
		for range rapid.IntRange(0, 25).Draw(t, "links") {
			l := drawLink(n).Draw(t, "link")
			if q, ok := told.Next(); ok && rapid.Bool().Draw(t, "as asked") {
				l.A, l.B = q.A, q.B
			}
			before := told.Answers()
			var clash *link.Contradiction
			switch err := told.Tell(l); {
			case err == nil:
				all = append(all, l)
			case !errors.As(err, &clash) || policy == link.Keep ||
				!slices.Equal(told.Answers(), before):
				t.Fatalf("%+v gave %v", l, err)
			}
		}
		restored := begin()
		if err := restored.Restore(all, nil); err != nil {
			t.Fatal(err)
		}
		if got, want := seen(told), seen(restored); !reflect.DeepEqual(got, want) {
			t.Fatalf("told:\n%+v\nrestored:\n%+v", got, want)
		}
	})
}

// TestWhatIsAnsweredCanBeRestored, whatever links there were: an answer that clashes with links
// that no super-instance honours is refused at once.
func TestWhatIsAnsweredCanBeRestored(t *testing.T) {
	// Four super-instances of two rows. By rows, 0 = 1 = 3 = 5 = 4; among super-instances 0 and 2
	// are only both apart from 1.
	x := line(0, 0.1, 10, 10.1, 20, 20.1, 100, 100.1)
	given := []link.Link{
		{A: 0, B: 2, Kind: different}, {A: 2, B: 4, Kind: different},
		{A: 0, B: 1, Kind: same}, {A: 1, B: 3, Kind: same}, {A: 3, B: 5, Kind: same},
		{A: 5, B: 4, Kind: same},
	}
	r, err := New(t.Context(), x, Config{SuperInstances: 4, Knowledge: fit.Knowledge{Links: given}})
	if err != nil {
		t.Fatal(err)
	}
	wantNext(t, r, 0, 4)
	var clash *link.Contradiction
	if err := r.Answer(different); !errors.As(err, &clash) || len(clash.Chain) != 4 ||
		len(r.Answers()) != 0 {
		t.Fatalf("got %v", err)
	}
	answer(t, r, same)
	if err := r.Restore(r.Answers(), nil); err != nil {
		t.Error(err)
	}
}

func TestGuesses(t *testing.T) {
	x := line(0, 0.1, 1, 5, 5.8, 20)
	r, err := New(t.Context(), x, Config{SuperInstances: 5})
	if err != nil {
		t.Fatal(err)
	}
	guess := func(a, b int, want float64) {
		t.Helper()
		if got, words := r.Guess(a, b); got != want || words == "" {
			t.Errorf("rows %d and %d: %v (%s), want %v", a, b, got, words, want)
		}
	}
	guess(0, 5, 0.5)
	guess(0, 6, 0.5)
	guess(-1, 0, 0.5)
	guess(0, 0, 1)
	guess(0, 1, 1) // one super-instance
	for _, l := range []link.Link{{A: 3, B: 4, Kind: same}, {A: 0, B: 3, Kind: different},
		{A: 3, B: 5}} {
		if err := r.Tell(l); err != nil {
			t.Fatal(err)
		}
	}
	guess(4, 3, 1)
	guess(1, 4, 0)   // 1 stands beside 0, and 0 is not with 3 and 4
	guess(2, 5, 0.5) // two answered pairs, one of them the same
	for _, l := range []link.Link{{A: 2, B: 5, Kind: different}, {A: 4, B: 5, Kind: different}} {
		if err := r.Tell(l); err != nil {
			t.Fatal(err)
		}
	}
	guess(0, 5, 2.0/6)
}
