package plot

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// RoughConfig describes what a picture of lower and upper approximations shows (kevclus-2016 Figs 5
// and 8). Points and Credal are needed; every other zero value leaves something out or takes the
// default that it states. Slices are read, never kept or changed.
type RoughConfig struct {
	Points dataset.Matrix    // n×2 coordinates, such as those of mds.Fit or [Plane]
	Credal *credal.Partition // of the n points

	ClusterNames []string // name of cluster c at c−1; a missing or empty one is "cluster c"

	// Classes are true classes, each point's index into ClassNames; −1 is not known. They take over
	// the marker shape, and the clusters keep the hue and are named in the picture.
	Classes    []int
	ClassNames []string

	Links []link.Link // must-links solid, cannot-links dashed, unknown ones dotted

	// text from data may be anything: it is cleaned and shortened
	Title, Subtitle, XLabel, YLabel string
	// a unit is as long on both axes, as points made from distances want it
	EqualScale bool

	Width, Height float64 // inches; 0 = 6.4 and 4.8; from 2 to 40

	// MaxPoints limits the points drawn; 0 = 20 000. Beyond, a simple random sample that has all
	// linked points represents the rest, and the picture states that; hulls and counts are those of
	// all points. Seed draws the sample.
	MaxPoints int
	Seed      uint64
}

// upperDashes are longer than those of cannot-links, and have dots between.
var upperDashes = []vg.Length{5.5, 2, 1, 2}

// unsure is the fill of objects between clusters.
var unsure = color.NRGBA{0xCF, 0xCF, 0xCF, 255}

// roughScene is a checked config with what follows from it.
type roughScene struct {
	frame
	cfg     RoughConfig
	rough   *credal.Rough
	cluster []int     // of maximum plausibility, from 1, that of an outlier too
	pl      []float64 // the plausibility of that cluster
	rows    []int     // drawn, in drawing order
	ids     []int
}

// Rough makes a figure of a rough partition in the plane. Hue and marker are those of the cluster
// of maximum plausibility, and the size of a mark grows with that plausibility. A solid hull goes
// around the lower approximation of each cluster, whose points surely belong to it, and a
// dash-dotted one around the upper approximation, whose points may. Points that may belong to
// several clusters are grey within; outliers, hollow with a dot, stretch no hull.
//
// It fails with a [*fault.Input] like [Scatter], and when Credal is no credal partition of the
// points.
func Rough(cfg RoughConfig) (*Figure, error) {
	s, err := newRough(cfg)
	if err != nil {
		return nil, err
	}
	return &Figure{width: s.cfg.Width, height: s.cfg.Height,
		title: cmp.Or(s.title, "Rough partition"), draw: s.draw}, nil
}

func newRough(cfg RoughConfig) (*roughScene, error) {
	all := planar{cfg.Points, cfg.Classes, cfg.ClassNames, cfg.Links, cfg.MaxPoints}
	if err := cmp.Or(all.check(cfg.Credal), checkSize(&cfg.Width, &cfg.Height)); err != nil {
		return nil, err
	}
	cfg.Title, cfg.Subtitle, cfg.XLabel, cfg.YLabel = clean(cfg.Title), clean(cfg.Subtitle),
		clean(cfg.XLabel), clean(cfg.YLabel)
	cfg.ClusterNames, cfg.ClassNames = cleaned(cfg.ClusterNames), cleaned(cfg.ClassNames)
	s := &roughScene{cfg: cfg, rough: cfg.Credal.Rough(),
		cluster: cfg.Credal.ArgMax(belief.MaxPlausibility)}
	var err error
	if s.xs, s.ys, err = extent(cfg.Points, cfg.XLabel, cfg.YLabel); err != nil {
		return nil, err
	}
	n, c := cfg.Points.Rows, cfg.Credal.Clusters
	contour := cfg.Credal.Possibilistic()
	s.pl = make([]float64, n)
	for i := range n {
		s.pl[i] = share(contour[i*c+s.cluster[i]-1])
	}
	for id := range c {
		s.ids = append(s.ids, id+1)
	}
	s.rows = all.rows(cfg.Seed)
	s.title, s.xLabel, s.yLabel, s.square = cfg.Title, cfg.XLabel, cfg.YLabel, cfg.EqualScale
	s.note = besides(cfg.Subtitle, sampleNote(len(s.rows), n))
	s.frame.legend = s.legend()
	return s, nil
}

func (s *roughScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	for id := range s.cfg.Credal.Clusters {
		s.drawHulls(c, id)
	}
	if len(s.cfg.Links) > manyLinks {
		drawLinks(c, s.cfg.Links, s.place)
	}
	r, opacity := s.radius(), opacityOf(len(s.rows))
	for _, ambiguous := range []bool{false, true} { // few lie on top of many
		for _, row := range s.rows {
			if s.rough.Lower(row) == 0 == ambiguous {
				s.drawPoint(c, row, r, opacity)
			}
		}
	}
	if len(s.cfg.Links) <= manyLinks {
		drawLinks(c, s.cfg.Links, s.place)
	}
	if s.cfg.Classes != nil || s.cut {
		s.drawNames(c)
	}
}

func (s *roughScene) place(row int) vg.Point {
	return s.at(s.cfg.Points.At(row, 0), s.cfg.Points.At(row, 1))
}

func (s *roughScene) name(id int) string { return clusterName(id, s.cfg.ClusterNames) }

// drawNames writes each cluster's name above its hull, for where the shape is the class's, and hue
// would be alone to distinguish them, or the legend has no space for all.
func (s *roughScene) drawNames(c vg.Canvas) {
	face := bold(legendSize)
	for _, id := range s.ids {
		corners, upper := s.hulls(id - 1)
		if corners == nil {
			corners = upper
		}
		if corners == nil {
			continue
		}
		top := slices.MaxFunc(corners, func(a, b [2]float64) int { return cmp.Compare(a[1], b[1]) })
		text := tagText(face, s.name(id), id, len(s.ids))
		at := vg.Point{X: vg.Length(top[0]), Y: min(vg.Length(top[1])+s.radius()+9, s.ys.to-7)}
		s.drawTag(c, face, text, at, clusterLook(id))
	}
}

// radius is that of a plausibility of 1.
func (s *roughScene) radius() vg.Length { return 1.15 * radiusOf(len(s.rows)) }

// hulls returns the convex hulls of cluster id, from 0, on the page; outliers are in neither.
func (s *roughScene) hulls(id int) (lower, upper [][2]float64) {
	for row, set := range s.rough.Upper {
		if !set.Has(id) || s.rough.Outlier[row] {
			continue
		}
		p := s.place(row)
		at := [2]float64{float64(p.X), float64(p.Y)}
		upper = append(upper, at)
		if s.rough.Lower(row) != 0 {
			lower = append(lower, at)
		}
	}
	return hull(lower), hull(upper)
}

// drawHulls draws the hulls of cluster id: the upper one dash-dotted, the lower one solid.
func (s *roughScene) drawHulls(c vg.Canvas, id int) {
	lower, upper := s.hulls(id)
	hue := clusterLook(id + 1).hue
	if p := outline(upper); len(p) > 1 {
		if len(p) > 2 {
			p.Close()
		}
		stroke(c, p, faded(hue, 0.9), 1, upperDashes...)
	}
	if p := outline(lower); len(p) > 1 {
		if len(p) > 2 {
			p.Close()
			c.SetColor(faded(hue, 0.07))
			c.Fill(p)
		}
		stroke(c, p, faded(hue, 0.9), 1.1)
	}
}

// drawPoint draws a row where it lies; the size grows from 0.45 of r at plausibility 0 to r at 1.
func (s *roughScene) drawPoint(c vg.Canvas, row int, r vg.Length, opacity float64) {
	at := s.place(row)
	l := clusterLook(s.cluster[row])
	if s.cfg.Classes != nil {
		hue := l.hue
		if l = (look{circle, true, hue}); s.cfg.Classes[row] >= 0 {
			l = classLook(s.cfg.Classes[row])
			l.hue = hue
		}
	}
	switch {
	case s.rough.Outlier[row]:
		if s.cfg.Classes == nil {
			l.shape = circle
		}
		drawOutlier(c, l.shape, at, 0.9*r)
	case s.rough.Upper[row].Len() > 1:
		drawUnsure(c, l, at, scaled(r, s.pl[row]))
	default:
		edge := vg.Length(0.4)
		if len(s.rows) > 3000 {
			edge = 0
		}
		l.draw(c, at, scaled(r, s.pl[row]), opacity, edge)
	}
}

func scaled(r vg.Length, by float64) vg.Length { return r * vg.Length(0.45+0.55*by) }

// drawUnsure is a mark that is grey within.
func drawUnsure(c vg.Canvas, l look, at vg.Point, r vg.Length) {
	p := l.shape.path(at, r)
	c.SetColor(unsure)
	c.Fill(p)
	stroke(c, p, l.hue, max(0.5, r/4))
}

// drawOutlier is a hollow mark with a dot, which no class has.
func drawOutlier(c vg.Canvas, outline shape, at vg.Point, r vg.Length) {
	p := outline.path(at, r)
	c.SetColor(white)
	c.Fill(p)
	stroke(c, p, ink, max(0.6, r/4))
	c.SetColor(ink)
	c.Fill(circle.path(at, r/4))
}

// legend explains marks, hulls and sizes.
func (s *roughScene) legend() legend {
	lower, upper := make([]int, s.cfg.Credal.Clusters), make([]int, s.cfg.Credal.Clusters)
	ambiguous, outliers := 0, 0
	for row, set := range s.rough.Upper {
		switch {
		case s.rough.Outlier[row]:
			outliers++
			continue
		case set.Len() > 1:
			ambiguous++
		default:
			lower[firstOf(set)]++
		}
		for id := range upper {
			if set.Has(id) {
				upper[id]++
			}
		}
	}
	r := min(3.6, max(2.8, s.radius()))
	clusters := section{heading: "Cluster (sure of possible)"}
	for _, id := range s.ids {
		l := clusterLook(id)
		if s.cfg.Classes != nil {
			l.shape = circle
		}
		clusters.entries = append(clusters.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) { l.draw(c, at, r, 1, 0) },
			name:   s.name(id), count: "(" + grouped(lower[id-1]) + " of " + grouped(upper[id-1]) +
				")",
		})
	}
	all := legend{clusters}
	if s.cfg.Classes != nil {
		all = append(all, classSection(s.cfg.Classes, s.cfg.ClassNames, r))
	}
	line := func(dashes ...vg.Length) func(c vg.Canvas, at vg.Point) {
		return func(c vg.Canvas, at vg.Point) {
			stroke(c, segment(vg.Point{X: at.X - 8, Y: at.Y}, vg.Point{X: at.X + 7, Y: at.Y}), soft,
				1.1, dashes...)
		}
	}
	marks := section{entries: []entry{
		{sample: line(), name: "lower approximation"},
		{sample: line(upperDashes...), name: "upper approximation"},
	}}
	if ambiguous > 0 {
		marks.entries = append(marks.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) { drawUnsure(c, look{hue: soft}, at, r) },
			name:   "ambiguous", count: inBrackets(ambiguous),
		})
	}
	if outliers > 0 {
		marks.entries = append(marks.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) { drawOutlier(c, circle, at, r) },
			name:   "outlier", count: inBrackets(outliers),
		})
	}
	all = append(all, marks, section{heading: "Plausibility (size)", entries: []entry{
		{sample: func(c vg.Canvas,
			at vg.Point) {
			look{hue: soft}.draw(c, at, scaled(s.radius(), 1), 1, 0)
		}, name: "1"},
		{sample: func(c vg.Canvas,
			at vg.Point) {
			look{hue: soft}.draw(c, at, scaled(s.radius(), 0.3), 1, 0)
		}, name: "0.3"},
	}})
	if links := linkEntries(s.cfg.Links); links != nil {
		all = append(all, section{entries: links})
	}
	return all
}
