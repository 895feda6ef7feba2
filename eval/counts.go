package eval

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

// CompareCounts is [Compare] for labels that were only counted: counts[i][j] objects are in cluster
// i+1 and in class j. Rows may differ in length. It fails with a [*fault.Input] when there are no
// objects, and on negative counts.
func CompareCounts(counts [][]int64) (Report, error) {
	var t table
	classes := 0
	for _, row := range counts {
		classes = max(classes, len(row))
	}
	sizes := make([]int64, classes)
	for _, row := range counts {
		for j, n := range row {
			if n < 0 {
				return Report{}, &fault.Input{Problem: "a count of objects is negative"}
			}
			sizes[j] += n
		}
	}
	place := make([]int32, classes) // among the classes that have objects
	for j, n := range sizes {
		if n > 0 {
			place[j] = int32(len(t.cols))
			t.cols = append(t.cols, n)
			t.n += n
		}
	}
	if t.n == 0 {
		return Report{}, &fault.Input{Problem: "there are no objects to compare"}
	}
	for _, row := range counts {
		size := int64(0)
		for j, n := range row {
			if size += n; n > 0 {
				t.cells = append(t.cells, cell{count: n, row: int32(len(t.rows)), col: place[j]})
			}
		}
		if size > 0 {
			t.rows = append(t.rows, size)
		}
	}
	t.sort()
	r := Report{N: int(t.n), Clusters: len(t.rows), Classes: len(t.cols)}
	t.report(&r)
	return r, nil
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
