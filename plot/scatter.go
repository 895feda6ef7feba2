package plot

import (
	"cmp"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/fault"
)

// ScatterConfig describes what a scatter plot shows. Only Points is needed.
type ScatterConfig struct {
	Cloud
	Page

	// cluster of each row, from 1; 0 is noise, drawn hollow and grey; nil: one unnamed group
	Clusters       []int
	SuperInstances []SuperInstance
}

// SuperInstance is a group of rows that is treated as one, by its medoid. Rows count from 0.
type SuperInstance struct {
	Medoid  int
	Members []int
}

// scene is a checked config with what follows from it.
type scene struct {
	cloudScene
	cfg  ScatterConfig
	size map[int]int // rows of each cluster
	ids  []int       // the clusters, ascending, and noise
}

// Scatter makes a figure of points in the plane.
//
// It fails with a [*fault.Input] when there is no point, a coordinate is not finite or is beyond
// ±1e300, or the config contradicts itself: other lengths than the number of points, rows that do
// not exist, negative clusters.
func Scatter(cfg ScatterConfig) (*Figure, error) {
	if err := check(&cfg); err != nil {
		return nil, err
	}
	s := &scene{cfg: cfg, size: map[int]int{}}
	var medoids []int
	for _, si := range cfg.SuperInstances {
		medoids = append(medoids, si.Medoid)
	}
	if err := s.begin(cfg.Cloud, cfg.Page, medoids...); err != nil {
		return nil, err
	}
	for _, c := range cfg.Clusters {
		s.size[c]++
	}
	s.ids = noiseLast(s.size)
	if cfg.Clusters != nil { // noise lies below the others
		slices.SortStableFunc(s.rows, func(a, b int) int {
			return cmp.Compare(min(1, cfg.Clusters[a]), min(1, cfg.Clusters[b]))
		})
	}
	s.hideY = s.hideY || s.flat()
	s.notes("")
	s.frame.legend = s.legend()
	return s.figure("Scatter plot", s.draw), nil
}

// check refuses contradictions, and cleans the names.
func check(cfg *ScatterConfig) error {
	if err := cfg.check(-1); err != nil {
		return err
	}
	n := cfg.Points.Rows
	if cfg.Clusters != nil && len(cfg.Clusters) != n {
		return fault.Inputf("give one a point", "there are %d points but %d clusters", n,
			len(cfg.Clusters))
	}
	for i, c := range cfg.Clusters {
		if c < 0 {
			return refuseRow(i, "number clusters from 1, with 0 for noise", "the cluster is %d", c)
		}
	}
	for _, si := range cfg.SuperInstances {
		for _, row := range append([]int{si.Medoid}, si.Members...) {
			if row < 0 || row >= n {
				return fault.Inputf("use rows of the data that is drawn",
					"a super-instance has row %d of %d", row+1, n)
			}
		}
	}
	return nil
}

// cluster returns the cluster of a row; without clusters, all rows are in cluster 1.
func (s *scene) cluster(row int) int {
	if s.cfg.Clusters == nil {
		return 1
	}
	return s.cfg.Clusters[row]
}

// draw draws the scene, from the back to the front.
func (s *scene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	s.drawHulls(c)
	opacity, edge := opacityOf(len(s.rows)), edgeOf(len(s.rows))
	s.drawLinked(c, func() {
		for _, row := range s.rows {
			s.look(row, s.cluster(row)).draw(c, s.place(row), s.radius(), opacity, edge)
		}
	})
	for _, si := range s.cfg.SuperInstances {
		drawMedoid(c, s.look(si.Medoid, s.cluster(si.Medoid)), s.place(si.Medoid),
			s.medoidRadius())
	}
	if s.cfg.Clusters != nil && (s.Classes != nil || s.cut) {
		s.drawTags(c, s.ids, s.cluster)
	}
}

// flat reports whether the second coordinate is empty: it is unnamed and the same everywhere.
func (s *scene) flat() bool {
	if s.yLabel != "" {
		return false
	}
	for i := range s.Points.Rows {
		if s.Points.At(i, 1) != s.Points.At(0, 1) {
			return false
		}
	}
	return true
}

// drawHulls puts the convex hull of each super-instance, faint, behind the points.
func (s *scene) drawHulls(c vg.Canvas) {
	fill, line := 0.10, 0.45
	if len(s.cfg.SuperInstances) > 40 {
		fill, line = 0.06, 0.3
	}
	for _, si := range s.cfg.SuperInstances {
		points := []vg.Point{s.place(si.Medoid)}
		for _, row := range si.Members {
			points = append(points, s.place(row))
		}
		hue := clusterLook(s.cluster(si.Medoid)).hue
		drawHull(c, hull(points), hue, fill, line, 0.5)
	}
}

func (s *scene) radius() vg.Length { return radiusOf(len(s.rows)) }

// medoidRadius keeps medoids larger than points, and smaller where there are many.
func (s *scene) medoidRadius() vg.Length {
	if len(s.cfg.SuperInstances) > 60 {
		return max(3.4, s.radius()+0.8)
	}
	return max(4, s.radius()+1.2)
}

// drawMedoid is the mark of a row, larger, with a dark rim on a white one.
func drawMedoid(c vg.Canvas, l look, at vg.Point, r vg.Length) {
	p := l.shape.path(at, r)
	stroke(c, p, white, 2.6)
	if l.hollow {
		l.hue = white
	}
	fill(c, p, l.hue)
	stroke(c, p, ink, 0.9)
}

// legend lists what the scene shows. A plain cloud of points needs none.
func (s *scene) legend() legend {
	heading := ""
	if s.Classes != nil {
		heading = "Clusters (hue)"
	}
	all := s.clusterLegend(heading, s.ids, min(3.4, max(2.6, s.radius())),
		func(id int) string { return inBrackets(s.size[id]) })
	if s.cfg.Clusters == nil {
		all = all[1:]
	}
	var marks section
	if k := len(s.cfg.SuperInstances); k > 0 {
		marks.entries = append(marks.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) {
				drawMedoid(c, look{hue: gridInk}, at, s.medoidRadius())
			},
			name: "super-instance", count: inBrackets(k),
		})
	}
	marks.entries = append(marks.entries, linkEntries(s.Links)...)
	if len(marks.entries) > 0 {
		all = append(all, marks)
	}
	return all
}
