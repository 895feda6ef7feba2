package project

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/dying"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/store"
)

// refusing opens a project whose file takes no event with the text "full".
func refusing(t *testing.T) (d *Project, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "test.kindred")
	if err := at(t, path, few(t), "super-instances", "6").Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(
		"CREATE INDEX never ON events (json(iif(text = 'full', '{', '{}')))"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return at(t, path, ""), path
}

// A step whose write failed never was; steps after it count, and are told to be kept only once they
// are.
func TestAFailedWriteIsForgotten(t *testing.T) {
	d, path := refusing(t)
	name := func() ([]store.Event, error) {
		return []store.Event{{Step: store.Name, A: "a", Text: "full"}}, nil
	}
	_, failed, err := d.submit(t.Context(), "", "name", request{}, name)
	if err != nil {
		t.Fatal(err)
	}
	if failed() == nil {
		t.Fatal("the write did not fail")
	}
	// The next step comes before the failure is dealt with.
	first, err := d.Answer(t.Context(), "", Step{ID: "answer", A: 0, B: 1, Answer: "same"})
	if err != nil || first.Event.Seq != 1 || first.State.Answers != 1 {
		t.Fatalf("the step after it gives %+v, %v", first, err)
	}
	d.forget()
	if s := d.State(""); s.Answers != 1 || s.Revision != 1 {
		t.Errorf("%d answers at revision %d once the failure is forgotten", s.Answers, s.Revision)
	}
	// The same answer of another tab waits for the same write.
	_, failed, err = d.submit(t.Context(), "", "", request{}, func() ([]store.Event, error) {
		return []store.Event{{Step: store.Same, A: "a", B: "ä", Text: "full"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	_, again, err := d.submit(t.Context(), "", "other", request{}, func() ([]store.Event, error) {
		e, err := d.answer("", Pair{A: 0, B: 2, Link: "same"}, false, 0)
		return []store.Event{e}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if kept := again(); failed() == nil || kept == nil && d.file.Last() != 2 {
		t.Error("an answer that is not on disk is told to be kept")
	}
	d.forget()
	want := d.State("").Answers
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if got := at(t, path, "").State("").Answers; got != want {
		t.Errorf("%d answers, %d on disk", want, got)
	}
}

// hooked asks as another session on the same ledger does, whose looks can be watched and held up,
// and whose outcomes counted.
type hooked struct {
	run      *method.Session
	look     func(ctx context.Context)
	outcomes atomic.Int32
}

func (h *hooked) Questions(ctx context.Context, _ *ask.Ledger, most int) ([]ask.Prompt, error) {
	if most > 1 { // once a look
		h.look(ctx)
	}
	if err := h.run.Look(ctx); err != nil {
		return nil, err
	}
	return h.run.Queue(most), nil
}

func (h *hooked) Remaining(*ask.Ledger) (likely, most int) { return h.run.Remaining() }

// hook has look called in each look, and before ahead of each outcome, unless it is nil.
func hook(t *testing.T, look func(ctx context.Context),
	before func() error) (*Project, *hooked) {
	t.Helper()
	d := at(t, filepath.Join(t.TempDir(), "test.kindred"), few(t), "super-instances", "6")
	h := &hooked{look: look}
	err := d.fit.use(t.Context(), func() error {
		h.run = d.fit.run
		outcome := func(ctx context.Context) (*method.Outcome, error) {
			h.outcomes.Add(1)
			if before != nil {
				if err := before(); err != nil {
					return nil, err
				}
			}
			return h.run.Outcome(ctx)
		}
		d.fit.run = &method.Session{Session: ask.NewSession(d.ctx, h.run.Ledger, h),
			Outcome: outcome}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return d, h
}

// A fit that fails or panics is told to all who wait for it, and the next one starts from all that
// is known.
func TestAFitThatFailsIsTriedAnew(t *testing.T) {
	var fails atomic.Int32
	d, h := hook(t, func(context.Context) {
		if fails.Load() == 2 {
			panic("no luck at all")
		}
	}, func() error {
		if fails.Load() == 1 {
			return errors.New("no luck")
		}
		return nil
	})
	for i, fail := range []int32{1, 2} {
		fails.Store(fail)
		if _, err := d.Answer(t.Context(), "", Step{A: 0, B: i + 1, Answer: "same"}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		if _, _, err := d.Outcome(ctx); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who waits for a fit that fails hears %v", err)
		}
		var panicked *fault.Panic
		if errors.As(d.Failed(), &panicked) != (fail == 2) ||
			fail == 2 && !strings.Contains(panicked.Stack, "fault_test.go") {
			t.Errorf("the fit failed by %v", d.Failed())
		}
		cancel()
	}
	fails.Store(0)
	r, err := d.Answer(t.Context(), "", Step{A: 0, B: 5, Answer: "different"})
	if err != nil {
		t.Fatal(err)
	}
	if _, at, err := d.Outcome(t.Context()); err != nil || at != r.Event.Seq {
		t.Errorf("groups of revision %d, %v", at, err)
	}
	if h.run.Restored() == 0 {
		t.Error("after a panic the run goes on as if nothing had happened")
	}
}

// Answers that keep coming do not keep the groups as they were for good.
func TestGroupsComeWhileAnswersDo(t *testing.T) {
	var d *Project
	var h *hooked
	most := int32(4 * mostLooks)
	var looks, outcomes atomic.Int32
	last := make(chan struct{})
	d, h = hook(t, func(context.Context) {
		if looks.Add(1) < most { // facts move on during each look
			d.mu.Lock()
			d.facts.gen++
			d.mu.Unlock()
			outcomes.Store(h.outcomes.Load())
		} else if looks.Load() == most {
			close(last)
		}
	}, nil)
	if _, err := d.Answer(t.Context(), "", Step{A: 0, B: 1, Answer: "same"}); err != nil {
		t.Fatal(err)
	}
	<-last
	if _, _, err := d.Outcome(t.Context()); err != nil {
		t.Fatal(err)
	}
	if outcomes.Load() < 2 {
		t.Errorf("%d looks and %d groups while answers came", looks.Load(), outcomes.Load())
	}
}

// Closing ends a fit under way and all who wait for it.
func TestCloseEndsWhoWaits(t *testing.T) {
	began := make(chan struct{}, 1)
	d, _ := hook(t, func(ctx context.Context) {
		began <- struct{}{}
		<-ctx.Done()
	}, nil)
	news, _ := d.Subscribe()
	if _, err := d.Answer(t.Context(), "", Step{A: 0, B: 1, Answer: "same"}); err != nil {
		t.Fatal(err)
	}
	<-began
	waited := make(chan error)
	for range 3 {
		go func() {
			_, _, err := d.Outcome(context.Background())
			waited <- err
		}()
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := <-waited; !errors.Is(err, ErrClosed) {
			t.Errorf("who waits for groups of a closed project hears %v", err)
		}
	}
	for range news { // ends
	}
	if err := d.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
}

// What changes right after one subscribes, or right after one heard of something, is heard of.
func TestNoNewsIsLost(t *testing.T) {
	d := at(t, filepath.Join(t.TempDir(), "test.kindred"), few(t), "super-instances", "6")
	for range 300 {
		news, stop := d.Subscribe()
		for range 3 {
			d.notify()
			select {
			case <-news:
			case <-time.After(2 * time.Minute):
				t.Fatal("nothing was heard")
			}
		}
		stop()
	}
}

// An opening that fails or is given up leaves no new project, and an old one as it was.
func TestAnOpeningThatFailsLeavesNothing(t *testing.T) {
	path, data := filepath.Join(t.TempDir(), "test.kindred"), few(t)
	for looks := 0; ; looks++ { // given up at each moment at which somebody looks
		d, err := Open(dying.New(t.Context(), looks), Config{Path: path, Data: data})
		if err == nil {
			if d.Close(); looks < 3 {
				t.Errorf("an opening is given up in %d places alone", looks)
			}
			os.Remove(path)
			break
		}
		if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
			t.Fatalf("given up at moment %d, it left %q", looks, left)
		}
	}
	d := at(t, path, data, "super-instances", "6")
	if _, err := d.Answer(t.Context(), "", Step{A: 0, B: 1, Answer: "same"}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	r := d.recipe
	if err := r.Set("method", "evclus"); err != nil {
		t.Fatal(err)
	}
	if err := r.Set("clusters", "50"); err != nil {
		t.Fatal(err)
	}
	if d, err := Open(t.Context(), Config{Path: path, Recipe: r}); err == nil {
		d.Close()
		t.Fatal("fifty clusters of eight objects are looked for")
	}
	if s := at(t, path, "").State(""); s.Method != "cobra" || s.Answers != 1 {
		t.Errorf("settings that fail leave %s and %d answers", s.Method, s.Answers)
	}
}

// A question of an evidential method keeps its references while it is on the screen, though the
// method would ask another by now.
func TestAQuestionStaysAsItWasAsked(t *testing.T) {
	d := at(t, filepath.Join(t.TempDir(), "test.kindred"), "wine", "label", "class", "method",
		"evclus", "clusters", "3")
	was, err := d.Turn(t.Context(), "ann")
	if err != nil || was.Question == nil || was.Question.Candidates == nil {
		t.Fatal(was, err)
	}
	d.mu.Lock()
	now := *d.look
	now.queue = nil
	for _, p := range d.look.queue {
		if p.Group.Object != was.Question.A.Row {
			now.queue = append(now.queue, p)
		}
	}
	d.look = &now
	d.mu.Unlock()
	is, err := d.Turn(t.Context(), "ann")
	if err != nil || is.Question.A.Row != was.Question.A.Row || is.Question.Candidates == nil ||
		is.Question.Why != was.Question.Why {
		t.Errorf("the question was %+v, and is %+v (%v)", was.Question, is.Question, err)
	}
}

// Rows, groups and events that are not there are faults; with all rows but two left out, all still
// works.
func TestWhatIsOutOfRange(t *testing.T) {
	d := at(t, filepath.Join(t.TempDir(), "test.kindred"), few(t), "super-instances", "6")
	ctx := t.Context()
	for _, row := range []int{-1, 8, 1 << 40} {
		if _, err := d.Object(ctx, row); !errors.Is(err, ErrNotFound) {
			t.Errorf("row %d gives %v", row, err)
		}
		if _, err := d.Guess(ctx, 0, row); err == nil {
			t.Errorf("a guess about row %d", row)
		}
		if _, _, err := d.Members(ctx, row, Typical, 0, 5); !errors.Is(err, ErrNotFound) {
			t.Errorf("group %d gives %v", row, err)
		}
		if _, err := d.NameGroup(ctx, "", "", row, "x"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a name for row %d gives %v", row, err)
		}
		if _, err := d.LeaveOut(ctx, "", "", row); err == nil {
			t.Errorf("row %d is left out", row)
		}
	}
	for row := range 8 {
		if _, err := d.LeaveOut(ctx, "", "", row); (err == nil) != (row < 6) {
			t.Errorf("leaving out row %d after all before it gives %v", row, err)
		}
	}
	if out, _, err := d.Outcome(ctx); err != nil || out.Labels[0] != 0 {
		t.Errorf("groups of two objects: %+v, %v", out, err)
	}
	if _, err := d.Places(ctx); err != nil {
		t.Error(err)
	}
	if m, _, err := d.Members(ctx, 0, Doubtful, -5, 100); err != nil || len(m) != 6 {
		t.Errorf("%d objects in no group, %v", len(m), err)
	}
	if m, err := d.Map(ctx); err != nil || len(m.Points) != 16 {
		t.Error(m, err)
	}
	if _, err := d.Drop(ctx, "", "", 99, nil); !errors.Is(err, ErrNotFound) {
		t.Errorf("dropping what is not there gives %v", err)
	}
}
