package linalg

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Sparse is an n×n matrix in compressed rows: the entries of row i are those from Start[i] up to
// Start[i+1], by rising column, no column twice. The functions of this package take it as
// symmetric.
type Sparse struct {
	Start []int     // length n+1
	Col   []int32   // column of each entry, from 0
	Value []float64 // value of each entry
}

// Entry is one value of a sparse matrix.
type Entry struct {
	Row, Col int32
	Value    float64
}

// NewSparse makes a symmetric n×n matrix of the entries of one triangle, or of both: an entry (i,
// j) means (j, i), too, and entries for one place are added, where (i, j) and (j, i) are one
// place. It fails with a *fault.Input when an entry lies outside or is not finite.
func NewSparse(n int, entries []Entry) (*Sparse, error) {
	both := make([]Entry, 0, 2*len(entries))
	for _, e := range entries {
		if e.Row < 0 || e.Col < 0 || int(e.Row) >= n || int(e.Col) >= n || e.Value-e.Value != 0 {
			return nil, &fault.Input{Problem: fmt.Sprintf("there is an entry %g at (%d, %d), "+
				"counted from 0, of a %d×%d matrix", e.Value, e.Row, e.Col, n, n)}
		}
		both = append(both, e)
		if e.Row != e.Col {
			both = append(both, Entry{e.Col, e.Row, e.Value})
		}
	}
	slices.SortStableFunc(both, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Row, b.Row), cmp.Compare(a.Col, b.Col))
	})
	m := &Sparse{Start: make([]int, n+1)}
	for i, e := range both {
		if i > 0 && e.Row == both[i-1].Row && e.Col == both[i-1].Col {
			m.Value[len(m.Value)-1] += e.Value
			continue
		}
		m.Col, m.Value = append(m.Col, e.Col), append(m.Value, e.Value)
		m.Start[e.Row+1]++
	}
	for i := range n {
		m.Start[i+1] += m.Start[i]
	}
	return m, nil
}

// N returns the number of rows, which is that of columns.
func (m *Sparse) N() int { return max(0, len(m.Start)-1) }

// productEntries is about the number of entries that one block of a product takes.
const productEntries = 1 << 15

// Apply sets dst to the product with x, both of length n. Each row is summed in the order of its
// columns, so the bits do not depend on threads (≤ 0: one per processor). It fails when ctx is
// done.
func (m *Sparse) Apply(ctx context.Context, dst, x []float64, threads int) error {
	n := m.N()
	if n == 0 {
		return ctx.Err()
	}
	block := max(1, min(n, n*productEntries/max(1, len(m.Col))))
	return parallel.Blocks(ctx, n, block, threads, func(_, lo, hi int) {
		at := m.Start[lo]
		for i := lo; i < hi; i++ {
			end := m.Start[i+1]
			col, value := m.Col[at:end], m.Value[at:end]
			value = value[:len(col)]
			s := 0.0
			for e, c := range col {
				s += float64(value[e] * x[c])
			}
			dst[i], at = s, end
		}
	})
}

// Sums returns the sum of each row.
func (m *Sparse) Sums() []float64 {
	out := make([]float64, m.N())
	for i := range out {
		for _, v := range m.Value[m.Start[i]:m.Start[i+1]] {
			out[i] += v
		}
	}
	return out
}

// Components numbers the connected parts of a symmetric matrix in the order of their first nodes,
// and returns that of each node.
func (m *Sparse) Components() (of []int32, count int) {
	of = slices.Repeat([]int32{-1}, m.N())
	var stack []int32
	for i := range of {
		if of[i] >= 0 {
			continue
		}
		of[i] = int32(count)
		stack = append(stack[:0], int32(i))
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, j := range m.Col[m.Start[at]:m.Start[at+1]] {
				if of[j] < 0 {
					of[j] = int32(count)
					stack = append(stack, j)
				}
			}
		}
		count++
	}
	return of, count
}

// Normalised returns S = D^−½ W D^−½ of a symmetric matrix W of weights ≥ 0, D being the diagonal
// matrix of its row sums, the degrees. I − S is the normalised Laplacian, whose lowest eigenvalues
// are 1 less the largest of S. A row without weights is left empty in S; as a component by itself
// its eigenvalue of the Laplacian is 1 then, not 0.
func (m *Sparse) Normalised() *Sparse {
	root := m.Sums()
	for i, d := range root {
		root[i] = math.Sqrt(d)
	}
	out := &Sparse{Start: m.Start, Col: m.Col, Value: make([]float64, len(m.Value))}
	for i := range root {
		for e := m.Start[i]; e < m.Start[i+1]; e++ {
			if m.Value[e] > 0 {
				out.Value[e] = m.Value[e] / (root[i] * root[m.Col[e]])
			}
		}
	}
	return out
}
