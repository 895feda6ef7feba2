package nearest

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/simd"
)

// Products finds, for each row, the k others that have the largest inner product with it, largest
// first; Dist holds the products. Among equals the first by number come first. It compares all
// pairs: rows that have large products with each other need not be near each other, so cells of near
// rows would miss them. A number of rows that cannot be had, and values that are not finite or too
// large, are a *fault.Input.
func Products(ctx context.Context, x dataset.Matrix, k, threads int,
	progress func(share float64)) (*Neighbours, error) {
	if err := check(x.Rows, k); err != nil {
		return nil, err
	}
	if err := memory.Check(8*float64(x.Rows)*float64(x.Cols+1), "a copy of the rows",
		"take a sample of the rows"); err != nil {
		return nil, err
	}
	p := &products{searcher: newSearcher(ctx, nil, x.Rows, k, threads, progress),
		d: x.Cols + 1, square: make([]float64, x.Rows)}
	p.rows = make([]float64, 0, x.Rows*p.d)
	for i := range x.Rows {
		p.rows = append(x.AppendRow(p.rows, i), 0)
		for j, v := range p.rows[i*p.d:] {
			if v-v != 0 {
				return nil, &fault.Input{Row: i + 1, Column: fmt.Sprint(j + 1),
					Problem: "the value is not a finite number", Fix: "fix it or leave the row out"}
			}
			p.square[i] += float64(v * v)
		}
		p.most = max(p.most, p.square[i])
	}
	if !(p.most < 0x1p100) {
		return nil, fault.Inputf("scale the columns (--scale minmax or zscore)",
			"inner products do not fit 32-bit numbers")
	}
	if err := p.blocks(splitRows, p.block); err != nil {
		return nil, err
	}
	for t, v := range p.out.Dist {
		p.out.Dist[t] = -v
	}
	return p.out, nil
}

// products makes rows y longer by √(M − ‖y‖²), M being the largest ‖y‖², and rows x by 0: the
// squared distance of the two is ‖x‖² + M − 2x·y, so the largest products are the least distances.
type products struct {
	*searcher // lists have the products with the sign turned
	d         int
	rows      []float64 // rows x, d values each
	square    []float64 // ‖x‖²
	most      float64   // M
}

// block finds the lists of rows lo to hi.
func (p *products) block(lo, hi int) {
	pairs, origin := simd.NewPairs(p.d), make([]float64, p.d)
	reach := make([]float32, hi-lo)
	for i := range reach {
		reach[i] = math.MaxFloat32
	}
	if pairs != nil {
		simd.LoadLeft(pairs, p.rows[lo*p.d:hi*p.d], origin)
	}
	longer := make([]float64, 0, pieceRows*p.d)
	for from := 0; from < p.n && p.ctx.Err() == nil; from += pieceRows {
		to := min(p.n, from+pieceRows)
		if pairs == nil {
			for i := lo; i < hi; i++ {
				for j := from; j < to; j++ {
					p.meet(i, j)
				}
			}
			continue
		}
		longer = append(longer[:0], p.rows[from*p.d:to*p.d]...)
		for j := from; j < to; j++ {
			longer[(j-from+1)*p.d-1] = math.Sqrt(p.most - p.square[j])
		}
		simd.LoadRight(pairs, longer, origin)
		pairs.Near(reach, nil, func(j, first int, mask uint64, low []float32) {
			for ; mask != 0; mask &= mask - 1 {
				t := bits.TrailingZeros64(mask)
				if i := first + t; low[t] <= reach[i] && p.meet(lo+i, from+j) {
					reach[i] = p.reach(lo + i)
				}
			}
		})
	}
}

// meet takes row j into the list of row i, and reports whether that has changed it.
func (p *products) meet(i, j int) bool {
	if i == j {
		return false
	}
	x, y, s := p.rows[i*p.d:][:p.d], p.rows[j*p.d:][:p.d], 0.0
	for t, v := range x {
		s += float64(v * y[t])
	}
	return p.list(i).add(int32(j), -float32(s))
}

// reach returns a bound of half the squared distance of rows that the list of row i may take.
func (p *products) reach(i int) float32 {
	worst := float64(p.list(i).worst())
	if math.IsInf(worst, 1) {
		return math.MaxFloat32
	}
	sum := p.square[i] + p.most
	return Half(sum + 2*worst + 0x1p-22*math.Abs(worst) + 1e-12*sum)
}
