package dissim

import (
	"errors"
	"io"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// npyPiece is the number of values decoded at a time.
const npyPiece = 1 << 16

// readNPY reads an array that has no more than most bytes (-1: not known).
func readNPY(in io.Reader, name string, most int64) (m *Dense, notes []string, err error) {
	array, err := dataset.NewNPYStream(name, in, most)
	if err != nil {
		return nil, nil, err
	}
	n := array.Rows
	pairs, isCondensed := 0, false
	if array.Cols == 1 {
		pairs = n
		if objects, ok := condensed(pairs); ok {
			n, isCondensed = objects, true
			notes = []string{"read as the condensed matrix of " + words.Count(n, "object")}
		}
	}
	if !isCondensed && n != array.Cols {
		return nil, nil, &fault.Input{File: name,
			Problem: "is not square: it has " + words.Count(array.Rows, "row") + " and " +
				words.Count(array.Cols, "column"),
			Fix: "give the dissimilarities of all objects to all, or the n(n-1)/2 of the " +
				"condensed form"}
	}
	if err := checkSize(name, n); err != nil {
		return nil, nil, err
	}
	m = &Dense{N: n, D: make([]float32, n*n)}
	size := n * n
	row, col := 0, 0
	if isCondensed {
		size, col = pairs, 1
	}
	values := make([]float64, min(npyPiece, size))
	for at := 0; at < size; at += len(values) {
		values = values[:min(len(values), size-at)]
		if err := array.Next(values); errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, nil, &fault.Input{File: name,
				Problem: "ends too early: its header promises " + strconv.Itoa(array.Rows) + "×" +
					strconv.Itoa(array.Cols) + " values",
				Fix: "fetch or save the file again", Err: err}
		} else if err != nil {
			return nil, nil, err
		}
		for _, v := range values {
			if problem := entryProblem(v); problem != "" {
				if array.ByColumn && !isCondensed {
					row, col = col, row
				}
				return nil, nil, &fault.Input{File: name, Row: row + 1, Column: strconv.Itoa(col + 1),
					Problem: problem, Fix: entryFix}
			}
			if row == col && v != 0 {
				f := diagonalFault(v, col)
				f.File, f.Row = name, row+1
				return nil, nil, f
			}
			// −0 becomes 0; by columns it is the transpose, which has the same mean
			m.D[row*n+col] = float32(v) + 0
			if isCondensed {
				m.D[col*n+row] = float32(v) + 0
			}
			if col++; col == n {
				row, col = row+1, 0
				if isCondensed {
					col = row + 1
				}
			}
		}
	}
	if k, err := io.ReadFull(in, make([]byte, 1)); k > 0 {
		return nil, nil, &fault.Input{File: name, Problem: "goes on after its array",
			Fix: "save one array a file"}
	} else if err != io.EOF {
		return nil, nil, err
	}
	return m, notes, nil
}
