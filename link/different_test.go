package link_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

func TestDifferentByHand(t *testing.T) {
	// Four groups that all differ, by one cannot-link per pair and not always at their first
	// object; 9 and 10 differ from some.
	s := build(t, 12, must(1, 5), must(3, 8), cannot(5, 8), cannot(1, 2), cannot(2, 3),
		cannot(4, 5), cannot(4, 3), cannot(2, 4),
		cannot(9, 1), cannot(9, 2), cannot(10, 9))
	ctx := context.Background()
	for count, want := range map[int][]int{-1: nil, 0: nil, 1: {0}, 4: {1, 2, 3, 4}, 5: nil,
		100: nil} {
		if got, err := s.Different(ctx, count); err != nil || !slices.Equal(got, want) {
			t.Errorf("%d that differ: %v (%v), want %v", count, got, err, want)
		}
	}
	if got, err := build(t, 3, must(0, 1)).Different(ctx, 2); got != nil || err != nil {
		t.Errorf("nothing differs, but %v (%v)", got, err)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Different(done, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Small graphs are searched to the end, so that what is found is there and what is there is found.
func TestDifferentAreFoundWhereTheyAre(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "n")
		s := link.NewSet(n)
		for range rapid.IntRange(0, 40).Draw(t, "links") {
			l := link.Link{A: rapid.IntRange(0, n-1).Draw(t, "a"),
				B: rapid.IntRange(0, n-1).Draw(t, "b"), Kind: link.CannotLink}
			if rapid.IntRange(0, 5).Draw(t, "kind") == 0 {
				l.Kind = link.MustLink
			}
			_ = s.Add(l) // what contradicts is left out
		}
		most := 0
		for set := range 1 << n {
			var chosen []int
			for a := range n {
				if set>>a&1 == 1 {
					chosen = append(chosen, a)
				}
			}
			apart := true
			for i, a := range chosen {
				for _, b := range chosen[:i] {
					apart = apart && s.Relation(a, b) == link.CannotLink
				}
			}
			if apart {
				most = max(most, len(chosen))
			}
		}
		for count := 1; count <= n+1; count++ {
			got, err := s.Different(context.Background(), count)
			if err != nil || (got != nil) != (count <= most) || got != nil && len(got) != count {
				t.Fatalf("%d that differ, of at most %d: %v (%v)", count, most, got, err)
			}
			for i, a := range got {
				if i > 0 && (got[i-1] >= a || s.Relation(got[i-1], a) != link.CannotLink) ||
					s.Component(a) != a {
					t.Fatalf("%v", got)
				}
			}
		}
	})
}

func ExampleSet_Different() {
	s := link.NewSet(5)
	for _, l := range []link.Link{cannot(0, 2), cannot(2, 4), cannot(0, 4), cannot(1, 3)} {
		if err := s.Add(l); err != nil {
			panic(err)
		}
	}
	different, err := s.Different(context.Background(), 3)
	fmt.Println(different, err)
	// Output: [0 2 4] <nil>
}
