package eval

import (
	"cmp"
	"math/big"
	"math/bits"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
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
	r.Purity = float64(t.singles+linalg.Sum(largest)) / float64(t.n)
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

// wide counts pairs, twice: of 10¹⁰ objects there are more than 64 bits hold.
type wide struct{ high, low uint64 }

// addPairs adds the number of pairs of n objects.
func (w *wide) addPairs(n int64) {
	high, low := bits.Mul64(uint64(n), uint64(n-1))
	var carry uint64
	w.low, carry = bits.Add64(w.low, low, 0)
	w.high, _ = bits.Add64(w.high, high, carry)
}

func (w wide) int() *big.Int {
	v := new(big.Int).SetUint64(w.high)
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w.low))
	return v.Rsh(v, 1)
}

// expected compares n times the counts that two cells would have if the partitions were
// independent.
func (t *table) expected(a, b cell) int {
	high, low := bits.Mul64(uint64(t.rows[a.row]), uint64(t.cols[a.col]))
	high2, low2 := bits.Mul64(uint64(t.rows[b.row]), uint64(t.cols[b.col]))
	if high != high2 {
		low, low2 = high, high2
	}
	return cmp.Compare(low, low2)
}

func sum(a, b *big.Int) *big.Int     { return new(big.Int).Add(a, b) }
func product(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
func twice(a *big.Int) *big.Int      { return new(big.Int).Lsh(a, 1) }

// ratio returns part/whole, each as the nearest float64, and of nothing 1 or 0.
func ratio(part, whole *big.Int, ofNothing bool) float64 {
	switch {
	case whole.Sign() > 0:
		p, _ := part.Float64()
		w, _ := whole.Float64()
		return p / w
	case ofNothing:
		return 1
	}
	return 0
}
