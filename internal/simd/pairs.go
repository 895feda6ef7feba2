package simd

import (
	"math"
	"math/bits"
)

// Pairs finds, among the pairs of a row of one block and a row of another, those that may be near
// each other. It computes a lower bound of half their squared distance in float32, by inner
// products about an origin, many pairs at a time. The zero value is ready; goroutines need one each.
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

// NewPairs returns one for rows of d ≥ 1 values.
func NewPairs(d int) *Pairs { return newPairs(active, d) }

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
	// The error of ½‖x‖² + ½‖y‖² − x·y is at most γ(½‖x‖² + ½‖y‖² + ‖x‖·‖y‖), as for scores (see
	// scoreError), which γ‖x‖² + γ‖y‖² is no less than: each row has its share.
	m := float64(2*d + 10)
	gamma := math.Min(m*0x1p-24/(1-m*0x1p-24), 1)
	keep, tiny := float32(0.5-1.01*gamma), float32(m*0x1p-147)
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

// Near calls do for the pairs that may lie within reach: row i of the left and row j of the right
// block where half their squared distance may be at most reachLeft[i], or at most reachRight[j]. Low
// is a lower bound of it. Reaches are finite; do may lower them meanwhile. A nil reachRight reaches
// nothing.
//
//	for i := range left {
//		for j := range right {
//			s := half(right[j])
//			for k := range d {
//				s = fma(-left[i][k], right[j][k], s)
//			}
//			if low := s + half(left[i]); low <= max(reachLeft[i], reachRight[j]) {
//				do(i, j, low)
//			}
//		}
//	}
func (p *Pairs) Near(reachLeft, reachRight []float32, do func(i, j int, low float32)) {
	d, width := p.d, p.width
	chunk := min(pairCall, max(1, callWork/(d*width*pairGroup))*pairGroup)
	for lo := 0; lo < p.left.n; lo += width {
		tile, half := p.left.rows[lo*d:(lo+width)*d], p.left.half[lo:lo+width]
		for at := 0; at < p.right.n; at += chunk {
			m := min(chunk, p.right.n-at)
			k := (m + pairGroup - 1) / pairGroup * pairGroup
			copy(p.boundX, reachLeft[lo:min(p.left.n, lo+width)])
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
				for ; mask != 0; mask &= mask - 1 {
					i := bits.TrailingZeros64(mask)
					do(lo+i, at+q, p.low[q*width+i])
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
