package linalg

import (
	"cmp"
	"slices"
)

// Sum returns the sum of values, added in their order.
func Sum[T ~int64 | ~float64](values []T) (sum T) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// ArgMin returns the place of the least value, the first on a tie; −1 where there are none.
func ArgMin[T cmp.Ordered](values []T) int {
	best := -1
	for i, v := range values {
		if best < 0 || v < values[best] {
			best = i
		}
	}
	return best
}

// ArgMax returns the place of the greatest value, the first on a tie; −1 where there are none.
func ArgMax[T cmp.Ordered](values []T) int {
	best := -1
	for i, v := range values {
		if best < 0 || v > values[best] {
			best = i
		}
	}
	return best
}

// Order returns the numbers below n as compare sorts them, equal ones rising.
func Order(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// Add adds values to those of dst.
func Add[T ~int64 | ~uint64 | ~float64](dst, values []T) {
	for i, v := range values {
		dst[i] += v
	}
}

// Divide divides values by a number.
func Divide(values []float64, by float64) {
	for i := range values {
		values[i] /= by
	}
}

// Where returns the places of the values that hold, rising; nil where none does.
func Where[T any](values []T, holds func(T) bool) (places []int) {
	count := 0
	for _, v := range values {
		if holds(v) {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	places = make([]int, 0, count)
	for i, v := range values {
		if holds(v) {
			places = append(places, i)
		}
	}
	return places
}
