package project

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// Errors of steps.
var (
	// ErrNotFound means that what a step is about is not there.
	ErrNotFound = errors.New("project: there is no such thing")
	// ErrStale means that the project has moved on from what the person saw.
	ErrStale = errors.New("project: the project has moved on")
	// ErrReused means that the id of a step is that of another step.
	ErrReused = errors.New("project: the id is that of another step")
	// ErrForbidden means that the answer is someone else's: give one of your own instead, and both
	// are kept.
	ErrForbidden = errors.New(
		"project: that answer is someone else's; give your own, and both are kept")
	// ErrClosed means that the project was closed.
	ErrClosed = errors.New("project: the project is closed")
	// ErrChanged is the cause where data are not those that a project was begun with.
	ErrChanged = errors.New("project: the data changed")
	// ErrNothing means that there is nothing to take back or to bring back.
	ErrNothing = errors.New("project: there is nothing to take back")
)

// Contradiction is an answer that others contradict. It was not taken.
type Contradiction struct {
	Clash Clash
	link  *link.Contradiction
}

func (c *Contradiction) Error() string {
	return "this contradicts earlier answers: " + c.Clash.Words
}

// Unwrap returns the contradiction by rows.
func (c *Contradiction) Unwrap() error { return c.link }

// Step is an answer to a question, or about any pair.
type Step struct {
	// made by the client, at most 64 of A–Z a–z 0–9 _ -; the same step again changes nothing and
	// returns the first result, and another step with it is ErrReused
	ID       string
	A, B     int    // rows
	Answer   string // same, different or unknown
	Keep     bool   // keep it as a doubt if others contradict it
	Question int    // number of the question on the screen; 0: none was asked
}

// longestName bounds the name of a group, in characters.
const longestName = 200

// mostLinks bounds the links of one step.
const mostLinks = 10_000

// Answer takes an answer. A pair that the same person answered otherwise before is ErrStale unless
// it was asked again; an answer that others contradict is a [*Contradiction] unless it is to be
// kept as a doubt. It is on disk when Answer returns.
func (d *Project) Answer(ctx context.Context, who string, s Step) (Reply, error) {
	asked := request{step: answering(s.Answer), rows: []int{s.A, s.B}}
	return d.step(ctx, who, s.ID, asked, func() ([]store.Event, error) {
		e, err := d.answer(who, Pair{A: s.A, B: s.B, Link: s.Answer}, s.Keep, 0)
		if err != nil || e.Seq > 0 {
			return []store.Event{e}, err
		}
		e.Question = max(0, s.Question)
		if l := d.at(who).asked(s.A, s.B); s.Question > 0 && l != nil {
			e.Why = d.question(*d.leased(l), 0).Why
		}
		return []store.Event{e}, nil
	})
}

// answer checks an answer, and makes the event of it; one that the person gave already is that of
// then, which has a Seq. replaced is the event that it takes the place of. Its user holds mu.
func (d *Project) answer(who string, p Pair, keep bool, replaced int64) (store.Event, error) {
	e, l, err := d.statement(who, p, replaced)
	if err != nil || e.Seq > 0 {
		return e, err
	}
	if l.Kind == link.Unknown { // it contradicts nothing
		return e, nil
	}
	counts, known := d.facts.with(l, replaced, d.reliability()), d.facts.known
	// earlier answers about the pair do not count against it
	if contrary(counts.Kind, known.Relation(p.A, p.B)) && len(d.facts.voices[l.Pair()]) > 0 {
		known = d.facts.without(d.data.N(), map[[2]int]bool{l.Pair(): true})
	}
	if !d.arbiter || !contrary(counts.Kind, known.Relation(p.A, p.B)) {
		return e, nil
	}
	if e.Doubt = keep; keep {
		return e, nil
	}
	return e, d.contradiction(l, known.Explain(p.A, p.B))
}

// statement is answer without a look at what others contradict.
func (d *Project) statement(who string, p Pair, replaced int64) (e store.Event, l link.Link,
	err error) {
	kind, err := link.ParseKind(p.Link)
	if err != nil {
		return e, l, err
	}
	if err := d.rows(p.A, p.B); err != nil {
		return e, l, err
	}
	l = link.Link{A: p.A, B: p.B, Kind: kind, Source: who}
	e = store.Event{Step: store.StepOf(kind), A: d.data.ID(p.A), B: d.data.ID(p.B), Who: who,
		Target: replaced}
	mine := d.facts.by(l.Pair(), who)
	if len(mine) == 0 || replaced > 0 {
		return e, l, nil
	}
	asked, last := d.at(who).asked(p.A, p.B), mine[len(mine)-1]
	switch {
	case asked != nil && asked.source == fromRepeat && len(mine) == 1:
		e.Repeat = true
	case last.link.Kind == kind:
		e.Seq = last.Seq
	default:
		return e, l, fmt.Errorf(
			"%w: you %s %q about %s and %s before; change that answer in the history",
			ErrStale, d.verb(last), last.link.Kind, e.A, e.B)
	}
	return e, l, nil
}

// rows checks a pair of rows.
func (d *Project) rows(a, b int) error {
	n := d.data.N()
	switch {
	case a < 0 || b < 0 || a >= n || b >= n:
		return fault.Inputf("take rows from a question, a group or the map",
			"there are no rows %d and %d: they run from 0 to %d", a, b, n-1)
	case a == b:
		return fault.Inputf("choose two objects", "an object is compared with itself")
	case d.facts.isBad[a] || d.facts.isBad[b]:
		return fault.Inputf("take that back first", "one of the two is left out as bad data")
	}
	return nil
}

// Links takes several links at once, as one step. One that a person stated already is passed over.
// The first that others contradict is a [*Contradiction], and nothing is taken, unless
// contradictions are to be kept as doubts.
func (d *Project) Links(ctx context.Context, who, id string, pairs []Pair, keep bool) (Reply,
	error) {
	return d.Several(ctx, who, Several{ID: id, Pairs: pairs, Keep: keep})
}

// Skip puts a pair off: the person is asked about it when nothing else is left.
func (d *Project) Skip(ctx context.Context, who, id string, a, b int) (Reply, error) {
	asked := request{step: store.Skip, rows: []int{a, b}}
	return d.step(ctx, who, id, asked, func() ([]store.Event, error) {
		if err := d.rows(a, b); err != nil {
			return nil, err
		}
		if p := d.at(who); p.lease != nil && (!p.held || p.lease.about(a, b)) {
			p.lease, p.held = nil, false
		}
		return []store.Event{{Step: store.Skip, A: d.data.ID(a), B: d.data.ID(b), Who: who}}, nil
	})
}

// LeaveOut marks an object as bad data: it is not asked about, and belongs to no group.
func (d *Project) LeaveOut(ctx context.Context, who, id string, row int) (Reply, error) {
	asked := request{step: store.Bad, rows: []int{row}}
	return d.step(ctx, who, id, asked, func() ([]store.Event, error) {
		switch {
		case row < 0 || row >= d.data.N():
			return nil, fault.Inputf(fmt.Sprintf("rows run from 0 to %d", d.data.N()-1),
				"there is no row %d", row)
		case d.facts.isBad[row]:
			return nil, fmt.Errorf("%w: the object is left out already", ErrStale)
		case len(d.facts.bad)+3 > d.data.N():
			return nil, fault.Inputf("take back one that was left out", "two objects must stay")
		}
		return []store.Event{{Step: store.Bad, A: d.data.ID(row), Who: who}}, nil
	})
}

// NameGroup names the group that a row is in; an empty name takes the name away.
func (d *Project) NameGroup(ctx context.Context, who, id string, row int, name string) (Reply,
	error) {
	name = strings.TrimSpace(name)
	asked := request{step: store.Name, rows: []int{row}, text: name}
	return d.step(ctx, who, id, asked, func() ([]store.Event, error) {
		switch {
		case row < 0 || row >= d.data.N():
			return nil, ErrNotFound
		case !utf8.ValidString(name) || utf8.RuneCountInString(name) > longestName ||
			strings.ContainsFunc(name, control):
			return nil, fault.Inputf(
				fmt.Sprintf("give a line of at most %d characters", longestName), "this is no name")
		}
		return []store.Event{{Step: store.Name, A: d.data.ID(row), Text: name, Who: who}}, nil
	})
}

func control(r rune) bool { return r < ' ' || r == 0x7f }

// Undo takes back the last step of a person that is in effect; ErrNothing when there is none.
func (d *Project) Undo(ctx context.Context, who, id string) (Reply, error) {
	return d.step(ctx, who, id, request{step: store.Undo}, func() ([]store.Event, error) {
		target, ok := d.history.UndoTarget(who, d.here)
		if !ok {
			return nil, ErrNothing
		}
		return []store.Event{d.about(store.Undo, who, target)}, nil
	})
}

// Redo brings back what the person took back last; ErrNothing when there is none. An answer that
// others contradict by now is a [*Contradiction], unless it is kept as a doubt.
func (d *Project) Redo(ctx context.Context, who, id string) (Reply, error) {
	return d.step(ctx, who, id, request{step: store.Redo}, func() ([]store.Event, error) {
		target, ok := d.history.RedoTarget(who, d.here)
		if !ok {
			return nil, ErrNothing
		}
		e := d.about(store.Redo, who, target)
		return []store.Event{e}, d.returns(e)
	})
}

// returns is the error of a redo that brings back an answer that others contradict. Its user holds
// mu.
func (d *Project) returns(redo store.Event) error {
	if !d.arbiter || d.fits(redo) {
		return nil
	}
	then := d.factsOf(store.NewHistory(append(d.history.All(), redo)))
	for _, c := range then.clashes {
		same := func(now clash) bool { return now.answer.Seq == c.answer.Seq }
		if !c.answer.Doubt && !slices.ContainsFunc(d.facts.clashes, same) {
			return d.contradiction(c.link, then.known.Explain(c.link.A, c.link.B))
		}
	}
	return nil
}

// fits reports whether a redo brings back one answer, about a pair without others, that follows
// from what is known or is open. Its user holds mu.
func (d *Project) fits(redo store.Event) bool {
	was, _ := d.history.Event(redo.Target)
	v, ok := place(was, d.data.Row)
	return ok && d.history.Single(redo.Target) && d.facts.plain(v, d.sharing.Discount) &&
		len(d.facts.voices[v.link.Pair()]) == 0 &&
		!contrary(v.link.Kind, d.facts.known.Relation(v.link.A, v.link.B))
}

// here reports whether the objects of an event are among the data now.
func (d *Project) here(e store.Event) bool {
	for _, id := range []string{e.A, e.B} {
		if _, ok := d.data.Row(id); id != "" && !ok {
			return false
		}
	}
	return true
}

// about makes a step about an earlier event.
func (d *Project) about(step store.Step, who string, target int64) store.Event {
	e := store.Event{Step: step, Who: who, Target: target}
	if was, ok := d.history.Event(target); ok {
		e.A, e.B, e.Question = was.A, was.B, was.Question
	}
	return e
}

// Edit changes an earlier answer in its place: one of the person's own, or any for the nameless
// one. ifRevision, if not nil, is what the person saw: ErrStale when the project has moved on
// since. It fails as [Project.Answer] does.
func (d *Project) Edit(ctx context.Context, who, id string, seq int64, answer string, keep bool,
	ifRevision *int64) (Reply, error) {
	asked := request{step: answering(answer), target: seq}
	return d.step(ctx, who, id, asked, func() ([]store.Event, error) {
		was, v, err := d.editable(who, seq, ifRevision)
		if err != nil {
			return nil, err
		}
		e, err := d.answer(was.Who, Pair{A: v.A, B: v.B, Link: answer}, keep, seq)
		e.Who, e.Question, e.Why, e.Repeat = who, was.Question, was.Why, was.Repeat
		return []store.Event{e}, err
	})
}

// Drop takes back one earlier answer. Whose, and ifRevision, are as in [Project.Edit].
func (d *Project) Drop(ctx context.Context, who, id string, seq int64, ifRevision *int64) (Reply,
	error) {
	asked := request{step: store.Drop, target: seq}
	return d.step(ctx, who, id, asked, func() ([]store.Event, error) {
		if _, _, err := d.editable(who, seq, ifRevision); err != nil {
			return nil, err
		}
		return []store.Event{d.about(store.Drop, who, seq)}, nil
	})
}

// editable finds an answer in effect.
func (d *Project) editable(who string, seq int64, ifRevision *int64) (store.Event, link.Link,
	error) {
	var l link.Link
	if ifRevision != nil && *ifRevision != d.facts.revision {
		return store.Event{}, l,
			fmt.Errorf("%w: you saw revision %d, and it is at %d now", ErrStale, *ifRevision,
				d.facts.revision)
	}
	was, ok := d.history.Event(seq)
	if !ok || !was.Step.IsAnswer() || !d.history.InEffect(seq) {
		return was, l, fmt.Errorf("%w: event %d is no answer in effect", ErrNotFound, seq)
	}
	if who != "" && who != was.Who {
		return was, l, ErrForbidden
	}
	a, okA := d.data.Row(was.A)
	b, okB := d.data.Row(was.B)
	if !okA || !okB {
		return was, l, fmt.Errorf("%w: the objects of event %d are not among the data now",
			ErrNotFound, seq)
	}
	return was, link.Link{A: a, B: b}, nil
}
