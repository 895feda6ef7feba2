package method

import (
	"cmp"
	"slices"
)

// bySize returns the indices of sizes, the largest first, ties by index: the order clusters are
// numbered.
func bySize(sizes []int) []int {
	order := make([]int, len(sizes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
	return order
}
