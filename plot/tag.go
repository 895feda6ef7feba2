package plot

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// drawTags writes each cluster's name at the median of its points, so that hue is not alone to tell them
// apart where the shape is the class's.
func drawTags(c vg.Canvas, f *frame, ids, rows []int, cluster func(row int) int, name func(id int) string, place func(row int) vg.Point) {
	face := bold(legendSize)
	for _, id := range ids {
		if id == 0 {
			continue
		}
		var xs, ys []float64
		for _, row := range rows {
			if cluster(row) == id {
				p := place(row)
				xs, ys = append(xs, float64(p.X)), append(ys, float64(p.Y))
			}
		}
		if len(xs) == 0 {
			continue
		}
		slices.Sort(xs)
		slices.Sort(ys)
		text := clip(face, name(id), 64)
		if len(ids) > 8 {
			text = fmt.Sprint(id)
		}
		f.drawTag(c, face, text, vg.Point{X: vg.Length(xs[len(xs)/2]), Y: vg.Length(ys[len(ys)/2])}, clusterLook(id))
	}
}

func (f *frame) drawTag(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	w := face.Width(text)
	at.X = min(max(at.X, f.xs.from+w/2+4), f.xs.to-w/2-4)
	frame := box(vg.Rectangle{Min: vg.Point{X: at.X - w/2 - 3, Y: at.Y - 6}, Max: vg.Point{X: at.X + w/2 + 3, Y: at.Y + 6}})
	c.SetColor(faded(white, 0.88))
	c.Fill(frame)
	stroke(c, frame, l.hue, 0.9)
	c.SetColor(ink)
	c.FillString(face, vg.Point{X: at.X - w/2, Y: at.Y - legendSize*0.36}, text)
}
