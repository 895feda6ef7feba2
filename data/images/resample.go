package images

import (
	"context"
	"image"
	"image/draw"
	"math"
)

// canvas is a small picture: red, green and blue in [0, 255], pixel by pixel, row by row.
type canvas struct {
	width, height int
	rgb           []float32
}

// tap is a share of one pixel along an axis.
type tap struct {
	at     int
	weight float32
}

// taps returns, for each of to pixels along an axis, which of from pixels it is made of: those
// under a triangle as wide as two of the coarser pixels, so that nothing is missed where it
// shrinks, and it is linear in between where it grows.
func taps(from, to int) [][]tap {
	scale := float64(from) / float64(to)
	reach := math.Max(1, scale)
	out := make([][]tap, to)
	for i := range out {
		middle := (float64(i)+0.5)*scale - 0.5
		var sum float64
		lo, hi := int(math.Ceil(middle-reach)), int(math.Floor(middle+reach))
		weight := func(j int) float64 { return math.Max(0, 1-math.Abs(float64(j)-middle)/reach) }
		for j := max(lo, 0); j <= min(hi, from-1); j++ {
			sum += weight(j)
		}
		for j := max(lo, 0); j <= min(hi, from-1); j++ {
			if w := weight(j); w > 0 {
				out[i] = append(out[i], tap{j, float32(w / sum)})
			}
		}
	}
	return out
}

const stripPixels = 1 << 18

// resample returns img at another size, on white. It goes through the picture once, a strip at a
// time.
func resample(ctx context.Context, img image.Image, width, height int) (*canvas, error) {
	b := img.Bounds()
	out := &canvas{width: width, height: height, rgb: make([]float32, 3*width*height)}
	across := taps(b.Dx(), width)
	// Which rows each row of the picture goes to.
	down := make([][]tap, b.Dy())
	for y, row := range taps(b.Dy(), height) {
		for _, t := range row {
			down[t.at] = append(down[t.at], tap{y, t.weight})
		}
	}
	strip := image.NewRGBA(image.Rect(0, 0, b.Dx(), max(1, min(b.Dy(), stripPixels/b.Dx()))))
	line := make([]float32, 3*width)
	for top := 0; top < b.Dy(); top += strip.Rect.Dy() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		draw.Draw(strip, strip.Rect, img, image.Pt(b.Min.X, b.Min.Y+top), draw.Over)
		for y := top; y < min(b.Dy(), top+strip.Rect.Dy()); y++ {
			from := strip.Pix[(y-top)*strip.Stride:]
			for x, row := range across {
				var r, g, b float32
				for _, t := range row {
					p := from[4*t.at : 4*t.at+3]
					r += float32(t.weight * float32(p[0]))
					g += float32(t.weight * float32(p[1]))
					b += float32(t.weight * float32(p[2]))
				}
				line[3*x], line[3*x+1], line[3*x+2] = r, g, b
			}
			for _, t := range down[y] {
				to := out.rgb[3*width*t.at:][:3*width]
				for i, v := range line {
					to[i] += float32(t.weight * v)
				}
			}
		}
	}
	return out, nil
}

// turned returns the picture turned by an EXIF orientation from 1 to 8.
func (c *canvas) turned(orientation int) *canvas {
	if orientation == 1 {
		return c
	}
	out := &canvas{width: c.width, height: c.height, rgb: make([]float32, len(c.rgb))}
	if orientation >= 5 {
		out.width, out.height = c.height, c.width
	}
	for y := range out.height {
		for x := range out.width {
			fx, fy := x, y
			if orientation >= 5 {
				fx, fy = y, x
			}
			// Mirrored from left to right: 2 and 3, and of those on their side 7 and 8; upside
			// down: 3 and 4, and 6 and 7.
			switch orientation {
			case 2, 3, 7, 8:
				fx = c.width - 1 - fx
			}
			switch orientation {
			case 3, 4, 6, 7:
				fy = c.height - 1 - fy
			}
			copy(out.rgb[3*(y*out.width+x):][:3], c.rgb[3*(fy*c.width+fx):])
		}
	}
	return out
}
