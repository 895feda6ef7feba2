package kevclus2016

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/reproduce/frame"
)

const tClusters = "t-clusters" // the set of simulated points

// units cuts the experiment into pieces. Nothing runs beside what is timed, which is all but the
// butterfly and the pairs' similarities.
func units(p frame.Plan) []frame.Unit {
	var list []frame.Unit
	add := func(u []frame.Unit) { list = append(list, u...) }
	if p.Has(partMasses) {
		add(massUnits(p))
	}
	if set := p.Set("protein"); set != nil && p.Has(partProtein) {
		o := fromMatrix(set, 1) // d0 is the greatest dissimilarity
		add(descentUnits(p, frame.Key{Part: partProtein, Set: set.Name},
			func() (objects, error) { return o, nil }))
	}
	if p.Has(partSimulated) {
		add(descentUnits(p, frame.Key{Part: partSimulated, Set: tClusters},
			func() (objects, error) { return simulated(p, 200, 1, .8) }))
	}
	if p.Has(partGrowth) {
		add(growthUnits(p))
	}
	if p.Has(partPartners) {
		for _, n := range largeSizes(p) {
			add(partnerUnits(p, largeSweep(p, n)))
		}
	}
	if p.Has(partScaling) {
		add(scalingUnits(p))
	}
	for _, s := range matrixSweeps(p) {
		add(partnerUnits(p, s))
	}
	if set := p.Set("sipu_s2"); set != nil && p.Has(partPairs) {
		add(pairUnits(p, set))
	}
	if p.Has(partSides) {
		add(sideUnits(p))
	}
	return list
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

// descentUnits are the descents of Figures 6, 7, 9 and 10, a repetition each.
func descentUnits(p frame.Plan, key frame.Key, make func() (objects, error)) []frame.Unit {
	var list []frame.Unit
	for draw := 1; draw <= p.Trials; draw++ {
		key.Draw = draw
		seed := fitSeed(p, key)
		list = append(list, frame.Unit{Key: key, Alone: true, Starts: tracePoints,
			Methods: descents, Do: func(ctx context.Context) ([]frame.Run, error) {
				o, err := make()
				if err != nil {
					return nil, err
				}
				return o.descend(ctx, seed)
			}})
	}
	return list
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

// growthUnits are the fits of Figure 11: for each number of objects, so many data sets.
func growthUnits(p frame.Plan) []frame.Unit {
	var list []frame.Unit
	for _, n := range sizes(p) {
		for draw := 1; draw <= p.Trials; draw++ {
			key := frame.Key{Part: partGrowth, Set: tClusters, Setting: fmt.Sprintf("n = %d", n),
				Draw: draw}
			methods := growthMethods(n)
			list = append(list, frame.Unit{Key: key, Alone: true, Starts: 1, Methods: methods,
				Do: func(ctx context.Context) ([]frame.Run, error) {
					o, err := simulated(p, n, draw, .8)
					if err != nil {
						return nil, err
					}
					noise := 0.0 // d0, as soon as row programmes have it
					return each(methods, func(method string) (values []float64, err error) {
						switch seed := fitSeed(p, key); method {
						case recm:
							return o.recm(ctx, noise, seed)
						case mecm:
							return o.mecm(ctx, seed)
						default:
							cfg := o.simple(seed)
							switch method {
							case gradient:
								cfg.Optimizer = evclus.Gradient
							case ourIRQP:
								cfg.Start = evclus.Medoids
							}
							values, r, err := o.evclus(ctx, cfg)
							if err == nil {
								noise = r.D0
							}
							return values, err
						}
					})
				}})
		}
	}
	return list
}

// each makes a run of every method, of one start.
func each(methods []string, fit func(method string) ([]float64, error)) ([]frame.Run, error) {
	var runs []frame.Run
	for _, m := range methods {
		values, err := fit(m)
		if err != nil {
			return nil, err
		}
		runs = append(runs, frame.Run{Start: 1, Method: m, Values: values})
	}
	return runs, nil
}

// scalingMethods are the methods of Figure 19, and ours.
var scalingMethods = []string{kevclus, ourEvclus, recm, eknnclus}

// scalingUnits are the fits of Figure 19: k = 100 partners, and 3√n neighbours.
func scalingUnits(p frame.Plan) []frame.Unit {
	var list []frame.Unit
	for _, n := range scalingSizes(p) {
		for draw := 1; draw <= few(p); draw++ {
			key := frame.Key{Part: partScaling, Set: tClusters, Setting: fmt.Sprintf("n = %d", n),
				Draw: draw}
			list = append(list, frame.Unit{Key: key, Alone: true, Starts: 1,
				Methods: scalingMethods, Do: func(ctx context.Context) ([]frame.Run, error) {
					o, err := simulated(p, n, draw, .9)
					if err != nil {
						return nil, err
					}
					return each(scalingMethods, func(method string) ([]float64, error) {
						seed := fitSeed(p, key)
						switch method {
						case recm:
							return o.recm(ctx, 0, seed)
						case eknnclus:
							return o.eknn(ctx, int(math.Round(3*math.Sqrt(float64(n)))), .95, seed)
						}
						values, _, err := o.partnered(ctx, method, 100, seed)
						return values, err
					})
				}})
		}
	}
	return list
}

// scalingSizes returns the numbers of objects of Figure 19.
func scalingSizes(p frame.Plan) []int {
	if p.Reduced {
		return []int{1000, 2000, 3000}
	}
	return []int{1000, 2000, 3000, 4000, 5000}
}

// partnered fits k-EVCLUS, as the paper starts it or as we do.
func (o objects) partnered(ctx context.Context, method string, k int, seed uint64) ([]float64,
	*evclus.Result, error) {
	cfg := o.simple(seed)
	cfg.Partners = k
	if method == ourEvclus {
		cfg.Start = evclus.Medoids
	}
	return o.evclus(ctx, cfg)
}
