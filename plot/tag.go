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
func (s *cloudScene) drawTags(c vg.Canvas, ids []int, cluster func(row int) int) {
	face := bold(legendSize)
	for _, id := range ids {
		if id == 0 {
			continue
		}
		var xs, ys []vg.Length
		for _, row := range s.rows {
			if cluster(row) == id {
				p := s.place(row)
				xs, ys = append(xs, p.X), append(ys, p.Y)
			}
		}
		if len(xs) == 0 {
			continue
		}
		slices.Sort(xs)
		slices.Sort(ys)
		s.drawTag(c, face, tagText(face, s.name(id), id, len(ids)),
			vg.Point{X: xs[len(xs)/2], Y: ys[len(ys)/2]}, clusterLook(id))
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
	fill(c, frame, faded(white, 0.88))
	stroke(c, frame, l.hue, 0.9)
	write(c, face, ink, vg.Point{X: at.X - w/2, Y: at.Y - face.Font.Size*0.36}, text)
}

// tagHeight is that of a box around text.
func tagHeight(face font.Face) vg.Length { return 1.2*face.Font.Size + 2.4 }
