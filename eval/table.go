package eval

import (
	"cmp"
	"slices"
)

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
func tabulate(pred, truth []int) (cells []Cell) {
	r, clusters := dense(pred)
	c, classes := dense(truth)
	if cols := len(classes); len(clusters)*cols <= 4*len(pred)+1024 {
		counts := make([]int64, len(clusters)*cols)
		for i := range pred {
			counts[int(r[i])*cols+int(c[i])]++
		}
		for k, count := range counts {
			if count > 0 {
				cells = append(cells, Cell{clusters[k/cols], classes[k%cols], count})
			}
		}
		return cells
	}
	where := map[[2]int32]int{}
	for i := range pred {
		key := [2]int32{r[i], c[i]}
		k, known := where[key]
		if !known {
			k = len(cells)
			where[key] = k
			cells = append(cells, Cell{Cluster: pred[i], Class: truth[i]})
		}
		cells[k].Count++
	}
	return cells
}

// sort puts the cells in an order that does not depend on which cluster has which label, on the
// order of the objects, or on which partition is called the truth, and neither do sums over them
// then.
func (t *table) sort() {
	slices.SortFunc(t.cells, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.count, b.count), t.expected(a, b))
	})
}

// report sets all indices.
func (t *table) report(r *Report) {
	t.pairIndices(r)
	t.information(r)
	largest := make([]int64, len(t.rows))
	for _, c := range t.cells {
		largest[c.row] = max(largest[c.row], c.count)
	}
	pure := t.singles
	for _, v := range largest {
		pure += v
	}
	r.Purity = float64(pure) / float64(t.n)
}

// independent returns n times the count that a cell would have if the partitions were independent.
// Both sizes are exact, so it is rounded once.
func (t *table) independent(c cell) float64 {
	return float64(t.rows[c.row]) * float64(t.cols[c.col])
}

// dense renumbers labels from 0 in order of first appearance, and returns the label that each had.
func dense(labels []int) (codes []int32, names []int) {
	codes = make([]int32, len(labels))
	low, high := slices.Min(labels), slices.Max(labels)
	if span := uint64(high) - uint64(low); span < uint64(4*len(labels)+1024) {
		seen := make([]int32, span+1) // code + 1
		for i, l := range labels {
			k := uint64(l) - uint64(low)
			if seen[k] == 0 {
				names = append(names, l)
				seen[k] = int32(len(names))
			}
			codes[i] = seen[k] - 1
		}
		return codes, names
	}
	seen := map[int]int32{}
	for i, l := range labels {
		code, known := seen[l]
		if !known {
			code = int32(len(names))
			seen[l] = code
			names = append(names, l)
		}
		codes[i] = code
	}
	return codes, names
}
