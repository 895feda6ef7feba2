package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

// FocalSetConfig describes what a picture of the masses of one focal set shows (cevclus-2013 Figs 4
// and 5). Points and Credal are needed, and Set, whose zero value is the empty set. Marker and hue
// are those of the classes; without them, those of the cluster of maximum plausibility.
type FocalSetConfig struct {
	Cloud
	Page
	Credal *credal.Partition // of the points
	Set    belief.Set        // one of Credal.Focal
}

// focalScene is a checked config with what follows from it.
type focalScene struct {
	cloudScene
	cfg   FocalSetConfig
	mass  []float64
	group []int // class from 0, −1 not known; or cluster from 0
}

// FocalSet makes a figure of the mass of one focal set for every object: the area of a mark
// is proportional to it, and a dot means almost no mass.
//
// It fails with a [*fault.Input] like [Rough], and when Set is no focal set.
func FocalSet(cfg FocalSetConfig) (*Figure, error) {
	if err := checkMasses(&cfg.Cloud, cfg.Credal); err != nil {
		return nil, err
	}
	at := slices.Index(cfg.Credal.Focal, cfg.Set)
	if at < 0 {
		return nil, fault.Inputf("choose one that is", "%v is no focal set of the credal partition",
			cfg.Set)
	}
	s := &focalScene{cfg: cfg, group: cfg.Classes}
	if err := s.begin(cfg.Cloud, cfg.Page); err != nil {
		return nil, err
	}
	for i := range cfg.Points.Rows {
		s.mass = append(s.mass, share(cfg.Credal.Row(i)[at]))
	}
	if s.group == nil {
		s.group = cfg.Credal.ArgMax(belief.MaxPlausibility)
		for i := range s.group {
			s.group[i]--
		}
	}
	// small marks lie on large ones
	slices.SortStableFunc(s.rows, func(a, b int) int { return cmp.Compare(s.mass[b], s.mass[a]) })
	s.notes("mass of " + setName(cfg.Set, cfg.Credal.Clusters, cfg.ClusterNames))
	s.frame.legend = s.legend()
	return s.figure("Masses of a focal set", s.draw), nil
}

func (s *focalScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	drawLinks(c, s.Links, s.place)
	for _, row := range s.rows {
		s.look(s.group[row]).draw(c, s.place(row), s.radius(s.mass[row]), 0.75,
			edgeOf(len(s.rows)))
	}
	if s.cut && s.Classes == nil {
		s.drawTags(c, numbered(s.cfg.Credal.Clusters, 1),
			func(row int) int { return s.group[row] + 1 })
	}
}

// radius makes the area proportional to the mass, down to a dot; a mark of mass 1 fits a line of
// the legend.
func (s *focalScene) radius(mass float64) vg.Length {
	return min(6, 2*radiusOf(len(s.rows))) * vg.Length(math.Max(0.15, math.Sqrt(mass)))
}

// look is that of a class or cluster, from 0; −1 is not known.
func (s *focalScene) look(group int) look {
	l := clusterLook(group + 1)
	if s.Classes != nil && group >= 0 {
		l.hollow = classLook(group).hollow
	}
	return l
}

func (s *focalScene) legend() legend {
	size := map[int]int{}
	for _, g := range s.group {
		size[g]++
	}
	groups := section{heading: "Cluster"}
	add := func(g int, name string) {
		if size[g] > 0 {
			groups.entries = append(groups.entries,
				entry{sample: mark(s.look(g), 3.2), name: name, count: inBrackets(size[g])})
		}
	}
	if s.Classes != nil {
		groups.heading = "True class"
		for g := range s.ClassNames {
			add(g, className(g, s.ClassNames))
		}
		add(-1, className(-1, nil))
	} else {
		for g := range s.cfg.Credal.Clusters {
			add(g, s.name(g+1))
		}
	}
	masses := section{heading: "Mass (area)"}
	for _, m := range []float64{1, 0.5, 0.1, 0} {
		masses.entries = append(masses.entries,
			entry{sample: mark(look{hue: soft}, s.radius(m)), name: fmt.Sprint(m)})
	}
	all := legend{groups, masses}
	if links := linkEntries(s.Links); links != nil {
		all = append(all, section{entries: links})
	}
	return all
}
