package density

import "context"

// core implements [space].
func (t *tree) core(ctx context.Context, k int, asked []bool) ([]float64, error) {
	far := make([]float64, t.n)
	if k > t.n {
		for i := range far {
			far[i] = unreached
		}
		return far, nil
	}
	err := t.eachLeaf(ctx, func(leaf int, w *treeWork) {
		s := &ranking{tree: t, treeWork: w, leaf: leaf, k: k}
		if s.begin(asked) {
			s.visit(leaf, 0)
			for node := leaf; node > 0; node = (node - 1) / 2 {
				near, _ := t.apart(leaf, sibling(node))
				s.visit(sibling(node), near)
			}
			for i, best := range s.best {
				if best != nil {
					far[int(t.low[leaf])+i] = best[0]
				}
			}
		}
	})
	return far, err
}

// ranking finds the k nearest of the rows of a leaf.
type ranking struct {
	*tree
	*treeWork
	leaf, k int
	// keys of the nearest so far, see insert; nil for rows that are not asked about
	best  [][]float64
	bound float64 // greatest of the k-th
}

// begin reports whether there is a row to ask about.
func (s *ranking) begin(asked []bool) (any bool) {
	low, high := s.low[s.leaf], s.high[s.leaf]
	s.best = make([][]float64, high-low)
	keys := make([]float64, int(high-low)*s.k)
	for i := range keys {
		keys[i] = unreached
	}
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
	if node < s.first {
		a, b := 2*node+1, 2*node+2
		toA, _ := s.apart(s.leaf, a)
		toB, _ := s.apart(s.leaf, b)
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
		if s.point(s.x, s.leaf, i); s.toPoint(s.x, node) < last {
			for _, v := range s.keys(&s.dist, s.x, node) {
				if v < best[0] {
					insert(best, v)
				}
			}
			last = best[0]
		}
		s.bound = max(s.bound, last)
	}
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
	to, far = make([]int32, t.n), make([]float64, t.n)
	m := countMarks(among)
	err = t.eachLeaf(ctx, func(leaf int, w *treeWork) {
		for i := t.low[leaf]; i < t.high[leaf]; i++ {
			to[i], far[i] = -1, key
			if !asked[i] {
				continue
			}
			t.point(w.x, leaf, int(i-t.low[leaf]))
			s := &closest{tree: t, treeWork: w, among: among, marks: m, to: -1, far: key}
			s.visit(leaf, 0)
			for node := leaf; node > 0; node = (node - 1) / 2 {
				s.visit(sibling(node), t.toPoint(w.x, sibling(node)))
			}
			to[i], far[i] = s.to, s.far
		}
	})
	return to, far, err
}

// closest finds the marked row nearest to x.
type closest struct {
	*tree
	*treeWork
	among []bool
	marks marks
	to    int32
	far   float64
}

func (s *closest) visit(node int, near float64) {
	if near > s.far || s.of(s.marks, node) == 0 {
		return
	}
	if node < s.first {
		a, b := 2*node+1, 2*node+2
		toA, toB := s.toPoint(s.x, a), s.toPoint(s.x, b)
		if toB < toA {
			a, b, toA, toB = b, a, toB, toA
		}
		s.visit(a, toA)
		s.visit(b, toB)
		return
	}
	for j, v := range s.keys(&s.dist, s.x, node) {
		other := s.low[node] + int32(j)
		if s.among[other] && (v < s.far || v == s.far && (s.to < 0 || other < s.to)) {
			s.to, s.far = other, v
		}
	}
}
