package plot

import (
	"cmp"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// RoughConfig describes what a picture of lower and upper approximations shows (kevclus-2016 Figs 5
// and 8). Points and Credal are needed.
type RoughConfig struct {
	Cloud
	Page
	Credal *credal.Partition // of the points
}

// upperDashes are longer than those of cannot-links, and have dots between.
var upperDashes = []vg.Length{5.5, 2, 1, 2}

// unsure is the fill of objects between clusters.
var unsure = color.NRGBA{0xCF, 0xCF, 0xCF, 255}

// roughScene is a checked config with what follows from it.
type roughScene struct {
	cloudScene
	cfg     RoughConfig
	rough   *credal.Rough
	cluster []int     // of maximum plausibility, from 1, that of an outlier too
	pl      []float64 // the plausibility of that cluster
	ids     []int
}

// Rough makes a figure of a rough partition in the plane. Hue and marker are those of the cluster
// of maximum plausibility, and the size of a mark grows with that plausibility. A solid hull goes
// around the lower approximation of each cluster, whose points surely belong to it, and a
// dash-dotted one around the upper approximation, whose points may. Points that may belong to
// several clusters are grey within; weak members, of which ignorance is all that speaks for another
// cluster, are in the upper approximation of their own alone; outliers, hollow with a dot, stretch
// no hull.
//
// It fails with a [*fault.Input] like [Scatter], and when Credal is no credal partition of the
// points.
func Rough(cfg RoughConfig) (*Figure, error) {
	s, err := newRough(cfg)
	if err != nil {
		return nil, err
	}
	return s.figure("Rough partition", s.draw), nil
}

func newRough(cfg RoughConfig) (*roughScene, error) {
	if err := checkMasses(&cfg.Cloud, cfg.Credal); err != nil {
		return nil, err
	}
	s := &roughScene{cfg: cfg, rough: cfg.Credal.Rough(),
		cluster: cfg.Credal.ArgMax(belief.MaxPlausibility)}
	if err := s.begin(cfg.Cloud, cfg.Page); err != nil {
		return nil, err
	}
	n, c := cfg.Points.Rows, cfg.Credal.Clusters
	contour := cfg.Credal.Possibilistic()
	s.pl = make([]float64, n)
	for i := range n {
		s.pl[i] = share(contour[i*c+s.cluster[i]-1])
	}
	s.ids = numbered(c, 1)
	s.notes("")
	s.frame.legend = s.legend()
	return s, nil
}

func (s *roughScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	for id := range s.cfg.Credal.Clusters {
		s.drawHulls(c, id)
	}
	r, opacity := s.radius(), opacityOf(len(s.rows))
	s.drawLinked(c, func() {
		for _, ambiguous := range []bool{false, true} { // few lie on top of many
			for _, row := range s.rows {
				if (s.rough.Lower(row) == 0 && !s.rough.Weak(row)) == ambiguous {
					s.drawPoint(c, row, r, opacity)
				}
			}
		}
	})
	if s.Classes != nil || s.cut {
		s.drawNames(c)
	}
}

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
		top := slices.MaxFunc(corners, func(a, b vg.Point) int { return cmp.Compare(a.Y, b.Y) })
		text := tagText(face, s.name(id), id, len(s.ids))
		at := vg.Point{X: top.X, Y: min(top.Y+s.radius()+9, s.ys.to-7)}
		s.drawTag(c, face, text, at, clusterLook(id))
	}
}

// radius is that of a plausibility of 1.
func (s *roughScene) radius() vg.Length { return 1.15 * radiusOf(len(s.rows)) }

// hulls returns the convex hulls of cluster id, from 0, on the page; outliers are in neither.
func (s *roughScene) hulls(id int) (lower, upper []vg.Point) {
	for row, outlier := range s.rough.Outlier {
		if outlier || !s.rough.May(row).Has(id) {
			continue
		}
		at := s.place(row)
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
	drawHull(c, upper, hue, 0, 0.9, 1, upperDashes...)
	drawHull(c, lower, hue, 0.07, 0.9, 1.1)
}

// drawPoint draws a row where it lies; the size grows from 0.45 of r at plausibility 0 to r at 1.
func (s *roughScene) drawPoint(c vg.Canvas, row int, r vg.Length, opacity float64) {
	at := s.place(row)
	l := s.look(row, s.cluster[row])
	switch {
	case s.rough.Outlier[row]:
		if s.Classes == nil {
			l.shape = circle
		}
		drawOutlier(c, l.shape, at, 0.9*r)
	case s.rough.Ambiguous(row):
		drawUnsure(c, l, at, sized(r, s.pl[row]))
	default:
		l.draw(c, at, sized(r, s.pl[row]), opacity, edgeOf(len(s.rows)))
	}
}

func sized(r vg.Length, by float64) vg.Length { return r * vg.Length(0.45+0.55*by) }

// drawUnsure is a mark that is grey within.
func drawUnsure(c vg.Canvas, l look, at vg.Point, r vg.Length) {
	p := l.shape.path(at, r)
	fill(c, p, unsure)
	stroke(c, p, l.hue, max(0.5, r/4))
}

// drawOutlier is a hollow mark with a dot, which no class has.
func drawOutlier(c vg.Canvas, outline shape, at vg.Point, r vg.Length) {
	p := outline.path(at, r)
	fill(c, p, white)
	stroke(c, p, ink, max(0.6, r/4))
	fill(c, circle.path(at, r/4), ink)
}

// legend explains marks, hulls and sizes.
func (s *roughScene) legend() legend {
	lower, upper := make([]int, s.cfg.Credal.Clusters), make([]int, s.cfg.Credal.Clusters)
	ambiguous, outliers := 0, 0
	for row, outlier := range s.rough.Outlier {
		switch {
		case outlier:
			outliers++
			continue
		case s.rough.Ambiguous(row):
			ambiguous++
		case !s.rough.Weak(row):
			lower[firstOf(s.rough.Lower(row))]++
		}
		for id := range s.rough.May(row).All() {
			upper[id]++
		}
	}
	r := min(3.6, max(2.8, s.radius()))
	all := s.clusterLegend("Cluster (sure of possible)", s.ids, r, func(id int) string {
		return "(" + grouped(lower[id-1]) + " of " + grouped(upper[id-1]) + ")"
	})
	marks := section{entries: []entry{
		{sample: dash(soft, 1.1), name: "lower approximation"},
		{sample: dash(soft, 1.1, upperDashes...), name: "upper approximation"},
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
		{sample: mark(look{hue: soft}, sized(s.radius(), 1)), name: "1"},
		{sample: mark(look{hue: soft}, sized(s.radius(), 0.3)), name: "0.3"},
	}})
	if links := linkEntries(s.Links); links != nil {
		all = append(all, section{entries: links})
	}
	return all
}
