package dataset

// EmbeddingCols is the number of columns without names from which on they are an embedding: common
// ones have 50 or more.
const EmbeddingCols = 50

// Embedding reports whether the features of a table are an embedding: the coordinates of vectors,
// of which lengths and angles mean something, and no single one does. It is that of a NumPy array
// with at least [EmbeddingCols] columns of numbers.
func (t *Table) Embedding() bool {
	if t.Format != FormatNPY && t.Format != FormatNPZ {
		return false
	}
	numbers := 0
	for j := range t.Columns {
		switch c := &t.Columns[j]; {
		case c.Name != numberedName(j):
			return false
		case c.Role == Feature && c.Type == Number:
			numbers++
		case c.Role == Feature:
			return false
		}
	}
	return numbers >= EmbeddingCols
}
