package gallery

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
)

func focal() method.Picture {
	return method.Picture{
		Name:     "focal",
		Title:    "the mass of one focal set",
		Argument: "SET",
		Example:  "focal:1+2, focal:all or focal:empty",
		Suits:    suitsFocal,
		Any: func(s *method.Scene) string {
			if p := s.Outcome.Credal; p != nil && len(p.Focal) > 0 {
				return focalName(p.Focal[0], p.Clusters)
			}
			return ""
		},
		Needs: func(s *method.Scene) error {
			if err := needsMasses(s); err != nil {
				return err
			}
			p := s.Outcome.Credal
			_, err := focalSet(s.Argument, p.Clusters, p.Focal)
			if err != nil {
				return fault.Settingf("--picture focal:%s: %v", s.Argument, err)
			}
			return nil
		},
		Draw: drawFocal,
	}
}

func suitsFocal(c *method.Configured, argument string) string {
	if why := suitsMasses(c); why != "" {
		return why
	}
	var known []belief.Set
	clusters, err := strconv.Atoi(c.Value("clusters"))
	if err != nil || clusters < 1 || clusters > belief.MaxClusters {
		clusters = belief.MaxClusters // not known, or for the fit to refuse
	} else if c.Steps.Focal != nil {
		known = c.Steps.Focal()
	}
	if _, err := focalSet(argument, clusters, known); err != nil {
		return err.Error()
	}
	return ""
}

// focalSet returns the set that a picture shows, one of those known; nil: not known.
func focalSet(text string, clusters int, known []belief.Set) (belief.Set, error) {
	set, err := belief.ParseSet(text, clusters)
	if err == nil && known != nil && !slices.Contains(known, set) {
		var names []string
		for _, s := range known {
			names = append(names, focalName(s, clusters))
		}
		err = fmt.Errorf("%v is not among the focal sets: give one of %s", set,
			words.UpTo(names, 12))
	}
	return set, err
}

// focalName names a set as the picture takes it.
func focalName(s belief.Set, clusters int) string {
	switch s {
	case 0:
		return "empty"
	case belief.Omega(clusters):
		return "all"
	}
	return strings.Trim(s.String(), "{}")
}

func drawFocal(ctx context.Context, s *method.Scene) (*plot.Figure, error) {
	p := s.Outcome.Credal
	set, err := focalSet(s.Argument, p.Clusters, p.Focal)
	if err != nil {
		return nil, err
	}
	view, err := Place(ctx, s)
	if err != nil {
		return nil, err
	}
	return plot.FocalSet(plot.FocalSetConfig{
		Cloud: plot.Cloud{Points: view.Points, ClusterNames: s.Names(p.Clusters), Links: s.Links,
			EqualScale: view.EqualScale}, Credal: p, Set: set,
		Page: plot.Page{Title: s.Heading(p.Clusters), Subtitle: view.Note, XLabel: view.XLabel,
			YLabel: view.YLabel},
	})
}
