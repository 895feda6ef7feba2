package images

import (
	"context"
	"crypto/sha256"

	"github.com/kindred-go/kindred/internal/parallel"
)

// Look is what a picture is by its file and header, before it is decoded.
type Look struct {
	Format        string   // as "PNG"; "" where the file is no picture that can be read
	Width, Height int      // pixels, upright
	Sum           [32]byte // SHA-256 of the file
	Problem       string   // why it cannot be read, as "is empty"; "" where nothing is known
}

// Survey looks at the files and headers of pictures, and decodes at most decoded of them, spread
// over all and always the same, to see whether they are whole. It returns a look at each, in the
// order of names, and how many were decoded. progress, if not nil, is called with the share that is
// done; calls never overlap. If ctx is cancelled, its error is returned.
func (a *Album) Survey(ctx context.Context, names []string, decoded, threads int,
	progress func(share float64)) (looks []Look, tried int, err error) {
	looks = make([]Look, len(names))
	first, _ := part(len(names), decoded)
	chosen := make([]bool, len(names))
	for _, i := range first {
		chosen[i] = true
	}
	for from := 0; from < len(names); from += wave {
		n := min(wave, len(names)-from)
		err := parallel.Blocks(ctx, n, 1, threads, func(i, _, _ int) {
			looks[from+i] = a.surveyed(ctx, names[from+i], chosen[from+i])
		})
		if err != nil {
			return nil, 0, err
		}
		if progress != nil {
			progress(float64(from+n) / float64(len(names)))
		}
	}
	return looks, len(first), ctx.Err()
}

// surveyed looks at one picture, and at its pixels where decoded is true.
func (a *Album) surveyed(ctx context.Context, name string, decoded bool) (l Look) {
	w := a.workspace()
	defer w.release()
	data, done, err := w.read(ctx, name)
	if err != nil {
		l.Problem = problem(err)
		return l
	}
	l.Sum = sha256.Sum256(data)
	h, err := w.album.inspect(name, data)
	done()
	if err != nil {
		l.Problem = problem(err)
		return l
	}
	l.Format, l.Width, l.Height = string(h.kind), h.width, h.height
	if h.orientation >= 5 {
		l.Width, l.Height = l.Height, l.Width
	}
	if decoded {
		small := func(int, int) (int, int) { return 1, 1 }
		if _, err := w.shrunk(ctx, name, true, small); err != nil {
			l.Format, l.Problem = "", problem(err)
		}
	}
	return l
}
