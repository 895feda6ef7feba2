package images

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/smalljpeg"
)

// heavy is the cost of decoding a picture from which the memory that is free is looked at.
const heavy = 8 << 20

// header is what is known of a picture before it is decoded.
type header struct {
	kind          kind
	width, height int
	orientation   int   // from 1 to 8, as in EXIF
	cost          int64 // of decoding it, in pixels of four bytes
}

// inspect reads the header of a picture, and refuses what is none, or too large.
func (a *Album) inspect(name string, data []byte) (header, error) {
	k, what := sniff(data[:min(len(data), sniffed)])
	if k == "" {
		return header{}, &fault.Input{File: name,
			Problem: "is " + what + ", not a picture that can be read", Fix: anew}
	}
	h := header{kind: k, orientation: 1}
	config, err := configOf(k, data)
	weight := int64(1)
	if err == nil {
		h.width, h.height = config.Width, config.Height
		switch config.ColorModel {
		case color.NRGBA64Model, color.RGBA64Model:
			weight = 2
		}
		// The size before the rest, since the checks of a TIFF count on one that is sensible.
		if err := a.bound(name, h); err != nil {
			return h, err
		}
		switch k {
		case kindJPEG:
			var progressive bool
			if h.orientation, progressive, err = checkJPEG(data); progressive {
				weight = 4 // it is kept as coefficients
			}
		case kindTIFF:
			h.orientation, err = checkTIFF(data)
		}
	}
	if err != nil {
		return h, broken(name, k, err)
	}
	h.cost = min(weight*int64(h.width)*int64(h.height), a.limits.Pixels)
	return h, nil
}

func (a *Album) bound(name string, h header) error {
	if h.width < 1 || h.height < 1 {
		return &fault.Input{File: name,
			Problem: fmt.Sprintf("has %d × %d pixels", h.width, h.height), Fix: anew}
	}
	if h.width > maxSide || h.height > maxSide || int64(h.width)*int64(h.height) > a.limits.Pixels {
		return &fault.Input{
			File: name,
			Problem: fmt.Sprintf("has %d × %d pixels, and %d in all, %d a side, are the most",
				h.width, h.height, a.limits.Pixels, maxSide),
			Fix: "save it smaller",
		}
	}
	return nil
}

func configOf(k kind, data []byte) (config image.Config, err error) {
	err = guarded(func() (err error) {
		if k == kindWebP {
			config.Width, config.Height, err = checkWebP(data)
		} else {
			config, err = decoders[k].config(bytes.NewReader(data))
		}
		return err
	})
	return config, err
}

func decode(k kind, r io.Reader) (img image.Image, err error) {
	err = guarded(func() (err error) {
		img, err = decoders[k].decode(r)
		return err
	})
	return img, err
}

// guarded turns a panic of a decoder, which a broken file must not be able to cause but may, into
// an error.
func guarded(do func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the decoder gave up: %v", p)
		}
	}()
	return do()
}

func broken(name string, k kind, err error) error {
	return &fault.Input{File: name, Problem: fmt.Sprintf("is a %s that cannot be read: %v", k, err),
		Fix: anew, Err: err}
}

// sizing returns the size at which a picture of a size is wanted.
type sizing func(width, height int) (int, int)

// shrunk reads a picture, upright and on white, at each size that is wanted of its own. Its bytes
// and pixels count as held no longer than the call, and what it returns lasts until the next call.
// Where exact is set, every pixel is decoded; otherwise a JPEG that is several times as large is
// decoded at a fraction of its size.
func (w *workspace) shrunk(ctx context.Context, name string, exact bool,
	wanted ...sizing) ([]*canvas, error) {
	w.used = 0
	data, done, err := w.read(ctx, name)
	if err != nil {
		return nil, err
	}
	defer done()
	h, err := w.album.inspect(name, data)
	if err != nil {
		return nil, err
	}
	out := make([]*canvas, len(wanted))
	var whole, reduced, by []int
	for i, want := range wanted {
		n := 1
		if !exact && h.kind == kindJPEG {
			n = h.reduction(h.sized(want, h.width, h.height))
		}
		if n > 1 {
			reduced, by = append(reduced, i), append(by, n)
		} else {
			whole = append(whole, i)
		}
	}
	place := func(img image.Image, which int, width, height int) error {
		c, err := w.resample(ctx, img, width, height)
		if err == nil {
			out[which] = w.turned(c, h.orientation)
		}
		return err
	}
	if reduced != nil {
		imgs, release, err := w.reduced(ctx, h, data, by)
		if err == nil {
			for k := 0; k < len(reduced) && err == nil; k++ {
				i := reduced[k]
				width, height := h.sized(wanted[i], h.width, h.height)
				err = place(imgs[k], i, width, height)
			}
			release()
		}
		switch {
		case errors.Is(err, smalljpeg.ErrUnsupported):
			whole = append(whole, reduced...)
		case err != nil:
			return nil, err
		}
	}
	if whole == nil {
		return out, nil
	}
	img, release, err := w.album.whole(ctx, name, h, data)
	if err != nil {
		return nil, err
	}
	defer release()
	for _, i := range whole {
		width, height := h.sized(wanted[i], img.Bounds().Dx(), img.Bounds().Dy())
		if err := place(img, i, width, height); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sized is the size at which a picture is wanted, on its side as it is in the file.
func (h header) sized(want sizing, width, height int) (int, int) {
	if h.orientation >= 5 {
		height, width = want(height, width)
		return width, height
	}
	return want(width, height)
}

// whole decodes a picture. Its pixels count as held until release is called.
func (a *Album) whole(ctx context.Context, name string, h header, data []byte) (img image.Image,
	release func(), err error) {
	if err := a.pixels.Acquire(ctx, h.cost); err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil {
			a.pixels.Release(h.cost)
		}
	}()
	if h.cost > heavy {
		in := memory.NewBudget().Check(4*float64(h.cost), "its pixels", "save it smaller")
		if in != nil {
			return nil, nil, in.In(name)
		}
	}
	img, err = decode(h.kind, contextReader{ctx, bytes.NewReader(data)})
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if err == nil && (img.Bounds().Dx() > h.width || img.Bounds().Dy() > h.height ||
		img.Bounds().Empty()) {
		err = fmt.Errorf("it has %d × %d pixels, but its header states %d × %d", img.Bounds().Dx(),
			img.Bounds().Dy(), h.width, h.height)
	}
	if err != nil {
		return nil, nil, broken(name, h.kind, err)
	}
	return img, func() { a.pixels.Release(h.cost) }, nil
}

// reduction returns by what number a JPEG may be divided while it is decoded, so that it stays a
// third larger than what is made of it.
func (h header) reduction(width, height int) int {
	for by := 8; by > 1; by /= 2 {
		if 3*h.width >= 4*by*width && 3*h.height >= 4*by*height {
			return by
		}
	}
	return 1
}

// reduced decodes a JPEG at fractions of its size. What it cannot read is
// [smalljpeg.ErrUnsupported]. The pixels count as held until release is called.
func (w *workspace) reduced(ctx context.Context, h header, data []byte,
	by []int) (imgs []image.Image, release func(), err error) {
	cost := int64(0)
	for _, n := range by {
		cost += max(1, h.cost/int64(n*n))
	}
	cost = min(cost, w.album.limits.Pixels)
	if err := w.album.pixels.Acquire(ctx, cost); err != nil {
		return nil, nil, err
	}
	err = guarded(func() (err error) {
		imgs, err = w.jpeg.Decode(ctx, data, by...)
		return err
	})
	if err != nil {
		w.album.pixels.Release(cost)
		return nil, nil, err
	}
	return imgs, func() { w.album.pixels.Release(cost) }, nil
}
