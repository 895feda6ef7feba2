package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/fault"
)

// IcicleConfig describes what a picture of a condensed tree shows. Only Tree is needed.
type IcicleConfig struct {
	Tree       *dendrogram.Condensed
	GroupNames []string // name of group c at c−1; a missing or empty one is "cluster c"

	Page // XLabel "": "objects"; YLabel "": "λ = 1/distance"
}

type icicleScene struct {
	frame
	cfg    IcicleConfig
	group  []int       // of each part: the chosen one that it is or lies within, from 1; 0: none
	left   []float64   // where each part begins along x
	leaves [][]float64 // λ at which objects leave each part itself, rising
	parts  [][]int     // of each part
}

// icicleSteps is how many steps the width of a part has at most.
const icicleSteps = 200

// Icicle makes a figure of a condensed tree: each part is a bar that hangs from the density at which
// it parts from the others, as wide as it has objects there, and becomes narrower where objects fall
// off. Chosen parts have the hue of their group and an outline; what lies within them is paler, and
// the rest is grey. Densities beyond those of nearly all objects are cut, and so are those that all
// objects have where they are most of the height.
//
// It fails with a [*fault.Input] when there is no tree, or it does not hang together.
func Icicle(cfg IcicleConfig) (*Figure, error) {
	s := &icicleScene{cfg: cfg}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.cfg.GroupNames = cleaned(cfg.GroupNames)
	if err := s.begin(cfg.Page, "objects", "λ = 1/distance"); err != nil {
		return nil, err
	}
	s.lay()
	t := cfg.Tree
	most, births := slices.Max(t.Lambda), 0.0
	for _, p := range t.Clusters {
		births = max(births, p.Birth)
	}
	lambda := slices.Sorted(slices.Values(t.Lambda))
	if common := max(births, lambda[(len(lambda)-1)*98/100]); most > 1.5*common && common > 0 {
		most = common
		s.note = besides(s.note, fmt.Sprintf("drawn up to λ = %.3g", most))
	}
	start, least := 0.0, lambda[0]
	for _, p := range t.Clusters[1:] {
		least = min(least, p.Birth)
	}
	if least > most/2 && most > least {
		start = least - (most-least)/6
		s.note = besides(s.note, fmt.Sprintf("drawn from λ = %.3g", start))
	}
	s.xs = axis{lo: 0, hi: float64(len(t.Cluster))}
	s.ys = axis{lo: -most - 0.04*(cmp.Or(most, 1)-start), hi: -start} // densities rise downwards
	_, factor := s.ys.divide(5)
	s.yLabel = withFactor(s.yLabel, factor)
	s.yTicks = func(a axis) []tick {
		list, _ := a.ticks(44, func(string) vg.Length { return tickSize })
		for i := range list {
			list[i].label = strings.TrimPrefix(list[i].label, "−")
		}
		return list
	}
	s.frame.legend = s.legend()
	return s.figure("Condensed tree", s.draw), nil
}

func (s *icicleScene) check() error {
	const fix = "give a condensed tree as a fit makes it"
	t := s.cfg.Tree
	if t == nil || len(t.Clusters) == 0 || len(t.Cluster) == 0 || len(t.Lambda) != len(t.Cluster) {
		return fault.Inputf(fix, "there is no condensed tree to draw")
	}
	for c, p := range t.Clusters {
		if c > 0 && (p.Parent < 0 || p.Parent >= c) || !(p.Birth >= 0 && p.Birth <= 1e300) ||
			p.Label < 0 {
			return fault.Inputf(fix, "part %d of the tree hangs nowhere", c)
		}
	}
	for i, c := range t.Cluster {
		if c < 0 || int(c) >= len(t.Clusters) || !(t.Lambda[i] >= 0 && t.Lambda[i] <= 1e300) {
			return fault.Inputf(fix, "object %d falls off no part of the tree", i+1)
		}
	}
	return nil
}

// lay returns each part its place along x: beneath what it is part of, side by side.
func (s *icicleScene) lay() {
	t := s.cfg.Tree
	k := len(t.Clusters)
	s.group, s.left = make([]int, k), make([]float64, k)
	s.leaves, s.parts = make([][]float64, k), make([][]int, k)
	for i, c := range t.Cluster {
		s.leaves[c] = append(s.leaves[c], t.Lambda[i])
	}
	for c, p := range t.Clusters {
		slices.Sort(s.leaves[c])
		if s.group[c] = p.Label; c > 0 {
			s.group[c] = cmp.Or(p.Label, s.group[p.Parent])
			s.parts[p.Parent] = append(s.parts[p.Parent], c)
		}
	}
	for c, parts := range s.parts {
		at := s.left[c] + float64(len(s.leaves[c]))/2 // what falls off does so on both sides
		for _, part := range parts {
			s.left[part] = at
			at += float64(t.Clusters[part].Size)
		}
	}
}

func (s *icicleScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	for part, p := range s.cfg.Tree.Clusters {
		hue, opacity := color.NRGBA{0xA8, 0xA8, 0xA8, 255}, 0.5
		if g := s.group[part]; g > 0 {
			if hue = clusterLook(g).hue; p.Label > 0 {
				opacity = 0.75
			} else {
				opacity = 0.4
			}
		}
		corners := cutPolygon(s.outline(part), rectangle(s.xs.from, s.ys.from, s.xs.to, s.ys.to))
		if len(corners) < 3 {
			continue
		}
		path := polyline(corners...)
		path.Close()
		fill(c, path, faded(hue, opacity))
		if p.Label > 0 {
			stroke(c, path, hue, 1.1)
		} else {
			stroke(c, path, faded(white, 0.8), 0.4)
		}
	}
}

// outline returns the corners of a part on the page.
func (s *icicleScene) outline(part int) []vg.Point {
	p := s.cfg.Tree.Clusters[part]
	leaves, size := s.leaves[part], float64(p.Size)
	middle := s.left[part] + size/2
	var down, up []vg.Point
	add := func(wide, lambda float64) {
		down = append(down, s.at(middle-wide/2, -lambda))
		up = append(up, s.at(middle+wide/2, -lambda))
	}
	add(size, p.Birth)
	each := max(1, len(leaves)/icicleSteps)
	for i := 0; i < len(leaves); i += each {
		last := min(i+each, len(leaves)) - 1
		add(size-float64(i), leaves[last])
		add(size-float64(last+1), leaves[last])
	}
	if parts := s.parts[part]; len(parts) > 0 { // it ends where they begin
		add(size-float64(len(leaves)), s.cfg.Tree.Clusters[parts[0]].Birth)
	}
	slices.Reverse(up)
	return append(down, up...)
}

func (s *icicleScene) legend() legend {
	var groups section
	chosen := slices.Clone(s.cfg.Tree.Clusters)
	chosen = slices.DeleteFunc(chosen, func(p dendrogram.Part) bool { return p.Label == 0 })
	slices.SortFunc(chosen, func(a, b dendrogram.Part) int { return cmp.Compare(a.Label, b.Label) })
	for _, p := range chosen {
		hue := clusterLook(p.Label).hue
		groups.entries = append(groups.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) { stroke(c, level(at, -6, 6), hue, 3) },
			name:   clusterName(p.Label, s.cfg.GroupNames),
			count:  inBrackets(p.Size),
		})
	}
	return legend{groups}
}
