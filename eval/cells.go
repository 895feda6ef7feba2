package eval

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

// Cell is one cell of a contingency table: so many objects are in a cluster and in a class.
type Cell struct {
	Cluster, Class int   // labels, of any values; cluster 0 is noise
	Count          int64 // 0 or more
}

// CompareCells is [Compare] for labels that were only counted, however many objects there are: with
// the cells of their table in any order, those that are left out being empty and those of the same
// labels added. It takes O(t log t) time for t cells. It fails with a [*fault.Input] when there are
// no objects, on negative counts, and beyond 9·10¹⁸ objects.
func CompareCells(cells []Cell) (Report, error) { return compareCells(cells, false) }

// CompareCellsApart is [CompareCells] with each object of cluster 0 as a cluster of its own, as
// [Singletons] makes them, in no more time.
func CompareCellsApart(cells []Cell) (Report, error) { return compareCells(cells, true) }

// CompareCounts is [Compare] for labels that were only counted: counts[i][j] objects are in cluster
// i+1 and in class j. Rows may differ in length. It fails as [CompareCells] does.
func CompareCounts(counts [][]int64) (Report, error) {
	var cells []Cell
	for i, row := range counts {
		for j, n := range row {
			cells = append(cells, Cell{i + 1, j, n})
		}
	}
	return CompareCells(cells)
}

func compareCells(cells []Cell, apart bool) (Report, error) {
	cells = slices.Clone(cells)
	slices.SortFunc(cells, func(a, b Cell) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Class, b.Class))
	})
	var t table
	place := map[int]int32{} // of a class among the columns
	clusters := []int{}      // label of each row
	var r Report
	for _, c := range cells {
		if c.Count < 0 {
			return Report{}, fault.Inputf("",
				"the count of objects in cluster %d and class %d is negative", c.Cluster, c.Class)
		}
		if c.Count == 0 {
			continue
		}
		if t.n += c.Count; t.n < 0 {
			return Report{}, fault.Inputf("compare fewer than 9·10¹⁸",
				"there are more objects than can be counted")
		}
		if apart && c.Cluster == 0 {
			t.addAlone(t.column(place, c.Class), c.Count)
			continue
		}
		if len(clusters) == 0 || clusters[len(clusters)-1] != c.Cluster {
			clusters, t.rows = append(clusters, c.Cluster), append(t.rows, 0)
		}
		col := t.column(place, c.Class)
		row := int32(len(t.rows) - 1)
		t.rows[row] += c.Count
		t.cols[col] += c.Count
		if c.Cluster == 0 {
			r.Noise += int(c.Count)
		}
		if last := len(t.cells) - 1; last >= 0 && t.cells[last].row == row &&
			t.cells[last].col == col {
			t.cells[last].count += c.Count
			continue
		}
		t.cells = append(t.cells, cell{count: c.Count, row: row, col: col})
	}
	if t.n == 0 {
		return Report{}, &fault.Input{Problem: "there are no objects to compare"}
	}
	t.sort()
	r.N, r.Clusters, r.Classes = int(t.n), len(t.rows)+int(t.singles), len(t.cols)
	if r.Noise > 0 {
		r.Clusters--
	}
	t.report(&r)
	return r, nil
}

// column returns the position of a class, a new one where it is not known.
func (t *table) column(place map[int]int32, class int) int32 {
	col, known := place[class]
	if !known {
		col = int32(len(t.cols))
		place[class] = col
		t.cols, t.alone = append(t.cols, 0), append(t.alone, 0)
	}
	return col
}

// addAlone counts objects of a class that are clusters of their own.
func (t *table) addAlone(col int32, count int64) {
	t.cols[col] += count
	t.alone[col] += count
	t.singles += count
}
