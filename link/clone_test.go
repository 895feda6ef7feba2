package link_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// TestClone adds links to a closure and, mixed with those, others to copies of it: each is what it
// would be if it had been built alone.
func TestClone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "objects")
		sets, given := []*link.Set{link.NewSet(n)}, [][]link.Link{nil}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			k := rapid.IntRange(0, len(sets)-1).Draw(t, "set")
			if rapid.IntRange(0, 5).Draw(t, "step") == 0 {
				sets, given = append(sets, sets[k].Clone()), append(given, slices.Clone(given[k]))
				continue
			}
			a := rapid.IntRange(0, n-1).Draw(t, "a")
			b := (a + rapid.IntRange(1, n-1).Draw(t, "b")) % n
			l := link.Link{A: a, B: b, Kind: link.Kind(rapid.IntRange(0, 2).Draw(t, "kind"))}
			if sets[k].Add(l) == nil {
				given[k] = append(given[k], l)
			}
		}
		for k, set := range sets {
			alone, _, err := link.Build(n, given[k], link.Refuse)
			if err != nil || !slices.Equal(set.Given(), alone.Given()) {
				t.Fatalf("set %d has %v: %v", k, set.Given(), err)
			}
			for i := range n {
				a, b := slices.Sorted(set.Separated(i)), slices.Sorted(alone.Separated(i))
				if !slices.Equal(a, b) {
					t.Fatalf("set %d: %d is separated from %v, want %v", k, i, a, b)
				}
				for j := range n {
					if got, want := set.Relation(i, j), alone.Relation(i, j); got != want {
						t.Fatalf("set %d: %d and %d are %v, want %v", k, i, j, got, want)
					}
				}
			}
		}
	})
}
