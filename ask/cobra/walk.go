package cobra

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/pairs"
)

// walkWindow is how many pairs a window of the walk aims to hold: 32 MB, and the whole walk at up
// to 2000 super-instances.
const walkWindow = 2 << 20

// pair is two super-instances and the squared distance of their medoids.
type pair = pairs.Pair

// walk goes once over all pairs of medoids by distance, ties by index. Single-link merging of the
// closest clusters asks the same questions as this walk does when it skips what is already known.
type walk struct {
	*pairs.Walk
	points dataset.Matrix // medoids, N_S×d float64
	// pairs that come before those at hand: a look ahead went past them
	front []pair
	at    uint64 // place of the next pair after those of front
}

// newWalk returns a walk at the closest pair. A pair that may not be asked about by keep may not be
// until rewind.
func newWalk(points dataset.Matrix, target int, keep func(a, b int32) bool) *walk {
	each := func(_ context.Context, all bool, do func(pair)) error {
		d := points.Cols
		for a := range points.Rows {
			x := points.F64[a*d : (a+1)*d]
			for b := a + 1; b < points.Rows; b++ {
				if all || keep(int32(a), int32(b)) {
					y := points.F64[b*d : (b+1)*d]
					do(pair{D: linalg.SquaredDistance(x, y), A: int32(a), B: int32(b)})
				}
			}
		}
		return nil
	}
	return &walk{Walk: pairs.New(points.Rows, target, each), points: points}
}

// peek returns the pair the walk is at; ok is false at the end.
func (w *walk) peek() (p pair, ok bool) {
	if len(w.front) > 0 {
		return w.front[0], true
	}
	p, ok, _ = w.At(context.Background(), w.at) // fails by its context alone
	return p, ok
}

func (w *walk) step() {
	if len(w.front) > 0 {
		w.front = w.front[1:]
	} else {
		w.at++
	}
}

// ahead returns the first pair after those of front and goes past it: the caller puts it into
// front, or does without.
func (w *walk) ahead() (p pair, ok bool) {
	if p, ok, _ = w.At(context.Background(), w.at); ok {
		w.at++
	}
	return p, ok
}

// rewind goes back to the closest pair.
func (w *walk) rewind() {
	w.front, w.at = nil, 0
	w.Rewind()
}
