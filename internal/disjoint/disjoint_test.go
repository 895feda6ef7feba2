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
