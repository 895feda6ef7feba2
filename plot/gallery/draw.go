package gallery

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

// plane returns the rows of a scene and their links as points in the plane, and the page around
// them.
func plane(ctx context.Context, s *method.Scene, names []string, title string) (plot.Cloud,
	plot.Page, error) {
	view, err := Place(ctx, s)
	return plot.Cloud{Points: view.Points, EqualScale: view.EqualScale, ClusterNames: names,
			NoTicks: view.Layout == string(method.Neighbours), Links: s.Links},
		plot.Page{Title: title, Subtitle: view.Note, XLabel: view.XLabel, YLabel: view.YLabel}, err
}

// maxHulls is the number of rows up to which super-instances have hulls, which hide the links of
// more.
const maxHulls = 5000

func drawGroups(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
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
	cloud, page, err := plane(ctx, s, names, title)
	if err != nil {
		return nil, err
	}
	return plot.Scatter(plot.ScatterConfig{Cloud: cloud, Page: page, Clusters: labels,
		SuperInstances: superInstances(out)})
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

func needsFewClusters(s *method.Scene) error {
	if c := s.Outcome.Clusters; s.Outcome.Credal == nil && c > belief.MaxClusters {
		return fault.Inputf("draw the picture groups",
			"approximations are drawn of at most %d clusters, and there are %d", belief.MaxClusters,
			c)
	}
	return nil
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
	cloud, page, err := plane(ctx, s, s.Names(p.Clusters), s.Heading(p.Clusters))
	if err != nil {
		return nil, err
	}
	return plot.Rough(plot.RoughConfig{Cloud: cloud, Page: page, Credal: p})
}

// suitsMasses explains why a picture of masses cannot be drawn.
func suitsMasses(c *method.Configured) string {
	if c.Masses {
		return ""
	}
	return "it is of masses, and " + c.Name + " has none"
}

func needsMasses(s *method.Scene) error {
	if s.Outcome.Credal == nil {
		return &fault.Input{Problem: "the picture is of masses, and the partition has none",
			Fix: "draw the picture groups, or cluster by a method with masses, such as evclus"}
	}
	return nil
}

func drawMasses(_ context.Context, s *method.Scene) (*plot.Figure, error) {
	p := s.Outcome.Credal
	return plot.Masses(plot.MassesConfig{Credal: p, ClusterNames: s.Names(p.Clusters),
		Page: plot.Page{Title: s.Heading(p.Clusters)}})
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

func suitsTree(c *method.Configured, _ string) string {
	if c.Tree {
		return ""
	}
	return "it is of a tree, and " + c.Name + " makes none: use --method agglomerative"
}

func needsTree(s *method.Scene) error {
	if s.Outcome.Tree == nil {
		return fault.Inputf("cluster by a method that makes one, such as agglomerative",
			"the picture is of a tree, and there is none")
	}
	return nil
}

func drawDendrogram(_ context.Context, s *method.Scene) (*plot.Figure, error) {
	tree := s.Outcome.Tree
	cfg := plot.DendrogramConfig{
		Objects: tree.N, Branches: tree.Merges, Groups: s.Outcome.Labels,
		GroupNames: s.Names(s.Outcome.Clusters),
		Page: plot.Page{Title: s.Heading(s.Outcome.Clusters),
			XLabel: "height, " + tree.Linkage + " linkage"},
	}
	for row := range s.Outcome.Labels {
		cfg.Names = append(cfg.Names, s.RowID(row))
	}
	return plot.Dendrogram(cfg)
}
