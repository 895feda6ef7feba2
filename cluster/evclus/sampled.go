package evclus

import (
	"cmp"
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// sampledChunk is how many groups of rows a thread takes at a time.
const sampledChunk = 8

// sampled sweeps over sampled pairs. A row takes part in the terms of its own partners and in those
// of every object that drew it: both sides make the descent on J_k true. A block of positions
// shares no pair (see dissim.Sampled), so that updating its rows together is the same as one after
// the other; only a row linked to another one of its block waits its turn.
type sampled struct {
	sweeper                 // its links and masses are by position
	s       *dissim.Sampled // D holds δ

	given []float64 // the masses of reset, n×f, by object
	cols  []float64 // w×Stride, conflict vectors by column and position, padded as D is
	works []*sampledWork
}

// sampledWork is the scratch of one chunk.
type sampledWork struct {
	acc    []float64
	at     []int32
	dAt    []int
	fresh  []float64
	prog   programme
	change float64
	later  []int // positions that wait for their block
}

func newSampled(ctx context.Context, fr *frame, s *dissim.Sampled, threads int) (*sampled, error) {
	e := &sampled{sweeper: sweeper{threads: threads}, s: s}
	var err error
	e.squares, err = parallel.Sum(ctx, s.K, 1, threads, func(r, _ int) (sum float64) {
		for _, v := range s.D[r*s.Stride : r*s.Stride+s.N] {
			sum += float64(float64(v) * float64(v))
		}
		return sum
	})
	e.refocus(fr)
	return e, err
}

func (e *sampled) refocus(fr *frame) {
	e.fr = fr
	e.cols = make([]float64, fr.w*e.s.Stride)
	e.works = make([]*sampledWork, parallel.Count(e.s.Block/dissim.SampledPad, sampledChunk))
	for i := range e.works {
		e.works[i] = &sampledWork{
			acc: make([]float64, simd.MomentCount(fr.w)*simd.MomentLanes),
			at:  make([]int32, 2*e.s.K), dAt: make([]int, 2*e.s.K), fresh: make([]float64, fr.w),
			prog: newProgramme(fr.f),
		}
	}
}

func (e *sampled) tie(links linkTerms, penalty float64) {
	e.links, e.penalty = linkTerms{}, penalty
	if penalty == 0 {
		return
	}
	place := make([]int32, e.s.N)
	for p, i := range e.s.Order[:e.s.N] {
		place[i] = int32(p)
	}
	moved := slices.Clone(links.ties)
	for t := range moved {
		moved[t].a, moved[t].b = place[moved[t].a], place[moved[t].b]
	}
	e.links = newTies(e.s.N, moved)
}

func (e *sampled) reset(ctx context.Context, mass []float64) error {
	e.given = mass
	f := e.fr.f
	if len(e.mass) != len(mass) {
		e.mass = make([]float64, len(mass))
	}
	return parallel.Blocks(ctx, e.s.N, 4096, e.threads, func(_, lo, hi int) {
		c := make([]float64, e.fr.w)
		for p := lo; p < hi; p++ {
			i, m := int(e.s.Order[p]), e.mass[p*f:p*f+f]
			copy(m, mass[i*f:i*f+f])
			e.fr.conflictOf(c, m)
			e.store(p, c)
		}
	})
}

func (e *sampled) settle() {
	f := e.fr.f
	for p, i := range e.s.Order[:e.s.N] {
		copy(e.given[int(i)*f:int(i)*f+f], e.mass[p*f:p*f+f])
	}
}

// store puts the conflict vector of a position into its column.
func (e *sampled) store(p int, c []float64) {
	for q, v := range c {
		e.cols[q*e.s.Stride+p] = v
		if p < dissim.SampledPad {
			e.cols[q*e.s.Stride+e.s.N+p] = v
		}
	}
}

func (e *sampled) sweep(ctx context.Context, only []bool) (change float64, err error) {
	const lanes = dissim.SampledPad
	for lo := 0; lo < e.s.N; lo += e.s.Block {
		hi := min(e.s.N, lo+e.s.Block)
		groups := parallel.Count(hi-lo, lanes)
		for _, w := range e.works { // chunks that a cancellation leaves out change nothing
			w.change, w.later = 0, w.later[:0]
		}
		err := parallel.Blocks(ctx, groups, sampledChunk, e.threads, func(chunk, first, last int) {
			w := e.works[chunk]
			for g := first; g < last; g++ {
				e.group(ctx, w, lo+g*lanes, min(hi, lo+(g+1)*lanes), lo, only)
			}
		})
		for _, w := range e.works[:parallel.Count(groups, sampledChunk)] {
			change += w.change
			for _, p := range w.later {
				if ctx.Err() != nil {
					break
				}
				w.change = 0
				e.gather(w, p, true)
				e.update(w, p, 0)
				change += w.change
			}
		}
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return change, err
		}
	}
	return change, nil
}

// group updates the rows at the positions from lo up to hi, of a block that begins at block, until
// ctx ends: programmes of many focal sets are slow.
func (e *sampled) group(ctx context.Context, w *sampledWork, lo, hi, block int, only []bool) {
	// The last group of all reaches back over rows that it leaves alone, so that no lane looks at
	// partners which another group is changing.
	from := min(lo, e.s.N-dissim.SampledPad)
	gathered := false
	for p := lo; p < hi; p++ {
		if only != nil && !only[e.s.Order[p]] {
			continue
		}
		if ctx.Err() != nil {
			return
		}
		if e.penalty != 0 && e.waits(p, block) {
			w.later = append(w.later, p)
			continue
		}
		if !gathered {
			e.gather(w, from, true)
			gathered = true
		}
		e.update(w, p, p-from)
	}
}

// waits reports whether the row at a position is linked to another one of its block.
func (e *sampled) waits(p, block int) bool {
	partners, _ := e.links.of(p)
	return slices.ContainsFunc(partners,
		func(q int32) bool { return int(q) >= block && int(q) < block+e.s.Block })
}

// gather sums the moments of the partners of the rows from position p on and, if asked to, of those
// that drew them.
func (e *sampled) gather(w *sampledWork, p int, both bool) {
	n, k := e.s.N, e.s.K
	at, dAt := w.at[:k], w.dAt[:k]
	for r, shift := range e.s.Shifts {
		own := p + int(shift)
		if own >= n {
			own -= n
		}
		at[r], dAt[r] = int32(own), r*e.s.Stride+p
	}
	if both {
		at, dAt = w.at, w.dAt
		for r, shift := range e.s.Shifts {
			drew := p - int(shift)
			if drew < 0 {
				drew += n
			}
			at[k+r], dAt[k+r] = int32(drew), r*e.s.Stride+drew
		}
	}
	clear(w.acc)
	simd.Moments(w.acc, e.cols, e.s.Stride, e.fr.w, at, e.s.D, dAt)
}

// update solves the programme of the row at position p, whose moments are in a lane.
func (e *sampled) update(w *sampledWork, p, lane int) {
	f := e.fr.f
	e.fill(w, lane, float64(2*e.s.K))
	change := e.solve(&w.prog, p)
	if change == 0 {
		return
	}
	w.change += change
	e.fr.conflictOf(w.fresh, e.mass[p*f:p*f+f])
	e.store(p, w.fresh)
}

// fill sets the programme from the moments in a lane over a number of terms.
func (e *sampled) fill(w *sampledWork, lane int, terms float64) {
	f, width := e.fr.f, e.fr.w
	products := width * (width + 1) / 2
	entry := func(x int) float64 { return w.acc[x*simd.MomentLanes+lane] }
	for k := range f {
		a := e.fr.ext[k]
		if a == 0 {
			w.prog.g[k] = entry(products + 2*width)
		} else {
			w.prog.g[k] = entry(products + width + a - 1)
		}
		for l := range k + 1 {
			lo, hi := e.fr.ext[l], a
			if lo > hi {
				lo, hi = hi, lo
			}
			v := terms
			switch {
			case lo > 0:
				x, y := lo-1, hi-1
				v = entry(x*width - x*(x-1)/2 + y - x)
			case hi > 0:
				v = entry(products + hi - 1)
			}
			w.prog.h[k*f+l], w.prog.h[l*f+k] = v, v
		}
	}
}

// stress returns Σ_i Σ_r (κ − δ)² of the masses as they are.
func (e *sampled) stress(ctx context.Context) (float64, error) {
	const lanes = dissim.SampledPad
	f, sum := e.fr.f, e.squares
	for lo := 0; lo < e.s.N; lo += e.s.Block {
		hi := min(e.s.N, lo+e.s.Block)
		groups := parallel.Count(hi-lo, lanes)
		err := parallel.Blocks(ctx, groups, sampledChunk, e.threads, func(chunk, first, last int) {
			w := e.works[chunk]
			w.change = 0
			for g := first; g < last; g++ {
				p := lo + g*lanes
				e.gather(w, p, false)
				for lane := range min(lanes, hi-p) {
					e.fill(w, lane, float64(e.s.K))
					w.change += w.prog.value(e.mass[(p+lane)*f : (p+lane+1)*f])
				}
			}
		})
		if err != nil {
			return 0, err
		}
		for _, w := range e.works[:parallel.Count(groups, sampledChunk)] {
			sum += w.change
		}
	}
	return sum, nil
}
