package plot

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// MassesConfig describes what a picture of the masses of all objects shows (kevclus-2016 Fig. 2).
// Only Credal is needed.
type MassesConfig struct {
	Credal       *credal.Partition
	ClusterNames []string // name of cluster c at c−1; a missing or empty one is "cluster c"

	// Order holds every object once, from 0, in the order of the horizontal axis. nil: as they come
	// for up to 60 objects, and beyond by cluster and certainty, in the order of [ByCertainty].
	Order []int

	Page // XLabel "": the order
}

const (
	lineObjects = 60  // with more, lines would hide each other
	massBins    = 480 // columns of a band at most
	// focal sets of several clusters with a line or band of their own, beside the frame
	massSets = 12
)

// massScene is a checked config with what follows from it.
type massScene struct {
	frame
	cfg   MassesConfig
	order []int
	sets  []int // positions in Credal.Focal of the sets that are distinguished, in drawing order
	rest  []int // and of the others, whose masses are added up
	bins  int
	mass  [][]float64 // of each set, and of the rest where there is one: the mean of each bin
}

// Masses makes a figure of the masses of each object: up to 60 objects have a line with marks for
// each focal set, and more have stacked bands, which add up to 1, labelled where they are thick.
// Singletons have the look of their cluster; sets of several clusters have the hues of them all, in
// stripes. Of more than 12 sets of several clusters, the frame aside, the heaviest are
// distinguished.
//
// It fails with a [*fault.Input] when Credal is no credal partition, or Order does not hold every
// object once.
func Masses(cfg MassesConfig) (*Figure, error) {
	if err := checkCredal(cfg.Credal); err != nil {
		return nil, err
	}
	n := cfg.Credal.Len()
	if err := checkOrder(cfg.Order, n); err != nil {
		return nil, err
	}
	cfg.ClusterNames = cleaned(cfg.ClusterNames)
	s := &massScene{cfg: cfg, order: cfg.Order, bins: n}
	word := "object, in the order given"
	switch {
	case s.order == nil && n > lineObjects:
		s.order, _ = ByCertainty(cfg.Credal)
		word = "object, by cluster and certainty"
	case s.order == nil:
		s.order, word = numbered(n, 0), "object"
	}
	if n > lineObjects {
		s.bins = min(n, massBins)
	}
	s.choose()
	s.gather()
	s.xs, s.ys = axis{lo: 0.5, hi: float64(n) + 0.5}, axis{lo: 0, hi: 1}
	if n <= lineObjects {
		margin := 0.02 * float64(n)
		s.xs, s.ys = axis{lo: 0.5 - margin, hi: float64(n) + 0.5 + margin},
			axis{lo: -0.03, hi: 1.03}
	}
	s.xTicks = func(a axis) []tick { return wholeTicks(a, 1, n) }
	if err := s.begin(cfg.Page, word, "mass"); err != nil {
		return nil, err
	}
	s.frame.legend = s.legend()
	if n > s.bins {
		s.note = besides(s.note,
			fmt.Sprintf("columns are means of %d to %d objects", n/s.bins, (n+s.bins-1)/s.bins))
	}
	return s.figure("Masses", s.draw), nil
}

// checkOrder refuses an order that does not hold n objects once each; nil is one to be made.
func checkOrder(order []int, n int) error {
	if order == nil {
		return nil
	}
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || i >= n || seen[i] {
			return refuse(fmt.Sprintf("give each of the %d objects once", n),
				"the order has object %d twice, or there is none", i+1)
		}
		seen[i] = true
	}
	if len(order) != n {
		return refuse("give each object once", "the order has %d of %d objects", len(order), n)
	}
	return nil
}

// wholeTicks returns round numbers from..to, at most about ten.
func wholeTicks(a axis, from, to int) (list []tick) {
	step := max(1, int(niceStep(float64(to-from+1)/8)))
	for v := (from + step - 1) / step * step; v <= to; v += step {
		list = append(list, tick{float64(v), grouped(v)})
	}
	return list
}

// choose finds the sets that are distinguished, of those with at least a thousandth somewhere: the
// singletons, the frame, the empty set, and of the others the heaviest. They come by size, with the
// empty set last.
func (s *massScene) choose() {
	p := s.cfg.Credal
	sum, most := make([]float64, len(p.Focal)), make([]float64, len(p.Focal))
	for i := range p.Len() {
		for k, m := range p.Row(i) {
			sum[k] += m
			most[k] = max(most[k], m)
		}
	}
	var others []int
	for k, set := range p.Focal {
		switch {
		case most[k] < 1e-3:
		case set.Len() <= 1 || set == belief.Omega(p.Clusters):
			s.sets = append(s.sets, k)
		default:
			others = append(others, k)
		}
	}
	slices.SortStableFunc(others, func(a, b int) int { return cmp.Compare(sum[b], sum[a]) })
	if len(others) > massSets+1 { // a single other set has a name of its own
		s.rest = others[massSets:]
		others = others[:massSets]
	}
	s.sets = append(s.sets, others...)
	slices.SortFunc(s.sets, func(a, b int) int {
		return cmp.Or(cmp.Compare((p.Focal[a].Len()+belief.MaxClusters)%(belief.MaxClusters+1),
			(p.Focal[b].Len()+belief.MaxClusters)%(belief.MaxClusters+1)), cmp.Compare(a, b))
	})
}

// gather takes the mean masses of each bin.
func (s *massScene) gather() {
	p, n := s.cfg.Credal, len(s.order)
	s.mass = make([][]float64, len(s.sets), len(s.sets)+1)
	if s.rest != nil {
		s.mass = append(s.mass, nil)
	}
	for k := range s.mass {
		s.mass[k] = make([]float64, s.bins)
	}
	for b := range s.bins {
		from, to := b*n/s.bins, (b+1)*n/s.bins
		for _, i := range s.order[from:to] {
			row := p.Row(i)
			for k, set := range s.sets {
				s.mass[k][b] += row[set] / float64(to-from)
			}
			for _, set := range s.rest {
				s.mass[len(s.sets)][b] += row[set] / float64(to-from)
			}
		}
	}
}

func (s *massScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	if len(s.order) > lineObjects {
		s.drawBands(c)
	} else {
		s.drawLines(c)
	}
}

// set returns the focal set of line or band k, and false for the rest.
func (s *massScene) set(k int) (belief.Set, bool) {
	if k == len(s.sets) {
		return 0, false
	}
	return s.cfg.Credal.Focal[s.sets[k]], true
}

func (s *massScene) name(k int) string {
	set, one := s.set(k)
	if !one {
		return fmt.Sprintf("%d others", len(s.rest))
	}
	return setName(set, s.cfg.Credal.Clusters, s.cfg.ClusterNames)
}

func (s *massScene) legend() legend {
	sec := section{heading: "Focal set"}
	for k := range s.mass {
		sample := func(c vg.Canvas, at vg.Point) {
			st := s.style(k)
			stroke(c, level(at, -8, 7),
				st.line, 1, st.dashes...)
			st.mark.draw(c, at, 2.8, 1, 0.4)
		}
		if len(s.order) > lineObjects {
			sample = func(c vg.Canvas, at vg.Point) { drawStripes(c, s.fills(k), at) }
		}
		sec.entries = append(sec.entries, entry{sample: sample, name: s.name(k)})
	}
	return legend{sec}
}
