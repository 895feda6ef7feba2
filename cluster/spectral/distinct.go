package spectral

import (
	"context"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

// piece is how many dissimilarities of an object are looked at together.
const piece = 1024

// distinctObjects returns the number of each object among the distinct ones, and the first object
// of each: an object belongs with the first one at dissimilarity 0, and with that one's.
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
