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

// axis has, for each pixel along an axis, which others it is made of.
type axis struct {
	first   []int // of the others
	begin   []int // of the weights of the others; one more than pixels
	weights []float32
}

// set makes an axis of to pixels from those of another: each is made of those under a triangle as
// wide as two of the coarser pixels, so that nothing is missed where it shrinks, and it is linear in
// between where it grows.
func (a *axis) set(from, to int) {
	scale := float64(from) / float64(to)
	reach := math.Max(1, scale)
	a.first, a.begin, a.weights = a.first[:0], append(a.begin[:0], 0), a.weights[:0]
	for i := range to {
		middle := (float64(i)+0.5)*scale - 0.5
		var sum float64
		lo, hi := int(math.Ceil(middle-reach)), int(math.Floor(middle+reach))
		lo, hi = max(lo, 0), min(hi, from-1)
		weight := func(j int) float64 { return math.Max(0, 1-math.Abs(float64(j)-middle)/reach) }
		for j := lo; j <= hi; j++ {
			sum += weight(j)
		}
		for lo < hi && weight(lo) == 0 { // as it may be at the ends
			lo++
		}
		a.first = append(a.first, lo)
		for j := lo; j <= hi && (weight(j) > 0 || j == lo); j++ {
			a.weights = append(a.weights, float32(weight(j)/sum))
		}
		a.begin = append(a.begin, len(a.weights))
	}
}

// of returns the first of the pixels that a pixel is made of, and the weights of these.
func (a *axis) of(i int) (first int, weights []float32) {
	return a.first[i], a.weights[a.begin[i]:a.begin[i+1]]
}

// levels are the numbers of bytes: looked up, they are there sooner than converted.
var levels = func() (out [256]float32) {
	for i := range out {
		out[i] = float32(i)
	}
	return out
}()

const stripPixels = 1 << 14 // which stay in the caches of a processor

// resample returns img at another size, on white. It goes through the picture once, a strip at a
// time.
func (w *workspace) resample(ctx context.Context, img image.Image, width, height int) (*canvas,
	error) {
	b := img.Bounds()
	out := w.canvas(width, height)
	w.across.set(b.Dx(), width)
	w.down.set(b.Dy(), height)
	strip := &image.RGBA{Stride: 4 * b.Dx(),
		Rect: image.Rect(0, 0, b.Dx(), max(1, min(b.Dy(), stripPixels/b.Dx())))}
	w.strip = sized(w.strip, strip.Stride*strip.Rect.Dy())
	strip.Pix = w.strip
	w.line = sized(w.line, 3*width)
	opaque := false
	switch img.(type) {
	case *image.Gray, *image.YCbCr:
		opaque = true // of others it would have to be looked for
	}
	made := 0 // of the rows of out
	for top := 0; top < b.Dy(); top += strip.Rect.Dy() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !opaque {
			draw.Draw(strip, strip.Rect, image.White, image.Point{}, draw.Src)
		}
		draw.Draw(strip, strip.Rect, img, image.Pt(b.Min.X, b.Min.Y+top), draw.Over)
		for y := top; y < min(b.Dy(), top+strip.Rect.Dy()); y++ {
			w.across.apply(w.line, strip.Pix[(y-top)*strip.Stride:])
			for to := made; to < height && w.down.first[to] <= y; to++ {
				first, weights := w.down.of(to)
				if y-first >= len(weights) {
					made = to + 1
					continue
				}
				weight := weights[y-first]
				row := out.rgb[3*width*to:][:len(w.line)]
				for i, v := range w.line {
					row[i] += float32(weight * v)
				}
			}
		}
	}
	return out, nil
}

// apply sets line to red, green and blue of the pixels of the axis, from pixels of RGBA.
func (a *axis) apply(line []float32, from []byte) {
	for x := range a.first {
		first, weights := a.of(x)
		var r, g, b float32
		pixels := from[4*first:][:4*len(weights)]
		for i, w := range weights {
			p := pixels[4*i : 4*i+4 : 4*i+4]
			r += float32(w * levels[p[0]])
			g += float32(w * levels[p[1]])
			b += float32(w * levels[p[2]])
		}
		line[3*x], line[3*x+1], line[3*x+2] = r, g, b
	}
}

// turned returns a picture turned by an EXIF orientation from 1 to 8.
func (w *workspace) turned(c *canvas, orientation int) *canvas {
	if orientation == 1 {
		return c
	}
	width, height := c.width, c.height
	if orientation >= 5 {
		width, height = c.height, c.width
	}
	out := w.canvas(width, height)
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
