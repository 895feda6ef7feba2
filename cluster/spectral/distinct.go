package spectral

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// distinct returns the number of each row among the distinct rows of x, and the first row of each.
// 0 and −0 are equal.
func distinct(ctx context.Context, x dataset.Matrix) (node []int32, first []int, err error) {
	node = make([]int32, x.Rows)
	seen := prototypes.NewDistinct(x)
	for i := range node {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		node[i], _ = seen.Add(i)
	}
	return node, seen.First, nil
}

// piece is how many dissimilarities of an object are looked at together.
const piece = 1024

// distinctObjects does the same for objects of dissimilarity 0: each belongs with the first object
// that it does not differ from, and with that one's.
func distinctObjects(ctx context.Context, src dissim.Source, threads int) (node []int32,
	first []int, err error) {
	n := src.Len()
	mate := make([]int32, n) // the first that an object does not differ from
	all := disjoint.Singletons(n)
	err = parallel.Blocks(ctx, n, 16, threads, func(_, lo, hi int) {
		var d [piece]float32
		for i := lo; i < hi; i++ {
			mate[i] = int32(i)
			for from := 0; from < i && mate[i] == int32(i) &&
				ctx.Err() == nil; from += piece {
				js := all[from:min(i, from+piece)]
				src.Row(d[:len(js)], i, js)
				for t, v := range d[:len(js)] {
					if v == 0 {
						mate[i] = js[t]
						break
					}
				}
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	node = make([]int32, n)
	for i, m := range mate {
		if int(m) == i {
			node[i] = int32(len(first))
			first = append(first, i)
		} else {
			node[i] = node[m]
		}
	}
	return node, first, nil
}
