package draw

import (
	"math/rand/v2"
	"testing"
)

// TestEveryNumberIsAsLikely: both draw ascending, different numbers of the range, each as often as
// any other.
func TestEveryNumberIsAsLikely(t *testing.T) {
	const n, count, rounds = 9, 4, 9000
	rng := rand.New(rand.NewPCG(1, 2))
	for name, from := range map[string]func() []int{
		"rising": func() (out []int) {
			for _, v := range Rising(rng, 3, 3+n-1, count) {
				out = append(out, int(v)-3)
			}
			return out
		},
		"few": func() []int { return Few(rng, n, count) },
	} {
		times := make([]int, n)
		for range rounds {
			drawn := from()
			for i, v := range drawn {
				if v < 0 || v >= n || i > 0 && v <= drawn[i-1] {
					t.Fatalf("%s: %v", name, drawn)
				}
				times[v]++
			}
			if len(drawn) != count {
				t.Fatalf("%s: %v", name, drawn)
			}
		}
		for v, got := range times {
			if want := rounds * count / n; got < want*9/10 || got > want*11/10 {
				t.Errorf("%s: %d was drawn %d times, about %d expected", name, v, got, want)
			}
		}
	}
}

func TestTheWholeRangeAndNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for count, want := range map[int]int{0: 0, 5: 5} {
		if a, b := Rising(rng, 0, 4, count), Few(rng, int64(5), int64(count)); len(a) != want ||
			len(b) != want {
			t.Errorf("%d of 5: %v and %v", count, a, b)
		}
	}
}
