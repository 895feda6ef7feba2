package kin

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// tentative groups there are for each that is expected, so that groups can be of any shape
	tentativeEach = 2.5
	leastGroups   = 8   // tentative groups there are at least
	mostGroups    = 0.4 // share of the nodes that stand for tentative groups, at most
	// weight between a node and the one that stands for its tentative group, times how far groups
	// are expected to be compact
	sticking = 1.5
	// nodes there are for each group that is expected, where there are more than by default
	nodesEach = 8
	mostNodes = 1400 // nodes there are at most by default
)

// divide makes the tentative groups, of which count are expected: clusters of the nodes by Ward's
// method, each around the node at its centre. Where groups are compact, the nodes of a cluster are
// joined to its centre.
func (b *base) divide(ctx context.Context, count int) error {
	m := b.plain.m
	tree, err := ward(ctx, b.plain.apart, b.rows)
	if err != nil {
		return err
	}
	most := max(1, int(mostGroups*float64(m)))
	b.expected = min(count, most)
	tentative := min(most, max(leastGroups, int(tentativeEach*float64(b.expected))))
	b.height = 1
	if len(tree) > 0 {
		b.height = tree[max(0, len(tree)-b.expected)].height
	}
	if b.height == 0 {
		b.height = 1
	}
	b.heightWeight = heightWeight + float64(compactHeight*compact(b.expected))
	b.sizeWeight = sizeWeight + float64(compactSize*compact(b.expected))
	b.tree, b.clusters = tree, cut(tree, m, tentative)
	for _, cluster := range b.clusters {
		b.tentative = append(b.tentative, b.centre(cluster))
	}
	return b.stick(ctx, b.plain)
}

// stick joins the nodes of tentative groups in a graph, as far as groups are compact, and inverts
// it.
func (b *base) stick(ctx context.Context, g *graph) error {
	weight := sticking * compact(b.expected)
	for c, cluster := range b.clusters {
		at := b.tentative[c]
		for _, i := range cluster {
			if i != at {
				g.weight[i*g.m+at] += weight
				g.weight[at*g.m+i] += weight
			}
		}
	}
	return g.invert(ctx)
}

// surrounding is how many nodes, itself among them, a row's group is found by, and fading the power
// of the squared distance by which they weigh less.
const surrounding, fading = 7, 2

// surround finds the nodes around each node, and what they weigh for each row: the nearer the more.
func (b *base) surround(ctx context.Context, data dataset.Matrix) error {
	m := b.plain.m
	for i := range m {
		b.near = append(b.near, b.plain.order(i)[:min(surrounding, m)])
	}
	b.reach = make([]float32, b.n*surrounding)
	return parallel.Blocks(ctx, b.n, 1024, b.cfg.Threads, func(_, lo, hi int) {
		row, far := make([]float64, 0, b.d), make([]float64, surrounding)
		for r := lo; r < hi; r++ {
			row = data.AppendRow(row[:0], r)
			near, least := b.near[b.of[r]], math.Inf(1)
			for a, i := range near {
				far[a] = linalg.SquaredDistance(row, b.means[int(i)*b.d:(int(i)+1)*b.d])
				least = min(least, far[a])
			}
			to := b.reach[r*surrounding : (r+1)*surrounding]
			for a := range near {
				switch {
				case far[a] == least:
					to[a] = 1
				default:
					to[a] = float32(math.Pow(least/far[a], fading))
				}
			}
		}
	})
}

// Where mostUnlike answers in a row are "different", there may be more groups than the tentative
// ones: a question is about groups that are likely to be one, or the likeliest group of a row.
const mostUnlike = 12

// widen doubles the groups where mostUnlike answers in a row were "different": those are added that
// hold no node of a known group.
func (p *play) widen() {
	if p.unlike < mostUnlike {
		return
	}
	p.unlike = 0
	count := min(2*len(p.live()), int(mostGroups*float64(p.m)))
	for _, cluster := range cut(p.tree, p.m, count) {
		if !slices.ContainsFunc(cluster, func(i int) bool { return p.at[i] >= 0 }) {
			p.found(p.centre(cluster))
			p.now = nil
		}
	}
}

// middle is the score above which groups are to be one for as many to be left as are expected.
func (p *play) middle() float64 {
	j := p.joining(p.masses())
	low := math.Inf(1)
	for left := j.n; ; left-- {
		one := j.near.best()
		if one < 0 { // one group is left
			return min(low, 0)
		}
		z := j.score[one*j.n+j.near.to[one]]
		if left <= p.expected {
			return (min(low, z+2) + min(low, z)) / 2
		}
		low = min(low, z)
		j.join(one, j.near.to[one])
	}
}
