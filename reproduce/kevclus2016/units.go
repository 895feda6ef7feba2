package kevclus2016

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/reproduce/frame"
)

const tClusters = "t-clusters" // the set of simulated points

// units cuts the experiment into pieces. Nothing runs beside what is timed, which is all but the
// butterfly and the pairs' similarities.
func units(p frame.Plan) []frame.Unit {
	var list []frame.Unit
	add := func(u ...frame.Unit) { list = append(list, u...) }
	if p.Has(partMasses) {
		add(massUnit(p))
	}
	if set := p.Set("protein"); set != nil && p.Has(partProtein) {
		o := fromMatrix(set, 1) // d0 is the greatest dissimilarity
		add(descentUnit(p, frame.Key{Part: partProtein, Set: set.Name},
			func() (objects, error) { return o, nil }))
	}
	if p.Has(partSimulated) {
		add(descentUnit(p, frame.Key{Part: partSimulated, Set: tClusters},
			func() (objects, error) { return simulated(p, 200, 1, .8) }))
	}
	if p.Has(partGrowth) {
		for _, n := range sizes(p) {
			add(timed(p, sized(partGrowth)(n), p.Trials, growthMethods(n),
				func(draw int) (objects, error) { return simulated(p, n, draw, .8) },
				settings{carried: true}))
		}
	}
	for _, s := range sweeps(p) {
		add(partnerUnits(p, s)...)
	}
	if p.Has(partScaling) { // k = 100 partners, and 3√n neighbours
		for _, n := range scalingSizes {
			add(timed(p, sized(partScaling)(n), few(p), scalingMethods,
				func(draw int) (objects, error) { return simulated(p, n, draw, .9) },
				settings{partners: 100, neighbours: int(math.Round(3 * math.Sqrt(float64(n)))),
					quantile: .95}))
		}
	}
	if set := p.Set("sipu_s2"); set != nil && p.Has(partPairs) {
		add(pairUnits(p, set)...)
	}
	if p.Has(partSides) {
		add(sideUnits(p)...)
	}
	return list
}

// timed are the fits of some methods, one after the other, in so many repetitions, on the objects
// of each.
func timed(p frame.Plan, key frame.Key, draws int, methods []string,
	make func(draw int) (objects, error), fits settings) frame.Unit {
	return frame.Unit{Key: key, Draws: draws, Alone: true, Methods: methods,
		Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			o, err := make(key.Draw)
			if err != nil {
				return nil, err
			}
			own := fits
			own.seed = fitSeed(p, key)
			return frame.Map(methods, func(method string) (frame.Values, error) {
				return o.fit(ctx, method, &own)
			})
		}}
}

// sized returns the key of fits of n simulated points.
func sized(part string) func(n int) frame.Key {
	return func(n int) frame.Key {
		return frame.Key{Part: part, Set: tClusters, Setting: fmt.Sprintf("n = %d", n)}
	}
}

// fromMatrix returns a data set of dissimilarities as objects.
func fromMatrix(set *frame.Set, d0 float64) objects {
	return objects{Source: set.D, truth: set.Truth, clusters: set.Classes, d0: d0}
}

// simulated draws n points for a repetition, from 1.
func simulated(p frame.Plan, n, draw int, d0 float64) (objects, error) {
	points, truth := simulate(n, frame.Derive(p.Seed, "points", tClusters, n, draw))
	return between(points, truth, 4, d0)
}

// fitSeed is the seed of a fit.
func fitSeed(p frame.Plan, key frame.Key) uint64 {
	return frame.Derive(p.Seed, "fit "+key.Part+" "+key.Setting, key.Set, key.Draw, 0)
}

// descentUnit is the descents of Figures 6 and 7, or 9 and 10.
func descentUnit(p frame.Plan, key frame.Key, make func() (objects, error)) frame.Unit {
	return frame.Unit{Key: key, Draws: p.Trials, Alone: true, Starts: tracePoints,
		Methods: descents, Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			o, err := make()
			if err != nil {
				return nil, err
			}
			return o.descend(ctx, fitSeed(p, key))
		}}
}

// sizes returns the numbers of objects of Figure 11. The gradient is slow on many.
func sizes(p frame.Plan) []int {
	if p.Reduced {
		return []int{100, 200, 300}
	}
	return []int{100, 200, 300, 400, 500, 600}
}

// medianUpTo is the number of objects up to which the paper runs MECM.
const medianUpTo = 200

// growthMethods are the methods of Figure 11 and ours, with MECM where the paper has it.
func growthMethods(n int) []string {
	methods := []string{gradient, irqp, ourIRQP, recm}
	if n <= medianUpTo {
		methods = append(methods, mecm)
	}
	return methods
}

// scalingMethods are the methods of Figure 19, and ours.
var scalingMethods = []string{kevclus, ourEvclus, recm, eknnclus}

// scalingSizes are the numbers of objects of Figure 19.
var scalingSizes = []int{1000, 2000, 3000, 4000, 5000}
