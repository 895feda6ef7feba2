package mds

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"

	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	near     = 5   // landmarks that an object may start from
	placings = 100 // iterations of a single object, at most
	// or until it moves by less than the root of this share of its mean square distance
	unseen    = 1e-9
	coarse    = 8   // one landmark of so many comes first
	sampled   = 500 // rows of the pairs that the stress is estimated from,
	perRow    = 200 // and pairs of each
	placeRows = 16  // objects of a block
)

// place returns the points of all objects, in the scale of the dissimilarities: the landmarks as
// fitted, and every other one where its stress to the landmarks is least.
func (f *fit) place(ctx context.Context, fitted []point, out *Result) ([]point, error) {
	points := make([]point, f.n)
	rest := make([]int, 0, f.n-len(fitted))
	for i, next := 0, 0; i < f.n; i++ {
		if next < len(fitted) && int(f.landmarks[next]) == i {
			points[i] = fitted[next]
			next++
		} else {
			rest = append(rest, i)
		}
	}
	var placed atomic.Int64
	// Blocks are handed out in waves, so that this goroutine alone reports progress.
	for wave := 0; wave < len(rest); wave += 64 * placeRows {
		part := rest[wave:min(len(rest), wave+64*placeRows)]
		err := parallel.Try(ctx, len(part), placeRows, f.cfg.Threads, func(_, lo, hi int) error {
			row := make([]float32, len(fitted))
			for _, i := range part[lo:hi] {
				if err := f.fetch(ctx, row, i, f.landmarks); err != nil {
					return err
				}
				points[i] = placeOne(fitted, row)
			}
			placed.Add(int64(hi - lo))
			return nil
		})
		if err != nil {
			return nil, err
		}
		done := int(placed.Load())
		f.report(Progress{Iteration: out.Iterations, Placed: done, Stress1: out.LandmarkStress,
			Share: f.share(f.cfg.MaxIterations, done)})
	}
	return points, nil
}

// placeOne minimises Σ (d_j − ‖x − y_j‖)² over x, y_j the landmarks, by the majorisation of a
// single point. It begins with every eighth landmark where there are many, from the best of those
// nearest to the object and their mean.
func placeOne(ys []point, d []float32) point {
	if len(ys) < 50*coarse {
		return settle(bestStart(ys, d), ys, d)
	}
	var someYs []point
	var some []float32
	for j := 0; j < len(ys); j += coarse {
		someYs, some = append(someYs, ys[j]), append(some, d[j])
	}
	return settle(settle(bestStart(someYs, some), someYs, some), ys, d)
}

// settle moves x until its stress falls no more, or its moves are too small to be seen.
func settle(x point, ys []point, d []float32) point {
	before := math.MaxFloat64
	for range placings {
		to, s := guttmanOf(x, ys, d)
		step := to.minus(x).norm2()
		if before-s.misfit <= float64(1e-5*before) ||
			step*float64(len(ys)) <= float64(unseen*s.distance) {
			return to
		}
		before = s.misfit
		x = to.times(2).minus(x)
	}
	return x
}

// bestStart returns the position of least stress among those of the landmarks nearest to an object
// and their mean.
func bestStart(ys []point, d []float32) point {
	var nearest []int
	for j := range d {
		at := len(nearest)
		for at > 0 && d[j] < d[nearest[at-1]] {
			at--
		}
		if at < near {
			nearest = slices.Insert(nearest, at, j)
			nearest = nearest[:min(near, len(nearest))]
		}
	}
	var mean point
	candidates := make([]point, 0, near+1)
	for _, j := range nearest {
		candidates = append(candidates, ys[j])
		for k := range mean {
			mean[k] += ys[j][k] / float64(len(nearest))
		}
	}
	best, least := point{}, math.Inf(1)
	for _, x := range append(candidates, mean) {
		sum := 0.0
		for j, y := range ys {
			gap := float64(d[j]) - math.Sqrt(x.minus(y).norm2())
			sum += float64(gap * gap)
		}
		if sum < least {
			best, least = x, sum
		}
	}
	return best
}

// estimate returns the stress-1 of a random sample of pairs, and how many pairs.
func (f *fit) estimate(ctx context.Context, points []point) (float64, int, error) {
	rows := choose(f.n, min(f.n, sampled), f.cfg.Seed+1)
	parts := make([]sums, len(rows))
	err := parallel.Try(ctx, len(rows), 1, f.cfg.Threads, func(b, _, _ int) error {
		i := int(rows[b])
		rng := rand.New(rand.NewPCG(f.cfg.Seed, uint64(i)))
		js := make([]int32, perRow)
		others := make([]point, perRow)
		for t := range js { // any object but i
			js[t] = int32((i + 1 + rng.IntN(f.n-1)) % f.n)
			others[t] = points[js[t]]
		}
		row := make([]float32, perRow)
		if err := f.fetch(ctx, row, i, js); err != nil {
			return err
		}
		_, parts[b] = guttmanOf(points[i], others, row)
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	all := add(parts)
	switch {
	case all.misfit == 0:
		return 0, len(rows) * perRow, nil
	case all.distance == 0:
		return 1, len(rows) * perRow, nil
	}
	return math.Sqrt(all.misfit / all.distance), len(rows) * perRow, nil
}
