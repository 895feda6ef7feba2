package competitive

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// line makes a matrix of one column.
func line(values ...float64) dataset.Matrix {
	return dataset.Matrix{Rows: len(values), Cols: 1, F64: values}
}

// placed returns a learner whose prototypes are where they are put.
func placed(t testing.TB, cfg Config, at ...float64) *Learner {
	t.Helper()
	cfg = cfg.withDefaults()
	cfg.Clusters = len(at)
	c, err := begin(context.Background(), cfg, line(at...), 0, at)
	if err != nil {
		t.Fatal(err)
	}
	return newLearner(c)
}

func see(t testing.TB, l *Learner, values ...float64) {
	t.Helper()
	if _, err := l.ObserveRows(context.Background(), values, nil); err != nil {
		t.Fatal(err)
	}
}

func stand(t testing.TB, what string, l *Learner, want ...float64) {
	t.Helper()
	near(t, what, l.Publish().Prototypes.F64, want)
}

func TestLinksAreRefusedOrForgotten(t *testing.T) {
	l := placed(t, Config{Remember: 4, MostLinked: 3}, 0, 10)
	see(t, l, 1, 2, 3, 4, 5, 6) // 3 to 6 can be linked
	is := func(what string, err, want error) {
		t.Helper()
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
	}
	say := func(a, b int64, kind link.Kind) error { _, err := l.Link(a, b, kind, 0); return err }
	is("to come", say(3, 7, link.MustLink), ErrUnseen)
	is("long gone", say(2, 6, link.MustLink), ErrForgotten)
	for _, bad := range []error{say(3, 3, link.MustLink), say(0, 3, link.MustLink), say(3, 4, 7),
		func() error { _, err := l.Link(3, 4, link.MustLink, 1.5); return err }(),
		func() error { _, err := l.Link(3, 4, link.MustLink, math.NaN()); return err }()} {
		if !fault.IsInput(bad) {
			t.Errorf("got %v", bad)
		}
	}
	is("3 = 4", say(3, 4, link.MustLink), nil)
	is("4 = 5", say(4, 5, link.MustLink), nil)
	var clash *link.Contradiction
	if err := say(3, 5, link.CannotLink); !errors.As(err, &clash) ||
		err.Error() != "3 = 4, 4 = 5, but 3 ≠ 5" {
		t.Errorf("a contradiction: %v", err)
	}
	if s := l.Statistics(); s.Contradicted != 1 || s.Must != 2 || s.Cannot != 0 || s.Linked != 3 ||
		s.Remembered != 4 {
		t.Errorf("%+v", s)
	}
	is("3 = 4 again", say(4, 3, link.MustLink), nil)
	see(t, l, 7, 8, 9, 10) // all of them leave the window; links keep 3, 4 and 5
	is("3 ≠ 10", say(3, 10, link.CannotLink), nil)
	// That was a fourth: 5 was linked longest ago and left.
	is("5 = 10", say(5, 10, link.MustLink), ErrForgotten)
	if s := l.Statistics(); s.Evicted != 1 || s.Linked != 3 || s.Must != 1 || s.Cannot != 1 {
		t.Errorf("%+v", s)
	}
	// Now that 5 is gone nothing says 3 = 4 = 10.
	if r, err := l.Link(3, 4, link.Unknown, 0); err != nil || !r.Replaced {
		t.Errorf("taken back: %+v, %v", r, err)
	}
	is("4, which no link names now", say(4, 10, link.MustLink), ErrForgotten)
	if r, err := l.Link(10, 3, link.MustLink, 0); err != nil || !r.Replaced {
		t.Errorf("replaced: %+v, %v", r, err)
	}
	is("forget 3", l.Forget(3), nil)
	is("forget 3 again", l.Forget(3), ErrForgotten)
	is("forget 9", l.Forget(9), nil)
	is("link to 9", say(9, 10, link.MustLink), ErrForgotten)
	is("forget what is to come", l.Forget(11), ErrUnseen)
	if s := l.Statistics(); s.Must+s.Cannot+s.Linked != 0 || s.Forgotten != 2 || s.Remembered != 3 {
		t.Errorf("%+v", s)
	}
}

// A change that is refused changes nothing.
func TestRefusedChangeKeepsTheOldLink(t *testing.T) {
	l := placed(t, Config{}, 0, 10)
	see(t, l, 1, 2, 3)
	for _, k := range [][2]int64{{1, 2}, {2, 3}, {1, 3}} {
		if _, err := l.Link(k[0], k[1], link.MustLink, 0); err != nil {
			t.Fatal(err)
		}
	}
	before := stateText(t, l)
	if _, err := l.Link(1, 2, link.CannotLink, 0); err == nil ||
		err.Error() != "1 = 3, 2 = 3, but 1 ≠ 2" && err.Error() != "1 = 3, 3 = 2, but 1 ≠ 2" {
		t.Errorf("got %v", err)
	}
	l.counted.Contradicted--
	if after := stateText(t, l); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	keep := placed(t, Config{Contradictions: link.Keep}, 0, 10)
	see(t, keep, 1, 2, 3)
	for i, k := range []link.Link{{A: 1, B: 2, Kind: link.MustLink},
		{A: 2, B: 3, Kind: link.MustLink}, {A: 1, B: 3, Kind: link.CannotLink},
		// the last two are said again
		{A: 2, B: 3, Kind: link.MustLink}, {A: 3, B: 1, Kind: link.CannotLink}} {
		r, err := keep.Link(int64(k.A), int64(k.B), k.Kind, 0)
		if err != nil || r.Clash != (k.Kind == link.CannotLink) || r.Replaced != (i > 2) {
			t.Errorf("%v: %+v, %v", k, r, err)
		}
	}
	if s := keep.Statistics(); s.Contradicted != 2 || s.Must != 2 || s.Cannot != 1 {
		t.Errorf("%+v", s)
	}
}

// A link takes effect at once, and rehearsing it keeps it while other rows go by.
func TestLinksTakeEffectAndAreRehearsed(t *testing.T) {
	met := func(rehearse int) bool {
		l := placed(t, Config{Rule: OLCVQE, Rehearse: rehearse,
			Rate: Rate{Start: 0.2, Unlearn: 0.1}}, 0, 25)
		see(t, l, 0, 10)
		r, err := l.Link(1, 2, link.CannotLink, 0)
		for range 10 {
			if err != nil {
				t.Fatal(err)
			}
			r, err = l.Link(1, 2, link.CannotLink, 0)
		}
		if !r.Met {
			t.Fatal("the link is not met after ten times")
		}
		for range 200 {
			see(t, l, -1, 25)
		}
		if s := l.Statistics(); (s.Rehearsed > 0) != (rehearse > 0) || s.Met+s.Violated != 1 {
			t.Fatalf("%+v", s)
		}
		return l.Statistics().Met == 1
	}
	if met(0) || !met(1) {
		t.Error("without rehearsal the link should be violated in the end, with it met")
	}
}

func TestUnfitRowsChangeNothing(t *testing.T) {
	l := placed(t, Config{}, 0, 10)
	before := stateText(t, l)
	for _, row := range [][]float64{{math.NaN()}, {math.Inf(1)}, {1e300}, {-2e120}, {}, nil,
		{1, 2}} {
		if _, _, err := l.Observe(row); !fault.IsInput(err) {
			t.Errorf("%v: %v", row, err)
		}
		if _, err := l.Label(row); !fault.IsInput(err) {
			t.Errorf("label of %v: %v", row, err)
		}
	}
	var in *fault.Input
	_, err := l.ObserveRows(t.Context(), []float64{1, 2, math.NaN(), 3}, make([]Label, 4))
	if !errors.As(err, &in) || in.Row != 3 || in.Column != "1" {
		t.Errorf("%+v", err)
	}
	if _, err := l.ObserveRows(t.Context(), []float64{1, 2}, make([]Label, 1)); err == nil {
		t.Error("too few labels are taken")
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.ObserveRows(done, []float64{1, 2}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if after := stateText(t, l); after != before {
		t.Error("something changed")
	}
}

// Many read while one writes; the race detector looks on.
func TestManyReadWhileOneWrites(t *testing.T) {
	data, _ := blobs(4, 3, 500, 20, 1)
	l, err := New(Config{Clusters: 4, Metric: fit.Full}, data)
	if err != nil {
		t.Fatal(err)
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for r := range 4 {
		readers.Go(func() {
			rows := int64(0)
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				s := l.Snapshot()
				if s.Rows < rows {
					t.Error("snapshots go back")
				}
				rows = s.Rows
				at := (i*7 + r) % data.Rows * 3
				row := data.F64[at : at+3]
				a, err := s.Label(row)
				b, again := s.Label(row)
				if err != nil || again != nil || a != b {
					t.Error("a snapshot changed", a, b, err)
				}
				if _, err := l.Label(row); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range data.Rows {
		number, _, err := l.Observe(data.F64[i*3 : i*3+3])
		if err != nil {
			t.Error(err)
		}
		if number%50 == 0 {
			if _, err := l.Link(number, number-3, link.MustLink, 0.5); err != nil {
				t.Error(err)
			}
		}
	}
	close(stop)
	readers.Wait()
	if got := l.Snapshot().Rows; got < int64(data.Rows-every) {
		t.Errorf("the last snapshot has %d of %d rows", got, data.Rows)
	}
}
