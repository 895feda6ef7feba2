package session

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kindred-go/kindred/link"
)

// Step is what happened in an event.
type Step string

// The steps. The first three are answers.
const (
	Same      Step = "same"
	Different Step = "different"
	Unknown   Step = "unknown"
	Undo      Step = "undo" // takes back the step Target
	Redo      Step = "redo" // brings back the step Target
	Skip      Step = "skip" // puts a pair off
	Bad       Step = "bad"  // leaves the object A out as bad data
	Name      Step = "name" // gives the group that A is in the name Text
	Drop      Step = "drop" // takes the event Target out
)

// IsAnswer tells whether the step is same, different or unknown.
func (s Step) IsAnswer() bool { return s == Same || s == Different || s == Unknown }

// Event is one step of a session. Rows are named by id, so that answers outlive a change of the
// order of rows.
type Event struct {
	Seq      int64     // order in the project, from 1; set when it is added
	ID       string    // as the client named it, unique in the project; "" when it did not
	At       time.Time // when; set when it is added if zero. Clocks jump: the order is that of Seq
	Step     Step
	A, B     string // ids of the two rows it is about; Bad and Name have A alone
	Question int    // number of the question on the screen
	Why      string // why it was asked
	Who      string // who did it; may be empty
	Target   int64  // of Undo, Redo and Drop: the event they are about; of an answer: the one it replaces; else 0
	Batch    int64  // Seq of the first of the events done together as one step; 0 for a step of one event
	Doubt    bool   // kept although it contradicts other answers
	Repeat   bool   // asked a second time
	Text     string // of Name: the name; empty to take it away
}

// Answer is an answer in effect.
type Answer struct {
	Seq    int64
	A, B   string
	Kind   link.Kind
	At     time.Time
	Who    string
	Doubt  bool
	Repeat bool
	Batch  int64
	Why    string
}

// Append adds an event. When it returns without an error the event is on disk; when it returns one,
// nothing of the event is there.
func (p *Project) Append(ctx context.Context, e Event) error {
	if e.At.IsZero() {
		e.At = time.Now()
	}
	_, err := p.db.ExecContext(ctx,
		"INSERT INTO events (at, kind, a, b, question, why, who) VALUES (?, ?, ?, ?, ?, ?, ?)",
		e.At.UTC().Format(time.RFC3339Nano), string(e.Step), e.A, e.B, e.Question, e.Why, e.Who)
	if err != nil {
		return p.explain(err)
	}
	return nil
}

// Events reads the whole history, in order, answers that were taken back included.
func (p *Project) Events(ctx context.Context) ([]Event, error) {
	rows, err := p.db.QueryContext(ctx, "SELECT seq, at, kind, a, b, question, why, who FROM events ORDER BY seq")
	if err != nil {
		return nil, p.explain(err)
	}
	defer rows.Close()
	var events []Event
	for rows.Next() {
		var e Event
		var at string
		if err := rows.Scan(&e.Seq, &at, &e.Step, &e.A, &e.B, &e.Question, &e.Why, &e.Who); err != nil {
			return nil, p.explain(err)
		}
		if e.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
			return nil, p.damaged(fmt.Errorf("event %d: %w", e.Seq, err))
		}
		events = append(events, e)
	}
	if err := rows.Err(); err != nil {
		return nil, p.explain(err)
	}
	return events, nil
}

// Fold gives the answers in effect after a history, in order, and those taken back that Redo would
// bring back, the next one last. An Undo takes back the last answer about its pair, a Redo brings it
// back, and a new answer forgets what was taken back.
func Fold(events []Event) (answers, taken []Answer) {
	for _, e := range events {
		switch e.Step {
		case Undo:
			answers, taken = move(answers, taken, e)
		case Redo:
			taken, answers = move(taken, answers, e)
		default:
			answers, taken = append(answers, Answer{A: e.A, B: e.B, Kind: e.Step.kind(), At: e.At, Who: e.Who}), nil
		}
	}
	return answers, taken
}

// move takes the last answer about the pair of e from one list to the end of the other.
func move(from, to []Answer, e Event) ([]Answer, []Answer) {
	for i, x := range slices.Backward(from) {
		if x.A == e.A && x.B == e.B || x.A == e.B && x.B == e.A {
			return slices.Delete(from, i, i+1), append(to, x)
		}
	}
	return from, to
}

func (s Step) kind() link.Kind {
	switch s {
	case Same:
		return link.MustLink
	case Different:
		return link.CannotLink
	}
	return link.Unknown
}
