package relational

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
)

// draw returns memberships to begin with: those by the distances from c objects that are drawn at
// random, each after the first with a probability in proportion to its R from the nearest one
// drawn, the best of some such draws (k-means++: Arthur and Vassilvitskii 2007). Fewer than c
// objects that differ are a *fault.Input.
func (f *fitting) draw(rng *rand.Rand) error {
	n, c := f.n, f.c
	tries := 2 + int(math.Log(float64(c)))
	row, best := make([]float32, n), make([]float32, n)
	near := slices.Repeat([]float64{math.Inf(1)}, n) // R from the nearest object drawn
	for i := range c {
		total := linalg.Sum(near)
		if i > 0 && total == 0 {
			return tooFew(c, i, "different object")
		}
		least := math.Inf(1)
		for range tries {
			k := rng.IntN(n)
			if i > 0 {
				k = pick(near, float64(rng.Float64()*total))
			}
			f.relations[0].row(row, k)
			sum := 0.0
			for j, v := range row {
				sum += min(near[j], float64(v))
			}
			if sum < least {
				least = sum
				row, best = best, row
			}
		}
		for k, v := range best {
			near[k] = min(near[k], float64(v))
			f.far[k*c+i] = float64(v)
		}
	}
	f.share(0, n)
	copy(f.u, f.next)
	return nil
}

// pick returns the object at which the running sum of weights passes a value; one of weight 0 is
// never picked.
func pick(weights []float64, at float64) int {
	last := 0
	for k, w := range weights {
		if w > 0 {
			last = k
			if at -= w; at < 0 {
				break
			}
		}
	}
	return last
}
