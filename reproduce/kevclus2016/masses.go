package kevclus2016

import (
	"context"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// butterflyD0 is d0 of Example 4.
const butterflyD0 = 11

// spread fits the butterfly as Example 4 does. The paper does not state how often it started; here
// the best of ten starts counts. ω1 is the cluster of object 9, as in Figure 2.
func spread(ctx context.Context, seed uint64) (*evclus.Result, error) {
	o, err := between(butterfly, nil, 2, 0)
	if err != nil {
		return nil, err
	}
	r, err := evclus.Fit(ctx, o.Source,
		evclus.Config{
			Clusters: 2,
			D0:       evclus.D0{Value: butterflyD0},
			Limits:   fit.Limits{Tolerance: tolerance, Starts: 10},
			Options:  fit.Options{Seed: seed, Threads: 1},
		})
	if err != nil {
		return nil, err
	}
	if pl := r.Credal.Possibilistic(); pl[2*8+1] > pl[2*8] {
		err = r.Credal.Relabel([]int{1, 0})
	}
	return r, err
}

// massKey is the key of the butterfly's masses, whose objects are the starts.
var massKey = frame.Key{Part: partMasses, Set: "butterfly", Draw: 1}

// massUnit fits the butterfly.
func massUnit(p frame.Plan) frame.Unit {
	return frame.Unit{Key: massKey, Starts: butterfly.Rows, Methods: []string{irqp},
		Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			r, err := spread(ctx, fitSeed(p, key))
			if err != nil {
				return nil, err
			}
			all := make([]frame.Values, r.Credal.Len())
			for i := range all {
				all[i] = frame.Values{}
				for l, m := range r.Credal.Row(i) {
					all[i][massNames[l]] = m
				}
			}
			return all, nil
		}}
}

// massNames are the measures of the masses, in the order of the focal sets.
var massNames = []string{"m(∅)", "m(ω1)", "m(ω2)", "m(Ω)"}
