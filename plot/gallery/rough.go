package gallery

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

func rough() method.Picture {
	return method.Picture{
		Name:  "rough",
		Title: "which rows surely and possibly belong to each group, in the plane",
		Needs: func(s *method.Scene) error {
			if c := s.Outcome.Clusters; s.Outcome.Credal == nil && c > belief.MaxClusters {
				return &fault.Input{Problem: fmt.Sprintf("approximations are drawn of at most "+
					"%d clusters, and there are %d", belief.MaxClusters, c),
					Fix: "draw the picture groups"}
			}
			return nil
		},
		Draw: drawRough,
	}
}

// drawRough takes a partition without masses as certain: both approximations of it are the same.
func drawRough(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
	p := s.Outcome.Credal
	if p == nil {
		var err error
		if p, err = credal.FromHard(s.Outcome.Labels, s.Outcome.Clusters); err != nil {
			return nil, err
		}
	}
	view, err := Place(ctx, s)
	if err != nil {
		return nil, err
	}
	return plot.Rough(plot.RoughConfig{
		Cloud: plot.Cloud{Points: view.Points, ClusterNames: s.Names(p.Clusters), Links: s.Links,
			EqualScale: view.EqualScale}, Credal: p, Page: plot.Page{Title: s.Heading(p.Clusters),
			Subtitle: view.Note, XLabel: view.XLabel, YLabel: view.YLabel},
	})
}
