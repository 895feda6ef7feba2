package dissim

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Dense is a full square matrix of dissimilarities, a [Source]: d(i,j) = D[i·N+j], symmetric with a
// zero diagonal.
type Dense struct {
	N int
	D []float32 // length N·N
}

// Len implements [Source].
func (m *Dense) Len() int { return m.N }

// Row implements [Rows].
func (m *Dense) Row(dst []float32, i int, js []int32) {
	row := m.D[i*m.N : (i+1)*m.N]
	if js == nil {
		copy(dst, row)
		return
	}
	for t, j := range js {
		dst[t] = row[j]
	}
}

// Subset copies the rows and columns of the given objects, in the order given.
func (m *Dense) Subset(rows []int32) *Dense {
	out := &Dense{N: len(rows), D: make([]float32, len(rows)*len(rows))}
	for t, i := range rows {
		m.Row(out.D[t*out.N:(t+1)*out.N], int(i), rows)
	}
	return out
}

// mirrorTile is the side of the squares in which a matrix is mirrored: two of them fit the first
// cache.
const mirrorTile = 64

// NewDense computes all dissimilarities of src, each pair once, on up to threads goroutines (≤ 0:
// one per processor). progress, if not nil, is called with the number of pairs done; calls
// never overlap.
//
// It fails with a [*fault.Input] when 4·n² bytes are more than the machine has, and with ctx's
// error when that ends.
func NewDense(ctx context.Context, src Source, threads int,
	progress func(done, total int64)) (*Dense, error) {
	n := src.Len()
	if err := checkSquare("", n); err != nil {
		return nil, err
	}
	m := &Dense{N: n, D: make([]float32, n*n)}
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	var done counter
	done.report, done.total = progress, int64(n)*int64(n-1)/2
	err := parallel.Blocks(ctx, n, max(1, 4096/max(1, n)), threads, func(_, first, last int) {
		rows := paced{from: src}
		for i := first; i < last && ctx.Err() == nil; i++ {
			rows.row(ctx, m.D[i*n+i+1:(i+1)*n], i, all[i+1:], done.add)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := m.mirror(ctx, threads); err != nil {
		return nil, err
	}
	return m, nil
}

// paced requests rows in pieces that grow while they are quick: what a pair costs is not known, and
// ctx is to be seen in time.
type paced struct {
	from  Rows
	piece int
}

// row does what [Rows.Row] does, until ctx ends; done, if not nil, is called with the pairs of each
// piece.
func (p *paced) row(ctx context.Context, dst []float32, i int, js []int32, done func(pairs int64)) {
	for len(dst) > 0 && ctx.Err() == nil {
		n := min(max(1, p.piece), len(dst))
		start := time.Now()
		p.from.Row(dst[:n], i, js[:n])
		switch took := time.Since(start); {
		case took < time.Millisecond:
			p.piece = max(p.piece, 2*n)
		case took > 20*time.Millisecond:
			p.piece = n / 2
		}
		if done != nil {
			done(int64(n))
		}
		dst, js = dst[n:], js[n:]
	}
}

// mirror copies the upper triangle into the lower.
func (m *Dense) mirror(ctx context.Context, threads int) error {
	n := m.N
	return parallel.Blocks(ctx, n, mirrorTile, threads, func(_, top, bottom int) {
		for left := 0; left < bottom; left += mirrorTile {
			for i := top; i < bottom; i++ {
				for j := left; j < min(i, left+mirrorTile); j++ {
					m.D[i*n+j] = m.D[j*n+i]
				}
			}
		}
	})
}

// fits reports whether n×n float32 fit the bytes at hand; 0: not known.
func fits(n int, have int64) bool {
	return n < 1<<30 && int64(n)*int64(n)*4 <= cmp.Or(have, memory.Most)
}

// checkSquare refuses n×n float32 when the memory at hand does not hold them.
func checkSquare(file string, n int) error {
	have := memory.Available()
	if fits(n, have) {
		return nil
	}
	problem := "all dissimilarities of " + strconv.Itoa(n) + " objects take 4·" + strconv.Itoa(n) +
		"² bytes, " + memory.Size(float64(n)*float64(n)*4)
	if have > 0 {
		problem += ", and " + memory.Size(float64(have)) + " of memory are free"
	}
	return &fault.Input{File: file, Problem: problem,
		Fix: "use sampled dissimilarities (--method kevclus), which need memory in proportion to " +
			"the number of objects"}
}
