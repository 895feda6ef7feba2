package evclus

import (
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/simplexqp"
)

// frame is what a list of focal sets means for a fit.
//
// The conflict vector of an object, C m, is kept for every focal set but ∅, where it is always 1 (∅
// conflicts with everything). A row programme runs over all f focal sets; its sums are gathered
// over the vector (1, C m without ∅), and ext holds the place of each focal set in it.
type frame struct {
	focal    []belief.Set
	f        int       // focal sets
	w        int       // focal sets but ∅: the width of a conflict vector
	ext      []int     // place of each focal set in (1, conflict vector)
	conflict []float64 // w×f rows of C, ∅ left out
	penalty  []float64 // f×f, P
}

func newFrame(focal []belief.Set) *frame {
	fr := &frame{focal: focal, f: len(focal), penalty: belief.PenaltyMatrix(focal)}
	fr.ext = make([]int, fr.f)
	conflict := belief.ConflictMatrix(focal)
	for k, a := range focal {
		if a != 0 {
			fr.w++
			fr.ext[k] = fr.w
			fr.conflict = append(fr.conflict, conflict[k*fr.f:(k+1)*fr.f]...)
		}
	}
	return fr
}

// conflictOf sets dst, of width w, to the conflict vector of the masses m.
func (fr *frame) conflictOf(dst, m []float64) {
	clear(dst)
	for l, v := range m {
		if v == 0 {
			continue
		}
		for q := range dst {
			dst[q] += float64(v * fr.conflict[q*fr.f+l])
		}
	}
}

// programme is a row programme: minimise mᵀHm − 2gᵀm on the simplex.
type programme struct {
	h, g   []float64
	solver *simplexqp.Solver
}

func newProgramme(f int) programme {
	return programme{make([]float64, f*f), make([]float64, f), simplexqp.New(f)}
}

// value returns mᵀHm − 2gᵀm.
func (p *programme) value(m []float64) float64 {
	sum := 0.0
	for k, v := range m {
		if v == 0 {
			continue
		}
		row := -2 * p.g[k]
		for l, u := range m {
			row += float64(p.h[k*len(m)+l] * u)
		}
		sum += float64(v * row)
	}
	return sum
}
