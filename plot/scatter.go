package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// ScatterConfig describes what a scatter plot shows. Only Points is needed; every other zero value
// leaves something out or takes the default that it states. Slices are read, never kept or changed.
type ScatterConfig struct {
	Points dataset.Matrix // n×2 coordinates; [Plane] makes them from any table

	// cluster of each row, from 1; 0 is noise, drawn hollow and grey; nil: one unnamed group
	Clusters     []int
	ClusterNames []string // name of cluster c at c−1; a missing or empty one is "cluster c"

	// Classes are true classes, each row's index into ClassNames; −1 is not known. They take over
	// the marker shape, and the clusters keep the hue and are named in the picture.
	Classes    []int
	ClassNames []string

	SuperInstances []SuperInstance
	// asked pairs: must-links solid, cannot-links dashed, unknown ones dotted
	Links []link.Link

	// text from data may be anything: it is cleaned and shortened
	Title, Subtitle, XLabel, YLabel string
	// a unit is as long on both axes, as points made from distances need
	EqualScale bool

	Width, Height float64 // inches; 0 = 6.4 and 4.8; from 2 to 40

	// MaxPoints limits the points drawn; 0 = 20 000. Beyond, a simple random sample that has all
	// medoids and linked rows represents the rest, and the picture states that. Seed draws the
	// sample; 0 is a seed like the others.
	MaxPoints int
	Seed      uint64
}

// SuperInstance is a group of rows that is treated as one, by its medoid. Rows count from 0.
type SuperInstance struct {
	Medoid  int
	Members []int
}

const maxPoints = 20000

// scene is a checked config with what follows from it.
type scene struct {
	frame
	cfg  ScatterConfig
	rows []int       // drawn, in drawing order
	size map[int]int // rows of each cluster
	ids  []int       // the clusters, ascending
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
	n := cfg.Points.Rows
	var err error
	if s.xs, s.ys, err = extent(cfg.Points, cfg.XLabel, cfg.YLabel); err != nil {
		return nil, err
	}
	for _, c := range cfg.Clusters {
		s.size[c]++
	}
	for c := range s.size {
		s.ids = append(s.ids, c)
	}
	slices.Sort(s.ids)

	keep := map[int]bool{}
	for _, si := range cfg.SuperInstances {
		keep[si.Medoid] = true
	}
	for _, l := range cfg.Links {
		keep[l.A], keep[l.B] = true, true
	}
	s.rows = thin(n, cfg.MaxPoints, keep, cfg.Seed)
	s.mix()
	s.title, s.xLabel, s.yLabel, s.hideY = cfg.Title, cfg.XLabel, cfg.YLabel, s.flat()
	s.square, s.note = cfg.EqualScale, besides(clean(cfg.Subtitle), sampleNote(len(s.rows), n))
	s.frame.legend = s.legend()
	return &Figure{width: cfg.Width, height: cfg.Height, title: cmp.Or(cfg.Title, "Scatter plot"),
		draw: s.draw}, nil
}

// extent returns the axes that hold the points, n×2, and refuses coordinates that cannot be drawn.
func extent(points dataset.Matrix, xLabel, yLabel string) (xs, ys axis, err error) {
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range points.Rows {
		for j := range 2 {
			v := points.At(i, j)
			if !(math.Abs(v) <= 1e300) {
				return xs, ys, notFinite(i,
					cmp.Or(clean([]string{xLabel, yLabel}[j]), []string{"x", "y"}[j]), v)
			}
			lo[j], hi[j] = min(lo[j], v), max(hi[j], v)
		}
	}
	return newAxis(lo[0], hi[0]), newAxis(lo[1], hi[1]), nil
}

// mix puts the drawn rows in a random order, noise first, so that no cluster hides the others only
// because it comes last in the file.
func (s *scene) mix() {
	shuffle(s.rows, s.cfg.Seed)
	if s.cfg.Clusters != nil {
		slices.SortStableFunc(s.rows, func(a, b int) int {
			return cmp.Compare(min(1, s.cfg.Clusters[a]), min(1, s.cfg.Clusters[b]))
		})
	}
}

// check refuses contradictions, fills in defaults and cleans the texts.
func check(cfg *ScatterConfig) error {
	n := cfg.Points.Rows
	refuse := func(fix, format string, args ...any) error {
		return &fault.Input{Problem: fmt.Sprintf(format, args...), Fix: fix}
	}
	switch {
	case n == 0:
		return refuse("give at least one row", "there are no points to draw")
	case cfg.Points.Cols != 2:
		return refuse("bring the data into the plane first", "points have %d coordinates, not 2",
			cfg.Points.Cols)
	case cfg.Clusters != nil && len(cfg.Clusters) != n:
		return refuse("give one a point", "there are %d points but %d clusters", n,
			len(cfg.Clusters))
	case cfg.Classes != nil && len(cfg.Classes) != n:
		return refuse("give one a point", "there are %d points but %d classes", n, len(cfg.Classes))
	case cfg.MaxPoints < 0:
		return refuse("give a number from 1, or 0 for 20000", "cannot draw at most %d points",
			cfg.MaxPoints)
	}
	for i, c := range cfg.Clusters {
		if c < 0 {
			return &fault.Input{Row: i + 1, Problem: fmt.Sprintf("the cluster is %d", c),
				Fix: "number clusters from 1, with 0 for noise"}
		}
	}
	if err := checkClasses(cfg.Classes, cfg.ClassNames); err != nil {
		return err
	}
	for _, si := range cfg.SuperInstances {
		for _, row := range append([]int{si.Medoid}, si.Members...) {
			if row < 0 || row >= n {
				return refuse("use rows of the data that is drawn",
					"a super-instance has row %d of %d", row+1, n)
			}
		}
	}
	if err := cmp.Or(checkLinks(cfg.Links, n), checkSize(&cfg.Width, &cfg.Height)); err != nil {
		return err
	}
	cfg.MaxPoints = cmp.Or(cfg.MaxPoints, maxPoints)
	cfg.Title, cfg.XLabel, cfg.YLabel = clean(cfg.Title), clean(cfg.XLabel), clean(cfg.YLabel)
	cfg.ClusterNames, cfg.ClassNames = cleaned(cfg.ClusterNames), cleaned(cfg.ClassNames)
	return nil
}

// checkClasses refuses classes without a name's place.
func checkClasses(classes []int, names []string) error {
	for i, c := range classes {
		if c < -1 || c >= len(names) {
			return &fault.Input{Row: i + 1,
				Problem: fmt.Sprintf("there is no class %d among %d", c, len(names)),
				Fix:     "number classes from 0, with -1 for unknown"}
		}
	}
	return nil
}

// checkLinks refuses links of rows that n points do not have.
func checkLinks(links []link.Link, n int) error {
	for _, l := range links {
		if l.A < 0 || l.A >= n || l.B < 0 || l.B >= n {
			return &fault.Input{Problem: fmt.Sprintf("a link joins rows %d and %d of %d", l.A+1,
				l.B+1, n), Fix: "use rows of the data that is drawn"}
		}
	}
	return nil
}

// checkSize refuses sizes in inches that make no figure, and puts the default for 0.
func checkSize(width, height *float64) error {
	for _, side := range []*float64{width, height} {
		if *side != 0 && !(*side >= 2 && *side <= 40) {
			return &fault.Input{Problem: fmt.Sprintf("a figure cannot be %v inches wide or high",
				*side), Fix: "give 2 to 40 inches"}
		}
	}
	*width, *height = cmp.Or(*width, 6.4), cmp.Or(*height, 4.8)
	return nil
}

func cleaned(names []string) []string {
	out := make([]string, len(names))
	for i, s := range names {
		out[i] = clean(s)
	}
	return out
}

// cluster returns the cluster of a row; without clusters, all rows are in cluster 1.
func (s *scene) cluster(row int) int {
	if s.cfg.Clusters == nil {
		return 1
	}
	return s.cfg.Clusters[row]
}

func (s *scene) clusterName(c int) string { return clusterName(c, s.cfg.ClusterNames) }

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

// look returns hue and shape of a row: the shape of its class where classes are shown.
func (s *scene) look(row int) look {
	l := clusterLook(s.cluster(row))
	if s.cfg.Classes == nil {
		return l
	}
	if s.cfg.Classes[row] < 0 {
		return look{circle, true, l.hue}
	}
	c := classLook(s.cfg.Classes[row])
	c.hue, c.hollow = l.hue, c.hollow || l.hollow
	return c
}
