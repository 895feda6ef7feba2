package kin

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
)

// merge joins two clusters of nodes: the nodes themselves come first, then the merges in their
// order.
type merge struct {
	one, two int
	height   float64 // by how much the sum of squared distances to the means rises
}

// ward joins nodes of as many rows each by Ward's method, given their m×m squared distances. The
// merges come by rising height.
func ward(ctx context.Context, apart, rows []float64) ([]merge, error) {
	m := len(rows)
	d, size, id := make([]float64, m*m), slices.Clone(rows), make([]int, m)
	for i := range m {
		id[i] = i
		for j := range m {
			d[i*m+j] = apart[i*m+j] * rows[i] * rows[j] / (rows[i] + rows[j])
		}
	}
	near := newNearest(m, func(i, j int) float64 { return -d[i*m+j] })
	var out []merge
	for len(out) < m-1 {
		if len(out)%32 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		i := near.best()
		j := near.to[i]
		height := d[i*m+j]
		out = append(out, merge{id[i], id[j], height})
		for k := range m {
			if near.gone[k] || k == i || k == j {
				continue
			}
			v := float64((size[i]+size[k])*d[i*m+k]) + float64((size[j]+size[k])*d[j*m+k]) -
				float64(size[k]*height)
			d[i*m+k] = v / (size[i] + size[j] + size[k])
			d[k*m+i] = d[i*m+k]
		}
		size[i] += size[j]
		id[i] = m + len(out) - 1
		near.merge(i, j)
	}
	return out, nil
}

// cut returns the nodes of each of the clusters when count are left, by their first node.
func cut(tree []merge, m, count int) [][]int {
	members := make([][]int, m+len(tree))
	for i := range m {
		members[i] = []int{i}
	}
	for t, e := range tree[:max(0, m-count)] {
		members[m+t] = append(members[e.one], members[e.two]...)
		members[e.one], members[e.two] = nil, nil
	}
	out := slices.DeleteFunc(members, func(c []int) bool { return c == nil })
	for _, c := range out {
		slices.Sort(c)
	}
	slices.SortFunc(out, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return out
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
	for j := range mean {
		mean[j] /= all
	}
	least, at := math.Inf(1), -1
	for _, i := range cluster {
		if s := linalg.SquaredDistance(mean, b.means[i*b.d:(i+1)*b.d]); s < least {
			least, at = s, i
		}
	}
	return at
}

// nearest keeps, for each of m things that are merged one after the other, the other that scores
// highest with it; −1: none may be merged with it.
type nearest struct {
	m     int
	score func(i, j int) float64 // −Inf: the two may not be merged
	to    []int
	gone  []bool
}

func newNearest(m int, score func(i, j int) float64) *nearest {
	n := &nearest{m: m, score: score, to: make([]int, m), gone: make([]bool, m)}
	for i := range m {
		n.look(i)
	}
	return n
}

func (n *nearest) look(i int) {
	most := math.Inf(-1)
	n.to[i] = -1
	for j := range n.m {
		if j == i || n.gone[j] {
			continue
		}
		if s := n.score(i, j); s > most {
			most, n.to[i] = s, j
		}
	}
}

// best is the thing of the pair that scores highest; −1: there is none.
func (n *nearest) best() int {
	most, at := math.Inf(-1), -1
	for i, j := range n.to {
		if n.gone[i] || j < 0 {
			continue
		}
		if s := n.score(i, j); s > most {
			most, at = s, i
		}
	}
	return at
}

// merge takes in that j has become part of i, whose scores have changed.
func (n *nearest) merge(i, j int) {
	n.gone[j] = true
	n.look(i)
	for k, to := range n.to {
		switch {
		case n.gone[k] || k == i:
		case to == i || to == j:
			n.look(k)
		default:
			s := n.score(k, i)
			if to < 0 && !math.IsInf(s, -1) || to >= 0 && s > n.score(k, to) {
				n.to[k] = i
			}
		}
	}
}
