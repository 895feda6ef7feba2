package main

import (
	"context"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project/input"
)

// pictureHelp is the help of --picture.
func pictureHelp() string {
	return gallery.Names() + " (default: groups, or rough)"
}

// savePicture draws a scene to a file, as choice says.
func savePicture(ctx context.Context, a *app, s *method.Scene, choice, path string) error {
	b := a.bar("placing rows in the plane")
	s.Problem.Progress = func(p fit.Progress) { b.update(p.Share) }
	fig, err := gallery.Draw(ctx, s, choice)
	b.done()
	if err != nil {
		return input.Placed(err, s.Name)
	}
	if err := fig.Save(path); err != nil {
		return err
	}
	a.say("the picture is in %s", path)
	return nil
}
