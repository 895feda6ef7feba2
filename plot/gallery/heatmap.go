package gallery

import (
	"context"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

// heatMap is drawn of any number of rows: [plot.HeatMap] takes means over some of each block.
func heatMap() method.Picture {
	return method.Picture{
		Name:  "heatmap",
		Title: "the dissimilarities, in the order of groups and certainty",
		Suits: func(c *method.Configured, _ string) string { return suitsMasses(c) },
		Needs: needsMasses,
		Draw:  drawHeatMap,
	}
}

func drawHeatMap(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
	p := s.Outcome.Credal
	src, _, err := s.Problem.Compared()
	if err != nil {
		return nil, err
	}
	order, groups := plot.ByCertainty(p)
	return plot.HeatMap(ctx, plot.HeatMapConfig{
		Source: src, Order: order, Groups: groups, GroupNames: s.Names(p.Clusters),
		Threads: s.Problem.Threads, Page: plot.Page{Title: s.Heading(p.Clusters),
			XLabel: "object, by cluster and certainty"},
	})
}
