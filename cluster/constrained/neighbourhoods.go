package constrained

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/internal/simd"
)

// starting returns centres to start from: in the first start those of neighbourhoods, in later ones
// as k-means draws them.
func (t *table) starting(ctx context.Context, start int, l *linked, groups [][]int32,
	rng *rand.Rand) ([]float64, error) {
	if start > 0 {
		return t.draw(ctx, nil, rng)
	}
	return t.neighbourhoods(ctx, l, groups, rng)
}

// neighbourhoods returns centres to start from: the means of groups of linked rows, picked by
// weighted farthest-first traversal where there are more than clusters, and others drawn beside
// them where there are fewer.
//
// A group of one row counts only where cannot-links keep it apart from all the groups taken; a
// must-link counts for more than they do.
func (t *table) neighbourhoods(ctx context.Context, l *linked, groups [][]int32,
	rng *rand.Rand) ([]float64, error) {
	means, of := l.means(groups)
	taken := farthestFirst(means, groups, t.k, t.d)
	if len(taken) < t.k {
		taken = append(taken, l.apart(groups, of, taken, t.k-len(taken))...)
	}
	var centers []float64
	for _, g := range taken {
		centers = append(centers, means[g*t.d:(g+1)*t.d]...)
	}
	return t.draw(ctx, centers, rng)
}

// farthestFirst picks at most k of the groups of two rows and more: first the largest, then always
// that of greatest size times distance from the nearest of those picked, the first among equals.
func farthestFirst(means []float64, groups [][]int32, k, d int) []int {
	far := make([]float64, len(groups)) // squared distance
	for g := range far {
		far[g] = 1 // so that the largest is the first
	}
	var taken []int
	for len(taken) < k {
		best, most := -1, 0.0
		for g, v := range far {
			if score := float64(len(groups[g])) * math.Sqrt(v); len(groups[g]) > 1 && score > most {
				best, most = g, score
			}
		}
		if best < 0 {
			break
		}
		for g := range far {
			v := simd.SquaredDistance(means[g*d:(g+1)*d], means[best*d:(best+1)*d])
			if len(taken) == 0 || v < far[g] {
				far[g] = v
			}
		}
		far[best] = 0
		taken = append(taken, best)
	}
	return taken
}

// apart returns at most count groups that cannot-links keep apart from all those taken, and from
// each other, in their order. Of has the group of each row.
func (l *linked) apart(groups [][]int32, of []int32, taken []int, count int) (more []int) {
	for g := 0; g < len(groups) && len(more) < count; g++ {
		against := make(map[int]bool)
		for _, i := range groups[g] {
			for _, n := range l.of[i] {
				if p := l.pairs[n]; !p.must {
					against[int(of[p.other(i)])] = true
				}
			}
		}
		all := !against[g]
		for _, other := range append(taken[:len(taken):len(taken)], more...) {
			all = all && other != g && against[other]
		}
		if all {
			more = append(more, g)
		}
	}
	return more
}
