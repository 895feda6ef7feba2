package images

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"

	"github.com/kindred-go/kindred/fault"
)

// maxThumbnail is the longest side of a thumbnail.
const maxThumbnail = 2048

// Thumbnail returns a picture anew, its longer side at most size pixels (from 1 to 2048; it is
// never enlarged), upright and on white: as PNG where it has few colours, as a drawing has, and as
// JPEG otherwise. Nothing else of the file is passed on: no byte of it, no metadata. The data may
// be kept for others, so they must not be changed.
//
// A name that [CleanName] refuses, a missing file, what is no picture, and a picture that is broken
// or too large are a [*fault.Input]. If ctx is cancelled, its error is returned.
func (a *Album) Thumbnail(ctx context.Context, name string, size int) (data []byte,
	contentType string, err error) {
	if size < 1 || size > maxThumbnail {
		return nil, "", &fault.Input{
			Problem: fmt.Sprintf("a picture of %d pixels was asked for", size),
			Fix:     fmt.Sprintf("ask for 1 to %d", maxThumbnail),
		}
	}
	_, info, err := a.look(name)
	if err != nil {
		return nil, "", err
	}
	key := thumbKey{name, size, info.Size(), info.ModTime()}
	t := a.thumbs.get(key)
	if t == nil {
		t = a.taken(ctx, key)
	}
	if t == nil {
		w := a.workspace()
		defer w.release()
		c, err := w.shrunk(ctx, name, false, inside(size))
		if err != nil {
			return nil, "", err
		}
		t = &thumb{key: key}
		if t.data, t.contentType, err = w.encode(c[0]); err != nil {
			return nil, "", err
		}
	}
	a.thumbs.put(t)
	return t.data, t.contentType, nil
}

// inside fits pictures into a square of so many pixels a side, without enlarging them.
func inside(size int) sizing {
	return func(width, height int) (int, int) { return within(width, height, size) }
}

// within returns the size of a picture whose longer side is at most size.
func within(width, height, size int) (int, int) {
	longer := max(width, height)
	if longer <= size {
		return width, height
	}
	side := func(n int) int { return max(1, (n*size+longer/2)/longer) }
	return side(width), side(height)
}

// encode returns the picture as a file.
func (w *workspace) encode(c *canvas) (data []byte, contentType string, err error) {
	w.paper = sized(w.paper, 4*c.width*c.height)
	img := &image.RGBA{Pix: w.paper, Stride: 4 * c.width, Rect: image.Rect(0, 0, c.width, c.height)}
	colours := map[[3]byte]bool{}
	for i := range c.width * c.height {
		var p [3]byte
		for j := range p {
			p[j] = byte(float64(min(max(c.rgb[3*i+j], 0), 255)) + 0.5) // half up
		}
		copy(img.Pix[4*i:], p[:])
		img.Pix[4*i+3] = 255
		if len(colours) <= fewColours {
			colours[p] = true
		}
	}
	out := &w.encoded
	out.Reset()
	if len(colours) <= fewColours {
		err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(out, img)
		return bytes.Clone(out.Bytes()), "image/png", err
	}
	err = jpeg.Encode(out, img, &jpeg.Options{Quality: 85})
	return bytes.Clone(out.Bytes()), "image/jpeg", err
}

// fewColours is what a drawing has at most. Shades of grey are few, too, and stay as sharp as they
// are.
const fewColours = 256
