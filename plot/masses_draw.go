package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/evidence/belief"
)

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
		l := clusterLook(membersOf(set)[0] + 1)
		return massStyle{l.hue, nil, l}
	case set == belief.Omega(s.cfg.Credal.Clusters):
		return massStyle{ink, []vg.Length{6, 2}, look{cross, false, ink}}
	}
	members := membersOf(set)
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
		id := membersOf(set)[0]
		hue := clusterLook(id + 1).hue
		// Where hues return, stripes distinguish: light ones, then dark ones, and then both.
		return [][]color.NRGBA{{hue}, {hue, lighter(hue)}, {hue, darker(hue)},
			{lighter(hue), darker(hue)}}[id/len(hues)%4]
	case set == belief.Omega(s.cfg.Credal.Clusters):
		return []color.NRGBA{unsure}
	}
	var out []color.NRGBA
	for _, m := range membersOf(set) {
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
		c.SetColor(fills[q%len(fills)])
		c.Fill(box(vg.Rectangle{Min: vg.Point{X: at.X - 7, Y: at.Y - 4},
			Max: vg.Point{X: at.X + 7, Y: at.Y + 4 - stripe*vg.Length(q)}}))
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
				p = append(p, box(vg.Rectangle{Min: vg.Point{X: edge(start), Y: bottom},
					Max: vg.Point{X: edge(b) + seam, Y: bottom + tall}})...)
				start = -1
			}
			switch {
			case full && start < 0:
				start = b
			case !full && to-from > 0.02:
				p = append(p, box(vg.Rectangle{Min: vg.Point{X: edge(b), Y: from},
					Max: vg.Point{X: edge(b+1) + seam, Y: to}})...)
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
