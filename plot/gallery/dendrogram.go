package gallery

import (
	"context"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

func tree() method.Picture {
	return method.Picture{
		Name:  "dendrogram",
		Title: "the tree that rows are joined into",
		Suits: func(c *method.Configured, _ string) string {
			if c.Tree {
				return ""
			}
			return "it is of a tree, and " + c.Name + " makes none: use --method agglomerative"
		},
		Needs: func(s *method.Scene) error {
			if s.Outcome.Tree == nil {
				return &fault.Input{Problem: "the picture is of a tree, and there is none",
					Fix: "cluster by a method that makes one, such as agglomerative"}
			}
			return nil
		},
		Draw: drawDendrogram,
	}
}

func drawDendrogram(_ context.Context, s *method.Scene) (*plot.Figure, error) {
	tree := s.Outcome.Tree
	cfg := plot.DendrogramConfig{
		Objects: tree.N, Groups: s.Outcome.Labels, GroupNames: s.Names(s.Outcome.Clusters),
		Page: plot.Page{Title: s.Heading(s.Outcome.Clusters),
			XLabel: "height, " + tree.Linkage + " linkage"},
	}
	for _, m := range tree.Merges {
		cfg.Branches = append(cfg.Branches, plot.Branch{A: m.A, B: m.B, Height: m.Height})
	}
	for row := range s.Outcome.Labels {
		cfg.Names = append(cfg.Names, s.RowID(row))
	}
	return plot.Dendrogram(cfg)
}
