// Package disjoint has disjoint sets of the numbers from 0 to n−1.
package disjoint

// Sets has the parent of each number. The root of a set is its own parent.
type Sets []int32

// Singletons returns n sets of one number each, which are also the numbers in order.
func Singletons(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = int32(i)
	}
	return s
}

// Join makes one set of those of i and j, whose root is the lower one of theirs, and reports whether
// they were two.
func (s Sets) Join(i, j int32) bool {
	a, b := s.Root(i), s.Root(j)
	s[max(a, b)] = min(a, b)
	return a != b
}

// Root returns the root of the set of i, and halves the path to it.
func (s Sets) Root(i int32) int32 {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}
