package dataset

// Original returns the value that column col of the matrix had before it was scaled; a constant
// column, whose value scaling forgets, is its constant.
func (e Encoding) Original(col int, scaled float64) float64 {
	for i := range e.Columns {
		c := &e.Columns[i]
		if col >= c.Width() {
			col -= c.Width()
			continue
		}
		if c.Weight != 0 {
			scaled /= c.Weight
		}
		if len(c.Shift) == 0 {
			return scaled
		}
		return float64(scaled*c.Divisor[col]) + c.Shift[col]
	}
	return scaled
}
