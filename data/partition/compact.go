package partition

import "slices"

// Compact numbers the clusters of labels from 1, in the order of their numbers, and returns the
// number that each had at its new number − 1. 0 stays 0. A file may number few clusters by any
// numbers.
func Compact(labels []int) (compact, numbers []int) {
	numbers = slices.Compact(slices.Sorted(slices.Values(labels)))
	numbers = slices.DeleteFunc(numbers, func(c int) bool { return c == 0 })
	number := make(map[int]int, len(numbers))
	for i, c := range numbers {
		number[c] = i + 1
	}
	compact = make([]int, len(labels))
	for row, c := range labels {
		compact[row] = number[c]
	}
	return compact, numbers
}
