package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// asking is a session under way.
type asking struct {
	data    *input.Data
	method  *method.Configured
	problem method.Problem
	run     *method.Session
	project *store.File
	header  *store.Header // to be written with the next answer; nil when it is as written
	notes   []string
	shown   bool // a person was shown questions
}

// load reads and prepares the data, and starts the run.
func load(ctx context.Context, a *app, r *input.Recipe, s *asking, name string) error {
	w := a.watch()
	defer w.done()
	var err error
	if s.data, err = input.Open(ctx, a.place(), name, r, w.update); err != nil {
		return err
	}
	begun, err := r.Begin(ctx, s.data, w.update)
	if err != nil {
		return err
	}
	s.method, s.problem, s.run = begun.Method, begun.Problem, begun.Session
	s.notes = append(s.notes, begun.Notes...)
	return nil
}

// restore returns the run the answers of the project.
func restore(ctx context.Context, a *app, r *input.Recipe, s *asking) error {
	events, err := s.project.Events(ctx)
	if err != nil {
		return err
	}
	answers, taken := store.Fold(events)
	gone := 0
	place := func(given []store.Answer) (links []link.Link) {
		for _, x := range given {
			rowA, okA := s.data.Row(x.A)
			rowB, okB := s.data.Row(x.B)
			if !okA || !okB {
				gone++
				continue
			}
			links = append(links,
				link.Link{A: rowA, B: rowB, Kind: x.Kind, Source: x.Who, Time: x.At})
		}
		return links
	}
	links := place(answers)
	if len(links) > 0 {
		a.say("going on from %s in %s", words.Count(len(links), "answer"), s.project.Path())
	}
	if gone > 0 {
		a.say("%s about rows that are not among the data now: left out",
			words.Count(gone, "answer"))
	}
	err = s.run.Restore(links, place(taken))
	var clash *link.Contradiction
	if errors.As(err, &clash) && r.Links != "" {
		clash.Names = s.data.ID
		return fmt.Errorf("the answers in %s and the links in %s contradict each other: %w; "+
			"correct the links, leave them out with --links '', or keep both with "+
			"--contradictions keep",
			s.project.Path(), r.Links, err)
	}
	return input.Named(err, s.data, "")
}

// signed puts who and when, as the project keeps them, to answers.
func (s *asking) signed(ctx context.Context, answers []link.Link) error {
	events, err := s.project.Events(ctx)
	if err != nil {
		return err
	}
	kept, _ := store.Fold(events)
	by := make(map[[2]string]store.Answer, len(kept))
	for _, x := range kept {
		by[[2]string{x.A, x.B}] = x
	}
	for i, l := range answers {
		if x, ok := by[[2]string{s.data.ID(l.A), s.data.ID(l.B)}]; ok {
			answers[i].Source, answers[i].Time = x.Who, x.At
		}
	}
	return nil
}

// outcome is what the answers so far amount to.
func (s *asking) outcome(ctx context.Context) (*method.Outcome, error) {
	out, err := s.run.Outcome(ctx)
	if err != nil {
		return nil, err
	}
	s.data.Sign(out.Model, s.method.Method)
	var moved []string
	for k, was := range out.Was {
		if s.shown && out.Queries > 0 && k != was {
			moved = append(moved, fmt.Sprintf("%d was %d", k+1, was+1))
		}
	}
	if len(moved) > 0 {
		out.Notes = append(out.Notes,
			"Groups are numbered by size now, other than in the questions: "+
				strings.Join(moved, ", ")+".")
	}
	return out, nil
}

// called returns what questions call a row.
func (s *asking) called(row int) string {
	s.shown = true
	return "row " + words.Short(s.data.ID(row))
}
