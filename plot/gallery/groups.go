package gallery

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

// maxHulls is the number of rows up to which super-instances have hulls, which hide the links of
// more.
const maxHulls = 5000

func groups() method.Picture {
	return method.Picture{
		Name:  "groups",
		Title: "the groups in the plane",
		Draw:  drawGroups,
	}
}

func drawGroups(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
	view, err := Place(ctx, s)
	if err != nil {
		return nil, err
	}
	out := s.Outcome
	labels, numbers := partition.Compact(out.Labels)
	all := s.Names(out.Clusters)
	names := make([]string, len(numbers))
	for i, c := range numbers {
		names[i] = all[c-1]
	}
	title := s.Heading(len(names))
	if s.Title == "" && out.Unfinished {
		title += fmt.Sprintf(" so far, %s", words.Count(out.Queries, "answer"))
	}
	return plot.Scatter(plot.ScatterConfig{
		Cloud: plot.Cloud{Points: view.Points, ClusterNames: names, Links: s.Links,
			EqualScale: view.EqualScale}, Clusters: labels, SuperInstances: superInstances(out),
		Page: plot.Page{XLabel: view.XLabel, YLabel: view.YLabel, Title: title,
			Subtitle: view.Note},
	})
}

// superInstances returns the super-instances of an outcome; nil where there are none, or each row
// is one.
func superInstances(out *method.Outcome) []plot.SuperInstance {
	n := len(out.Medoids)
	if n == 0 || n >= len(out.Labels) {
		return nil
	}
	all := make([]plot.SuperInstance, n)
	for i, medoid := range out.Medoids {
		all[i].Medoid = medoid
	}
	if len(out.Labels) <= maxHulls {
		for row, of := range out.Of {
			all[of].Members = append(all[of].Members, row)
		}
	}
	return all
}
