package images

import (
	"bytes"

	"github.com/kindred-go/kindred/internal/smalljpeg"
)

// mostSpare is the most bytes of a workspace that is kept for the next picture.
const mostSpare = 4 << 20

// workspace is memory in which pictures are decoded and made smaller, one after another: were it
// allocated for each, a server, which lets little garbage pile up, would do little but collect it.
type workspace struct {
	album        *Album
	file         []byte
	jpeg         smalljpeg.Decoder
	strip, paper []byte // pixels of RGBA
	line         []float32
	across, down axis
	canvases     []*canvas
	used         int // of the canvases
	encoded      bytes.Buffer
}

// workspace returns a workspace of its caller alone, until it is released.
func (a *Album) workspace() *workspace {
	if w, ok := a.spare.Get().(*workspace); ok {
		return w
	}
	return &workspace{album: a}
}

// release leaves the workspace, and canvases of it, to others.
func (w *workspace) release() {
	size := cap(w.file) + w.jpeg.Size() + cap(w.strip) + cap(w.paper) + 4*cap(w.line) +
		w.encoded.Cap()
	for _, c := range w.canvases {
		size += 4 * cap(c.rgb)
	}
	if size <= mostSpare {
		w.album.spare.Put(w)
	}
}

// canvas returns a black canvas, which lasts until the next picture is shrunk.
func (w *workspace) canvas(width, height int) *canvas {
	if w.used == len(w.canvases) {
		w.canvases = append(w.canvases, &canvas{})
	}
	c := w.canvases[w.used]
	w.used++
	c.width, c.height, c.rgb = width, height, sized(c.rgb, 3*width*height)
	clear(c.rgb)
	return c
}

// sized returns n of what is held, or new ones; what they are is open.
func sized[T any](held []T, n int) []T {
	if cap(held) < n {
		return make([]T, n)
	}
	return held[:n]
}
