package plot

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
)

// shades brings a value in 0..1 to a colour between those of a scale, the lightness of which rises
// or falls throughout.
type shades []color.NRGBA

func (s shades) at(v float64) color.NRGBA {
	v = share(v) * float64(len(s)-1)
	k := min(int(v), len(s)-2)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + float64((v-float64(k))*(float64(b)-float64(a)))))
	}
	a, b := s[k], s[k+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// closeness runs from dark, near, to light, far; crowding from white, none, to dark. Their
// lightness alone shows the order.
var (
	closeness = shades{{0x0D, 0x1F, 0x4D, 255}, {0x26, 0x5C, 0x8C, 255}, {0x5F, 0x9C, 0x98, 255},
		{0xC4, 0xC6, 0x8E, 255}, {0xFF, 0xF8, 0xDC, 255}}
	crowding = shades{{0xF4, 0xF8, 0xFB, 255}, {0xA6, 0xCB, 0xE3, 255}, {0x3F, 0x86, 0xBC, 255},
		{0x0B, 0x3C, 0x73, 255}}
)

// drawCells fills the rectangle with across×down cells; hue returns that of a cell by its column,
// from the left, and its row, from the top. Each cell has several pixels, so that no reader of the
// picture blurs it away.
func drawCells(c vg.Canvas, r vg.Rectangle, across, down int,
	hue func(column, row int) color.NRGBA) {
	times := max(1, 600/max(across, down))
	img := image.NewNRGBA(image.Rect(0, 0, across*times, down*times))
	for row := range down {
		top := img.Pix[row*times*img.Stride : (row*times+1)*img.Stride]
		for x := range across * times {
			v := hue(x/times, row)
			top[4*x], top[4*x+1], top[4*x+2], top[4*x+3] = v.R, v.G, v.B, v.A
		}
		for y := 1; y < times; y++ {
			copy(img.Pix[(row*times+y)*img.Stride:], top)
		}
	}
	c.DrawImage(r, img)
}

// scaleSection explains shades: a bar from the highest value, above, with its labels beside.
func scaleSection(heading string, scale shades, values []tick,
	place func(v float64) float64) section {
	sec := section{heading: heading}
	for k := len(values) - 1; k >= 0; k-- {
		here := place(values[k].value)
		above, below := here, here
		if k+1 < len(values) {
			above = (here + place(values[k+1].value)) / 2
		}
		if k > 0 {
			below = (here + place(values[k-1].value)) / 2
		}
		sec.entries = append(sec.entries, entry{
			sample: func(c vg.Canvas, at vg.Point) {
				const slices = 8
				for q := range slices {
					part := (float64(q) + 0.5) / slices
					v := below + float64(2*part*(here-below))
					if part > 0.5 {
						v = here + float64((2*part-1)*(above-here))
					}
					y := at.Y - entryHeight/2 + entryHeight*vg.Length(q)/slices
					top := min(y+entryHeight/slices+1, at.Y+entryHeight/2+0.2)
					fill(c, box(rectangle(at.X-6, y, at.X+6, top)), scale.at(v))
				}
			},
			name: values[k].label,
		})
	}
	return sec
}
