package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// ContourConfig describes what a picture of class densities shows (competitive-learning-2013 Fig.
// 1a). Points, Classes and ClassNames are needed.
type ContourConfig struct {
	Points dataset.Matrix // n×2 coordinates
	// of each point, its index into ClassNames; −1 is not known, and in no density
	Classes    []int
	ClassNames []string

	// Shares are those of a class that its contours hold, in 0..1: within the contour of 0.5 is
	// half of the class, where it is most dense. nil = 0.25, 0.5, 0.75 and 0.95.
	Shares []float64

	Marks []ContourMarks // on top, each with a shape of its own
	Dots  bool           // the points, faint

	EqualScale bool // a unit is as long on both axes
	Page
}

// ContourMarks are positions to show among the contours: the shapes are inverted triangles,
// squares, diamonds, crosses, circles, plus signs and triangles, in the order given.
type ContourMarks struct {
	Name   string         // in the legend
	Points dataset.Matrix // m×2 coordinates
	// hue of each, an index into ClassNames, −1 for grey; nil: all are black, or white within a
	// black rim, in turn
	Classes []int
}

var markShapes = []shape{downward, square, diamond, cross, circle, plus, triangle}

type contourScene struct {
	frame
	cfg    ContourConfig
	size   []int // points of each class
	fields []field
	levels [][]float64 // of each class, the densities of the contours
}

// Contour makes a figure of the density of each class, a Gaussian kernel estimate with Scott's
// bandwidth along each axis (D. W. Scott, Multivariate Density Estimation, 1992), as contour lines
// with the name of the class beside one of them. A class of fewer than three points has no
// contours.
//
// It fails with a [*fault.Input] when there is nothing to draw, shapes do not agree, or a
// coordinate is not finite or beyond ±1e300.
func Contour(cfg ContourConfig) (*Figure, error) {
	if err := checkContour(cfg); err != nil {
		return nil, err
	}
	if cfg.Shares == nil {
		cfg.Shares = []float64{0.25, 0.5, 0.75, 0.95}
	}
	cfg.ClassNames = cleaned(cfg.ClassNames)
	for i := range cfg.ClassNames {
		cfg.ClassNames[i] = className(i, cfg.ClassNames)
	}
	s := &contourScene{cfg: cfg, size: make([]int, len(cfg.ClassNames))}
	err := s.begin(cfg.Page, "", "")
	if err != nil {
		return nil, err
	}
	s.square = cfg.EqualScale
	all := dataset.Matrix{Cols: 2}
	for _, m := range append([]ContourMarks{{Points: cfg.Points}}, cfg.Marks...) {
		for i := range m.Points.Rows {
			all.F64 = append(all.F64, m.Points.At(i, 0), m.Points.At(i, 1))
			all.Rows++
		}
	}
	if s.xs, s.ys, err = extent(all, s.xLabel, s.yLabel); err != nil {
		return nil, err
	}
	s.xs, s.ys = wider(s.xs), wider(s.ys)
	members := make([][][2]float64, len(cfg.ClassNames))
	for i, c := range cfg.Classes {
		if c >= 0 {
			s.size[c]++
			members[c] = append(members[c],
				[2]float64{unit(s.xs, cfg.Points.At(i, 0)), unit(s.ys, cfg.Points.At(i, 1))})
		}
	}
	s.fields, s.levels = make([]field, len(members)), make([][]float64, len(members))
	for c, points := range members {
		if len(points) < 3 {
			continue
		}
		s.fields[c] = density(points)
		for _, part := range cfg.Shares {
			s.levels[c] = append(s.levels[c], s.fields[c].levelOf(part))
		}
	}
	s.frame.legend = s.legend()
	return s.figure("Class densities", s.draw), nil
}

// wider widens an axis for contours that go around the outermost points.
func wider(a axis) axis {
	more := float64(0.1 * (a.hi - a.lo))
	return axis{lo: a.lo - more, hi: a.hi + more}
}

// unit brings a coordinate into 0..1 along an axis.
func unit(a axis, v float64) float64 { return (v - a.lo) / (a.hi - a.lo) }

func checkContour(cfg ContourConfig) error {
	points := Cloud{Points: cfg.Points, Classes: cfg.Classes, ClassNames: cfg.ClassNames}
	if err := points.check(-1); err != nil {
		return err
	}
	switch {
	case cfg.Classes == nil:
		return fault.Inputf("give one a point",
			"there are %d points but %d classes", cfg.Points.Rows, 0)
	case len(cfg.Marks) > len(markShapes):
		return fault.Inputf("give fewer",
			"there are %d kinds of marks, but %d shapes", len(cfg.Marks),
			len(markShapes))
	}
	for _, part := range cfg.Shares {
		if !(part > 0 && part < 1) {
			return fault.Inputf("give shares between 0 and 1",
				"a contour cannot hold %v of a class",
				part)
		}
	}
	for _, m := range cfg.Marks {
		switch {
		case m.Points.Cols != 2 && m.Points.Rows > 0:
			return fault.Inputf("bring the data into the plane first",
				"marks %q have %d coordinates, not 2", clean(m.Name), m.Points.Cols)
		case m.Classes != nil && len(m.Classes) != m.Points.Rows:
			return fault.Inputf("give one a mark, or none", "there are %d marks %q but %d classes",
				m.Points.Rows, clean(m.Name), len(m.Classes))
		}
		if err := checkClasses(m.Classes, cfg.ClassNames); err != nil {
			return err
		}
	}
	return nil
}

func (s *contourScene) draw(c vg.Canvas, width, height vg.Length) {
	// densities are those of these axes, also where a square frame widens them
	at := [4]float64{s.xs.lo, s.xs.hi, s.ys.lo, s.ys.hi}
	s.frame.draw(c, width, height)
	xs, ys := axis{lo: at[0], hi: at[1]}, axis{lo: at[2], hi: at[3]}
	place := func(p [2]float64) vg.Point {
		return s.at(xs.lo+float64(p[0]*(xs.hi-xs.lo)), ys.lo+float64(p[1]*(ys.hi-ys.lo)))
	}
	if s.cfg.Dots {
		r := 0.6 * radiusOf(s.cfg.Points.Rows)
		for i := range s.cfg.Points.Rows {
			look{hue: classHue(s.cfg.Classes[i])}.draw(c,
				s.at(s.cfg.Points.At(i, 0), s.cfg.Points.At(i, 1)), r, 0.3, 0)
		}
	}
	for class, levels := range s.levels {
		for t, level := range levels {
			for _, way := range s.fields[class].contour(level) {
				stroke(c, line(len(way), func(i int) vg.Point { return place(way[i]) }),
					faded(classHue(class), 1-0.6*float64(t)/float64(len(levels))), 0.9)
			}
		}
	}
	s.drawClassTags(c, place)
	for k, m := range s.cfg.Marks {
		for i := range m.Points.Rows {
			l := look{shape: markShapes[k], hollow: s.markHollow(k), hue: ink}
			if m.Classes != nil {
				l.hue = classHue(m.Classes[i])
			}
			drawMedoid(c, l, s.at(m.Points.At(i, 0), m.Points.At(i, 1)), s.markRadius(k))
		}
	}
}

// drawClassTags writes the name of each class on its outermost contour, where it hides no mark and
// no other name; where there is no such position, at the peak.
func (s *contourScene) drawClassTags(c vg.Canvas, place func(p [2]float64) vg.Point) {
	face := bold(legendSize)
	var taken []vg.Rectangle
	for k, m := range s.cfg.Marks {
		for i := range m.Points.Rows {
			r := s.markRadius(k) + 2
			taken = append(taken, around(s.at(m.Points.At(i, 0), m.Points.At(i, 1)), r, r))
		}
	}
	for class, f := range s.fields {
		if f == nil {
			continue
		}
		text := tagText(face, s.cfg.ClassNames[class], class+1, len(s.fields))
		wide, high := face.Width(text)/2+4, tagHeight(face)/2+1
		at := place(f.peak())
		for _, line := range f.contour(slices.Min(s.levels[class])) {
			places := make([]vg.Point, len(line))
			for i, p := range line {
				places[i] = place(p)
			}
			// from above
			slices.SortStableFunc(places, func(a, b vg.Point) int { return cmp.Compare(b.Y, a.Y) })
			free := slices.IndexFunc(places, func(p vg.Point) bool {
				r := around(p, wide, high)
				return r.Min.X > s.xs.from && r.Max.X < s.xs.to && r.Min.Y > s.ys.from &&
					r.Max.Y < s.ys.to &&
					!slices.ContainsFunc(taken, func(o vg.Rectangle) bool { return overlap(r, o) })
			})
			if free >= 0 {
				at = places[free]
				break
			}
		}
		taken = append(taken, around(at, wide, high))
		s.drawTag(c, face, text, at, look{hue: classHue(class)})
	}
}

// markRadius is that of the marks of kind k: smaller where there are many, and than that of those
// below, which show around it.
func (s *contourScene) markRadius(k int) vg.Length {
	if s.cfg.Marks[k].Points.Rows > 30 {
		return 2.6
	}
	return max(2.8, 5.4-0.5*vg.Length(k))
}

// markHollow reports whether the marks of kind k are white within: every other one of those that
// are black.
func (s *contourScene) markHollow(k int) bool {
	before := 0
	for _, m := range s.cfg.Marks[:k] {
		if m.Classes == nil {
			before++
		}
	}
	return s.cfg.Marks[k].Classes == nil && before%2 == 1
}

// classHue is that of a class, from 0; −1 is not known.
func classHue(class int) color.NRGBA { return clusterLook(class + 1).hue }

func (s *contourScene) legend() legend {
	classes := section{heading: "Class (contours)"}
	for class, name := range s.cfg.ClassNames {
		if s.size[class] > 0 {
			classes.entries = append(classes.entries, entry{
				sample: func(c vg.Canvas, at vg.Point) {
					stroke(c, circle.path(at, 4), classHue(class), 1.2)
				},
				name: name, count: inBrackets(s.size[class]),
			})
		}
	}
	all := legend{classes}
	var marks section
	for k, m := range s.cfg.Marks {
		hue := ink
		if m.Classes != nil {
			hue = soft
		}
		marks.entries = append(marks.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) {
				drawMedoid(c, look{shape: markShapes[k], hollow: s.markHollow(k), hue: hue}, at,
					min(3.6, s.markRadius(k)))
			},
			name: clean(m.Name), count: inBrackets(m.Points.Rows),
		})
	}
	if marks.entries != nil {
		all = append(all, marks)
	}
	var shares []string
	for _, part := range s.cfg.Shares {
		shares = append(shares, fmt.Sprintf("%.4g", 100*part))
	}
	return append(all, section{heading: "Contours hold " + strings.Join(shares, ", ") + " %"})
}

// field is a density at nodes×nodes positions of the unit square, row by row from below.
type field []float64

const nodes = 97

// density estimates that of three points or more.
func density(points [][2]float64) field {
	n := float64(len(points))
	var width [2]float64
	for j := range width {
		mean, sum := 0.0, 0.0
		for _, p := range points {
			mean += p[j]
		}
		mean /= n
		for _, p := range points {
			sum += float64((p[j] - mean) * (p[j] - mean))
		}
		// Scott's rule; equal points still have a contour
		width[j] = math.Max(math.Sqrt(sum/(n-1))*math.Pow(n, -1.0/6), 0.01)
	}
	f := make(field, nodes*nodes)
	var kernel [2][nodes]float64
	for _, p := range points {
		for j := range kernel {
			for t := range nodes {
				z := (float64(t)/(nodes-1) - p[j]) / width[j]
				kernel[j][t] = math.Exp(-float64(z*z) / 2)
			}
		}
		for y := range nodes {
			up := kernel[1][y]
			if up < 1e-9 {
				continue
			}
			row := f[y*nodes : (y+1)*nodes]
			for x, k := range kernel[0] {
				row[x] = math.FMA(up, k, row[x])
			}
		}
	}
	return f
}

// peak returns the position of the greatest density.
func (f field) peak() [2]float64 {
	best := linalg.ArgMax(f)
	return [2]float64{float64(best%nodes) / (nodes - 1), float64(best/nodes) / (nodes - 1)}
}

// levelOf returns the density above which a share of the whole lies.
func (f field) levelOf(part float64) float64 {
	v := slices.Clone(f)
	slices.Sort(v)
	total := 0.0
	for _, x := range v {
		total += x
	}
	left := (1 - part) * total
	for _, x := range v {
		if left -= x; left < 0 {
			return x
		}
	}
	return v[len(v)-1]
}

// crossing is the middle of a side between two nodes, where a contour crosses it: the side to the
// right of node at, or above it.
type crossing struct {
	at int
	up bool
}

// contour returns the lines along which the density is level, by marching squares: closed ones end
// where they begin, and others at the border. Of the two ways through a saddle, the one that the
// mean of its corners decides.
func (f field) contour(level float64) [][][2]float64 {
	meets := map[crossing][]crossing{}
	var order []crossing // as found, so that lines come in the same order
	join := func(a, b crossing) {
		for _, pair := range [][2]crossing{{a, b}, {b, a}} {
			if meets[pair[0]] == nil {
				order = append(order, pair[0])
			}
			meets[pair[0]] = append(meets[pair[0]], pair[1])
		}
	}
	for y := range nodes - 1 {
		for x := range nodes - 1 {
			at := y*nodes + x
			corners := [4]int{at, at + 1, at + 1 + nodes, at + nodes} // anticlockwise
			sides := [4]crossing{{at, false}, {at + 1, true}, {at + nodes, false}, {at, true}}
			var crossed []int
			sum := 0.0
			for k, corner := range corners {
				sum += f[corner]
				if f[corner] >= level != (f[corners[(k+1)%4]] >= level) {
					crossed = append(crossed, k)
				}
			}
			switch {
			case len(crossed) == 2:
				join(sides[crossed[0]], sides[crossed[1]])
			case len(crossed) == 4 && (sum/4 >= level) == (f[at] >= level):
				// the corner at and its opposite are one
				join(sides[0], sides[1])
				join(sides[2], sides[3])
			case len(crossed) == 4:
				join(sides[3], sides[0])
				join(sides[1], sides[2])
			}
		}
	}
	var lines [][][2]float64
	done := map[crossing]bool{}
	follow := func(from crossing) {
		line := [][2]float64{f.where(from, level)}
		done[from] = true
		for here := from; ; {
			i := slices.IndexFunc(meets[here], func(c crossing) bool { return !done[c] })
			if i < 0 {
				if len(line) > 2 && slices.Contains(meets[here], from) {
					line = append(line, line[0])
				}
				break
			}
			here = meets[here][i]
			done[here] = true
			line = append(line, f.where(here, level))
		}
		lines = append(lines, line)
	}
	for _, ends := range []int{1, 2} { // open lines from an end, then closed ones
		for _, c := range order {
			if !done[c] && len(meets[c]) == ends {
				follow(c)
			}
		}
	}
	return lines
}

// where returns the position of a crossing, by linear interpolation.
func (f field) where(c crossing, level float64) [2]float64 {
	x, y := float64(c.at%nodes), float64(c.at/nodes)
	next := c.at + 1
	if c.up {
		next = c.at + nodes
	}
	part := (level - f[c.at]) / (f[next] - f[c.at])
	if c.up {
		y += part
	} else {
		x += part
	}
	return [2]float64{x / (nodes - 1), y / (nodes - 1)}
}
