package eval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

// TestCountsAreLabels: counting first makes no difference, to the bit.
func TestCountsAreLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pred, truth []int
		counts := make([][]int64, rapid.IntRange(1, 6).Draw(t, "clusters"))
		for i := range counts {
			for j := range rapid.IntRange(0, 5).Draw(t, "classes") {
				n := rapid.IntRange(0, 4).Draw(t, "objects")
				counts[i] = append(counts[i], int64(n))
				for range n {
					pred, truth = append(pred, i+1), append(truth, j)
				}
			}
		}
		want, failed := Compare(pred, truth)
		got, err := CompareCounts(counts)
		if (err != nil) != (failed != nil) || got != want {
			t.Fatalf("%+v (%v), want %+v (%v)", got, err, want, failed)
		}
	})
	if _, err := CompareCounts([][]int64{{1, -1}}); !fault.IsInput(err) {
		t.Errorf("negative: %v", err)
	}
}
