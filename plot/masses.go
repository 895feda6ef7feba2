package plot

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
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
			return fault.Inputf(fmt.Sprintf("give each of the %d objects once", n),
				"the order has object %d twice, or there is none", i+1)
		}
		seen[i] = true
	}
	if len(order) != n {
		return fault.Inputf("give each object once",
			"the order has %d of %d objects", len(order), n)
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
			stroke(c, level(at, -8, 7), st.line, 1, st.dashes...)
			st.mark.draw(c, at, 2.8, 1, 0.4)
		}
		if len(s.order) > lineObjects {
			sample = func(c vg.Canvas, at vg.Point) { drawStripes(c, s.fills(k), at) }
		}
		sec.entries = append(sec.entries, entry{sample: sample, name: s.name(k)})
	}
	return legend{sec}
}

// massStyle is how the line of a focal set is drawn.
type massStyle struct {
	line   color.NRGBA
	dashes []vg.Length
	mark   look
}

// style returns line and mark of set k: those of the cluster for a singleton, and for several
// clusters the hue of the first with the mark of the last.
func (s *massScene) style(k int) massStyle {
	set, one := s.set(k)
	switch {
	case !one:
		return massStyle{soft, []vg.Length{1, 3}, look{plus, false, soft}}
	case set == 0:
		return massStyle{outside, []vg.Length{1, 2}, look{circle, true, ink}}
	case set.Len() == 1:
		l := clusterLook(firstOf(set) + 1)
		return massStyle{l.hue, nil, l}
	case set == belief.Omega(s.cfg.Credal.Clusters):
		return massStyle{ink, []vg.Length{6, 2}, look{cross, false, ink}}
	}
	members := slices.Collect(set.All())
	l := clusterLook(members[len(members)-1] + 1)
	l.hollow = true
	return massStyle{clusterLook(members[0] + 1).hue, []vg.Length{5, 2, 1, 2}, l}
}

// drawLines draws a line with marks for each set, singletons last.
func (s *massScene) drawLines(c vg.Canvas) {
	n := len(s.order)
	r := vg.Length(math.Min(3, math.Max(1.3, 3*math.Pow(float64(n)/40, -0.4))))
	for k := len(s.mass) - 1; k >= 0; k-- {
		st := s.style(k)
		place := func(b int) vg.Point { return s.at(float64(b+1), s.mass[k][b]) }
		if n > 1 {
			stroke(c, line(n, place), faded(st.line, 0.7), 0.9, st.dashes...)
		}
		for b := range n {
			st.mark.draw(c, place(b), r, 0.95, 0.4)
		}
	}
}

// fills returns the hues of the stripes of set k.
func (s *massScene) fills(k int) []color.NRGBA {
	set, one := s.set(k)
	switch {
	case !one:
		return []color.NRGBA{gridInk}
	case set == 0:
		return []color.NRGBA{ink}
	case set.Len() == 1:
		id := firstOf(set)
		hue := clusterLook(id + 1).hue
		// Where hues return, stripes distinguish: light ones, then dark ones, and then both.
		return [][]color.NRGBA{{hue}, {hue, lighter(hue)}, {hue, darker(hue)},
			{lighter(hue), darker(hue)}}[id/len(hues)%4]
	case set == belief.Omega(s.cfg.Credal.Clusters):
		return []color.NRGBA{unsure}
	}
	var out []color.NRGBA
	for m := range set.All() {
		out = append(out, lighter(clusterLook(m+1).hue))
	}
	return out
}

// lighter and darker go half the way to white and to black.
func lighter(c color.NRGBA) color.NRGBA {
	return color.NRGBA{128 + c.R/2, 128 + c.G/2, 128 + c.B/2, 255}
}

func darker(c color.NRGBA) color.NRGBA { return color.NRGBA{c.R / 2, c.G / 2, c.B / 2, 255} }

// drawStripes is the sample of a band in the legend.
func drawStripes(c vg.Canvas, fills []color.NRGBA, at vg.Point) {
	for q := range 4 { // each down to the end, so that one hue has no seams
		fill(c, box(rectangle(at.X-7, at.Y-4, at.X+7, at.Y+4-stripe*vg.Length(q))),
			fills[q%len(fills)])
	}
}

const stripe vg.Length = 2 // points, the height of a stripe of a band

// drawBands stacks the sets upon each other, and names each where it is thickest.
func (s *massScene) drawBands(c vg.Canvas) {
	n, bins := float64(len(s.order)), s.bins
	edge := func(b int) vg.Length { return s.xs.at(0.5 + float64(b)*n/float64(bins)) }
	low, high := make([]float64, bins), make([]float64, bins)
	var tags []func()
	for k, mass := range s.mass {
		for b, m := range mass {
			low[b], high[b] = high[b], math.Min(1, high[b]+m)
		}
		fills := s.fills(k)
		for q, hue := range fills {
			if p := s.bandPath(low, high, edge, q, len(fills)); p != nil {
				fill(c, p, hue)
			}
		}
		if tag := s.bandTag(c, k, low, high, edge); tag != nil {
			tags = append(tags, tag)
		}
	}
	for _, draw := range tags {
		draw()
	}
}

// bandPath returns every count-th stripe, from q, of the band from low to high: all of it where
// count is 1. Neighbouring columns that fill a stripe are one rectangle.
func (s *massScene) bandPath(low, high []float64, edge func(int) vg.Length, q,
	count int) (p vg.Path) {
	first, rows := s.ys.from, int(math.Ceil(float64((s.ys.to-s.ys.from)/stripe)))
	tall := stripe
	if count == 1 {
		rows, tall = 1, s.ys.to-s.ys.from
	}
	const seam = 0.15 // points that columns overlap by, lest the ground shine through
	for r := q; r < rows; r += count {
		bottom := first + tall*vg.Length(r)
		start := -1 // of the columns under way that fill the stripe
		for b := 0; b <= len(low); b++ {
			from, to := bottom, bottom
			if b < len(low) {
				from, to = max(bottom, s.ys.at(low[b])), min(bottom+tall, s.ys.at(high[b]))
			}
			full := to-from >= tall-0.01
			if start >= 0 && !full {
				p = append(p, box(rectangle(edge(start), bottom, edge(b)+seam, bottom+tall))...)
				start = -1
			}
			switch {
			case full && start < 0:
				start = b
			case !full && to-from > 0.02:
				p = append(p, box(rectangle(edge(b), from, edge(b+1)+seam, to))...)
			}
		}
	}
	return p
}

const uprightSize = 6 // points, of text in a narrow band

// bandTag returns the drawing of the name of band k where the band is highest, upright where the
// band is narrow, or nil where it is too low anywhere.
func (s *massScene) bandTag(c vg.Canvas, k int, low, high []float64,
	edge func(int) vg.Length) func() {
	l := look{hue: s.fills(k)[0]}
	face := bold(legendSize)
	text := clip(face, s.name(k), 90)
	if at, space := s.widest(face.Width(text)+8, low, high, edge); space >= tagHeight(face)+3 {
		return func() { s.drawTag(c, face, text, at, l) }
	}
	small := bold(uprightSize)
	text = clip(small, s.name(k), 90)
	at, space := s.widest(tagHeight(small), low, high, edge)
	if space < small.Width(text)+8 {
		return nil
	}
	return func() {
		c.Push()
		c.Translate(at)
		c.Rotate(math.Pi / 2)
		tagAt(c, small, text, vg.Point{}, l)
		c.Pop()
	}
}

// widest returns the middle of the highest rectangle of a width between low and high, and its
// height.
func (s *massScene) widest(width vg.Length, low, high []float64,
	edge func(int) vg.Length) (at vg.Point, space vg.Length) {
	span := int(math.Ceil(float64(width / (edge(1) - edge(0)))))
	for b := 0; b+span <= s.bins; b++ {
		from, to := s.ys.at(slices.Max(low[b:b+span])), s.ys.at(slices.Min(high[b:b+span]))
		if to-from > space {
			space, at = to-from, vg.Point{X: (edge(b) + edge(b+span)) / 2, Y: (from + to) / 2}
		}
	}
	return at, space
}
