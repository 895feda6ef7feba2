package dataset

import "fmt"

// Matrix holds n rows of d values, row-major and contiguous: row i is the values from i·d up to
// (i+1)·d. Exactly one of F64 and F32 is in use: float64, or float32 where the source holds
// float32. The zero value is the empty matrix.
type Matrix struct {
	Rows, Cols int
	F64        []float64 // length Rows·Cols, or nil
	F32        []float32 // length Rows·Cols, or nil
}

// NewMatrix wraps values, which are not copied, as rows×cols float64.
// It fails when the length of values is not rows·cols.
func NewMatrix(rows, cols int, values []float64) (Matrix, error) {
	if rows < 0 || cols < 0 || len(values) != rows*cols {
		return Matrix{}, fmt.Errorf("dataset: %d values cannot fill a %d×%d matrix", len(values),
			rows, cols)
	}
	return Matrix{Rows: rows, Cols: cols, F64: values}, nil
}

// Single reports whether the values are float32.
func (m Matrix) Single() bool { return m.F32 != nil }

// At returns the value in row i, column j, both from 0.
func (m Matrix) At(i, j int) float64 {
	if m.F32 != nil {
		return float64(m.F32[i*m.Cols+j])
	}
	return m.F64[i*m.Cols+j]
}

// AppendRow appends row i to dst as float64 and returns the extended slice.
func (m Matrix) AppendRow(dst []float64, i int) []float64 {
	if m.F32 == nil {
		return append(dst, m.F64[i*m.Cols:(i+1)*m.Cols]...)
	}
	for _, v := range m.F32[i*m.Cols : (i+1)*m.Cols] {
		dst = append(dst, float64(v))
	}
	return dst
}

// Subset copies the given rows, in the order given.
func (m Matrix) Subset(rows []int) Matrix {
	if m.F32 != nil {
		return Matrix{Rows: len(rows), Cols: m.Cols, F32: pick(m.F32, m.Cols, rows)}
	}
	return Matrix{Rows: len(rows), Cols: m.Cols, F64: pick(m.F64, m.Cols, rows)}
}

func pick[T any](values []T, d int, rows []int) []T {
	out := make([]T, 0, len(rows)*d)
	for _, i := range rows {
		out = append(out, values[i*d:(i+1)*d]...)
	}
	return out
}

// Clone copies the matrix and its values.
func (m Matrix) Clone() Matrix {
	m.F64 = append([]float64(nil), m.F64...)
	m.F32 = append([]float32(nil), m.F32...)
	return m
}

// Less writes rows of the matrix from row lo on, less origin, one value per column, to dst, as many
// rows as it holds.
func (m Matrix) Less(dst []float64, lo int, origin []float64) {
	at := lo * m.Cols
	for ; len(dst) > 0; dst = dst[m.Cols:] {
		if m.Single() {
			for j, v := range m.F32[at : at+m.Cols] {
				dst[j] = float64(v) - origin[j]
			}
		} else {
			for j, v := range m.F64[at : at+m.Cols] {
				dst[j] = v - origin[j]
			}
		}
		at += m.Cols
	}
}
