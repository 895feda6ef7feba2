package dataset

import (
	"context"
	"hash/maphash"
	"math"
	"math/bits"

	"github.com/kindred-go/kindred/internal/parallel"
)

// dropDuplicates counts rows of X that equal an earlier one, unless nobody wants to know, and, where
// configured, leaves them out.
func (out *Prepared) dropDuplicates(ctx context.Context, p Preparation, owned bool) error {
	if p.Uncounted && p.Duplicates == DuplicatesKeep {
		return nil
	}
	first, err := firstRows(ctx, out.X, p.Threads)
	if err != nil {
		return err
	}
	out.Duplicates = out.X.Rows - len(first)
	if out.Duplicates == 0 || p.Duplicates == DuplicatesKeep {
		return nil
	}
	x := out.X
	if !owned {
		if x, err = allocate("", len(first), x.Cols, x.Single()); err != nil {
			return err
		}
	}
	d := x.Cols
	for i, row := range first {
		if i%encodeBlock == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		// first[i] ≥ i, so in place nothing is overwritten before it has moved.
		if x.F32 != nil {
			copy(x.F32[i*d:(i+1)*d], out.X.F32[int(row)*d:(int(row)+1)*d])
		} else {
			copy(x.F64[i*d:(i+1)*d], out.X.F64[int(row)*d:(int(row)+1)*d])
		}
	}
	out.X = x.head(len(first))
	if out.Rows != nil {
		for i, row := range first {
			first[i] = out.Rows[row]
		}
	}
	out.Rows = first
	return nil
}

// firstRows returns the rows that equal no earlier row. Zero and minus zero are equal.
func firstRows(ctx context.Context, x Matrix, threads int) ([]int32, error) {
	hashes := make([]uint64, x.Rows)
	seed := maphash.Comparable(maphash.MakeSeed(), 0) // so that no data can be made to collide
	err := parallel.Blocks(ctx, x.Rows, encodeBlock, threads, func(_, lo, hi int) {
		row := make([]float64, 0, x.Cols)
		for i := lo; i < hi; i++ {
			row = x.AppendRow(row[:0], i)
			h := seed
			for _, v := range row {
				// 64×64→128-bit multiplication mixes all bits; adding 0 turns −0 into 0.
				a, b := bits.Mul64(h^math.Float64bits(v+0), 0x9e3779b97f4a7c15^seed<<1)
				h = a ^ b
			}
			hashes[i] = h
		}
	})
	if err != nil {
		return nil, err
	}
	size := 16
	for size < x.Rows+x.Rows/2+1 {
		size *= 2
	}
	places := make([]int32, size) // row + 1; 0 is free
	first := make([]int32, 0, x.Rows)
	for i := range x.Rows {
		if i%encodeBlock == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		p := int(hashes[i]) & (size - 1)
		for places[p] != 0 &&
			!(hashes[places[p]-1] == hashes[i] && x.equalRows(int(places[p])-1, i)) {
			p = (p + 1) & (size - 1)
		}
		if places[p] == 0 {
			places[p] = int32(i + 1)
			first = append(first, int32(i))
		}
	}
	return first, nil
}

func (m Matrix) equalRows(a, b int) bool {
	for j := range m.Cols {
		if m.At(a, j) != m.At(b, j) {
			return false
		}
	}
	return true
}
