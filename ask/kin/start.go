package kin

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// tentative groups there are for each that is expected, so that groups can be of any shape, and
	// how many more where groups are compact: each then costs few questions
	tentativeEach, tentativeMore = 2.5, 2.5
	leastGroups                  = 8 // tentative groups there are at least
	// share of the nodes that stand for tentative groups, at most, unless each is of equal rows
	mostGroups = 0.4
	// weight between a node and the one that stands for its tentative group, times how far groups
	// are expected to be compact
	sticking = 1.5
	// nodes there are for each group that is expected, where there are more than by default, and how
	// many more where groups are compact, up to someNodes in all: small nodes are of one group
	nodesEach, nodesMore = 8, 20
	someNodes            = 3000
	// of more nodes there are mostEach for each tentative group at most, as long walks take long to
	// follow
	manyNodes, mostEach = 2000, 4
)

// divide makes the tentative groups, of which count are expected: clusters of the nodes by Ward's
// method, each around the node at its centre. Where groups are compact, the nodes of a cluster are
// joined to its centre.
func (b *base) divide(ctx context.Context, count int, report func(fit.Progress)) error {
	m := b.plain.m
	x := slices.Clone(b.means)
	factor := unit(x)
	var err error
	b.tree, err = hierarchy.Fit(ctx, dataset.Matrix{Rows: m, Cols: b.d, F64: x}, hierarchy.Config{
		Options: fit.Options{Threads: b.cfg.Threads, Progress: report}, Sizes: b.rows})
	if err != nil {
		return err
	}
	b.expected = min(count, b.most)
	each := tentativeEach + float64(tentativeMore*compact(b.expected))
	tentative := min(b.most, max(leastGroups, int(each*float64(b.expected))))
	if m > manyNodes {
		tentative = max(tentative, m/mostEach)
	}
	b.height = 1
	if merges := b.tree.Merges; len(merges) > 0 {
		high := merges[max(0, len(merges)-b.expected)].Height / factor
		b.height = high * high / 2 // by how much the sum of squared distances to the means rises
	}
	if b.height == 0 {
		b.height = 1
	}
	b.heightWeight = heightWeight + float64(compactHeight*compact(b.expected))
	b.sizeWeight = sizeWeight + float64(compactSize*compact(b.expected))
	if b.clusters, err = b.cut(tentative); err != nil {
		return err
	}
	for _, cluster := range b.clusters {
		b.centres = append(b.centres, b.centre(cluster))
	}
	b.stick(b.plain)
	b.start, err = b.plain.walk(ctx, b.centres)
	return err
}

// alike reports whether the rows of each node are equal.
func (b *base) alike(data dataset.Matrix) bool {
	var row, medoid []float64
	for i, node := range b.of {
		row = data.AppendRow(row[:0], i)
		medoid = data.AppendRow(medoid[:0], b.medoids[node])
		if !slices.Equal(row, medoid) {
			return false
		}
	}
	return true
}

// cut returns the nodes of each of the clusters of the tree when count are left, by their first
// node.
func (b *base) cut(count int) ([][]int, error) {
	label, err := b.tree.Cut(count)
	if err != nil {
		return nil, err
	}
	out := make([][]int, count)
	for i, c := range label {
		out[c] = append(out[c], i)
	}
	return out, nil
}

// centre is the node nearest to the mean of a cluster.
func (b *base) centre(cluster []int) int {
	mean, all := make([]float64, b.d), 0.0
	for _, i := range cluster {
		all += b.rows[i]
		for j, v := range b.means[i*b.d : (i+1)*b.d] {
			mean[j] += float64(b.rows[i] * v)
		}
	}
	linalg.Divide(mean, all)
	least, at := math.Inf(1), -1
	for _, i := range cluster {
		if s := linalg.SquaredDistance(mean, b.means[i*b.d:(i+1)*b.d]); s < least {
			least, at = s, i
		}
	}
	return at
}

// stick joins the nodes of tentative groups in a graph, as far as groups are compact.
func (b *base) stick(g *graph) {
	weight := sticking * compact(b.expected)
	if weight == 0 {
		return
	}
	for c, cluster := range b.clusters {
		g.strengthen(b.centres[c], cluster, weight)
	}
}

// surrounding is how many nodes, its own among them, the group of a row is found by.
const surrounding = 1 + neighbours

// surround finds the nodes around each node, and what they weigh for each row: the fourth power of
// how many times farther than the nearest they are, inverted.
func (b *base) surround(ctx context.Context, data dataset.Matrix) error {
	m := b.plain.m
	for i := range m {
		b.near = append(b.near, slices.Insert(slices.Clone(b.plain.near[i]), 0, int32(i)))
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
					share := least / far[a]
					to[a] = float32(share * share)
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
func (p *play) widen(ctx context.Context) error {
	if p.unlike < mostUnlike {
		return nil
	}
	p.unlike = 0
	clusters, err := p.cut(min(2*len(p.live()), p.most))
	if err != nil { // there are as many nodes
		return nil
	}
	for _, cluster := range clusters {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !slices.ContainsFunc(cluster, func(i int) bool { return p.at[i] >= 0 }) {
			p.found(p.centre(cluster))
			p.now = nil
		}
	}
	return nil
}

// middle is the score above which groups are to be one for as many to be left as are expected.
func (p *play) middle() float64 {
	j := p.joining(p.masses())
	low := math.Inf(1)
	for left := j.live; ; left-- {
		one, two, z := j.best()
		if one < 0 { // one group is left
			if p.expected == 1 {
				low--
			}
			return min(low, 0)
		}
		if left <= p.expected {
			return (min(low, z+2) + min(low, z)) / 2
		}
		low = min(low, z)
		j.join(one, two)
	}
}
