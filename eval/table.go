package eval

import "slices"

// table is a sparse contingency table of two partitions.
type table struct {
	n          int64
	rows, cols []int64 // sizes of the clusters of each partition
	cells      []cell  // those that are not empty

	// Objects that are clusters of their own, counted beside rows and cells.
	alone   []int64 // of each column; nil: none
	singles int64   // all
}

type cell struct {
	count    int64
	row, col int32
}

// tabulate counts in O(n) time, and in memory O(n) at most beside the labels.
func tabulate(pred, truth []int) table {
	r, rows := dense(pred)
	c, cols := dense(truth)
	t := table{n: int64(len(pred)), rows: make([]int64, rows), cols: make([]int64, cols)}
	for i := range pred {
		t.rows[r[i]]++
		t.cols[c[i]]++
	}
	if rows*cols <= 4*len(pred)+1024 {
		counts := make([]int64, rows*cols)
		for i := range pred {
			counts[int(r[i])*cols+int(c[i])]++
		}
		for k, count := range counts {
			if count > 0 {
				t.cells = append(t.cells, cell{count, int32(k / cols), int32(k % cols)})
			}
		}
	} else {
		where := map[[2]int32]int{}
		for i := range pred {
			key := [2]int32{r[i], c[i]}
			k, known := where[key]
			if !known {
				k = len(t.cells)
				where[key] = k
				t.cells = append(t.cells, cell{row: key[0], col: key[1]})
			}
			t.cells[k].count++
		}
	}
	t.sort()
	return t
}

// independent returns n times the count that a cell would have if the partitions were independent.
// Both sizes are exact, so it is rounded once.
func (t *table) independent(c cell) float64 {
	return float64(t.rows[c.row]) * float64(t.cols[c.col])
}

// dense renumbers labels from 0 in order of first appearance.
func dense(labels []int) (codes []int32, count int) {
	if len(labels) == 0 {
		return nil, 0
	}
	codes = make([]int32, len(labels))
	low, high := slices.Min(labels), slices.Max(labels)
	if span := uint64(high) - uint64(low); span < uint64(4*len(labels)+1024) {
		seen := make([]int32, span+1) // code + 1
		for i, l := range labels {
			k := uint64(l) - uint64(low)
			if seen[k] == 0 {
				count++
				seen[k] = int32(count)
			}
			codes[i] = seen[k] - 1
		}
		return codes, count
	}
	seen := map[int]int32{}
	for i, l := range labels {
		code, known := seen[l]
		if !known {
			code = int32(count)
			seen[l] = code
			count++
		}
		codes[i] = code
	}
	return codes, count
}
