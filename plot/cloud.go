package plot

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/link"
)

// Cloud is points in the plane and what is known about them. Only Points is needed.
type Cloud struct {
	Points     dataset.Matrix // n×2 coordinates, such as those of [Plane] or mds.Fit
	EqualScale bool           // a unit is as long on both axes, as points made from distances need
	NoTicks    bool           // coordinates mean nothing by themselves: the axes have no ticks

	ClusterNames []string // name of cluster c at c−1; a missing or empty one is "cluster c"

	// Classes are true classes, each row's index into ClassNames; −1 is not known. They take over
	// the marker shape, and the clusters keep the hue and are named in the picture.
	Classes    []int
	ClassNames []string

	Links []link.Link // must-links solid, cannot-links dashed, unknown ones dotted

	// MaxPoints limits the points drawn; 0 = 20 000. Beyond, a simple random sample that has all
	// medoids and linked rows represents the rest, and the picture states that; hulls and counts
	// are those of all points. Seed draws the sample; 0 is a seed like the others.
	MaxPoints int
	Seed      uint64
}

const maxPoints = 20000

// check refuses contradictions, and cleans the names. Masses counts the mass functions of the
// points; −1 where they have none.
func (c *Cloud) check(masses int) error {
	n := c.Points.Rows
	switch {
	case n == 0 && masses < 0:
		return fault.Inputf("give at least one row", "there are no points to draw")
	case c.Points.Cols != 2:
		return fault.Inputf("bring the data into the plane first",
			"points have %d coordinates, not 2",
			c.Points.Cols)
	case masses >= 0 && n != masses:
		return fault.Inputf("give one mass function a point",
			"there are %d points but %d mass functions",
			n, masses)
	case c.Classes != nil && len(c.Classes) != n:
		return fault.Inputf("give one a point",
			"there are %d points but %d classes", n, len(c.Classes))
	case c.MaxPoints < 0:
		return fault.Inputf("give a number from 1, or 0 for 20000", "cannot draw at most %d points",
			c.MaxPoints)
	}
	for _, l := range c.Links {
		if l.A < 0 || l.A >= n || l.B < 0 || l.B >= n {
			return fault.Inputf("use rows of the data that is drawn",
				"a link joins rows %d and %d of %d",
				l.A+1, l.B+1, n)
		}
	}
	c.ClusterNames, c.ClassNames = cleaned(c.ClusterNames), cleaned(c.ClassNames)
	return checkClasses(c.Classes, c.ClassNames)
}

// checkClasses refuses classes without a name's place.
func checkClasses(classes []int, names []string) error {
	for i, c := range classes {
		if c < -1 || c >= len(names) {
			return refuseRow(i, "number classes from 0, with -1 for unknown",
				"there is no class %d among %d", c, len(names))
		}
	}
	return nil
}

// refuseRow is the error for a row, from 0, that cannot be drawn.
func refuseRow(row int, fix, format string, args ...any) error {
	return &fault.Input{Row: row + 1, Problem: fmt.Sprintf(format, args...), Fix: fix}
}

// cloudScene is a frame with points in it.
type cloudScene struct {
	frame
	Cloud
	rows []int // drawn, in drawing order
}

// begin sets up the frame around the points, and chooses those to draw, in a random order, so that
// no cluster hides the others only because it comes last: all that are kept or linked, and of the
// others a random sample that makes at most MaxPoints.
func (s *cloudScene) begin(c Cloud, p Page, kept ...int) (err error) {
	if err := s.frame.begin(p, "", ""); err != nil {
		return err
	}
	if s.xs, s.ys, err = extent(c.Points, s.xLabel, s.yLabel); err != nil {
		return err
	}
	s.Cloud, s.square = c, c.EqualScale
	s.hideX, s.hideY = c.NoTicks, c.NoTicks
	keep := map[int]bool{}
	for _, row := range kept {
		keep[row] = true
	}
	for _, l := range c.Links {
		keep[l.A], keep[l.B] = true, true
	}
	s.rows = thin(c.Points.Rows, cmp.Or(c.MaxPoints, maxPoints), keep, c.Seed)
	shuffle(s.rows, c.Seed)
	return nil
}

// extent returns the axes that hold the points, n×2, and refuses coordinates that cannot be drawn.
func extent(points dataset.Matrix, xLabel, yLabel string) (xs, ys axis, err error) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range points.Rows {
		for j := range 2 {
			v := points.At(i, j)
			if !(math.Abs(v) <= 1e300) {
				return xs, ys, notFinite(i,
					cmp.Or([]string{xLabel, yLabel}[j], []string{"x", "y"}[j]), v)
			}
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	return newAxis(lo[0], hi[0]), newAxis(lo[1], hi[1]), nil
}

// notes states what the subtitle and more notes do, and how many points are drawn, when it is not
// all of them.
func (s *cloudScene) notes(more string) {
	sampled := ""
	if n := s.Points.Rows; len(s.rows) < n {
		sampled = fmt.Sprintf("%s of %s points drawn", grouped(len(s.rows)), grouped(n))
	}
	s.note = besides(s.note, more, sampled)
}

// place returns the place of a row on the page.
func (s *cloudScene) place(row int) vg.Point {
	return s.at(s.Points.At(row, 0), s.Points.At(row, 1))
}

// drawLinked draws points, and their links before them where these are many, or after them.
func (s *cloudScene) drawLinked(c vg.Canvas, points func()) {
	if len(s.Links) <= manyLinks {
		points()
	}
	drawLinks(c, s.Links, s.place)
	if len(s.Links) > manyLinks {
		points()
	}
}

func (s *cloudScene) name(id int) string { return clusterName(id, s.ClusterNames) }

// clusterName returns the name in the legend.
func clusterName(c int, names []string) string {
	switch {
	case c == 0:
		return "noise"
	case c <= len(names) && names[c-1] != "":
		return names[c-1]
	}
	return fmt.Sprintf("cluster %d", c)
}

// noiseLast returns the clusters that are counted, ascending, but cluster 0, noise, last.
func noiseLast(count map[int]int) []int {
	ids := slices.Sorted(maps.Keys(count))
	if len(ids) > 0 && ids[0] == 0 {
		ids = append(ids[1:], 0)
	}
	return ids
}

// className returns the name of class c, from 0; −1 is not known.
func className(c int, names []string) string {
	if c < 0 {
		return "not known"
	}
	return cmp.Or(names[c], fmt.Sprintf("class %d", c+1))
}

// clusterLegend explains the clusters, with a count of each, and the classes.
func (s *cloudScene) clusterLegend(heading string, ids []int, r vg.Length,
	count func(id int) string) legend {
	clusters := section{heading: heading}
	for _, id := range ids {
		l := clusterLook(id)
		if s.Classes != nil && id != 0 {
			l.shape = circle
		}
		clusters.entries = append(clusters.entries,
			entry{sample: mark(l, r), name: s.name(id), count: count(id)})
	}
	all := legend{clusters}
	if s.Classes != nil {
		all = append(all, classSection(s.Classes, s.ClassNames, r))
	}
	return all
}

// look returns hue and shape of a row: the shape of its class where classes are shown.
func (s *cloudScene) look(row, cluster int) look {
	l := clusterLook(cluster)
	switch {
	case s.Classes == nil:
		return l
	case s.Classes[row] < 0:
		return look{circle, true, l.hue}
	}
	c := classLook(s.Classes[row])
	c.hue, c.hollow = l.hue, c.hollow || l.hollow
	return c
}

// radiusOf and opacityOf shrink with the number of points, so that 100 are easy to see and 20 000
// do not clot.
func radiusOf(count int) vg.Length {
	n := float64(count)
	return vg.Length(min(3.6, max(1.0, 3.3*math.Pow(n/150, -0.22))))
}

func opacityOf(count int) float64 {
	return min(0.9, max(0.5, 0.9-0.2*math.Log10(float64(count)/200)))
}

// edgeOf is the width of the rims of many points: none, as it doubles the size of an SVG and is
// lost on small points.
func edgeOf(count int) vg.Length {
	if count > 3000 {
		return 0
	}
	return 0.4
}

// thin chooses which of n rows are drawn, ascending: all rows of keep, and of the others a simple
// random sample that makes count in all.
func thin(n, count int, keep map[int]bool, seed uint64) (rows []int) {
	var others []int
	for i := range n {
		if keep[i] {
			rows = append(rows, i)
		} else {
			others = append(others, i)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x706c6f74))
	for _, k := range draw.Rising(rng, 0, len(others)-1, max(0, count-len(keep))) {
		rows = append(rows, others[k])
	}
	slices.Sort(rows)
	return rows
}

// shuffle puts rows in a random order.
func shuffle(rows []int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0x6f72646572))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
}

// numbered returns n numbers from the first on.
func numbered(n, first int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = first + i
	}
	return list
}
