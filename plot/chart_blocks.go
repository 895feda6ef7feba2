package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

// fiveNumbers sums up a sample for a box.
type fiveNumbers struct {
	low, first, median, third, high float64 // low and high are the ends of the whiskers
	beyond                          []float64
}

// boxOf returns quartiles by linear interpolation between order statistics and whiskers to the last
// values within 1.5 times the interquartile range. NaN is left out; ok is false where nothing is
// left.
func boxOf(sample []float64) (b fiveNumbers, ok bool) {
	v := slices.DeleteFunc(slices.Clone(sample), math.IsNaN)
	if len(v) == 0 {
		return b, false
	}
	slices.Sort(v)
	quantile := func(q float64) float64 {
		at := q * float64(len(v)-1)
		k := min(int(at), max(0, len(v)-2))
		if k+1 >= len(v) {
			return v[k]
		}
		part := at - float64(k)
		return float64((1-part)*v[k]) + float64(part*v[k+1])
	}
	b.first, b.median, b.third = quantile(0.25), quantile(0.5), quantile(0.75)
	reach := float64(1.5 * (b.third - b.first))
	b.low, b.high = b.first, b.third
	for _, x := range v {
		if x < b.first-reach || x > b.third+reach {
			b.beyond = append(b.beyond, x)
			continue
		}
		b.low, b.high = min(b.low, x), max(b.high, x)
	}
	return b, true
}

// column is the rectangle of a box or bar between two values at position x.
func (p *panel) column(s *drawnSeries, x, from, to float64) vg.Rectangle {
	at := p.mapX(x) + s.shift
	a, b := p.at(nearby(p.xs, at-s.half), from), p.at(nearby(p.xs, at+s.half), to)
	return rectangle(a.X, min(a.Y, b.Y), b.X, max(a.Y, b.Y))
}

// within cuts a rectangle to the axes; ok is false where nothing is left.
func (p *panel) within(r vg.Rectangle) (vg.Rectangle, bool) {
	area := p.area()
	r.Min.X, r.Min.Y = max(r.Min.X, area.Min.X), max(r.Min.Y, area.Min.Y)
	r.Max.X, r.Max.Y = min(r.Max.X, area.Max.X), min(r.Max.Y, area.Max.Y)
	return r, r.Min.X < r.Max.X && r.Min.Y <= r.Max.Y
}

func (p *panel) drawBoxes(c vg.Canvas, s *drawnSeries) {
	for i, x := range s.X {
		b, ok := boxOf(s.Values[i])
		if !ok {
			continue
		}
		p.drawWhisker(c, s, p.on(s, x, b.low), p.on(s, x, b.first))
		p.drawWhisker(c, s, p.on(s, x, b.third), p.on(s, x, b.high))
		if r, ok := p.within(p.column(s, x, nearby(p.ys, p.mapY(b.first)),
			nearby(p.ys, p.mapY(b.third)))); ok {
			fill(c, box(r), white)
			fill(c, box(r), faded(s.look.hue, 0.25))
			stroke(c, box(r), s.look.hue, 0.9)
			if m := p.on(s, x, b.median); p.holds(m) {
				stroke(c, segment(r.Min.X, m.Y, r.Max.X, m.Y), ink, 1.6)
				if s.marked {
					s.look.draw(c, m, min(2.7, (r.Max.X-r.Min.X)/2.6), 1, 0.6)
				}
			}
		}
		for _, v := range b.beyond {
			if at := p.on(s, x, v); p.holds(at) {
				stroke(c, circle.path(at, 1.5), s.look.hue, 0.7)
			}
		}
	}
}

func (p *panel) drawBars(c vg.Canvas, s *drawnSeries) {
	foot := p.ys.lo
	if !p.cfg.LogY {
		foot = nearby(p.ys, 0)
	}
	for i, x := range s.X {
		if s.Y[i] != s.Y[i] {
			continue
		}
		if r, ok := p.within(p.column(s, x, foot, nearby(p.ys, p.mapY(s.Y[i])))); ok {
			s.fillBar(c, r)
		}
	}
}

// fillBar fills a rectangle in the way of the series: full, faint, hatched to the right, and to the
// left.
func (s *drawnSeries) fillBar(c vg.Canvas, r vg.Rectangle) {
	hue := s.look.hue
	opacity := []float64{0.85, 0.28, 0.12, 0.12}[s.fill%4]
	fill(c, box(r), faded(hue, opacity))
	if way := vg.Length([]int{0, 0, 1, -1}[s.fill%4]); way != 0 {
		wide, high := r.Max.X-r.Min.X, r.Max.Y-r.Min.Y
		for at := -high; at < wide; at += 3.2 {
			a, b := vg.Point{X: r.Min.X + at, Y: r.Min.Y},
				vg.Point{X: r.Min.X + at + high, Y: r.Max.Y}
			if way < 0 {
				a.Y, b.Y = b.Y, a.Y
			}
			if from, to, ok := cutSegment(a, b, r); ok {
				stroke(c, polyline(from, to), hue, 0.7)
			}
		}
	}
	stroke(c, box(r), hue, 0.8)
}
