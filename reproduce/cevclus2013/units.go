package cevclus2013

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// usual is the weight ξ that the paper settles on (§4.1.4).
const usual = 1.0

// atWeight names CEVCLUS under a weight.
func atWeight(xi float64) string { return fmt.Sprintf("%s ξ %g", cevclus, xi) }

// weightedNumbers are the links of tables 5 and 6.
var weightedNumbers = []int{20, 50, 100, 200}

// weights are the fits of tables 5 and 6: all weights on the same links.
func (b *bench) weights(g *ground) (all []frame.Unit) {
	var methods []string
	for _, xi := range weighed {
		methods = append(methods, atWeight(xi))
	}
	methods = append(methods, ours)
	for _, n := range weightedNumbers {
		do := func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			links, err := g.links(n, key.Draw)
			if err != nil {
				return nil, err
			}
			return frame.Map(methods, func(name string) (frame.Values, error) {
				method, xi, under := ours, usual, links
				if i := slices.Index(methods, name); i < len(weighed) {
					method, xi = cevclus, weighed[i]
				}
				if xi == 0 {
					under = nil
				}
				return g.run(ctx, method, key.Draw, under, xi, g.effort.weights)
			})
		}
		all = append(all, frame.Unit{Key: linked(partWeights, g.Name, n), Draws: b.draws(g),
			Methods: methods, Do: do})
	}
	return all
}

// linked is the key of fits under n random links.
func linked(part, set string, n int) frame.Key {
	return frame.Key{Part: part, Set: set, Setting: fmt.Sprintf("%d links", n)}
}

// compared are the methods of figures 10 to 15, and ours.
var compared = []string{cevclus, sscard, ccl, ours}

// numbers are the links along the curves.
func (b *bench) numbers(g *ground) []int {
	switch {
	case b.Reduced && (g.effort.few || g.Matrix):
		return []int{0, 50, 200}
	case b.Reduced:
		return []int{0, 20, 50, 100, 200}
	case g.effort.few:
		return []int{0, 20, 50, 100, 200}
	}
	return []int{0, 10, 20, 30, 50, 100, 150, 200}
}

// curves are the fits of figures 6 to 15.
func (b *bench) curves(g *ground) (all []frame.Unit) {
	for _, n := range b.numbers(g) {
		all = append(all, frame.Unit{Key: linked(partCurves, g.Name, n), Draws: b.draws(g),
			Methods: compared,
			Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
				links, err := g.links(n, key.Draw)
				if err != nil {
					return nil, err
				}
				return g.runs(ctx, compared, key.Draw, links, g.effort.bound)
			}})
	}
	return all
}

// runs fits by each method and measures.
func (g *ground) runs(ctx context.Context, methods []string, draw int, links []link.Link,
	starts int) ([]frame.Values, error) {
	return frame.Map(methods, func(method string) (frame.Values, error) {
		return g.run(ctx, method, draw, links, usual, starts)
	})
}
