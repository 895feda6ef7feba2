package link

import (
	"cmp"
	"iter"
	"slices"
)

// Relation returns what the set entails for a pair: [MustLink], also for an object and itself,
// [CannotLink], or [Unknown] when nothing follows. A row out of range is Unknown.
func (s *Set) Relation(a, b int) Kind {
	if !s.has(a) || !s.has(b) {
		return Unknown
	}
	ra, rb := s.find(int32(a)), s.find(int32(b))
	if ra == rb {
		return MustLink
	}
	if _, separated := s.apart[ordered(ra, rb)]; separated {
		return CannotLink
	}
	return Unknown
}

// Component returns the representative of a's component: its lowest member. It is -1 out of range.
func (s *Set) Component(a int) int {
	if !s.has(a) {
		return -1
	}
	return int(s.lowest[s.find(int32(a))])
}

// Members lists the component of a in rising order, a included; nil out of range.
func (s *Set) Members(a int) []int {
	if !s.has(a) {
		return nil
	}
	list := []int{a}
	for m := s.member[a]; int(m) != a; m = s.member[m] {
		list = append(list, int(m))
	}
	slices.Sort(list)
	return list
}

// Components goes through the components of two objects and more, by rising lowest member, each in
// rising order. Objects without a must-link are components of one and are left out.
func (s *Set) Components() iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		for a := range s.N() {
			if int(s.member[a]) != a && s.Component(a) == a && !yield(s.Members(a)) {
				return
			}
		}
	}
}

// Groups returns the components that must-links and cannot-links touch, the largest first and among
// equals the one with the lowest member, each in rising order. An object that cannot-links alone
// touch is a component of one.
func (s *Set) Groups() [][]int {
	var groups [][]int
	for a := range s.Linked() {
		if s.Component(a) == a {
			groups = append(groups, s.Members(a))
		}
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return groups
}

// Apart takes up to most of the groups of [Set.Groups], each that cannot-links separate from all
// taken before it. Rest has those that are not taken.
func (s *Set) Apart(most int) (taken, rest [][]int) {
	for _, g := range s.Groups() {
		joins := func(other []int) bool { return s.Relation(other[0], g[0]) != CannotLink }
		if len(taken) < most && !slices.ContainsFunc(taken, joins) {
			taken = append(taken, g)
		} else {
			rest = append(rest, g)
		}
	}
	return taken, rest
}

// Numbers numbers all components from 0 by their lowest members, objects without a must-link being
// components of one: of is the number of each object, and first the lowest member of each
// component.
func (s *Set) Numbers() (of []int32, first []int) {
	of = make([]int32, s.N())
	for a := range of {
		if c := s.Component(a); c < a {
			of[a] = of[c]
			continue
		}
		of[a] = int32(len(first))
		first = append(first, a)
	}
	return of, first
}

// Separated goes through the components that are separated from a's, as their lowest members,
// rising.
func (s *Set) Separated(a int) iter.Seq[int] {
	return func(yield func(int) bool) {
		if !s.has(a) || s.rivals == nil {
			return
		}
		var list []int
		for _, object := range s.rivals[s.find(int32(a))] {
			list = append(list, s.Component(int(object)))
		}
		slices.Sort(list)
		for _, c := range slices.Compact(list) {
			if !yield(c) {
				return
			}
		}
	}
}

// Linked goes through the objects that a given must-link or cannot-link touches, rising.
func (s *Set) Linked() iter.Seq[int] {
	return func(yield func(int) bool) {
		for a := range s.N() {
			for i := range s.at(a) {
				if s.given[i].Kind != Unknown {
					if !yield(a) {
						return
					}
					break
				}
			}
		}
	}
}
