package kmeans

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// initialise draws k starting centres.
func (e *engine[T]) initialise(ctx context.Context, how Init, rng *rand.Rand) ([]float64, error) {
	if how == InitAuto {
		how = InitPlusPlus
		if e.n > PlusPlusRows {
			how = InitParallel
		}
	}
	if how == InitPlusPlus {
		s := newSeeder(e, e.rows, nil)
		rows, err := s.plusPlus(ctx, rng)
		return e.values(e.rows, rows), err
	}
	return e.initParallel(ctx, rng)
}

// values returns the named rows as float64.
func (e *engine[T]) values(rows []T, which []int) []float64 {
	out := make([]float64, 0, len(which)*e.d)
	for _, i := range which {
		for _, v := range rows[i*e.d : (i+1)*e.d] {
			out = append(out, float64(v))
		}
	}
	return out
}

// uniform returns a number in [0, 1) from the top 53 bits of one draw.
func uniform(rng *rand.Rand) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }

// parallelRounds is the number of rounds of k-means‖; Bahmani et al. find that five are enough with
// 2k rows drawn in each.
const parallelRounds = 5

// initParallel is k-means‖ (Bahmani et al. 2012, algorithm 2) on a weighted sample of the rows.
func (e *engine[T]) initParallel(ctx context.Context, rng *rand.Rand) ([]float64, error) {
	sample, stands, err := e.coreset(ctx, cmp.Or(e.sample, SampleRows(e.k)), rng)
	if err != nil {
		return nil, err
	}
	centers, err := sample.oversample(ctx, stands, rng)
	if sample != e {
		e.distances += sample.distances
	}
	return centers, err
}

// oversample is k-means‖ on rows that stand for that many each.
func (e *engine[T]) oversample(ctx context.Context, stands []float64, rng *rand.Rand) ([]float64,
	error) {
	d, n := e.d, e.n
	near := make([]int32, n)   // nearest of the rows drawn so far
	dist := make([]float64, n) // squared distance from it
	drawn := []int{index(stands, uniform(rng)*linalg.Sum(stands))}
	fresh := drawn
	for round := 0; ; round++ {
		if err := e.nearest(ctx, fresh, len(drawn)-len(fresh), near, dist); err != nil {
			return nil, err
		}
		potential := 0.0
		for i, v := range dist {
			potential += float64(stands[i] * v)
		}
		if round == parallelRounds || potential == 0 {
			break
		}
		fresh = nil
		for i, v := range dist {
			if v > 0 && uniform(rng)*potential < float64(2*e.k)*float64(stands[i]*v) {
				fresh = append(fresh, i)
			}
		}
		drawn = append(drawn, fresh...)
	}
	weight := make([]float64, len(drawn))
	for i, c := range near {
		weight[c] += stands[i]
	}
	candidates := make([]T, 0, len(drawn)*d)
	for _, i := range drawn {
		candidates = append(candidates, e.row(i)...)
	}
	rows, err := newSeeder(e, candidates, weight).plusPlus(ctx, rng)
	return e.values(candidates, rows), err
}

// nearest looks for rows that are nearer to one of the fresh rows than dist has it, and notes
// which: fresh row c as first+c. With first 0 it notes all.
func (e *engine[T]) nearest(ctx context.Context, fresh []int, first int, near []int32,
	dist []float64) error {
	d, m := e.d, len(fresh)
	if m == 0 {
		return nil
	}
	e.distances += int64(e.n) * int64(m+1)
	centers := e.values(e.rows, fresh)
	f := newFrame[T](centers, d)
	return parallel.Blocks(ctx, e.n, e.block, e.threads, func(_, lo, hi int) {
		var w simd.Workspace[T]
		var label [chunkRows]int32
		var best [chunkRows]T
		for ; lo < hi && ctx.Err() == nil; lo += chunkRows {
			to := min(hi, lo+chunkRows)
			f.centroids.Nearest(&w, e.rows[lo*d:to*d], f.shift, label[:to-lo], best[:], nil)
			for i := lo; i < to; i++ {
				// A score cannot distinguish 0 from nearly 0; this can.
				l := label[i-lo]
				v := float64(simd.SquaredDistance(e.row(i), e.row(fresh[l])))
				if first == 0 || v < dist[i] {
					near[i], dist[i] = int32(first)+l, v
				}
			}
		}
	})
}

// index returns the first place where the running sum of weight exceeds at, or else the last.
func index(weight []float64, at float64) int {
	for i, w := range weight {
		if at < w {
			return i
		}
		at -= w
	}
	return len(weight) - 1
}

// coreset draws m rows, of which some may be the same, and returns how many rows each stands for: a
// lightweight coreset (Bachem et al. 2018, algorithm 1), but with just half of the rows drawn from
// either part of their mixture. With at most m rows it returns them all.
func (e *engine[T]) coreset(ctx context.Context, m int, rng *rand.Rand) (sample *engine[T],
	stands []float64, err error) {
	if m >= e.n {
		return e, slices.Repeat([]float64{1}, e.n), nil
	}
	middle := make([]T, e.d)
	for j, v := range e.middle {
		middle[j] = T(v)
	}
	dist := make([]T, e.n)
	sums := make([]float64, parallel.Count(e.n, e.block))
	e.distances += int64(e.n)
	err = e.blocks(ctx, func(b, lo, hi int) {
		simd.SquaredDistances(dist[lo:hi], middle, e.rows[lo*e.d:hi*e.d])
		for _, v := range dist[lo:hi] {
			sums[b] += float64(v)
		}
	})
	if err != nil {
		return nil, nil, err
	}
	spread := linalg.Sum(sums)
	which := draw.Few(rng, e.n, m/2)
	far := make([]float64, m-m/2)
	for i := range far {
		far[i] = float64(uniform(rng) * spread)
	}
	slices.Sort(far)
	below := 0.0 // sum of dist
	for i := 0; i < e.n && len(far) > 0 && spread > 0; i++ {
		for below += float64(dist[i]); len(far) > 0 && far[0] < below; far = far[1:] {
			which = append(which, i)
		}
	}
	slices.Sort(which)
	rows := make([]T, 0, len(which)*e.d)
	for at, i := range which {
		if at > 0 && i == which[at-1] {
			stands[len(stands)-1] += e.stands(float64(dist[i]), spread, m)
			continue
		}
		rows = append(rows, e.row(i)...)
		stands = append(stands, e.stands(float64(dist[i]), spread, m))
	}
	return newEngine(rows, len(stands), e.d, e.k, e.threads), stands, nil
}

// stands returns how many rows one stands for that is drawn in a coreset of m: 1/(m·q), q being the
// chance of each draw to hit it.
func (e *engine[T]) stands(dist, spread float64, m int) float64 {
	share := 0.0
	if spread > 0 {
		share = dist / spread
	}
	return 2 / (float64(m) * (1/float64(e.n) + share))
}
