package kevclus2016

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// sweep is a data set of section 4 on which the number of partners varies.
type sweep struct {
	key        frame.Key
	title      string
	figures    [3]int // of ARI, seconds and nonspecificity
	partners   []int  // the last are all others, unless cut
	cut        bool   // the largest numbers of partners are left out
	rivals     []string
	neighbours int // of EK-NNclus
	quantile   float64
	make       func(draw int) (objects, error) // simulated points differ by draw
}

// largeSizes returns the numbers of simulated points of section 4.1.
func largeSizes(p frame.Plan) []int { return []int{2000, 10000} }

// largeSweep is a sweep over n simulated points. The paper does not say its numbers of partners for
// 10 000; ours are those for 2000, as far as they go. A reduced run leaves out the larger ones
// there, and RECM, which the paper had no memory for.
func largeSweep(p frame.Plan, n int) sweep {
	s := sweep{
		key: frame.Key{Part: partPartners, Set: tClusters,
			Setting: fmt.Sprintf("n = %d", n)},
		title:      fmt.Sprintf("%d simulated points", n),
		figures:    [3]int{12, 13, 14},
		partners:   []int{10, 20, 50, 100, 200, 500, n - 1},
		rivals:     []string{recm, eknnclus},
		neighbours: 100,
		quantile:   .95,
		make:       func(draw int) (objects, error) { return simulated(p, n, draw, .9) },
	}
	if n == 10000 {
		s.figures, s.neighbours = [3]int{16, 17, 18}, 300
		if p.Reduced {
			s.partners, s.rivals, s.cut = s.partners[:5], []string{eknnclus}, true
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
			make:       func(int) (objects, error) { return o, nil },
		})
	}
	return list
}

// partnerMethods are what varies with the number of partners.
var partnerMethods = []string{kevclus, ourEvclus}

// at is the key of the fits with k partners, and that of those beside the rivals for 0.
func (s sweep) at(k, draw int) frame.Key {
	key := s.key
	key.Draw = draw
	if k > 0 {
		key.Setting += fmt.Sprintf(", k = %d", k)
	}
	return key
}

// rivalPartners are the partners of k-EVCLUS beside other methods.
const rivalPartners = 100

// beside are the methods of section 4's comparison: the rivals, and k-EVCLUS.
func (s sweep) beside() []string { return slices.Concat(s.rivals, partnerMethods) }

// partnerUnits are the fits of a sweep. Those of one number of partners are all on one data set, as
// in the paper. Beside the rivals, each repetition has points of its own: RECM finds the same from
// most starts, and how far the paper's points differ from ours would not show.
func partnerUnits(p frame.Plan, s sweep) []frame.Unit {
	var list []frame.Unit
	for draw := 1; draw <= often(p); draw++ {
		for _, k := range append([]int{0}, s.partners...) {
			if k == 0 && draw > few(p) {
				continue
			}
			key := s.at(k, draw)
			methods, points := partnerMethods, 1
			if k == 0 {
				methods, points = s.beside(), draw
			}
			list = append(list, frame.Unit{Key: key, Alone: true, Starts: 1, Methods: methods,
				Do: func(ctx context.Context) ([]frame.Run, error) {
					o, err := s.make(points)
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
							values, _, err := o.partnered(ctx, method, cmp.Or(k, rivalPartners),
								seed)
							return values, err
						}
					})
				}})
		}
	}
	return list
}
