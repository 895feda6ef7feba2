package kevclus2016

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// sweep is a data set of section 4 on which the number of partners varies.
type sweep struct {
	key        frame.Key
	title      string
	figures    [3]int // of ARI, seconds and nonspecificity
	partners   []int  // the last are all others
	rivals     []string
	neighbours int // of EK-NNclus
	quantile   float64
	make       func() (objects, error)
}

// largeSizes gives the numbers of simulated points of section 4.1.
func largeSizes(p frame.Plan) []int { return []int{2000, 10000} }

// largeSweep is a sweep over n simulated points. The paper does not say its numbers of partners for 10 000; ours are those for 2000, as far
// as they go. A reduced run leaves out the larger ones there.
func largeSweep(p frame.Plan, n int) sweep {
	s := sweep{
		key:        frame.Key{Part: partPartners, Set: tClusters, Setting: fmt.Sprintf("n = %d", n)},
		title:      fmt.Sprintf("%d simulated points", n),
		figures:    [3]int{12, 13, 14},
		partners:   []int{10, 20, 50, 100, 200, 500, n - 1},
		rivals:     []string{recm, eknnclus},
		neighbours: 100,
		quantile:   .95,
		make:       func() (objects, error) { return simulated(p, n, 1, .9) },
	}
	if n == 10000 {
		s.figures, s.rivals, s.neighbours = [3]int{16, 17, 18}, []string{eknnclus}, 300
		if p.Reduced {
			s.partners = s.partners[:5]
		}
	}
	return s
}

// matrixSweeps are those of section 4.2, as far as their matrices are there.
func matrixSweeps(p frame.Plan) []sweep {
	var list []sweep
	for _, m := range []struct {
		part, set string
		d0        float64
		first     int
	}{{partDigits, "zongker", .3, 20}, {partGestures, "gestures", .2, 23}} {
		set := p.Set(m.set)
		if set == nil || !p.Has(m.part) {
			continue
		}
		o := fromMatrix(set, m.d0)
		list = append(list, sweep{
			key:        frame.Key{Part: m.part, Set: m.set, Setting: m.set},
			title:      set.Title,
			figures:    [3]int{m.first, m.first + 1, m.first + 2},
			partners:   []int{30, 50, 100, 200, 300, 400, 500, 1000, o.Len() - 1},
			rivals:     []string{recm, eknnclus},
			neighbours: 50,
			quantile:   m.d0, // q of EK-NNclus is .3 and .2 as well
			make:       func() (objects, error) { return o, nil },
		})
	}
	return list
}

// partnerMethods are what varies with the number of partners.
var partnerMethods = []string{kevclus, ourEvclus}

// at is the key of the fits with k partners, and that of the rivals for 0.
func (s sweep) at(k, draw int) frame.Key {
	key := s.key
	key.Draw = draw
	if k > 0 {
		key.Setting += fmt.Sprintf(", k = %d", k)
	}
	return key
}

// partnerUnits are the fits of a sweep.
func partnerUnits(p frame.Plan, s sweep) []frame.Unit {
	var list []frame.Unit
	for draw := 1; draw <= few(p); draw++ {
		for _, k := range append([]int{0}, s.partners...) {
			key := s.at(k, draw)
			methods := partnerMethods
			if k == 0 {
				methods = s.rivals
			}
			list = append(list, frame.Unit{Key: key, Alone: true, Starts: 1, Methods: methods, Do: func(ctx context.Context) ([]frame.Run, error) {
				o, err := s.make()
				if err != nil {
					return nil, err
				}
				return each(methods, func(method string) ([]float64, error) {
					switch seed := fitSeed(p, key); method {
					case recm:
						return o.recm(ctx, 0, seed)
					case eknnclus:
						return o.eknn(ctx, s.neighbours, s.quantile, seed)
					default:
						values, _, err := o.partnered(ctx, method, k, seed)
						return values, err
					}
				})
			}})
		}
	}
	return list
}
