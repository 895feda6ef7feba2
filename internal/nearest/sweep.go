package nearest

import (
	"context"
	"math"
	"math/bits"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// Sweep goes through the pairs of the rows of a matrix that may be near each other, block by block.
// Its memory is that of two blocks a thread.
type Sweep struct {
	x       dataset.Matrix
	threads int
	block   int // rows
	single  []float32
	double  []float64                               // about the mean of the rows, in the type of x
	slack   []float32                               // see Slack
	boxes   []float64                               // least and greatest values of blocks, or nil
	group   func(lo, hi int) (group int32, ok bool) // see Across
}

// sweepBytes is the size of a block, as float32: two of them stay in a cache.
const sweepBytes = 1 << 21

// NewSweep returns one for the rows of x. It returns nil where to compare the rows themselves takes
// less time: without assembly, and for values of which float32 cannot hold the squares.
func NewSweep(x dataset.Matrix, threads int) *Sweep {
	if simd.NewPairs(1) == nil || x.Cols < 1 {
		return nil
	}
	s := &Sweep{x: x, threads: threads}
	rows := sweepBytes / 4 / x.Cols
	// Enough blocks for all threads to have some, and in tiles of the kernels.
	rows = min(rows, 1024, x.Rows/(4*parallel.Threads(threads)))
	s.block = max(2*simd.TileRows, rows/simd.TileRows*simd.TileRows)
	mean, row := make([]float64, x.Cols), make([]float64, 0, x.Cols)
	some := min(x.Rows, originRows)
	for t := range some {
		row = x.AppendRow(row[:0], t*x.Rows/some)
		for j, v := range row {
			mean[j] += v / float64(some)
		}
	}
	s.double, s.slack = mean, make([]float32, x.Rows)
	if x.Cols <= boxColumns {
		s.box()
	}
	if x.Single() {
		for j, v := range mean {
			s.single = append(s.single, float32(v))
			mean[j] = float64(s.single[j])
		}
		return s.within(slack(s.slack, s.single, x.F32))
	}
	return s.within(slack(s.slack, s.double, x.F64))
}

// originRows is the number of rows, at equal steps, whose mean is the origin of bounds.
const originRows = 4096

// boxColumns is the number of columns up to which blocks of rows that lie in an order are often so
// far apart that no pair is within reach.
const boxColumns = 64

// box finds the box of each block.
func (s *Sweep) box() {
	d := s.x.Cols
	row := make([]float64, 0, d)
	s.boxes = make([]float64, parallel.Count(s.x.Rows, s.block)*2*d)
	for i := range s.x.Rows {
		row = s.x.AppendRow(row[:0], i)
		least := s.boxes[i/s.block*2*d:][:d]
		greatest := s.boxes[i/s.block*2*d+d:][:d]
		if i%s.block == 0 {
			copy(least, row)
			copy(greatest, row)
			continue
		}
		for j, v := range row {
			least[j], greatest[j] = min(least[j], v), max(greatest[j], v)
		}
	}
}

// apart reports whether no pair of two blocks is within reach of the farther reaching one.
func (s *Sweep) apart(a, b int, reach []float32) bool {
	if s.boxes == nil || a == b {
		return false
	}
	d, square := s.x.Cols, 0.0
	one, other := s.boxes[a*2*d:][:2*d], s.boxes[b*2*d:][:2*d]
	for j := range d {
		if gap := max(one[j]-other[d+j], other[j]-one[d+j]); gap > 0 {
			square += float64(gap * gap)
		}
	}
	most := float32(math.Inf(-1))
	for _, block := range [2]int{a, b} {
		for _, r := range reach[block*s.block : min(s.x.Rows, (block+1)*s.block)] {
			most = max(most, r)
		}
	}
	return square/2*(1-1e-9) > float64(most)
}

// within returns the sweep, or nil where values are too large.
func (s *Sweep) within(ok bool) *Sweep {
	if ok {
		return s
	}
	return nil
}

// slack sets dst to the slack of rows about an origin, and reports whether float32 holds squares.
func slack[T simd.Float](dst []float32, origin, rows []T) bool {
	d, part := len(origin), simd.PairSlack(len(origin))
	var squares [256]T
	for lo := 0; lo < len(dst); lo += len(squares) {
		hi := min(len(dst), lo+len(squares))
		simd.SquaredDistances(squares[:hi-lo], origin, rows[lo*d:hi*d])
		for t, v := range squares[:hi-lo] {
			if !(v < 0x1p100) {
				return false
			}
			dst[lo+t] = float32(part * float64(v))
		}
	}
	return true
}

// Slack returns how much the bounds of two rows may be too low: half their squared distance is at
// most low + Slack(i) + Slack(j).
func (s *Sweep) Slack(i int32) float32 { return s.slack[i] }

// Across returns a sweep that may leave out pairs within a group. Group returns the group that all
// rows from lo to hi are in, and whether there is one; rows that mean nothing may be in any. Groups
// only grow.
func (s *Sweep) Across(group func(lo, hi int) (group int32, ok bool)) *Sweep {
	across := *s
	across.group = group
	return &across
}

// oneGroup returns the group that all rows from lo to hi are known to be in.
func (s *Sweep) oneGroup(lo, hi int) (group int32, ok bool) {
	if s.group == nil {
		return 0, false
	}
	return s.group(lo, hi)
}

// load sets a block of rows as the left or right one of p.
func (s *Sweep) load(p *simd.Pairs, left bool, lo, hi int) { s.loadRows(p, left, s.x, lo, hi) }

// loadRows does the same with rows of another matrix of the same type.
func (s *Sweep) loadRows(p *simd.Pairs, left bool, x dataset.Matrix, lo, hi int) {
	d := x.Cols
	switch {
	case x.Single() && left:
		simd.LoadLeft(p, x.F32[lo*d:hi*d], s.single)
	case x.Single():
		simd.LoadRight(p, x.F32[lo*d:hi*d], s.single)
	case left:
		simd.LoadLeft(p, x.F64[lo*d:hi*d], s.double)
	default:
		simd.LoadRight(p, x.F64[lo*d:hi*d], s.double)
	}
}

// Half returns the reach of a squared distance: half of it, rounded up, and finite.
func Half(square float64) float32 {
	if square = square / 2 * (1 + 0x1p-22); square < math.MaxFloat32 {
		return max(float32(square), 0x1p-126)
	}
	return math.MaxFloat32
}

// Near calls do for each row j and rows before it, within, one of which may be within reach of the
// other: half the squared distance of rows i and j may be at most reach[i] or reach[j]. Low is a
// lower bound of that half. Every such pair comes once, in any order. While do runs nobody else is
// called about the rows it is called about, so it may change what belongs to them, and lower their
// reach. Worker is the number of the goroutine, from 0. Progress, unless nil, receives the share of
// pairs that are done.
func (s *Sweep) Near(ctx context.Context, reach []float32, progress func(share float64),
	do func(worker, j int, within []int32, low []float32)) error {
	n := s.x.Rows
	count := parallel.Count(n, s.block)
	workers := min(parallel.Threads(s.threads), max(1, count/2))
	free := make(chan *sweeper, workers)
	for w := range workers {
		free <- &sweeper{sweep: s, worker: w, pairs: simd.NewPairs(s.x.Cols), reach: reach, do: do}
	}
	each := func(n int, blocks func(t int) (a, b int)) error {
		return parallel.Blocks(ctx, n, 1, workers, func(t, _, _ int) {
			if a, b := blocks(t); max(a, b) < count {
				w := <-free
				w.run(ctx, a, b)
				free <- w
			}
		})
	}
	if err := each(count, func(t int) (a, b int) { return t, t }); err != nil {
		return err
	}
	// A tournament: in each round every block meets another one.
	even := count + count%2
	for round := range even - 1 {
		if progress != nil {
			progress(float64(round+1) / float64(even))
		}
		err := each(even/2, func(t int) (a, b int) {
			if t == 0 {
				return even - 1, round
			}
			return (round + t) % (even - 1), (round + even - 1 - t) % (even - 1)
		})
		if err != nil {
			return err
		}
	}
	if progress != nil {
		progress(1)
	}
	return nil
}

// sweeper compares two blocks at a time.
type sweeper struct {
	sweep  *Sweep
	worker int
	pairs  *simd.Pairs
	reach  []float32
	do     func(worker, j int, within []int32, low []float32)
	within []int32
	low    []float32
}

// run compares block a with block b.
func (w *sweeper) run(ctx context.Context, a, b int) {
	if a > b {
		a, b = b, a
	}
	s := w.sweep
	if s.apart(a, b, w.reach) {
		return
	}
	n, size := s.x.Rows, s.block
	left, right := a*size, b*size
	s.load(w.pairs, true, left, min(n, left+size))
	group, one := s.oneGroup(left, min(n, left+size))
	// The right block comes in parts, so that a canceled context is noticed soon.
	for lo := right; lo < min(n, right+size) && ctx.Err() == nil; lo += simd.TileRows {
		hi := min(n, right+size, lo+simd.TileRows)
		if one {
			if other, ok := s.oneGroup(lo, hi); ok && other == group {
				continue
			}
			group, one = s.oneGroup(left, min(n, left+size)) // it may be part of a larger one by now
		}
		s.load(w.pairs, false, lo, hi)
		// Rows of the left block that come after those of the right one have been there.
		w.pairs.Near(w.reach[left:min(hi, left+size)], w.reach[lo:hi],
			func(j, first int, mask uint64, low []float32) {
				w.within, w.low = w.within[:0], w.low[:0]
				for ; mask != 0; mask &= mask - 1 {
					t := bits.TrailingZeros64(mask)
					if i := left + first + t; i < lo+j {
						w.within, w.low = append(w.within, int32(i)), append(w.low, low[t])
					}
				}
				if len(w.within) > 0 {
					w.do(w.worker, lo+j, w.within, w.low)
				}
			})
	}
}
