package input

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Begun is a session of a method that asks, before its first answer.
type Begun struct {
	Method  *method.Configured
	Problem method.Problem // with the links known before
	Session *method.Session
	Notes   []string // what was chosen or noticed, in sentences
}

// Begin starts the method that asks on data that [Open] read for the recipe. ctx also ends the work
// between questions.
func (r *Recipe) Begin(ctx context.Context, d *Data, progress Progress) (*Begun, error) {
	return r.BeginAt(ctx, d, 0, progress)
}

// BeginAt is Begin with a number of groups in place of that which the recipe has; 0: as the recipe
// has it. Begun.Method has that of the recipe.
func (r *Recipe) BeginAt(ctx context.Context, d *Data, clusters int, progress Progress) (*Begun,
	error) {
	b := &Begun{Problem: d.Problem()}
	var err error
	if b.Method, err = r.Asking(); err != nil {
		return nil, err
	}
	if r.Links != "" {
		var note string
		if b.Problem.Links, note, err = d.Links(ctx, r.Links); err != nil {
			var in *fault.Input
			if errors.As(err, &in) && errors.Is(err, fs.ErrNotExist) {
				in.Fix = "check the spelling, or name the links with --links FILE, or leave them " +
					"out with --links ''"
			}
			return nil, err
		}
		if note != "" {
			b.Notes = append(b.Notes, note)
		}
	}
	known, note, err := r.labelled(d)
	if err != nil {
		return nil, err
	}
	if note != "" {
		b.Problem.Links, b.Notes = append(b.Problem.Links, known...), append(b.Notes, note)
	}
	b.Problem.Progress = progress.Fit("looking for what to ask")
	m := b.Method
	if clusters > 0 {
		if m, err = m.At(clusters); err != nil {
			return nil, err
		}
	}
	if b.Session, err = m.Begin(ctx, b.Problem); err != nil {
		return nil, r.Named(Placed(err, d.Name()), d, r.LabelledRows(d))
	}
	b.Notes = append(b.Notes, b.Session.Notes...)
	return b, nil
}

// Named puts row ids into a contradiction of links known before, and where these come from: the
// file of links, or the classes of some rows.
func (r *Recipe) Named(err error, d *Data, classed []int) error {
	var clash *link.Contradiction
	if len(classed) == 0 || r.Links == "" || !errors.As(err, &clash) {
		return Named(err, d, r.Links)
	}
	known := make(map[int]int32, len(classed))
	for _, row := range classed {
		known[row] = d.Classes[row]
	}
	column := r.Labels
	if name := d.Label(); name != "" {
		column = "column " + words.Short(name)
	}
	clash.Origin = func(l link.Link) string {
		a, okA := known[l.A]
		b, okB := known[l.B]
		if okA && okB && l.Kind != link.Unknown && (a == b) == (l.Kind == link.MustLink) {
			return column
		}
		return r.Links
	}
	return Named(err, d, "")
}

// Named puts row ids and the file of links ("": none) into a contradiction.
func Named(err error, d *Data, file string) error {
	var clash *link.Contradiction
	if errors.As(err, &clash) {
		clash.Names = d.ID
		if file != "" {
			file += ": "
		}
		return fmt.Errorf("%s%w; correct one of them, or keep both with --contradictions keep",
			file, clash)
	}
	return err
}
