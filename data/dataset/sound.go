package dataset

import (
	"fmt"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// CheckSize refuses a matrix that holds more or fewer values than its size, and one with rows but
// no columns, by a *fault.Input. What names it, in the plural.
func (m Matrix) CheckSize(what string) error {
	n := len(m.F64)
	if m.Single() {
		n = len(m.F32)
	}
	// Divided, as the product may overflow.
	if m.Rows == 0 && n == 0 && m.Cols >= 0 ||
		m.Rows > 0 && m.Cols > 0 && n%m.Cols == 0 && n/m.Cols == m.Rows {
		return nil
	}
	return &fault.Input{Problem: fmt.Sprintf("the %s hold %d values, not %d×%d",
		what, n, m.Rows, m.Cols)}
}

// CheckCols refuses rows of other columns than something that was fitted has, by a *fault.Input.
// What names that, in the plural.
func (m Matrix) CheckCols(what string, cols int) error {
	if m.Cols == cols {
		return nil
	}
	return &fault.Input{
		Problem: fmt.Sprintf("the rows have %d columns and the %s %d", m.Cols, what, cols),
		Fix:     "give the columns that were fitted"}
}

// NotFinite is the fault of a value of a row and a column, from 0, that is not finite.
func NotFinite(row, col int, v float64) *fault.Input {
	return &fault.Input{Row: row + 1, Column: strconv.Itoa(col + 1),
		Problem: fmt.Sprintf("the value %g is not finite", v),
		Fix:     "drop the row or fill in the value"}
}
