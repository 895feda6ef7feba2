package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/session"
)

// asking is a session under way.
type asking struct {
	data     *prepared
	method   method.Method
	settings method.Settings
	problem  method.Problem
	run      method.Session
	project  *session.Project
	header   *session.Header // to be written with the next answer; nil when it is as written
	notes    []string
}

// load reads and prepares the data, and starts the run.
func (f *fitting) load(ctx context.Context, a *app, s *asking, name string) error {
	var err error
	if s.settings, err = f.settings(); err != nil {
		return err
	}
	if s.method, err = f.asker(s.settings); err != nil {
		return err
	}
	if s.data, err = f.read(ctx, a, name, s.method); err != nil {
		return err
	}
	if err := f.among(s.data.n(), s.method, s.settings); err != nil {
		return err
	}
	s.problem = s.data.problem()
	if f.links != "" {
		var note string
		if s.problem.Links, note, err = s.data.links(ctx, f.links); err != nil {
			var in *fault.Input
			if errors.As(err, &in) && errors.Is(err, fs.ErrNotExist) {
				in.Mend = "look for a slip in its name, or name the links with --links FILE, or leave them out with --links ''"
			}
			return err
		}
		if note != "" {
			s.notes = append(s.notes, note)
		}
	}
	what := "making super-instances"
	if s.method.Dissimilarity {
		what = "clustering"
	}
	b := a.bar(what)
	defer b.done()
	settings := s.settings
	settings.Progress = b.update
	if s.run, err = s.method.Begin(ctx, s.problem, settings); err != nil {
		return named(placed(err, s.data.name()), s.data, f.links)
	}
	s.notes = append(s.notes, s.run.Notes()...)
	return nil
}

// read reads DATA as the method takes them, all cells kept to be shown.
func (f *fitting) read(ctx context.Context, a *app, name string, m method.Method) (*prepared, error) {
	if m.Dissimilarity {
		return f.source.objects(ctx, a, name, true, false)
	}
	table, err := f.source.read(ctx, a, name, true)
	if err != nil {
		return nil, err
	}
	return f.source.prepare(ctx, table, false)
}

// restore gives the run the answers of the project.
func (f *fitting) restore(ctx context.Context, a *app, s *asking) error {
	events, err := s.project.Events(ctx)
	if err != nil {
		return err
	}
	answers, taken := session.Fold(events)
	gone := 0
	place := func(given []session.Answer) (links []link.Link) {
		for _, x := range given {
			rowA, okA := s.data.row(x.A)
			rowB, okB := s.data.row(x.B)
			if !okA || !okB {
				gone++
				continue
			}
			links = append(links, link.Link{A: rowA, B: rowB, Kind: x.Kind, Source: x.Who, Time: x.At})
		}
		return links
	}
	links := place(answers)
	if len(links) > 0 {
		a.say("going on from %s in %s", count(len(links), "answer"), s.project.Path())
	}
	if gone > 0 {
		a.say("%s about rows that are not among the data now: left out", count(gone, "answer"))
	}
	err = s.run.Restore(links, place(taken))
	var clash *link.Contradiction
	if errors.As(err, &clash) && f.links != "" {
		clash.Names = s.data.id
		return fmt.Errorf("the answers in %s and the links in %s contradict each other: %w; correct the links, leave them out with --links '', or keep both with --contradictions keep",
			s.project.Path(), f.links, err)
	}
	return named(err, s.data, "")
}

// signed puts who and when, as the project keeps them, to answers.
func (s *asking) signed(ctx context.Context, answers []link.Link) error {
	events, err := s.project.Events(ctx)
	if err != nil {
		return err
	}
	kept, _ := session.Fold(events)
	by := make(map[[2]string]session.Answer, len(kept))
	for _, x := range kept {
		by[[2]string{x.A, x.B}] = x
	}
	for i, l := range answers {
		if x, ok := by[[2]string{s.data.id(l.A), s.data.id(l.B)}]; ok {
			answers[i].Source, answers[i].Time = x.Who, x.At
		}
	}
	return nil
}

// outcome is what the answers so far amount to.
func (s *asking) outcome() (*method.Outcome, error) {
	out, err := s.run.Outcome()
	if err != nil {
		return nil, err
	}
	s.data.sign(out.Model, s.method)
	return out, nil
}

// sign says in a model how it was made; nil is none.
func (p *prepared) sign(m *method.Model, by method.Method) {
	if m == nil {
		return
	}
	m.Method = by.Name
	if p.ready != nil {
		m.Encoding = p.ready.Encoding
	}
}
