package disjoint_test

import (
	"testing"

	"github.com/kindred-go/kindred/internal/disjoint"
)

// Numbers that are joined have one root, and others do not.
func TestRoot(t *testing.T) {
	s := disjoint.Singletons(6)
	for _, pair := range [][2]int32{{0, 1}, {2, 3}, {1, 3}} {
		s[s.Root(pair[0])] = s.Root(pair[1])
	}
	for i := range int32(6) {
		for j := range int32(6) {
			if want := i == j || i < 4 && j < 4; (s.Root(i) == s.Root(j)) != want {
				t.Errorf("%d and %d are together: %v, want %v", i, j, !want, want)
			}
		}
	}
}

// Joining reports whether there were two sets, and the lower root is that of both.
func TestJoin(t *testing.T) {
	s := disjoint.Singletons(4)
	if !s.Join(3, 1) || !s.Join(2, 3) || s.Join(1, 2) {
		t.Error("it is not reported which sets were two")
	}
	for i, want := range []int32{0, 1, 1, 1} {
		if got := s.Root(int32(i)); got != want {
			t.Errorf("the root of %d is %d, want %d", i, got, want)
		}
	}
}
