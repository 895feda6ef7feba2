package ecm

import (
	"cmp"
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Place returns the masses of further rows by the centres and metrics of a fit of [Fit] or
// [FitCredal], whose configuration is cfg: those of least objective. Links mean nothing, so that of
// the rows of the fit those that have links may get others than it found. The masses of a row do not
// depend on the rows that it is placed with, nor on the threads. Bad input is a [*fault.Input].
func (r *Result) Place(ctx context.Context, data dataset.Matrix, cfg Config) (*credal.Partition,
	error) {
	cfg = cfg.withDefaults(2, 1, 1)
	at := r.Centers
	fr, err := newFrame(cfg)
	if err = cmp.Or(cfg.check(at.Rows), err); err != nil {
		return nil, err
	}
	if data.Cols != at.Cols || at.Rows != cfg.Clusters || !(r.NoiseDistance > 0) ||
		r.Barycentre > 0 && r.Metric != fit.Euclidean {
		return nil, fault.Inputf("give the columns and the configuration of the fit",
			"rows of %d columns cannot be placed into %d clusters by %d×%d centres and a noise "+
				"distance of %g", data.Cols, cfg.Clusters, at.Rows, at.Cols, r.NoiseDistance)
	}
	x := &vectors{data: data, n: data.Rows, d: at.Cols, origin: at.AppendRow(nil, 0), scale: 1}
	most := r.NoiseDistance
	for i := range at.Rows {
		for j, v := range at.AppendRow(nil, i) {
			most = max(most, math.Abs(v-x.origin[j]))
		}
	}
	_, exp := math.Frexp(most)
	x.scale = math.Ldexp(1, min(1000, -exp))
	e := newEngine(x, fr, cfg, r.Barycentre, r.NoiseDistance*x.scale)
	e.at, e.strange = x.inwards(at), true
	if r.Metric != fit.Euclidean {
		e.shapes = placing(fr, x.d, r.Metric == fit.Full, r.Roots)
	}
	e.place()
	out := fr.partition(x.n)
	err = parallel.Blocks(ctx, x.n, 256, cfg.Threads, func(_, lo, hi int) {
		w := e.newWorker()
		for i := lo; i < hi; i++ {
			e.costs(w, i)
			e.pow.masses(out.Row(i), w.w, e.limit)
		}
	})
	return out, err
}

// placing returns the metrics that clusters learnt, by their roots.
func placing(fr *frame, d int, full bool, roots []float64) *shapes {
	size := len(roots) / fr.c
	s := &shapes{full: full, d: d, size: size, of: make([]float64, len(roots)),
		sets: make([]float64, len(fr.size)*size)}
	for k := range fr.c {
		s.square(s.of[k*size:(k+1)*size], roots[k*size:(k+1)*size])
	}
	fr.barycentres(s.sets, s.of, size)
	return s
}
