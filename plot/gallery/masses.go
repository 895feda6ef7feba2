package gallery

import (
	"context"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

func masses() method.Picture {
	return method.Picture{
		Name:  "masses",
		Title: "the masses of each row",
		Suits: func(c *method.Configured, _ string) string { return suitsMasses(c) },
		Needs: needsMasses,
		Draw: func(_ context.Context, s *method.Scene) (*plot.Figure, error) {
			p := s.Outcome.Credal
			return plot.Masses(plot.MassesConfig{Credal: p, ClusterNames: s.Names(p.Clusters),
				Page: plot.Page{Title: s.Heading(p.Clusters)}})
		},
	}
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
