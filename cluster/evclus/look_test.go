package evclus

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"github.com/kindred-go/kindred/link"
)

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

// TestALookMayBeCutShort anywhere: the run answers on, and the next look comes to what it would
// have come to.
func TestALookMayBeCutShort(t *testing.T) {
	answers := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 2, B: 7, Kind: link.CannotLink},
		{A: 9, B: 12, Kind: link.MustLink},
		{A: 4, B: 5, Kind: link.MustLink}, {A: 8, B: 11, Kind: link.Unknown},
		{A: 20, B: 21, Kind: link.MustLink},
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
			r.chooser.f.engine = &stopper{r.chooser.f.engine, n, cancel}
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
	if err := r.Look(t.Context()); !errors.Is(err, context.Canceled) || r.Err() == nil ||
		r.Queue(3) != nil {
		t.Errorf("%v, %v", err, r.Err())
	}
	if _, err := r.Result(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("a result: %v", err)
	}
}

// TestWhereQuestionsAreQuickTheResultIsChosen, once for the same answers, and says itself how links
// entered.
func TestWhereQuestionsAreQuickTheResultIsChosen(t *testing.T) {
	r, err := NewRun(t.Context(), blobs(60, 3, 4), Config{Clusters: 3})
	if err != nil {
		t.Fatal(err)
	}
	r.chooser.quick = true
	const many = 16
	for k := range many { // they join two blobs, so that they predict each other
		if err := r.Tell(link.Link{A: 3 * k, B: 3*k + 1, Kind: link.MustLink}); err != nil {
			t.Fatal(err)
		}
	}
	one, err := r.Result(t.Context())
	if err != nil || one.Used != Propagate || r.chooser.now.used != Anchor || one.Links != many {
		t.Fatalf("used %v, and %v for questions (%v)", one.Used, r.chooser.now.used, err)
	}
	chosen := r.chooser.chosen
	if err := r.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	two, err := r.Result(t.Context())
	if err != nil || !reflect.DeepEqual(one, two) || r.chooser.chosen != chosen {
		t.Errorf("another result the second time (%v)", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Tell(link.Link{A: 50, B: 52, Kind: link.MustLink}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Result(ctx); !errors.Is(err, context.Canceled) || r.Err() != nil {
		t.Errorf("a result: %v", err)
	}
	if err := r.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Result(ctx); !errors.Is(err, context.Canceled) || r.Err() != nil {
		t.Errorf("a result after a look: %v", err)
	}
	three, err := r.Result(t.Context())
	if err != nil || three.Links != many+1 || three.Used != Propagate {
		t.Errorf("%v", err)
	}
}
