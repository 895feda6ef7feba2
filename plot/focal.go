package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// FocalSetConfig describes what a picture of the masses of one focal set shows (cevclus-2013 Figs 4
// and 5). Points and Credal are needed, and Set, whose zero value is the empty set; every other
// zero value leaves something out or takes the default that it states. Slices are read, never kept
// or changed.
type FocalSetConfig struct {
	Points dataset.Matrix    // n×2 coordinates
	Credal *credal.Partition // of the n points
	Set    belief.Set        // one of Credal.Focal

	ClusterNames []string // name of cluster c at c−1; a missing or empty one is "cluster c"

	// Classes are true classes, each point's index into ClassNames; −1 is not known. Marker and hue
	// are theirs; without them, those of the cluster of maximum plausibility.
	Classes    []int
	ClassNames []string

	Links []link.Link // must-links solid, cannot-links dashed, unknown ones dotted

	// text from data may be anything: it is cleaned and shortened
	Title, Subtitle, XLabel, YLabel string
	// a unit is as long on both axes, as points made from distances need
	EqualScale bool

	Width, Height float64 // inches; 0 = 6.4 and 4.8; from 2 to 40

	// MaxPoints limits the points drawn; 0 = 20 000. Beyond, a simple random sample that has all
	// linked points represents the rest, and the picture states that. Seed draws the sample.
	MaxPoints int
	Seed      uint64
}

// focalScene is a checked config with what follows from it.
type focalScene struct {
	frame
	cfg   FocalSetConfig
	mass  []float64
	group []int // class from 0, −1 not known; or cluster from 0
	rows  []int
}

// FocalSet makes a figure of the mass of one focal set for every object: the area of a mark
// is proportional to it, and a dot means almost no mass.
//
// It fails with a [*fault.Input] like [Rough], and when Set is no focal set.
func FocalSet(cfg FocalSetConfig) (*Figure, error) {
	all := planar{cfg.Points, cfg.Classes, cfg.ClassNames, cfg.Links, cfg.MaxPoints}
	if err := cmp.Or(all.check(cfg.Credal), checkSize(&cfg.Width, &cfg.Height)); err != nil {
		return nil, err
	}
	at := slices.Index(cfg.Credal.Focal, cfg.Set)
	if at < 0 {
		return nil, &fault.Input{Problem: fmt.Sprintf("%v is no focal set of the credal partition",
			cfg.Set), Fix: "choose one that is"}
	}
	cfg.Title, cfg.Subtitle, cfg.XLabel, cfg.YLabel = clean(cfg.Title), clean(cfg.Subtitle),
		clean(cfg.XLabel), clean(cfg.YLabel)
	cfg.ClusterNames, cfg.ClassNames = cleaned(cfg.ClusterNames), cleaned(cfg.ClassNames)
	s := &focalScene{cfg: cfg, group: cfg.Classes}
	var err error
	if s.xs, s.ys, err = extent(cfg.Points, cfg.XLabel, cfg.YLabel); err != nil {
		return nil, err
	}
	n := cfg.Points.Rows
	for i := range n {
		s.mass = append(s.mass, share(cfg.Credal.Row(i)[at]))
	}
	if s.group == nil {
		s.group = cfg.Credal.ArgMax(belief.MaxPlausibility)
		for i := range s.group {
			s.group[i]--
		}
	}
	s.rows = all.rows(cfg.Seed)
	// small marks lie on large ones
	slices.SortStableFunc(s.rows, func(a, b int) int { return cmp.Compare(s.mass[b], s.mass[a]) })
	s.title, s.xLabel, s.yLabel, s.square = cfg.Title, cfg.XLabel, cfg.YLabel, cfg.EqualScale
	s.note = besides(cfg.Subtitle,
		"mass of "+setName(cfg.Set, cfg.Credal.Clusters, cfg.ClusterNames),
		sampleNote(len(s.rows), n))
	s.frame.legend = s.legend()
	return &Figure{width: cfg.Width, height: cfg.Height,
		title: cmp.Or(cfg.Title, "Masses of a focal set"), draw: s.draw}, nil
}

func (s *focalScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	place := func(row int) vg.Point {
		return s.at(s.cfg.Points.At(row, 0), s.cfg.Points.At(row, 1))
	}
	drawLinks(c, s.cfg.Links, place)
	edge := vg.Length(0.4)
	if len(s.rows) > 3000 {
		edge = 0
	}
	for _, row := range s.rows {
		s.look(s.group[row]).draw(c, place(row), s.radius(s.mass[row]), 0.75, edge)
	}
	if s.cut && s.cfg.Classes == nil {
		ids := make([]int, s.cfg.Credal.Clusters)
		for k := range ids {
			ids[k] = k + 1
		}
		name := func(id int) string { return clusterName(id, s.cfg.ClusterNames) }
		drawTags(c, &s.frame, ids, s.rows, func(row int) int { return s.group[row] + 1 }, name,
			place)
	}
}

// radius makes the area proportional to the mass, down to a dot; a mark of mass 1 fits a line of
// the legend.
func (s *focalScene) radius(mass float64) vg.Length {
	return min(6, 2*radiusOf(len(s.rows))) * vg.Length(math.Max(0.15, math.Sqrt(mass)))
}

// look is that of a class or cluster, from 0; −1 is not known.
func (s *focalScene) look(group int) look {
	if group < 0 {
		return look{circle, true, outside}
	}
	l := clusterLook(group + 1)
	if s.cfg.Classes != nil {
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
			groups.entries = append(groups.entries, entry{
				sample: func(c vg.Canvas, at vg.Point) { s.look(g).draw(c, at, 3.2, 1, 0) },
				name:   name, count: inBrackets(size[g]),
			})
		}
	}
	if s.cfg.Classes != nil {
		groups.heading = "True class"
		for g, name := range s.cfg.ClassNames {
			add(g, cmp.Or(name, fmt.Sprintf("class %d", g+1)))
		}
		add(-1, "not known")
	} else {
		for g := range s.cfg.Credal.Clusters {
			add(g, clusterName(g+1, s.cfg.ClusterNames))
		}
	}
	masses := section{heading: "Mass (area)"}
	for _, m := range []float64{1, 0.5, 0.1, 0} {
		masses.entries = append(masses.entries, entry{
			sample: func(c vg.Canvas,
				at vg.Point) {
				look{hue: soft}.draw(c, at, s.radius(m), 1, 0)
			}, name: fmt.Sprint(m),
		})
	}
	all := legend{groups, masses}
	if links := linkEntries(s.cfg.Links); links != nil {
		all = append(all, section{entries: links})
	}
	return all
}
