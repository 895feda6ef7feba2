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
	if f.cfg.Transform == Rank || cfg.Auto || cfg == (D0{}) {
		sample = f.store.sample(most)
	}
	var err error
	switch {
	case f.cfg.Transform == Rank:
		f.note("Dissimilarities were taken as ranks, so d0 means nothing.")
	case d0 > 0:
		f.note("d0 is %.4g, as given.", d0)
	case cfg.Auto:
		if d0, err = f.autoD0(ctx, sample); err != nil {
			return err
		}
		f.res.auto = true
		f.note("d0 is %.4g: "+byStart+".", d0)
	case cfg.Quantile > 0:
		if d0, err = f.store.quantile(ctx, cfg.Quantile, f.cfg.Threads); err != nil {
			return err
		}
		f.note("d0 is %.4g, the %.4g quantile of the dissimilarities used.", d0, cfg.Quantile)
	default:
		if d0, err = f.usualD0(ctx, sample); err != nil {
			return err
		}
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

// byStart is why d0 is what D0.Auto makes it.
const byStart = "as many pairs then plausibly belong together as the starting clusters " +
	"put together"

// usualQuantile is the quantile of usualD0. Where there are more clusters than fewClusters,
// usualD0 takes the d0 of D0.Auto if it is smaller, and otherwise if it is below muchSmaller of the
// quantile.
const (
	usualQuantile = 0.9
	fewClusters   = 8
	muchSmaller   = 0.5
)

// usualD0 returns the 0.9 quantile, which suits few clusters, or the d0 of D0.Auto where that is
// smaller and there are many, or it is much smaller. Under a d0 that is larger than it need be
// neighbouring clusters are one.
func (f *fitter) usualD0(ctx context.Context, sample []float32) (float64, error) {
	wide, err := f.store.quantile(ctx, usualQuantile, f.cfg.Threads)
	if err != nil || !(wide > 0) {
		return wide, err
	}
	auto, err := f.autoD0(ctx, sample)
	if err != nil {
		return 0, err
	}
	if auto > 0 && auto < wide &&
		(f.cfg.Clusters > fewClusters || auto < float64(muchSmaller*wide)) {
		f.res.auto = true
		f.note("d0 is %.4g: "+byStart+"; under the 0.9 quantile, %.4g, more do.", auto, wide)
		return auto, nil
	}
	f.note("d0 is %.4g, the 0.9 quantile of the dissimilarities used.", wide)
	return wide, nil
}

// autoD0 returns the d0 of D0.Auto.
func (f *fitter) autoD0(ctx context.Context, sample []float32) (float64, error) {
	var labels []int32
	if len(f.starts) > 0 {
		labels = f.starts[0]
	} else {
		var err error
		if labels, err = nearestMedoids(ctx, f.src, f.cfg.Clusters, f.cfg.Seed,
			f.cfg.Threads); err != nil {
			return 0, err
		}
	}
	return autoD0(sample, labels, f.cfg.Clusters, f.cfg.Transform, f.cfg.Tail), nil
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
