package nearest

import "github.com/kindred-go/kindred/data/dissim"

// list holds the nearest so far, nearest first. An empty place has index −1 and infinite
// dissimilarity.
type list struct {
	index []int32
	dist  []float32
}

// worst returns the dissimilarity that a new neighbour must not exceed.
func (l list) worst() float32 { return l.dist[len(l.dist)-1] }

// reach returns how far a new neighbour may lie, as a bound of half the squared distance in an
// embedding (see [Half]).
func (l list) reach(e dissim.Embedding) float32 { return Half(e.Square(l.worst())) }

// before reports whether a neighbour comes before another: by dissimilarity, and among equals by
// number.
func before(d float32, j int32, e float32, i int32) bool {
	return d < e || d == e && j < i
}

// shortList is the number of places up to which the place of a neighbour is looked for one by one.
const shortList = 32

// add takes j, unless it is in the list, in the place of the farthest where it comes before that.
// It reports whether it has.
func (l list) add(j int32, d float32) bool {
	at := len(l.dist) - 1
	if !before(d, j, l.dist[at], l.index[at]) {
		return false
	}
	if at >= shortList {
		lo := 0
		for lo < at {
			if mid := (lo + at) / 2; before(d, j, l.dist[mid], l.index[mid]) {
				at = mid
			} else {
				lo = mid + 1
			}
		}
	}
	for at > 0 && before(d, j, l.dist[at-1], l.index[at-1]) {
		at--
	}
	if at > 0 && l.index[at-1] == j {
		return false
	}
	copy(l.dist[at+1:], l.dist[at:])
	copy(l.index[at+1:], l.index[at:])
	l.dist[at], l.index[at] = d, j
	return true
}
