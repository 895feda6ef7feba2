package kmeans

import (
	"context"
	"math/rand/v2"
	"slices"

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

// values gives the named rows as float64.
func (e *engine[T]) values(rows []T, which []int) []float64 {
	out := make([]float64, 0, len(which)*e.d)
	for _, i := range which {
		for _, v := range rows[i*e.d : (i+1)*e.d] {
			out = append(out, float64(v))
		}
	}
	return out
}

// uniform gives a number in [0, 1) from the top 53 bits of one draw.
func uniform(rng *rand.Rand) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }

// parallelRounds is the number of rounds of k-means‖; Bahmani et al. find that five are enough with
// 2k rows drawn in each.
const parallelRounds = 5

// initParallel is k-means‖ (Bahmani et al. 2012, algorithm 2) on a sample of the rows.
func (e *engine[T]) initParallel(ctx context.Context, rng *rand.Rand) ([]float64, error) {
	d := e.d
	sample := e
	if m := max(PlusPlusRows, 20*e.k); m < e.n {
		rows := make([]T, 0, m*d)
		for _, i := range draw(e.n, m, rng) {
			rows = append(rows, e.row(i)...)
		}
		sample = newEngine(rows, m, d, e.k, e.threads)
	}
	n := sample.n
	near := make([]int32, n)   // nearest of the rows drawn so far
	dist := make([]float64, n) // squared distance from it
	drawn := []int{rng.IntN(n)}
	fresh := drawn
	for round := 0; ; round++ {
		if err := sample.nearest(ctx, fresh, len(drawn)-len(fresh), near, dist); err != nil {
			return nil, err
		}
		potential := 0.0
		for _, v := range dist {
			potential += v
		}
		if round == parallelRounds || potential == 0 {
			break
		}
		fresh = nil
		for i, v := range dist {
			if v > 0 && uniform(rng)*potential < float64(2*e.k)*v {
				fresh = append(fresh, i)
			}
		}
		drawn = append(drawn, fresh...)
	}
	weight := make([]float64, len(drawn))
	for _, c := range near {
		weight[c]++
	}
	candidates := make([]T, 0, len(drawn)*d)
	for _, i := range drawn {
		candidates = append(candidates, sample.row(i)...)
	}
	s := newSeeder(e, candidates, weight)
	rows, err := s.plusPlus(ctx, rng)
	if sample != e {
		e.distances += sample.distances
	}
	return e.values(candidates, rows), err
}

// nearest looks for rows that are nearer to one of the fresh rows than dist says, and notes which:
// fresh row c as first+c. With first 0 it notes all.
func (e *engine[T]) nearest(ctx context.Context, fresh []int, first int, near []int32, dist []float64) error {
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
				// A score cannot tell nought from nearly nought; this can.
				l := label[i-lo]
				v := float64(simd.SquaredDistance(e.row(i), e.row(fresh[l])))
				if first == 0 || v < dist[i] {
					near[i], dist[i] = int32(first)+l, v
				}
			}
		}
	})
}

// draw gives m of n, without replacement and in ascending order (Floyd's algorithm).
func draw(n, m int, rng *rand.Rand) []int {
	in := make(map[int]bool, m)
	out := make([]int, 0, m)
	for top := n - m; top < n; top++ {
		i := rng.IntN(top + 1)
		if in[i] {
			i = top
		}
		in[i] = true
		out = append(out, i)
	}
	slices.Sort(out)
	return out
}
