package plot

import (
	"cmp"
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// StrokesConfig describes what a picture of pen strokes shows (competitive-learning-2013 Fig. 1b).
// Panels are needed.
type StrokesConfig struct {
	Panels []Stroke
	Across int // panels in a row; 0 = as square as can be

	Page // without labels; sizes 0: 1.7 a panel, and the title
}

// Stroke is a line drawn by a pen.
type Stroke struct {
	Caption string
	Points  dataset.Matrix // m×2, in the order drawn; y goes up
}

// Strokes makes a figure of pen strokes side by side, each as large as its panel allows, with a
// unit as long on both axes. A ring is where the pen began, and dots are the points given.
//
// It fails with a [*fault.Input] when there is nothing to draw, points have not two coordinates, or
// one is not finite or beyond ±1e300.
func Strokes(cfg StrokesConfig) (*Figure, error) {
	if len(cfg.Panels) == 0 || cfg.Across < 0 {
		return nil, fault.Inputf("give at least one", "there are %d strokes to draw, %d in a row",
			len(cfg.Panels), cfg.Across)
	}
	s := &strokesScene{}
	for i, p := range cfg.Panels {
		if p.Points.Rows == 0 || p.Points.Cols != 2 {
			return nil, refuseRow(i, "give points of 2",
				"the stroke has %d points of %d coordinates", p.Points.Rows, p.Points.Cols)
		}
		xs, ys, err := extent(p.Points, "", "")
		if err != nil {
			return nil, err
		}
		p.Caption = clean(p.Caption)
		s.strokes, s.wide, s.high = append(s.strokes, p),
			append(s.wide, xs), append(s.high, ys)
	}
	s.columns = cmp.Or(cfg.Across, int(math.Ceil(math.Sqrt(float64(len(cfg.Panels))))))
	s.columns = min(s.columns, len(cfg.Panels))
	s.rows = (len(cfg.Panels) + s.columns - 1) / s.columns
	cfg.Width = cmp.Or(cfg.Width, min(40, max(3, 1.7*float64(s.columns))))
	cfg.Height = cmp.Or(cfg.Height, min(40, max(2, 1.9*float64(s.rows)+0.4)))
	if err := s.begin(cfg.Page, "", ""); err != nil {
		return nil, err
	}
	return s.figure("Pen strokes", s.draw), nil
}

type strokesScene struct {
	frame
	strokes       []Stroke
	wide, high    []axis
	columns, rows int
}

func (s *strokesScene) draw(c vg.Canvas, width, height vg.Length) {
	s.xs = axis{from: pad, to: width - pad}
	fill(c, box(vg.Rectangle{Max: vg.Point{X: width, Y: height}}), white)
	s.drawLabels(c, width, height, "", "")
	top := height - pad
	if s.title != "" {
		top -= titleSize + 7
	}
	if s.note != "" {
		top -= noteSize + 6
	}
	wide, high := (width-pad)/vg.Length(s.columns), (top-pad/2)/vg.Length(s.rows)
	for i, p := range s.strokes {
		left, up := pad+wide*vg.Length(i%s.columns), top-high*vg.Length(i/s.columns)
		r := rectangle(left, up-high+pad/2, left+wide-pad, up)
		if p.Caption != "" {
			face := regular(legendSize)
			text := clip(face, p.Caption, wide-pad)
			write(c, face, ink, vg.Point{X: (r.Min.X+r.Max.X)/2 - face.Width(text)/2,
				Y: r.Min.Y + 3}, text)
			r.Min.Y += legendSize + 7
		}
		stroke(c, box(r), gridInk, 0.8)
		s.drawStroke(c, i, vg.Rectangle{Min: r.Min.Add(vg.Point{X: 6, Y: 6}),
			Max: r.Max.Sub(vg.Point{X: 6, Y: 6})})
	}
}

func (s *strokesScene) drawStroke(c vg.Canvas, i int, r vg.Rectangle) {
	xs, ys := s.wide[i], s.high[i]
	xs.from, xs.to, ys.from, ys.to = r.Min.X, r.Max.X, r.Min.Y, r.Max.Y
	xs, ys = equal(xs, ys)
	m := s.strokes[i].Points
	points := make([]vg.Point, m.Rows)
	for t := range points {
		points[t] = vg.Point{X: xs.at(m.At(t, 0)), Y: ys.at(m.At(t, 1))}
	}
	if len(points) > 1 {
		stroke(c, polyline(points...), hues[0], 2.2)
	}
	for _, at := range points {
		fill(c, circle.path(at, 1.5), ink)
	}
	fill(c, circle.path(points[0], 2.6), white)
	stroke(c, circle.path(points[0], 2.6), ink, 1.1)
}
