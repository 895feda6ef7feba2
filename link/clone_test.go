package link_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// TestClone adds links to a closure, takes them back, and does the same with copies of it: each is
// what it would be if it had been built alone.
func TestClone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 9).Draw(t, "objects")
		sets, given := []*link.Set{link.NewSet(n)}, [][]link.Link{nil}
		for range rapid.IntRange(1, 80).Draw(t, "steps") {
			k := rapid.IntRange(0, len(sets)-1).Draw(t, "set")
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				sets, given = append(sets, sets[k].Clone()), append(given, slices.Clone(given[k]))
				continue
			case 1, 2:
				last := len(given[k]) - 1
				l, ok := sets[k].Undo()
				if ok != (last >= 0) || ok && l != given[k][last] {
					t.Fatalf("set %d: %v was taken back of %v: %t", k, l, given[k], ok)
				}
				given[k] = given[k][:max(0, last)]
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
			for k := range link.Kind(3) {
				if set.Count(k) != alone.Count(k) {
					t.Fatalf("%d links of kind %v, want %d", set.Count(k), k, alone.Count(k))
				}
			}
			if !slices.EqualFunc(set.Groups(), alone.Groups(), slices.Equal[[]int]) {
				t.Fatalf("set %d has the groups %v, want %v", k, set.Groups(), alone.Groups())
			}
			for i := range n {
				a, b := slices.Sorted(set.Separated(i)), slices.Sorted(alone.Separated(i))
				if !slices.Equal(a, b) {
					t.Fatalf("set %d: %d is separated from %v, want %v", k, i, a, b)
				}
				for j := range n {
					if got, want := set.Explain(i, j), alone.Explain(i, j); !slices.Equal(got, want) {
						t.Fatalf("set %d explains %d and %d by %v, want %v", k, i, j, got, want)
					}
					if got, want := set.Relation(i, j), alone.Relation(i, j); got != want {
						t.Fatalf("set %d: %d and %d are %v, want %v", k, i, j, got, want)
					}
				}
			}
		}
	})
}
