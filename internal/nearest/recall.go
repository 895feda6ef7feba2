package nearest

import (
	"context"

	"github.com/kindred-go/kindred/data/dissim"
)

// recallRows is how many rows are looked up exactly to estimate a recall.
const recallRows = 200

// Recall returns the share of neighbours found that are no farther than the last true one, of 200
// objects at equal steps, or all where there are fewer; 1 for an exact search.
func Recall(ctx context.Context, src dissim.Source, found *Neighbours, threads int) (float64,
	error) {
	if found.Search == Exact {
		return 1, nil
	}
	n := src.Len()
	m := min(n, recallRows)
	of := make([]int32, m)
	for t := range of {
		of[t] = int32(t * n / m)
	}
	exact, err := AllPairs(ctx, src, of, found.K, threads, nil)
	if err != nil {
		return 0, err
	}
	return hits(exact, found, of), nil
}
