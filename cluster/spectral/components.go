package spectral

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// joinWork bounds the pairs that are compared to join components.
const joinWork = 2_000_000_000

// joined returns the weights with so many links added that no more than most components are left,
// and their number before. The component of the fewest nodes (among equals the one whose link is
// the shortest) is linked to the nearest node outside, again and again. This is ours. A link weighs
// what a pair of that dissimilarity does, but no less than 10⁻⁶. Of large components some nodes are
// compared alone.
func (g *Graph) joined(ctx context.Context, most, threads int) (*linalg.Sparse, int, error) {
	of, count := g.Weights.Components()
	if count <= most {
		return g.Weights, count, nil
	}
	n := g.Nodes()
	members := make([][]int32, count)
	for i, c := range of {
		members[c] = append(members[c], int32(i))
	}
	sample := int(max(1, min(256, joinWork/int64(n)/int64(count))))
	links := make(map[[2]int32]float64)
	nearest := make([]bridge, count) // from the component of each number, as last looked for
	for left := count; left > most; left-- {
		least := n
		for _, m := range members {
			if m != nil {
				least = min(least, len(m))
			}
		}
		var best bridge
		for c, m := range members {
			if len(m) != least {
				continue
			}
			if b := nearest[c]; b.rows != len(m) || of[b.to] == int32(c) {
				var err error
				if nearest[c], err = g.outside(ctx, of, m, sample, threads); err != nil {
					return nil, 0, err
				}
			}
			if b := nearest[c]; best.rows == 0 || b.d < best.d {
				best = b
			}
		}
		links[[2]int32{min(best.from, best.to), max(best.from, best.to)}] = max(1e-6,
			g.weight(int(min(best.from, best.to)), int(max(best.from, best.to)), float64(best.d)))
		into, from := of[best.to], of[best.from]
		for _, i := range members[from] {
			of[i] = into
		}
		members[into] = append(members[into], members[from]...)
		members[from] = nil
	}
	entries := make([]linalg.Entry, 0, len(g.Weights.Col)/2+len(links))
	for i := range n {
		for e := g.Weights.Start[i]; e < g.Weights.Start[i+1]; e++ {
			if j := g.Weights.Col[e]; int(j) >= i {
				entries = append(entries,
					linalg.Entry{Row: int32(i), Col: j, Value: g.Weights.Value[e]})
			}
		}
	}
	for pair, w := range links {
		entries = append(entries, linalg.Entry{Row: pair[0], Col: pair[1], Value: w})
	}
	m, err := linalg.NewSparse(n, entries)
	return m, count, err
}

// bridge is a link out of a component.
type bridge struct {
	from, to int32
	d        float32
	rows     int // nodes that the component had; 0 where there is no bridge
}

// outside finds the nearest pair of a node of a component, one of a sample, and one outside.
func (g *Graph) outside(ctx context.Context, of, members []int32, sample, threads int) (bridge,
	error) {
	n := g.Nodes()
	some := members
	if len(some) > sample {
		some = make([]int32, 0, sample)
		for t := range sample {
			some = append(some, members[t*len(members)/sample])
		}
	}
	found := make([]bridge, len(some))
	err := parallel.Blocks(ctx, len(some), 1, threads, func(b, _, _ int) {
		i := some[b]
		best := bridge{from: i, to: -1, d: float32(math.Inf(1)), rows: len(members)}
		var d [piece]float32
		js := make([]int32, 0, piece)
		for lo := 0; lo < n && ctx.Err() == nil; lo += piece {
			js = js[:0]
			for j := lo; j < min(n, lo+piece); j++ {
				js = append(js, int32(j))
			}
			g.src.Row(d[:len(js)], int(i), js)
			for t, v := range d[:len(js)] {
				if v < best.d && of[js[t]] != of[i] {
					best.to, best.d = js[t], v
				}
			}
		}
		found[b] = best
	})
	if err != nil {
		return bridge{}, err
	}
	return slices.MinFunc(found, func(a, b bridge) int {
		return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(a.from, b.from))
	}), nil
}
