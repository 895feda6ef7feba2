package strategy

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

// hoods are the neighbourhoods that what is known amounts to: rows that must-links join, taken
// greedily, the most rows first, as long as they are known to differ from all taken before. What
// else is linked is on its way: its place is not known yet.
type hoods struct {
	rows [][]int // of each neighbourhood, rising
	of   []int   // neighbourhood of each row, or −1
	// the first row of each other part, the one separated from most neighbourhoods first
	onWay []int
}

func newHoods(known *ask.Ledger) *hoods {
	set := known.Set()
	h := &hoods{of: slices.Repeat([]int{-1}, known.N())}
	from := make(map[int]int) // neighbourhoods that a row on its way differs from
	for _, part := range set.Groups() {
		apart := 0
		for _, other := range h.rows {
			if set.Relation(part[0], other[0]) == link.CannotLink {
				apart++
			}
		}
		if apart < len(h.rows) {
			h.onWay = append(h.onWay, part[0])
			from[part[0]] = apart
			continue
		}
		for _, row := range part {
			h.of[row] = len(h.rows)
		}
		h.rows = append(h.rows, part)
	}
	slices.SortStableFunc(h.onWay, func(a, b int) int { return cmp.Compare(from[b], from[a]) })
	return h
}

// speaker returns a row of a neighbourhood that may be asked about; −1 where there is none.
func (h *hoods) speaker(known *ask.Ledger, g int) int {
	for _, row := range h.rows[g] {
		if known.Askable(row) {
			return row
		}
	}
	return -1
}

// doubts counts the unknown answers about each row.
func doubts(known *ask.Ledger) map[int]int {
	count := make(map[int]int)
	seen := make(map[[2]int]bool)
	for _, f := range known.Facts() {
		if f.Kind == link.Unknown && !seen[f.Pair()] {
			seen[f.Pair()] = true
			count[f.A]++
			count[f.B]++
		}
	}
	return count
}
