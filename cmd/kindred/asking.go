package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// asking brings the questions of a project to a person at a terminal, or to true classes.
type asking struct {
	*askFlags
	app     *app
	project *project.Project
	state   project.State // before the question
	more    bool          // questions were left at the end
	shown   bool          // questions were shown
}

// oracle returns who answers, and after how many answers to stop at most (0: no limit); close ends
// the reading of keys.
func (s *asking) oracle() (o ask.Oracle, budget int, close func(), err error) {
	data, m, a := s.project.Data(), s.project.Method(), s.app
	budget, close = s.budget, func() {}
	if s.askFlags.oracle == "labels" {
		if budget == 0 && m.Strategic() {
			budget = method.DefaultBudget
		}
		o, err = s.Answers.Oracle(data.Classes, s.Seed())
		return o, budget, close, err
	}
	fd, ok := terminal(a.in)
	t := ask.NewTerminal(a.in, a.err, ask.TerminalConfig{
		Show: func(q link.Question) string {
			s.shown = true
			return (&viewer{data, a.width()}).show(q)
		},
		Remaining: func() (likely, most int) { return s.state.Likely, s.state.Most },
		Estimated: s.state.Estimated, FD: fd, IsTerminal: ok, Styled: a.styled(),
	})
	return t, budget, t.Close, nil
}

// ask asks until nothing is left to ask, the budget is used up, the groups are settled and nobody
// is there to answer, or the person stops.
func (s *asking) ask(ctx context.Context) error {
	if m := s.project.Method(); m.Dissimilarity || m.NeedsClusters {
		s.app.notef("  %s, unless flags say otherwise: %s", m.Name,
			input.Defaults(m.Params(), m.Given))
	}
	oracle, budget, end, err := s.oracle()
	if err != nil {
		return err
	}
	defer end()
	heeder, heeds := oracle.(ask.Heeder)
	settled := false
	for {
		turn, err := s.project.Turn(ctx, s.who)
		if err != nil {
			return err
		}
		s.state = s.project.State(s.who)
		if s.more = turn.Question != nil; !s.more {
			if _, _, err := s.project.Outcome(ctx); err != nil { // that is why
				return err
			}
		}
		done := !s.more || budget > 0 && s.state.Answers >= budget
		if !done {
			if !heeds {
				done = s.state.Settled && budget == 0
			} else if s.state.Settled && !settled {
				heeder.Heed()
			}
			settled = s.state.Settled
		}
		var q link.Question
		reply := ask.Quit
		if !done {
			q = link.Question{A: turn.Question.A.Row, B: turn.Question.B.Row,
				Number: s.state.Answers + 1, Why: turn.Question.Why}
			reply, err = oracle.Ask(ctx, q)
		} else if f, wants := oracle.(ask.Finisher); wants {
			reply, err = f.Finish(ctx, s.more)
		}
		if err != nil {
			return err
		}
		if reply == ask.Quit || done && reply != ask.Undo {
			return nil
		}
		if err := s.take(ctx, q, reply); err != nil {
			return err
		}
	}
}

// take passes a reply to the project.
func (s *asking) take(ctx context.Context, q link.Question, reply ask.Reply) (err error) {
	var refused *project.Contradiction
	switch kind, _ := reply.Kind(); reply {
	case ask.Undo:
		_, err = s.project.Undo(ctx, s.who, "")
	case ask.Redo:
		if _, err = s.project.Redo(ctx, s.who, ""); errors.As(err, &refused) {
			s.app.notef("what was taken back stays so: %s", refused)
			err = nil
		}
	default:
		_, err = s.project.Answer(ctx, s.who, project.Step{A: q.A, B: q.B, Answer: kind.String(),
			Question: q.Number})
	}
	if errors.Is(err, project.ErrNothing) {
		return nil // the question is asked again
	}
	return err
}

// finish shows the groups and writes the files of outputs.
func (s *asking) finish(ctx context.Context) error {
	out, err := s.project.Signed(ctx)
	if err != nil {
		return err
	}
	shown := *out
	if moved := renumbered(out.Was); s.shown && out.Queries > 0 && moved != "" {
		shown.Notes = append(shown.Notes[:len(shown.Notes):len(shown.Notes)],
			"Groups are numbered by size now, other than in the questions: "+moved+".")
	}
	if err := printGroups(ctx, s.app, s.project.Data(), &shown, s.project.Given()); err != nil {
		return err
	}
	return s.outputs.write(ctx, s.app, s.project.Data(), out, s.project.Scene)
}

// renumbered lists the groups that questions called by another number, as in "1 was 3, 3 was 1".
func renumbered(was []int) string {
	var moved []string
	for k, before := range was {
		if k != before {
			moved = append(moved, fmt.Sprintf("%d was %d", k+1, before+1))
		}
	}
	return strings.Join(moved, ", ")
}
