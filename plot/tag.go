package plot

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// tagText shortens the name of a cluster for a tag. Of many clusters, names that end in the number
// are the number.
func tagText(face font.Face, name string, id, count int) string {
	switch number := fmt.Sprint(id); {
	case count <= 8:
		return clip(face, name, 64)
	case strings.HasSuffix(name, " "+number):
		return number
	}
	return clip(face, name, 32)
}

// drawTags writes each cluster's name at the median of its points, for where the shape is the
// class's, and hue would be alone to distinguish them, or the legend has no space for all.
func drawTags(c vg.Canvas, f *frame, ids, rows []int, cluster func(row int) int,
	name func(id int) string, place func(row int) vg.Point) {
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
		text := tagText(face, name(id), id, len(ids))
		f.drawTag(c, face, text, vg.Point{X: vg.Length(xs[len(xs)/2]), Y: vg.Length(ys[len(ys)/2])},
			clusterLook(id))
	}
}

// drawTag draws a tag within the axes.
func (f *frame) drawTag(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	half := face.Width(text)/2 + 4
	at.X = min(max(at.X, f.xs.from+half), f.xs.to-half)
	tagAt(c, face, text, at, l)
}

// tagAt draws text in a box around a point.
func tagAt(c vg.Canvas, face font.Face, text string, at vg.Point, l look) {
	w, half := face.Width(text), tagHeight(face)/2
	frame := box(vg.Rectangle{Min: vg.Point{X: at.X - w/2 - 3, Y: at.Y - half},
		Max: vg.Point{X: at.X + w/2 + 3, Y: at.Y + half}})
	c.SetColor(faded(white, 0.88))
	c.Fill(frame)
	stroke(c, frame, l.hue, 0.9)
	c.SetColor(ink)
	c.FillString(face, vg.Point{X: at.X - w/2, Y: at.Y - face.Font.Size*0.36}, text)
}

// tagHeight is that of a box around text.
func tagHeight(face font.Face) vg.Length { return 1.2*face.Font.Size + 2.4 }
