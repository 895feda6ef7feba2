package plot

import (
	"math"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/link"
)

// lineStyle returns ink, width and dashes of a kind of link.
func lineStyle(k link.Kind) (look, vg.Length, []vg.Length) {
	switch k {
	case link.MustLink:
		return look{hue: ink}, 1, nil
	case link.CannotLink:
		return look{hue: apart}, 1, []vg.Length{4, 2.4}
	}
	return look{hue: soft}, 1, []vg.Length{1, 2}
}

// manyLinks is the number of links beyond which they lie behind the points, thinner and fainter the
// more there are; fewer lie in front on a white halo.
const manyLinks = 40

// drawLinks draws links between the positions of their rows: unknown answers first and must-links
// last.
func drawLinks(c vg.Canvas, links []link.Link, place func(row int) vg.Point) {
	thinner := min(1, math.Sqrt(manyLinks/float64(max(1, len(links)))))
	for _, kind := range []link.Kind{link.Unknown, link.CannotLink, link.MustLink} {
		l, width, dashes := lineStyle(kind)
		for _, pair := range links {
			if pair.Kind == kind {
				p := polyline(place(pair.A), place(pair.B))
				if thinner == 1 {
					stroke(c, p, faded(white, 0.6), width+1.2)
				}
				stroke(c, p, faded(l.hue, max(0.25, 0.85*thinner)),
					max(0.5, width*vg.Length(thinner)), dashes...)
			}
		}
	}
}

// linkEntries explains the kinds of links that occur.
func linkEntries(links []link.Link) (entries []entry) {
	count := map[link.Kind]int{}
	for _, l := range links {
		count[l.Kind]++
	}
	for _, kind := range []link.Kind{link.MustLink, link.CannotLink, link.Unknown} {
		if count[kind] == 0 {
			continue
		}
		l, width, dashes := lineStyle(kind)
		entries = append(entries, entry{
			sample: dash(l.hue, width, dashes...),
			name: map[link.Kind]string{link.MustLink: "must-link", link.CannotLink: "cannot-link",
				link.Unknown: "not known"}[kind],
			count: inBrackets(count[kind]),
		})
	}
	return entries
}
