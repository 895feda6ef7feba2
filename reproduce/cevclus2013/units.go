package cevclus2013

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// usual is the weight ξ that the paper settles on (§4.1.4).
const usual = 1.0

func setting(links int) string { return fmt.Sprintf("%d links", links) }

// atWeight names CEVCLUS under a weight.
func atWeight(xi float64) string { return fmt.Sprintf("%s ξ %g", cevclus, xi) }

// weightedNumbers are the links of tables 5 and 6.
func (b *bench) weightedNumbers() []int {
	if b.Reduced {
		return []int{20, 200}
	}
	return []int{20, 50, 100, 200}
}

// weightsTried are the weights ξ; 0 is EVCLUS.
func (b *bench) weightsTried() []float64 {
	if b.Reduced {
		return []float64{0, .05, .2, 1, 5}
	}
	return weighed
}

// weights are the fits of tables 5 and 6: all weights on the same links.
func (b *bench) weights(g *ground) []frame.Unit {
	xis := b.weightsTried()
	var all []frame.Unit
	for draw := 1; draw <= b.draws(g); draw++ {
		for _, n := range b.weightedNumbers() {
			var methods []string
			for _, xi := range xis {
				methods = append(methods, atWeight(xi))
			}
			methods = append(methods, ours)
			do := func(ctx context.Context) ([]frame.Run, error) {
				links, err := g.links(n, draw)
				if err != nil {
					return nil, err
				}
				var runs []frame.Run
				for i, name := range methods {
					method, xi, under := ours, usual, links
					if i < len(xis) {
						method, xi = cevclus, xis[i]
					}
					if xi == 0 {
						under = nil
					}
					r, err := g.run(ctx, method, draw, under, xi, g.effort.weights)
					if err != nil {
						return nil, err
					}
					r.Method = name
					runs = append(runs, r)
				}
				return runs, nil
			}
			all = append(all, frame.Unit{Key: frame.Key{Part: partWeights, Set: g.Name,
				Setting: setting(n), Draw: draw}, Starts: 1, Methods: methods, Do: do})
		}
	}
	return all
}

// compared are the methods of figures 10 to 15, and ours.
var compared = []string{cevclus, sscard, ccl, ours}

// numbers are the links along the curves.
func (b *bench) numbers(g *ground) []int {
	switch {
	case b.Reduced && (g.effort.half || g.Matrix):
		return []int{0, 50, 200}
	case b.Reduced:
		return []int{0, 20, 50, 100, 200}
	case g.effort.half:
		return []int{0, 20, 50, 100, 200}
	}
	return []int{0, 10, 20, 30, 50, 100, 150, 200}
}

// curves are the fits of figures 6 to 15.
func (b *bench) curves(g *ground) []frame.Unit {
	var all []frame.Unit
	for draw := 1; draw <= b.draws(g); draw++ {
		for _, n := range b.numbers(g) {
			do := func(ctx context.Context) ([]frame.Run, error) {
				links, err := g.links(n, draw)
				if err != nil {
					return nil, err
				}
				var runs []frame.Run
				for _, method := range compared {
					r, err := g.run(ctx, method, draw, links, usual, g.effort.bound)
					if err != nil {
						return nil, err
					}
					r.Method = method
					runs = append(runs, r)
				}
				return runs, nil
			}
			all = append(all, frame.Unit{Key: frame.Key{Part: partCurves, Set: g.Name,
				Setting: setting(n), Draw: draw}, Starts: 1, Methods: compared, Do: do})
		}
	}
	return all
}
