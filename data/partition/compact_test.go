package partition

import (
	"slices"
	"testing"
)

func TestCompactNumbersInOrder(t *testing.T) {
	labels, numbers := Compact([]int{7, 0, 2, 900, 2, 0})
	if !slices.Equal(labels, []int{2, 0, 1, 3, 1, 0}) || !slices.Equal(numbers, []int{2, 7, 900}) {
		t.Errorf("%v %v", labels, numbers)
	}
	if labels, numbers := Compact([]int{0, 0}); !slices.Equal(labels, []int{0, 0}) ||
		len(numbers) > 0 {
		t.Errorf("%v %v", labels, numbers)
	}
}
