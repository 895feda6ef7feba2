package simd

import "math"

// Pairs finds, among the pairs of a row of one block and a row of another, those that may be near
// each other. It computes a lower bound of half their squared distance in float32, by inner
// products about an origin, many pairs at a time. Goroutines need one each.
type Pairs struct {
	at    level
	d     int
	width int // rows of a tile

	left, right   pairSide
	zeros         []float32
	low           []float32 // of a call of assembly: those of its pairs
	mask          []uint64
	boundX, bound []float32 // of the tile, and of the groups
}

// pairSide holds the rows of one block, size side by side. The last are followed by rows that are
// infinitely far away.
type pairSide struct {
	n, size int
	rows    []float32 // size·d of each tile or group
	half    []float32 // ½‖x‖² less what rounding may have added to the bounds
}

const (
	pairGroup = 8  // rows of the right block that a tile of the left meets at a time
	pairCall  = 64 // rows of the right block that a call of assembly takes
)

// NewPairs returns one for rows of d ≥ 1 values; nil without assembly, where to compare the rows
// themselves takes less time.
func NewPairs(d int) *Pairs {
	if active == portable {
		return nil
	}
	return newPairs(active, d)
}

func newPairs(at level, d int) *Pairs {
	p := &Pairs{at: at, d: d, width: pairGroup, zeros: make([]float32, d)}
	if at != portable {
		p.width = at.tile(true)
	}
	p.left.size, p.right.size = p.width, pairGroup
	p.low, p.mask = make([]float32, pairCall*p.width), make([]uint64, pairCall)
	p.boundX, p.bound = make([]float32, p.width), make([]float32, pairCall)
	return p
}

// LoadLeft sets the rows of the left block, taken relative to origin, to which they should be near:
// bounds are the better the smaller ‖row−origin‖ is. Squares of that must not overflow float32.
func LoadLeft[T Float](p *Pairs, rows, origin []T) { loadSide(p, &p.left, rows, origin) }

// LoadRight sets the rows of the right block; the origin is that of the left.
func LoadRight[T Float](p *Pairs, rows, origin []T) { loadSide(p, &p.right, rows, origin) }

func loadSide[T Float](p *Pairs, s *pairSide, rows, origin []T) {
	d, size := p.d, s.size
	origin = origin[:d]
	s.n = len(rows) / d
	tiles := (s.n + size - 1) / size
	if len(s.rows) < tiles*size*d {
		s.rows, s.half = make([]float32, tiles*size*d), make([]float32, tiles*size)
	}
	keep, tiny := float32(0.5-pairError(d)), float32(float64(2*d+10)*0x1p-147)
	for t := range tiles {
		some := rows[t*size*d : min(s.n, (t+1)*size)*d]
		tile, half := s.rows[t*size*d:(t+1)*size*d], s.half[t*size:(t+1)*size]
		switch some := any(some).(type) {
		case []float64:
			packNarrow(p.at, tile, some, any(origin).([]float64), size)
		case []float32:
			packTile(p.at, tile, some, any(origin).([]float32), size)
		}
		squaredDistancesColumns(p.at, half, p.zeros, tile, size)
		for i := range half {
			half[i] = float32(half[i]*keep) - tiny
			if t*size+i >= s.n {
				half[i] = float32(math.Inf(1))
			}
		}
	}
}

// pairError returns the part of ‖x‖² that is taken off the bounds for the error of ½‖x‖² + ½‖y‖² −
// x·y, at most γ(½‖x‖² + ½‖y‖² + ‖x‖·‖y‖) ≤ γ‖x‖² + γ‖y‖², as for scores (see scoreError): each
// row has its share.
func pairError(d int) float64 {
	m := float64(2*d + 10)
	if m*0x1p-24 > 0.5 {
		return 1
	}
	return 1.01 * m * 0x1p-24 / (1 - m*0x1p-24)
}

// PairSlack returns the part of ‖x‖² by which bounds may be too low: half the squared distance of
// two rows of d values, ‖x‖ and ‖y‖ from the origin, is at most low + PairSlack·(‖x‖² + ‖y‖²) where
// that is a normal number.
func PairSlack(d int) float64 { return 2.1*pairError(d) + 0x1p-22 }

// Near calls do for the rows of the right block near which some of the left may lie: row i of the
// left and row j of the right where half their squared distance may be at most reachLeft[i], or at
// most reachRight[j]. Bit i−lo of mask is set for these, and low[i−lo] is a lower bound of that
// half. Reaches are finite; do may lower them meanwhile. A nil reachRight reaches nothing. Where
// reachLeft is shorter than the left block, the rows beyond it are left out.
//
//	for i := range left {
//		for j := range right {
//			s := half(right[j])
//			for k := range d {
//				s = fma(-left[i][k], right[j][k], s)
//			}
//			low := s + half(left[i])
//			found := low <= max(reachLeft[i], reachRight[j])
//		}
//	}
func (p *Pairs) Near(reachLeft, reachRight []float32,
	do func(j, lo int, mask uint64, low []float32)) {
	d, width := p.d, p.width
	chunk := min(pairCall, max(1, callWork/(d*width*pairGroup))*pairGroup)
	for lo := 0; lo < min(p.left.n, len(reachLeft)); lo += width {
		tile, half := p.left.rows[lo*d:(lo+width)*d], p.left.half[lo:lo+width]
		for at := 0; at < p.right.n; at += chunk {
			m := min(chunk, p.right.n-at)
			k := (m + pairGroup - 1) / pairGroup * pairGroup
			some := uint64(1)<<copy(p.boundX, reachLeft[lo:min(p.left.n, len(reachLeft))]) - 1
			for q := range p.bound[:k] {
				p.bound[q] = -1
				if reachRight != nil && q < m {
					p.bound[q] = reachRight[at+q]
				}
			}
			groups, halves := p.right.rows[at*d:(at+k)*d], p.right.half[at:at+k]
			if p.at == portable {
				p.nearPortable(tile, half, groups, halves)
			} else {
				nearVectors(p.at, p.low, p.mask, tile, half, p.boundX, groups, halves, p.bound, d)
			}
			for q, mask := range p.mask[:m] {
				if mask &= some; mask != 0 {
					do(at+q, lo, mask, p.low[q*width:][:width])
				}
			}
		}
	}
}

func (p *Pairs) nearPortable(tile, half, groups, halves []float32) {
	d, width := p.d, p.width
	for q, start := range halves {
		group := groups[q/pairGroup*pairGroup*d+q%pairGroup:]
		p.mask[q] = 0
		for i := range width {
			s := start
			for j := range d {
				s = fma32(-tile[j*width+i], group[j*pairGroup], s)
			}
			low := s + half[i]
			p.low[q*width+i] = low
			if low <= max(p.boundX[i], p.bound[q]) {
				p.mask[q] |= 1 << i
			}
		}
	}
}
