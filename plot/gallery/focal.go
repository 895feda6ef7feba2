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

// anyFocal is a set that the picture can be drawn of.
func anyFocal(s *method.Scene) string {
	if p := s.Outcome.Credal; p != nil && len(p.Focal) > 0 {
		return focalName(p.Focal[0], p.Clusters)
	}
	return ""
}

func needsFocal(s *method.Scene) error {
	if err := needsMasses(s); err != nil {
		return err
	}
	p := s.Outcome.Credal
	if _, err := focalSet(s.Argument, p.Clusters, p.Focal); err != nil {
		return fault.Settingf("--picture focal:%s: %v", s.Argument, err)
	}
	return nil
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
	cloud, page, err := plane(ctx, s, s.Names(p.Clusters), s.Heading(p.Clusters))
	if err != nil {
		return nil, err
	}
	return plot.FocalSet(plot.FocalSetConfig{Cloud: cloud, Page: page, Credal: p, Set: set})
}
