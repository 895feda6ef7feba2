package eval

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// jackknife finds standard errors of mean silhouettes by leaving out one scored row at a time
// (Tukey 1958), cluster by cluster as the rows were drawn: Σ_g (1−m_g/n_g)·(m_g−1)/m_g·Σ_{j∈g} (M₋ⱼ
// − M)², m_g of the n_g rows of cluster g being in the sample. A row that is left out is missed as
// one that is scored and as one that others are compared with; the second is mostly the larger
// part.
type jackknife struct {
	x      dataset.Matrix // the sample, by cluster
	starts []int          // where each cluster begins in it, and the end
	of     []int64        // rows of each cluster in the table
	values []float64      // silhouettes of the sample
}

// errors returns the standard error of the mean of each cluster, and that of their mean weighted by
// size. It takes O(m²d) time for m rows.
func (k *jackknife) errors(ctx context.Context, threads int) (each []float64, all float64,
	err error) {
	m, total := k.x.Rows, 0.0
	for _, n := range k.of {
		total += float64(n)
	}
	overall := make([]float64, m) // M₋ⱼ − M of the mean over clusters
	for c := range k.of {
		lo, hi := k.starts[c], k.starts[c+1]
		const block = 256
		parts := make([][]float64, parallel.Count(hi-lo, block))
		err := parallel.Blocks(ctx, hi-lo, block, threads, func(b, from, to int) {
			parts[b] = make([]float64, m)
			w := k.workspace()
			for i := lo + from; i < lo+to; i++ {
				w.leaveOut(parts[b], c, i)
			}
		})
		if err != nil {
			return nil, 0, err
		}
		// Σ over the cluster's rows of what their silhouettes change by
		change := make([]float64, m)
		for _, part := range parts {
			for j, v := range part {
				change[j] += v
			}
		}
		sum := 0.0
		for _, v := range k.values[lo:hi] {
			sum += v
		}
		size := float64(hi - lo)
		for j := range change {
			if j >= lo && j < hi {
				if size > 1 {
					change[j] = (sum-k.values[j]+change[j])/(size-1) - sum/size
				}
			} else {
				change[j] /= size
			}
			overall[j] += float64(float64(k.of[c]) / total * change[j])
		}
		each = append(each, k.error(change))
	}
	return each, k.error(overall), nil
}

// error sums squares over the rows left out.
func (k *jackknife) error(change []float64) float64 {
	variance := 0.0
	for g, n := range k.of {
		size := float64(k.starts[g+1] - k.starts[g])
		squares := 0.0
		for _, v := range change[k.starts[g]:k.starts[g+1]] {
			squares += float64(v * v)
		}
		variance += float64((1 - size/float64(n)) * (size - 1) / size * squares)
	}
	return math.Sqrt(variance)
}

// knifeWork is scratch memory for one row after the other.
type knifeWork struct {
	*jackknife
	distance []float64
	sums     []float64 // of the distances from each cluster
}

func (k *jackknife) workspace() *knifeWork {
	return &knifeWork{k, make([]float64, k.x.Rows), make([]float64, len(k.of))}
}

// leaveOut adds, for each row j of the sample but i, what the silhouette of row i, of cluster own,
// changes by without j.
func (w *knifeWork) leaveOut(to []float64, own, i int) {
	d := w.x.Cols
	simd.SquaredDistances(w.distance, w.x.F64[i*d:(i+1)*d], w.x.F64)
	inside, best, second, at := 0.0, math.Inf(1), math.Inf(1), -1
	for g := range w.of {
		sum := 0.0
		for j := w.starts[g]; j < w.starts[g+1]; j++ {
			w.distance[j] = math.Sqrt(w.distance[j])
			sum += w.distance[j]
		}
		w.sums[g] = sum
		size := w.starts[g+1] - w.starts[g]
		switch mean := sum / float64(size); {
		case g == own:
			inside = sum / float64(max(1, size-1))
		case mean < best:
			best, second, at = mean, best, g
		case mean < second:
			second = mean
		}
	}
	if w.starts[own+1]-w.starts[own] == 1 {
		return // 0 whatever is left out
	}
	was := coefficient(inside, best)
	for g, sum := range w.sums {
		size := w.starts[g+1] - w.starts[g]
		others := best // than g
		if g == at {
			others = second
		}
		for j := w.starts[g]; j < w.starts[g+1]; j++ {
			switch {
			case j == i:
			case g == own && size == 2:
				to[j] -= was // alone
			case g == own:
				to[j] += coefficient((sum-w.distance[j])/float64(size-2), best) - was
			case size > 1:
				to[j] += coefficient(inside, min(others, (sum-w.distance[j])/float64(size-1))) - was
			}
		}
	}
}

// coefficient is the silhouette of a row by its mean distance from its own cluster and from the
// next.
func coefficient(inside, outside float64) float64 {
	if inside == 0 && outside == 0 {
		return 0
	}
	return (outside - inside) / max(inside, outside)
}
