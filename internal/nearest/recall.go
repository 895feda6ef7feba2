package nearest

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/draw"
)

// recallRows is how many rows are looked up exactly to estimate a recall.
const recallRows = 200

// Recall returns the share of neighbours found that are no farther than the last true one, of 200
// objects drawn at random (equal steps might fall on every other class of rows in turn), or all
// where there are fewer; 1 for an exact search. They are drawn apart from those that end a search.
func Recall(ctx context.Context, src dissim.Source, found *Neighbours, threads int) (float64,
	error) {
	if found.Search == Exact {
		return 1, nil
	}
	n := src.Len()
	of := draw.Rising(rand.New(rand.NewPCG(uint64(n), 0x4eca11)), 0, n-1, min(n, recallRows))
	exact, err := AllPairs(ctx, src, of, found.K, threads, nil)
	if err != nil {
		return 0, err
	}
	return hits(exact, found, of), nil
}
