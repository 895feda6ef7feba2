package evclus

import (
	"context"
	"math"
	"slices"
)

// chooseD0 settles the transform.
func (f *fitter) chooseD0(ctx context.Context) error {
	cfg := f.cfg.D0
	d0 := cfg.Value
	const most = 200_000
	var sample []float32
	if f.cfg.Transform == Rank || cfg.Auto {
		sample = f.store.sample(most)
	}
	switch {
	case f.cfg.Transform == Rank:
		f.note("Dissimilarities were taken as ranks, so d0 means nothing.")
	case d0 > 0:
		f.note("d0 is %.4g, as given.", d0)
	case cfg.Auto:
		labels := f.starts[0]
		if labels == nil {
			var err error
			if labels, err = nearestMedoids(ctx, f.src, f.cfg.Clusters, f.cfg.Seed,
				f.cfg.Threads); err != nil {
				return err
			}
		}
		d0 = autoD0(sample, labels, f.cfg.Clusters, f.cfg.Transform, f.cfg.Tail)
		f.note("d0 is %.4g: as many pairs then plausibly belong together as the starting "+
			"clusters put together.", d0)
	default:
		var err error
		if d0, err = f.store.quantile(ctx, cfg.Quantile, f.cfg.Threads); err != nil {
			return err
		}
		f.note("d0 is %.4g, the %.4g quantile of the dissimilarities used.", d0, cfg.Quantile)
	}
	if f.cfg.Transform != Rank && !(d0 > 0) {
		return badD0(d0)
	}
	f.scale = newScale(f.cfg.Transform, d0, f.cfg.Tail, sample)
	if math.IsInf(f.scale.gamma, 0) || math.IsNaN(f.scale.gamma) {
		return badD0(d0)
	}
	return nil
}

// autoD0 finds the d0 under which the mean of 1 − δ, the plausibility of "same", is the share of
// pairs that the starting clusters put together. sample holds dissimilarities of pairs drawn
// evenly.
func autoD0(sample []float32, labels []int32, clusters int, t Transform, tail float64) float64 {
	size := make([]float64, clusters)
	for _, l := range labels {
		size[l]++
	}
	n, together := float64(len(labels)), 0.0
	for _, s := range size {
		together += s * (s - 1) / (n * (n - 1))
	}
	top := float64(slices.Max(sample))
	lo, hi := 0.0, 4*top
	delta := make([]float32, len(sample))
	for range 40 {
		mid := (lo + hi) / 2
		c := newScale(t, mid, tail, nil)
		c.apply(delta, sample)
		same := 0.0
		for _, v := range delta {
			same += 1 - float64(v)
		}
		if same/float64(len(sample)) < together {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}
