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

func readNPY(in io.Reader, name string) (*Dense, error) {
	array, err := dataset.NewNPYStream(name, in)
	if err != nil {
		return nil, err
	}
	n := array.Rows
	if n != array.Cols {
		return nil, &fault.Input{File: name,
			Problem: "is not square: it has " + words.Count(n, "row") + " and " +
				words.Count(array.Cols, "column"),
			Fix: "give the dissimilarities of all objects to all"}
	}
	if err := checkSize(name, n); err != nil {
		return nil, err
	}
	m := &Dense{N: n, D: make([]float32, n*n)}
	values := make([]float64, min(npyPiece, n*n))
	row, col := 0, 0
	for at := 0; at < n*n; at += len(values) {
		values = values[:min(len(values), n*n-at)]
		if err := array.Next(values); errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, &fault.Input{File: name,
				Problem: "ends too early: its header promises " + strconv.Itoa(n) + "×" +
					strconv.Itoa(n) + " values",
				Fix: "fetch or save the file again", Err: err}
		} else if err != nil {
			return nil, err
		}
		for t, v := range values {
			if problem := entryProblem(v); problem != "" {
				if array.ByColumn {
					row, col = col, row
				}
				return nil, &fault.Input{File: name, Row: row + 1, Column: strconv.Itoa(col + 1),
					Problem: problem, Fix: entryFix}
			}
			if row == col && v != 0 {
				f := diagonalFault(v, col)
				f.File, f.Row = name, row+1
				return nil, f
			}
			// −0 becomes 0; by columns it is the transpose, which has the same mean
			m.D[at+t] = float32(v) + 0
			if col++; col == n {
				row, col = row+1, 0
			}
		}
	}
	if k, err := io.ReadFull(in, make([]byte, 1)); k > 0 {
		return nil, &fault.Input{File: name, Problem: "goes on after its array",
			Fix: "save one array a file"}
	} else if err != io.EOF {
		return nil, err
	}
	return m, nil
}
