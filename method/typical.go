package method

import (
	"cmp"
	"context"
	"slices"

	"github.com/kindred-go/kindred/internal/parallel"
)

// middle is how many rows stand for the middle of a cluster of dissimilarities.
const middle = 16

// Typical returns the rows of each cluster at its number, and those of none at 0: the most certain
// first, as sure has it, among equals the nearest to the middle of the cluster, and then the first.
// The middle is the mean of the cluster where rows are compared by Euclidean distance, else a few
// of its most certain rows, spread evenly, to which the mean dissimilarity counts.
//
// Those of none are the most certain first, and then in their order. It fails when ctx ends.
// threads ≤ 0 means one per processor; it never changes the result.
func Typical(ctx context.Context, p Problem, o *Outcome, sure []float32, threads int) ([][]int32,
	error) {
	rows := make([][]int32, o.Clusters+1)
	for i, label := range o.Labels {
		rows[label] = append(rows[label], int32(i))
	}
	ties := false
	for k, members := range rows {
		slices.SortStableFunc(members,
			func(a, b int32) int { return cmp.Compare(sure[b], sure[a]) })
		for i := 1; i < len(members) && k > 0; i++ {
			ties = ties || sure[members[i]] == sure[members[i-1]]
		}
	}
	if !ties {
		return rows, ctx.Err()
	}
	far, err := p.farFromMiddle(ctx, o.Labels, rows, sure, threads)
	if err != nil {
		return nil, err
	}
	for _, members := range rows[1:] {
		slices.SortStableFunc(members, func(a, b int32) int {
			return cmp.Or(cmp.Compare(sure[b], sure[a]), cmp.Compare(far[a], far[b]))
		})
	}
	return rows, nil
}

// farFromMiddle returns how far each row is from the middle of its cluster; 0 for rows of none. The
// members of a cluster are the most certain first.
func (p Problem) farFromMiddle(ctx context.Context, labels []int, members [][]int32,
	sure []float32, threads int) ([]float64, error) {
	far := make([]float64, len(labels))
	if p.Vectors() {
		cols := p.Data.Cols
		means := make([]float64, len(members)*cols)
		err := parallel.Blocks(ctx, len(members), 1, threads, func(k, _, _ int) {
			if k == 0 {
				return
			}
			mean := means[k*cols : (k+1)*cols]
			for _, i := range members[k] {
				for j := range mean {
					mean[j] += p.Data.At(int(i), j)
				}
			}
			for j := range mean {
				mean[j] /= float64(max(1, len(members[k])))
			}
		})
		if err != nil {
			return nil, err
		}
		return far, parallel.Blocks(ctx, len(labels), 1024, threads, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				if k := labels[i]; k > 0 {
					for j, v := range means[k*cols : (k+1)*cols] {
						d := p.Data.At(i, j) - v
						far[i] += float64(d * d)
					}
				}
			}
		})
	}
	src, _, err := p.Compared()
	if err != nil {
		return nil, err
	}
	central := make([][]int32, len(members))
	for k, rows := range members {
		top := 0
		for top < len(rows) && sure[rows[top]] == sure[rows[0]] {
			top++
		}
		for i := range min(middle, top) {
			central[k] = append(central[k], rows[i*top/min(middle, top)])
		}
	}
	return far, parallel.Blocks(ctx, len(labels), 256, threads, func(_, lo, hi int) {
		var to [middle]float32
		for i := lo; i < hi; i++ {
			k := labels[i]
			if k == 0 {
				continue
			}
			src.Row(to[:len(central[k])], i, central[k])
			sum, others := 0.0, 0
			for j, row := range central[k] {
				if int(row) != i {
					sum += float64(to[j])
					others++
				}
			}
			far[i] = sum / float64(max(1, others))
		}
	})
}
