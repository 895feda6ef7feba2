package shard

// Bad says how many unreadable rows are borne. The zero value bears none.
type Bad struct {
	Most  int64   // rows; a table with more fails
	Share float64 // of all rows, in [0, 1]; a table with a larger share fails
}

// Tally counts the rows of a split, or of many.
type Tally struct {
	Rows       int64    // readable
	Unreadable int64    // left out, for they could not be read
	Dropped    int64    // of the readable ones, left out for missing values
	Samples    []string // at most 5 of those unreadable: file:line: what is wrong
}
