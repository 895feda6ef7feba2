package cobra

import (
	"cmp"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
)

// walkWindow is how many pairs a window of the walk aims to hold: 32 MB, and the whole walk at up
// to 2000 super-instances.
const walkWindow = 2 << 20

// pair is two super-instances a < b and the squared distance of their medoids.
type pair struct {
	d    float64
	a, b int32
}

func (p pair) compare(q pair) int {
	return cmp.Or(cmp.Compare(p.d, q.d), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
}

// walk goes once over all pairs of medoids by distance, ties by index. Single-link merging of the
// closest clusters asks the same questions as this walk does when it skips what is already known.
// Pairs are sorted window by window, so that thousands of super-instances need no n×n memory. The
// first window is kept, with all of its pairs; those after it hold only pairs that may still be
// asked about.
type walk struct {
	points dataset.Matrix // medoids, N_S×d float64
	// whether a pair may still be asked about; what it says no to, it does until rewind
	keep func(a, b int32) bool
	// pairs that come before those at hand: a look ahead went past them
	front  []pair
	window []pair // sorted; the part of the walk that is at hand
	at     int    // next pair of the window
	// all pairs at up to this squared distance are in or before the window
	done   float64
	target int     // pairs a window aims at
	first  []pair  // the first window; nil: none was filled
	reach  float64 // what done was under it
	later  []pair  // memory of the other windows
}

func newWalk(points dataset.Matrix, target int, keep func(a, b int32) bool) *walk {
	return &walk{points: points, keep: keep, done: math.Inf(-1), target: target}
}

// peek returns the pair the walk stands at; ok is false at the end.
func (w *walk) peek() (p pair, ok bool) {
	if len(w.front) > 0 {
		return w.front[0], true
	}
	if w.at == len(w.window) && !w.advance() {
		return pair{}, false
	}
	return w.window[w.at], true
}

func (w *walk) step() {
	if len(w.front) > 0 {
		w.front = w.front[1:]
		return
	}
	w.at++
}

// ahead returns the first pair after those of front and goes past it: the caller puts it into
// front, or does without.
func (w *walk) ahead() (p pair, ok bool) {
	if w.at == len(w.window) && !w.advance() {
		return pair{}, false
	}
	w.at++
	return w.window[w.at-1], true
}

// whole reports whether one window holds all pairs.
func (w *walk) whole() bool { return w.points.Rows*(w.points.Rows-1)/2 <= w.target }

// rewind goes back to the closest pair.
func (w *walk) rewind() {
	w.front, w.at = nil, 0
	if w.first != nil {
		w.window, w.done = w.first, w.reach
	}
}

// advance fills the window with the next pairs by distance.
func (w *walk) advance() bool {
	for !math.IsInf(w.done, 1) {
		bound := w.bound()
		w.window, w.at = w.later[:0], 0
		w.each(func(p pair) {
			if p.d > w.done && p.d <= bound {
				w.window = append(w.window, p)
			}
		})
		slices.SortFunc(w.window, pair.compare)
		w.done = bound
		if w.first == nil {
			w.first, w.reach = slices.Clip(w.window), bound
		} else {
			w.later = w.window
		}
		if len(w.window) > 0 {
			return true
		}
	}
	return false
}

// bound is a squared distance up to which about target pairs remain to be walked.
func (w *walk) bound() float64 {
	n := w.points.Rows
	total := n * (n - 1) / 2
	if total <= w.target {
		return math.Inf(1)
	}
	stride := max(1, total/(1<<16)) | 1
	var sample []float64
	seen, left := 0, 0
	w.each(func(p pair) {
		if p.d > w.done {
			left++
			if seen%stride == 0 {
				sample = append(sample, p.d)
			}
		}
		seen++
	})
	if left <= w.target || len(sample) == 0 {
		return math.Inf(1)
	}
	slices.Sort(sample)
	return sample[min(len(sample)-1, len(sample)*w.target/left)]
}

// each calls do for every pair a < b that a window may hold, in order of index.
func (w *walk) each(do func(pair)) {
	d := w.points.Cols
	for a := range w.points.Rows {
		x := w.points.F64[a*d : (a+1)*d]
		for b := a + 1; b < w.points.Rows; b++ {
			if w.first == nil || w.keep(int32(a), int32(b)) {
				do(pair{linalg.SquaredDistance(x, w.points.F64[b*d:(b+1)*d]), int32(a), int32(b)})
			}
		}
	}
}
