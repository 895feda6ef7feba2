package kin

import (
	"cmp"
	"slices"
)

// entry is a value of a sparse row, whose entries are in the order of their places.
type entry struct {
	at int32
	v  float64
}

// value returns what a sparse row has at a place.
func value(row []entry, at int) float64 {
	i, ok := slices.BinarySearchFunc(row, int32(at),
		func(e entry, at int32) int { return cmp.Compare(e.at, at) })
	if !ok {
		return 0
	}
	return row[i].v
}

// total is the sum of a sparse row.
func total(row []entry) float64 {
	sum := 0.0
	for _, e := range row {
		sum += e.v
	}
	return sum
}

// greatest is the greatest value of a sparse row, at least 0.
func greatest(row []entry) float64 {
	most := 0.0
	for _, e := range row {
		most = max(most, e.v)
	}
	return most
}

// minus returns a − r·b without the place skip, and without what is at most little.
func minus(a []entry, r float64, b []entry, skip int32, little float64) []entry {
	out := make([]entry, 0, len(a))
	for len(a) > 0 || len(b) > 0 {
		var e entry
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].at < b[0].at:
			e, a = a[0], a[1:]
		case len(a) == 0 || b[0].at < a[0].at: // a rounded away what is there
			b = b[1:]
			continue
		default:
			e = entry{a[0].at, a[0].v - float64(r*b[0].v)}
			a, b = a[1:], b[1:]
		}
		if e.v > little && e.at != skip {
			out = append(out, e)
		}
	}
	return out
}

// identical reports whether two rows are the same place in memory.
func identical(a, b []entry) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// scatter adds up a sparse row, in any order.
type scatter struct {
	v    []float64
	seen []bool
	in   []int32
	row  []entry // room for what was added up
}

func newScatter(places int) *scatter {
	return &scatter{v: make([]float64, places), seen: make([]bool, places)}
}

func (s *scatter) add(at int32, v float64) {
	if !s.seen[at] {
		s.seen[at] = true
		s.in = append(s.in, at)
	}
	s.v[at] += v
}

// take appends what was added up to dst, without what is at most little, and starts anew.
func (s *scatter) take(dst []entry, little float64) []entry {
	slices.Sort(s.in)
	for _, at := range s.in {
		if v := s.v[at]; v > little {
			dst = append(dst, entry{at, v})
		}
		s.v[at], s.seen[at] = 0, false
	}
	s.in = s.in[:0]
	return dst
}

// relation is a symmetric relation of groups, with an entry a group.
type relation []map[int]struct{}

func (r relation) has(g, h int) bool {
	_, ok := r[g][h]
	return ok
}

func (r relation) set(g, h int) {
	for _, p := range [2][2]int{{g, h}, {h, g}} {
		if r[p[0]] == nil {
			r[p[0]] = make(map[int]struct{})
		}
		r[p[0]][p[1]] = struct{}{}
	}
}

// drop makes two groups unrelated.
func (r relation) drop(g, h int) {
	delete(r[g], h)
	delete(r[h], g)
}

// clear makes a group related to none.
func (r relation) clear(g int) {
	for h := range r[g] {
		delete(r[h], g)
	}
	r[g] = nil
}

func (r relation) clone() relation {
	out := make(relation, len(r))
	for g, of := range r {
		if len(of) > 0 {
			out[g] = make(map[int]struct{}, len(of))
			for h := range of {
				out[g][h] = struct{}{}
			}
		}
	}
	return out
}

// sparse returns the entries of a row that are above 0.
func sparse(row []float64) []entry {
	var out []entry
	for at, v := range row {
		if v > 0 {
			out = append(out, entry{int32(at), v})
		}
	}
	return out
}
