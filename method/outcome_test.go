package method_test

import (
	"slices"
	"testing"

	"github.com/kindred-go/kindred/method"
)

func TestClassOf(t *testing.T) {
	// cluster 1 has two rows of class 4 and two of class 1, cluster 2 two of class 7, cluster 3 none
	o := &method.Outcome{Clusters: 3, Labels: []int{1, 1, 1, 1, 2, 2, 2, 0, 0, 0, 3, 1}}
	known := []int32{4, 1, 4, 1, 7, 1, 7, 2, 2, 2, -1, -1}
	for range 20 { // the order of a map must not matter
		if got := o.ClassOf(known); !slices.Equal(got, []int32{1, 7, -1}) {
			t.Fatalf("ClassOf = %v", got)
		}
	}
}
