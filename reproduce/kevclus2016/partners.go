package kevclus2016

import (
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

// largeSizes are the numbers of simulated points of section 4.1.
var largeSizes = []int{2000, 10000}

// largeSweep is a sweep over n simulated points. The paper does not state its numbers of partners
// for 10 000; ours are those for 2000, as far as they go. A reduced run leaves out the larger ones
// there, and RECM, which the paper had no memory for.
func largeSweep(p frame.Plan, n int) sweep {
	s := sweep{
		key:        sized(partPartners)(n),
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

// at is the key of the fits with k partners; those beside the rivals have that of the sweep.
func (s sweep) at(k int) frame.Key {
	key := s.key
	key.Setting += fmt.Sprintf(", k = %d", k)
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
	fits := settings{partners: rivalPartners, neighbours: s.neighbours, quantile: s.quantile}
	list := []frame.Unit{timed(p, s.key, few(p), s.beside(), s.make, fits)}
	for _, k := range s.partners {
		fits.partners = k
		list = append(list, timed(p, s.at(k), few(p), partnerMethods,
			func(int) (objects, error) { return s.make(1) }, fits))
	}
	return list
}
