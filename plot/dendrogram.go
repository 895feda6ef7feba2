package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
)

// DendrogramConfig describes what a picture of a tree shows. Only Branches, or Objects where there
// are none, is needed.
type DendrogramConfig struct {
	Objects  int                // n; 0: one more than branches
	Branches []dendrogram.Merge // n−1 of them, in order; sizes are not looked at

	// Groups is the cluster of each object, from 1, and 0 for an outlier. What lies within one
	// cluster is drawn in its hue.
	Groups     []int
	GroupNames []string // name of group c at c−1; a missing or empty one is "cluster c"

	Names []string // of the objects; nil: their numbers, from 1

	// ends that are drawn: of a larger tree only the last branches are, and triangles stand for
	// what is below; 0: 50; up to 400
	MostLeaves int

	Page // XLabel "": "height"; Height 0: by the number of leaves
}

const (
	dendrogramLeaves = 50
	leafHeight       = 0.125 // inches
)

// leaf is an end of the tree as drawn: an object, or a mark for many.
type leaf struct {
	node, size int
}

type treeScene struct {
	frame
	cfg    DendrogramConfig
	n      int
	size   []int // objects below each node
	group  []int // of all of them; −1: of several
	leaves []leaf
	place  map[int]float64 // of each drawn node, upwards
	shown  []int           // branches drawn, from the lowest
}

// mixed is the group of a node of several groups.
const mixed = -1

// Dendrogram makes a figure of a tree: leaves below each other at the left, branches to the right
// at the height at which they join. A dashed line parts branches within clusters from those between
// them, where one height does.
//
// It fails with a [*fault.Input] when branches do not make one tree, a height is negative or not
// finite, or the config contradicts itself.
func Dendrogram(cfg DendrogramConfig) (*Figure, error) {
	s := &treeScene{cfg: cfg, n: cmp.Or(cfg.Objects, len(cfg.Branches)+1),
		place: make(map[int]float64)}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.climb()
	s.lay()
	most := 0.0
	for _, b := range s.cfg.Branches {
		most = max(most, b.Height)
	}
	cfg.Height = cmp.Or(cfg.Height, min(12, max(3, 1.1+leafHeight*float64(len(s.leaves)))))
	if err := s.begin(cfg.Page, "height", ""); err != nil {
		return nil, err
	}
	s.xs = axis{lo: 0, hi: cmp.Or(1.04*most, 1)}
	s.ys = axis{lo: -float64(len(s.leaves)) + 0.25, hi: 0.75}
	s.yTicks = func(axis) (list []tick) {
		for at, l := range s.leaves {
			list = append(list, tick{-float64(at), clip(regular(tickSize), s.label(l), 110)})
		}
		return list
	}
	if len(s.leaves) < s.n {
		s.note = besides(s.note,
			fmt.Sprintf("the last %s of %s branches; a number in brackets counts objects",
				grouped(len(s.leaves)-1), grouped(s.n-1)))
	}
	s.frame.legend = s.legend()
	return s.figure("Dendrogram", s.draw), nil
}

func (s *treeScene) check() error {
	cfg := &s.cfg
	switch {
	case s.n != len(cfg.Branches)+1:
		return fault.Inputf("give one branch fewer than objects",
			"there are %d objects and %d branches",
			s.n, len(cfg.Branches))
	case cfg.Names != nil && len(cfg.Names) != s.n:
		return fault.Inputf("give one an object", "there are %d objects but %d names", s.n,
			len(cfg.Names))
	case cfg.MostLeaves < 0 || cfg.MostLeaves > 400:
		return fault.Inputf("give 1 to 400, or 0 for 50", "a dendrogram cannot have %d leaves",
			cfg.MostLeaves)
	}
	if err := checkGroups(cfg.Groups, s.n); err != nil {
		return err
	}
	joined := make([]bool, s.n+len(cfg.Branches))
	for i, b := range cfg.Branches {
		for _, node := range []int{b.A, b.B} {
			if node < 0 || node >= s.n+i || joined[node] {
				return fault.Inputf("give the branches of one tree, in order",
					"branch %d joins node %d, which is not there or is joined already", i+1, node+1)
			}
			joined[node] = true
		}
		if !(b.Height >= 0 && b.Height <= 1e300) {
			return fault.Inputf("heights are finite numbers from 0",
				"the height of branch %d is %v", i+1,
				b.Height)
		}
	}
	cfg.GroupNames = cleaned(cfg.GroupNames)
	cfg.MostLeaves = cmp.Or(cfg.MostLeaves, dendrogramLeaves)
	return nil
}

// checkGroups refuses groups that are not those of n objects; nil is none.
func checkGroups(groups []int, n int) error {
	if groups != nil && len(groups) != n {
		return fault.Inputf("give one an object",
			"there are %d objects but %d groups", n, len(groups))
	}
	for i, g := range groups {
		if g < 0 {
			return refuseRow(i, "number groups from 1, with 0 for outliers", "the group is %d", g)
		}
	}
	return nil
}

// climb works out sizes and groups from the objects up.
func (s *treeScene) climb() {
	s.size, s.group = slices.Repeat([]int{1}, s.n), make([]int, s.n)
	copy(s.group, s.cfg.Groups)
	for _, b := range s.cfg.Branches {
		g := s.group[b.A]
		if g != s.group[b.B] {
			g = mixed
		}
		s.size, s.group = append(s.size, s.size[b.A]+s.size[b.B]), append(s.group, g)
	}
}

// lay returns each drawn node its position.
func (s *treeScene) lay() {
	first := max(0, len(s.cfg.Branches)-(s.cfg.MostLeaves-1)) // branch that is drawn
	stack := []int{s.n + len(s.cfg.Branches) - 1}
	for len(stack) > 0 {
		node := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if node < s.n+first {
			s.place[node] = -float64(len(s.leaves))
			s.leaves = append(s.leaves, leaf{node, s.size[node]})
			continue
		}
		b := s.cfg.Branches[node-s.n]
		stack = append(stack, b.B, b.A)
	}
	for i := first; i < len(s.cfg.Branches); i++ {
		b := s.cfg.Branches[i]
		s.place[s.n+i] = (s.place[b.A] + s.place[b.B]) / 2
		s.shown = append(s.shown, i)
	}
}

func (s *treeScene) label(l leaf) string {
	switch {
	case l.size > 1:
		return inBrackets(l.size)
	case s.cfg.Names != nil:
		return clean(s.cfg.Names[l.node])
	}
	return grouped(l.node + 1)
}

// height of a node; that of an object is 0.
func (s *treeScene) height(node int) float64 {
	if node < s.n {
		return 0
	}
	return s.cfg.Branches[node-s.n].Height
}

func (s *treeScene) hue(node int) color.NRGBA {
	if g := s.group[node]; s.cfg.Groups != nil && g != mixed {
		return clusterLook(g).hue
	}
	return soft
}

func (s *treeScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	if cut, ok := s.cut(); ok {
		stroke(c, polyline(s.at(cut, s.ys.lo), s.at(cut, s.ys.hi)), ink, 0.7, 3, 3)
	}
	wide := min(1.4, max(0.6, 60/vg.Length(len(s.leaves))))
	for _, l := range s.leaves {
		if l.size > 1 {
			at, top := s.place[l.node], s.height(l.node)
			p := polyline(s.at(0, at+0.32), s.at(0, at-0.32), s.at(top, at))
			p.Close()
			fill(c, p, faded(s.hue(l.node), 0.45))
		}
	}
	for _, i := range s.shown {
		b := s.cfg.Branches[i]
		for _, child := range []int{b.A, b.B} {
			stroke(c, polyline(s.at(s.height(child), s.place[child]),
				s.at(b.Height, s.place[child])), s.hue(child), wide)
		}
		stroke(c, polyline(s.at(b.Height, s.place[b.A]), s.at(b.Height, s.place[b.B])),
			s.hue(s.n+i), wide)
	}
}

// cut returns a height between branches within groups and those between groups, if there is one.
func (s *treeScene) cut() (at float64, ok bool) {
	within, between := 0.0, math.Inf(1)
	for i, b := range s.cfg.Branches {
		if s.group[s.n+i] == mixed {
			between = min(between, b.Height)
		} else {
			within = max(within, b.Height)
		}
	}
	return (within + between) / 2, s.cfg.Groups != nil && within < between &&
		!math.IsInf(between, 1)
}

func (s *treeScene) legend() legend {
	if s.cfg.Groups == nil {
		return nil
	}
	count := map[int]int{}
	for _, g := range s.cfg.Groups {
		count[g]++
	}
	var groups section
	for _, g := range noiseLast(count) {
		hue := clusterLook(g).hue
		groups.entries = append(groups.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) { stroke(c, level(at, -6, 6), hue, 1.6) },
			name:   clusterName(g, s.cfg.GroupNames), count: inBrackets(count[g]),
		})
	}
	return legend{groups}
}
