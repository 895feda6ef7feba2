package density

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/internal/nearest"
)

// core implements [space].
func (t *tree) core(ctx context.Context, k int, asked []bool, inner []float64) ([]float64,
	error) {
	if k > t.N {
		return slices.Repeat([]float64{unreached}, t.N), nil
	}
	far := make([]float64, t.N)
	err := t.EachLeaf(ctx, func(leaf int, w *nearest.Work) {
		s := &ranking{tree: t, Work: w, leaf: leaf, k: k}
		if s.begin(asked) {
			s.visit(leaf, 0)
			for node := leaf; node > 0; node = (node - 1) / 2 {
				near, _ := t.Apart(leaf, nearest.Sibling(node))
				s.visit(nearest.Sibling(node), near)
			}
			for i, best := range s.best {
				if best != nil {
					far[int(t.Low[leaf])+i] = best[0]
					if inner != nil {
						inner[int(t.Low[leaf])+i] = second(best)
					}
				}
			}
		}
	})
	return far, err
}

// ranking finds the k nearest of the rows of a leaf.
type ranking struct {
	*tree
	*nearest.Work
	leaf, k int
	// keys of the nearest so far, see insert; nil for rows that are not asked about
	best  [][]float64
	bound float64 // greatest of the k-th
}

// begin reports whether there is a row to ask about.
func (s *ranking) begin(asked []bool) (any bool) {
	low, high := s.Low[s.leaf], s.High[s.leaf]
	s.best = make([][]float64, high-low)
	keys := slices.Repeat([]float64{unreached}, int(high-low)*s.k)
	for i := range s.best {
		if asked == nil || asked[int(low)+i] {
			s.best[i], any = keys[i*s.k:][:s.k:s.k], true
		}
	}
	s.bound = unreached
	return any
}

// visit looks at a node that is near away from the leaf.
func (s *ranking) visit(node int, near float64) {
	if near >= s.bound {
		return
	}
	if node < s.First {
		a, b := 2*node+1, 2*node+2
		toA, _ := s.Apart(s.leaf, a)
		toB, _ := s.Apart(s.leaf, b)
		if toB < toA {
			a, b, toA, toB = b, a, toB, toA
		}
		s.visit(a, toA)
		s.visit(b, toB)
		return
	}
	s.bound = 0
	for i, best := range s.best {
		if best == nil {
			continue
		}
		last := best[0]
		if s.Point(s.X, s.leaf, i); s.ToPoint(s.X, node) < last {
			for _, v := range s.Keys(&s.Dist, s.X, node) {
				if v < best[0] {
					insert(best, v)
				}
			}
			last = best[0]
		}
		s.bound = max(s.bound, last)
	}
}

// second returns the greatest of keys but one, see insert; 0 where there is one alone.
func second(keys []float64) (most float64) {
	for _, v := range keys[min(1, len(keys)):min(3, len(keys))] {
		most = max(most, v)
	}
	return most
}

// insert puts a key in the place of the greatest. Keys are a heap: none is greater than key
// (i−1)/2, so the first is the greatest.
func insert(keys []float64, v float64) {
	i := 0
	for {
		child := 2*i + 1
		if child >= len(keys) {
			break
		}
		if child+1 < len(keys) && keys[child+1] > keys[child] {
			child++
		}
		if keys[child] <= v {
			break
		}
		keys[i] = keys[child]
		i = child
	}
	keys[i] = v
}

// nearest implements [space].
func (t *tree) nearest(ctx context.Context, asked, among []bool, key float64) (to []int32,
	far []float64, err error) {
	to, far = make([]int32, t.N), make([]float64, t.N)
	m := countMarks(among)
	err = t.EachLeaf(ctx, func(leaf int, w *nearest.Work) {
		for i := t.Low[leaf]; i < t.High[leaf]; i++ {
			to[i], far[i] = -1, key
			if !asked[i] {
				continue
			}
			t.Point(w.X, leaf, int(i-t.Low[leaf]))
			s := &closest{tree: t, Work: w, floor: -1, to: -1, far: key,
				empty: func(node int) bool { return t.of(m, node) == 0 },
				takes: func(other int32) bool { return among[other] }}
			s.search(leaf)
			to[i], far[i] = s.to, s.far
		}
	})
	return to, far, err
}

// closest finds the nearest to x of the rows that it takes; of those that core distances make
// equally far the nearest by distance, the first position on a tie.
type closest struct {
	*tree
	*nearest.Work
	empty       func(node int) bool    // whether a node has no row to take
	takes       func(other int32) bool // whether a row is to be taken
	least, core []float64              // core distances of nodes, the least, and rows; nil: none
	floor       float64                // no row is nearer
	to          int32                  // −1: none
	far         float64
	gap         float64 // key of its distance, which core distances do not lengthen
}

// search goes through all nodes, from a leaf on.
func (s *closest) search(leaf int) {
	s.visit(leaf, 0)
	for node := leaf; node > 0; node = (node - 1) / 2 {
		s.visit(nearest.Sibling(node), s.ToPoint(s.X, nearest.Sibling(node)))
	}
}

// beyond reports whether no row of a box that lies near away comes before the one found.
func (s *closest) beyond(near float64) bool {
	return near > s.far || s.to >= 0 && s.far <= s.floor && near > s.gap
}

func (s *closest) visit(node int, near float64) {
	if s.beyond(near) || s.empty(node) || s.least != nil && s.least[node] > s.far {
		return
	}
	if node < s.First {
		a, b, toA, toB := s.Nearer(s.X, node)
		s.visit(a, toA)
		s.visit(b, toB)
		return
	}
	for j, v := range s.Keys(&s.Dist, s.X, node) {
		other, gap := s.Low[node]+int32(j), v
		if s.least != nil {
			v = max(v, s.floor, s.core[other])
		}
		if v > s.far || v == s.far && s.to >= 0 &&
			(gap > s.gap || gap == s.gap && s.to <= other) {
			continue
		}
		if s.takes(other) {
			s.to, s.far, s.gap = other, v, gap
		}
	}
}
