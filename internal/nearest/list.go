package nearest

import "slices"

// list holds the nearest so far as a heap, the farthest of them first. An empty place has index −1
// and infinite dissimilarity.
type list struct {
	index []int32
	dist  []float32
}

// worst returns the dissimilarity that a new neighbour must not exceed.
func (l list) worst() float32 { return l.dist[0] }

// before reports whether a neighbour comes before another: by dissimilarity, and among equals by
// number.
func before(d float32, j int32, e float32, i int32) bool {
	return d < e || d == e && j < i
}

// add takes j in the place of the farthest where it comes before that. It must not be in the list.
func (l list) add(j int32, d float32) {
	if before(d, j, l.dist[0], l.index[0]) {
		l.sink(d, j, len(l.dist))
	}
}

// sink puts a neighbour into the heap of the first n in the place of the first.
func (l list) sink(d float32, j int32, n int) {
	at := 0
	for {
		child := 2*at + 1
		if child >= n {
			break
		}
		if right := child + 1; right < n &&
			before(l.dist[child], l.index[child], l.dist[right], l.index[right]) {
			child = right
		}
		if !before(d, j, l.dist[child], l.index[child]) {
			break
		}
		l.dist[at], l.index[at] = l.dist[child], l.index[child]
		at = child
	}
	l.dist[at], l.index[at] = d, j
}

// sort puts the nearest first; the list is no heap any more.
func (l list) sort() {
	for n := len(l.dist) - 1; n > 0; n-- {
		d, j := l.dist[n], l.index[n]
		l.dist[n], l.index[n] = l.dist[0], l.index[0]
		l.sink(d, j, n)
	}
}

// contains reports whether a list holds j.
func (l list) contains(j int32) bool { return slices.Contains(l.index, j) }
