package kmeans

import (
	"math"

	"github.com/kindred-go/kindred/internal/simd"
)

// bounds lets rows be skipped whose label cannot have changed: Hamerly's test (2010), with one
// bound a row, on how much nearer its own centre is than any other. Moving centres use it up: by as
// much as the row's own centre moved, and the furthest-moving other one.
type bounds struct {
	gap   []float32 // per row; nil before the first use
	valid bool      // gap holds for the centres at
	at    []float64
	spend []float64 // per cluster, what the last moves took from the gaps of its rows
	safe  float64   // gaps above this outdo the rounding of scores

	skipped int // rows of the last pass
	changed int // rows of the last pass
	rest    int // passes to do without, since the last use did not pay
	failed  int // times it did not
}

// From boundsFrom on, Auto begins when at most a quarter of the rows change, and goes on while
// skipping pays; when it does not, it rests for some passes, twice as many each time.
const (
	beginBelow = 4
	restPasses = 4
)

// boundsFrom is the number of values in all centres, K·d, from which Auto considers bounds: below,
// all distances of a row cost less than to look at its bound (10⁶×16, K = 25: 17 ns a row against
// 27).
const boundsFrom = 2048

// worth weighs, measured in distances: a row costs k without bounds; with them, 4 to look at and,
// if it cannot be skipped, 60 and six tenths more to pick out and bound again.
func worth(k, pending, of int) bool { return 10*k*of > pending*(16*k+600)+40*of }

// prepare readies the bounds for a pass over n rows with these centres, and reports whether rows
// may be skipped and whether gaps are to be kept.
func (b *bounds) prepare(how Algorithm, centers []float64, n, d int, safe float64) (bounded,
	keep bool) {
	changed, first := b.changed, b.at == nil
	b.changed = 0
	switch {
	case how == Lloyd || len(centers) == d, how == Auto && len(centers) < boundsFrom:
		return false, false
	case how == Auto && b.valid && b.spend != nil && !worth(len(centers)/d, n-b.skipped, n):
		b.failed++
		b.valid, b.spend, b.rest = false, nil, restPasses<<min(b.failed, 20)
	}
	if how == Auto && !b.valid {
		if b.rest > 0 {
			b.rest--
			return false, false
		}
		if first && changed == 0 || changed*beginBelow > n {
			return false, false
		}
	}
	if b.gap == nil {
		b.gap = make([]float32, n)
	}
	if b.valid {
		b.move(centers, d)
	}
	bounded = b.valid
	b.safe, b.valid = safe, true
	b.at = append(b.at[:0], centers...)
	return bounded, true
}

// move works out what the way from the centres at to centers takes from each cluster's gaps.
func (b *bounds) move(centers []float64, d int) {
	k := len(centers) / d
	b.spend = make([]float64, k)
	furthest, next, who := 0.0, 0.0, 0
	for c := range k {
		sum := 0.0
		for j := c * d; j < (c+1)*d; j++ {
			step := centers[j] - b.at[j]
			sum += float64(step * step)
		}
		way := math.Sqrt(sum) * (1 + 1e-9)
		b.spend[c] = way
		switch {
		case way > furthest:
			furthest, next, who = way, furthest, c
		case way > next:
			next = way
		}
	}
	for c := range b.spend {
		if c == who {
			b.spend[c] += next
		} else {
			b.spend[c] += furthest
		}
	}
}

// pending lowers the gaps of some rows and writes down which of them cannot be skipped.
func (b *bounds) pending(label []int32, gap []float32, index []int32) (n int) {
	for i, l := range label {
		g := float64(gap[i]) - b.spend[l]
		gap[i] = simd.LowerGap(g)
		index[n] = int32(i)
		if !(g > b.safe) {
			n++
		}
	}
	return n
}
