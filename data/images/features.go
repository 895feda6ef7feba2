package images

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/safe"
)

// Config reports how pictures become vectors. The zero value works.
type Config struct {
	Features string // what is seen of a picture: one of [Kinds]; "" means the first
	// of the vectors, up to 624; 0 means 64. Fewer where the pictures have no more
	Dimensions int
	// decode every pixel, as editions did that made slightly other vectors of large JPEGs
	Exact      bool
	SkipBroken bool // leave out pictures that cannot be read, with a note, instead of failing
	Threads    int  // 0 means one per processor; the result does not depend on it

	// Progress, if not nil, is called with what is being done and the share of it that is done, in
	// [0, 1]. It is called by one goroutine at a time.
	Progress func(what string, share float64)
}

// Features are pictures as vectors.
type Features struct {
	// one row per picture, float32, centred; to be compared as they are, without scaling columns
	Matrix dataset.Matrix
	Rows   []int // which of the names each row is, ascending
	// what a person should know, in sentences: pictures left out, and why the first of them are
	Notes []string
}

// fitted is the number of pictures, drawn at random, that the main directions are found from.
const fitted = 4096

// Features describes pictures by what can be seen, so that those that look alike lie close, by
// default by shapes: histograms of the orientations of edges by position ([Dalal and Triggs]),
// lightness and colours by place, brought down to their main directions. Each picture is stretched
// to a square. Over the pictures at hand colours vary as much as outlines do, and lightness a
// tenth of that, unless they hardly vary at all, as in grey pictures. By pixels, a picture is the
// lightness and colours of 16 × 16 places: what matters is where it is light or red, however the
// edges run.
//
// JPEGs several times as large as what is looked at are decoded at a half, a quarter or an eighth
// of their size, unless cfg.Exact is set.
//
// K-means with the true number of classes (10 starts), adjusted Rand index by these vectors and by
// the bare pixels: the 1797 handwritten digits of 8 × 8 pixels .81 and .67, the first 2500 test
// images of MNIST .63 and .39, 20 people on 624 photographs of 32 × 30 pixels .91 and .50.
//
// Where thumbnails are kept ([Album.Keep]), those that are not there yet are made beside the
// vectors, as a rule by decoding the picture once. The vectors do not depend on it.
//
// A picture that cannot be read is a [*fault.Input], as in [Album.Thumbnail], unless
// cfg.SkipBroken is set; so are names none of which is a picture. If ctx is cancelled, its error
// is returned.
//
// [Dalal and Triggs]: https://doi.org/10.1109/CVPR.2005.177
func (a *Album) Features(ctx context.Context, names []string, cfg Config) (*Features, error) {
	return a.features(ctx, names, cfg, fitted)
}

func (a *Album) features(ctx context.Context, names []string, cfg Config, most int) (*Features,
	error) {
	if cfg.Dimensions < 0 || cfg.Dimensions > rawSize {
		return nil, &fault.Input{
			Problem: fmt.Sprintf("%d dimensions asked for", cfg.Dimensions),
			Fix:     fmt.Sprintf("ask for 1 to %d, or 0 for the default", rawSize),
		}
	}
	kind, err := view(cfg.Features)
	if err != nil {
		return nil, err
	}
	if cfg.Dimensions == 0 {
		cfg.Dimensions = 64
	}
	if cfg.Progress == nil {
		cfg.Progress = func(string, float64) {}
	}
	r := &reading{album: a, names: names, cfg: cfg, view: kind, faults: map[int]error{}}
	if r.keeper, err = a.keeper(ctx, names); err != nil {
		return nil, err
	}
	defer r.keeper.close()
	first, rest := part(len(names), most)
	sample, err := r.describe(ctx, first, nil)
	if err != nil {
		return nil, err
	}
	if len(sample) == 0 {
		return nil, r.nothing()
	}
	axes, err := findAxes(ctx, sample, kind, cfg)
	if err != nil {
		return nil, err
	}
	placed := make([]float32, len(names)*axes.count)
	put := func(name int, raw []float64) { axes.place(placed[name*axes.count:][:axes.count], raw) }
	for _, s := range sample {
		put(s.name, s.raw)
	}
	if _, err := r.describe(ctx, rest, put); err != nil {
		return nil, err
	}
	if err := r.keeper.flush(ctx); err != nil {
		return nil, err
	}
	return r.finish(placed, axes.count)
}

// part draws at most most of n pictures, always the same, and returns them and the rest. Even steps
// would not do: pictures may follow each other in a pattern.
func part(n, most int) (first, rest []int) {
	drawn := draw.Rising(rand.New(rand.NewPCG(1, 2)), 0, n-1, min(n, most))
	for i := range n {
		if len(drawn) > 0 && int(drawn[0]) == i {
			first, drawn = append(first, i), drawn[1:]
		} else {
			rest = append(rest, i)
		}
	}
	return first, rest
}

// reading goes through pictures, and keeps what went wrong.
type reading struct {
	album  *Album
	names  []string
	cfg    Config
	view   seen
	keeper *keeper // of thumbnails
	done   int
	faults map[int]error // by name
}

// described is a picture as it was seen.
type described struct {
	name int
	raw  []float64
}

// wave is the number of pictures between two reports of progress.
const wave = 64

// describe looks at some of the pictures. What it sees goes to put, which may be called by several
// goroutines at once, or, where there is none, is returned in order.
func (r *reading) describe(ctx context.Context, which []int,
	put func(name int, raw []float64)) ([]described, error) {
	var out []described
	var raws [wave][]float64
	var errs [wave]error
	var thumbs [wave][]byte
	for from := 0; from < len(which); from += wave {
		now := which[from:min(len(which), from+wave)]
		err := parallel.Blocks(ctx, len(now), 1, r.cfg.Threads, func(i, _, _ int) {
			raws[i] = nil
			w := r.album.workspace()
			defer w.release()
			var c *canvas
			if c, thumbs[i], errs[i] = r.look(ctx, w, now[i]); errs[i] != nil {
				return
			}
			if raws[i] = r.view.describe(c); put != nil {
				put(now[i], raws[i])
			}
		})
		if err != nil {
			return nil, err
		}
		for i, name := range now {
			switch {
			case errs[i] == nil && put == nil:
				out = append(out, described{name, raws[i]})
			case errs[i] != nil && !(r.cfg.SkipBroken && fault.IsInput(errs[i])):
				return nil, errs[i]
			case errs[i] != nil:
				r.faults[name] = errs[i]
			}
		}
		if err := r.keeper.add(ctx, now, thumbs[:len(now)]); err != nil {
			return nil, err
		}
		r.done += len(now)
		r.cfg.Progress("looking at pictures", float64(r.done)/float64(len(r.names)))
	}
	return out, nil
}

// look returns a picture as it is described, which lasts as long as w is used for no other, and its
// thumbnail where one is to be kept. Where both cannot be had at once, the picture counts.
func (r *reading) look(ctx context.Context, w *workspace, picture int) (c *canvas, thumb []byte,
	err error) {
	square := func(int, int) (int, int) { return side, side }
	if r.keeper.wants(picture) {
		both, err := w.shrunk(ctx, r.names[picture], r.cfg.Exact, square, inside(ahead))
		if err == nil {
			thumb, _, err = w.encode(both[1])
		}
		if err == nil {
			return both[0], thumb, nil
		}
	}
	alone, err := w.shrunk(ctx, r.names[picture], r.cfg.Exact, square)
	if err != nil {
		return nil, nil, err
	}
	return alone[0], nil, nil
}

// finish leaves out the rows of pictures that could not be read.
func (r *reading) finish(placed []float32, count int) (*Features, error) {
	if len(r.faults) == len(r.names) {
		return nil, r.nothing()
	}
	f := &Features{}
	kept := placed[:0]
	for i := range r.names {
		if r.faults[i] == nil {
			f.Rows = append(f.Rows, i)
			kept = append(kept, placed[i*count:(i+1)*count]...)
		}
	}
	f.Matrix = dataset.Matrix{Rows: len(f.Rows), Cols: count, F32: kept}
	if len(r.faults) > 0 {
		f.Notes = append(f.Notes,
			leftOut(len(r.faults), "picture", "broken or missing", r.firstFaults()))
	}
	if note := r.keeper.note(); note != "" {
		f.Notes = append(f.Notes, note)
	}
	return f, nil
}

func (r *reading) firstFaults() (first []string) {
	for i, name := range r.names {
		if err := r.faults[i]; err != nil && len(first) < named {
			first = append(first, safe.Line(name)+" "+problem(err))
		}
	}
	return first
}

func (r *reading) nothing() error {
	if len(r.names) == 0 {
		return &fault.Input{Problem: "there are no pictures",
			Fix: "name a folder or a column of pictures"}
	}
	return &fault.Input{
		Problem: leftOut(len(r.faults), "picture", "broken or missing",
			r.firstFaults()) + "; none is left", Fix: "check the folder",
	}
}
