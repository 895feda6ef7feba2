package dissim

import (
	"context"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

// FromMatrix returns the n×n dissimilarities of x, whose values belong to it from then on. Float32
// values are not copied. What is not symmetric becomes the mean of itself and its transpose, as by
// [Read], which also has the same faults.
func FromMatrix(ctx context.Context, name string, x dataset.Matrix, threads int) (*Dense, Report,
	error) {
	n := x.Rows
	if n != x.Cols {
		return nil, Report{}, &fault.Input{File: name,
			Problem: "is not square: it has " + words.Count(n, "row") + " and " +
				words.Count(x.Cols, "column"),
			Fix: "give the dissimilarities of all objects to all"}
	}
	if n < 3 {
		return nil, Report{}, &fault.Input{File: name,
			Problem: "the matrix has " + words.Count(n, "row") +
				", and at least 3 objects are needed", Fix: "give more objects"}
	}
	m := &Dense{N: n, D: x.F32}
	if !x.Single() {
		if err := checkSquare(name, n); err != nil {
			return nil, Report{}, err
		}
		m.D = make([]float32, n*n)
	}
	faults := make([]*fault.Input, n)
	err := parallel.Blocks(ctx, n, max(1, npyPiece/n), threads, func(_, first, last int) {
		for i := first; i < last; i++ {
			faults[i] = m.take(x, i)
		}
	})
	if err != nil {
		return nil, Report{}, err
	}
	for _, f := range faults {
		if f != nil {
			f.File = name
			return nil, Report{}, f
		}
	}
	report, err := m.finish(ctx, name, threads)
	return m, report, err
}

// take checks row i of x and puts it into the matrix, unless its values are there already. −0
// becomes 0.
func (m *Dense) take(x dataset.Matrix, i int) *fault.Input {
	for j := range m.N {
		v := x.At(i, j)
		problem := entryProblem(v)
		switch {
		case problem != "":
			return &fault.Input{Row: i + 1, Column: strconv.Itoa(j + 1), Problem: problem,
				Fix: entryFix}
		case i == j && v != 0:
			f := diagonalFault(v, j)
			f.Row = i + 1
			return f
		case !x.Single() || v == 0 && math.Signbit(v):
			m.D[i*m.N+j] = float32(v) + 0
		}
	}
	return nil
}
