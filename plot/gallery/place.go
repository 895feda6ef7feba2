package gallery

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/mds"
)

// Place returns where the rows of a scene lie in the plane, as [method.Scene.View] describes.
func Place(ctx context.Context, s *method.Scene) (plot.View, error) {
	switch {
	case s.View != nil:
		return s.View(ctx)
	case s.Units.Rows > 0:
		return plot.Plane(ctx, s.Units, s.Columns, s.Problem.Threads)
	case s.Vectors():
		return plot.Plane(ctx, s.Problem.Data, s.Columns, s.Problem.Threads)
	}
	src, _, err := s.Problem.Compared()
	if err != nil {
		return plot.View{}, err
	}
	cfg := mds.Config{Threads: s.Problem.Threads}
	if report := fit.Share(s.Problem.Progress); report != nil {
		cfg.Progress = func(p mds.Progress) { report(p.Share) }
	}
	got, err := mds.Fit(ctx, src, cfg)
	if err != nil {
		return plot.View{}, err
	}
	return plot.View{
		Points: got.Points, XLabel: "MDS 1", YLabel: "MDS 2", EqualScale: true,
		Note: fmt.Sprintf("multidimensional scaling of the dissimilarities, stress-1 %.3f",
			got.Stress1),
	}, nil
}
