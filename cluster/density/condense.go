package density

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dendrogram"
)

// condense lets parts of fewer than size objects fall off the clusters of a merge tree. Objects are
// its positions.
func condense(t *mergeTree, radius func(key float64) float64, size int) *CondensedTree {
	least := math.Inf(1)
	for _, key := range t.height[t.n:] {
		if d := radius(key); d > 0 {
			least = min(least, d)
		}
	}
	density := func(node int32) float64 {
		if d := radius(t.height[node]); d > 0 {
			return 1 / d
		} else if math.IsInf(least, 1) { // all objects are equal
			return 1
		}
		return 2 / least
	}
	out := &CondensedTree{dendrogram.Condensed{Cluster: make([]int32, t.n),
		Lambda: make([]float64, t.n), Clusters: []dendrogram.Part{{Parent: -1, Size: t.n}}}}
	type part struct {
		node    int32
		cluster int32
	}
	queue := []part{{int32(len(t.up) - 1), 0}}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if p.node < int32(t.n) { // an object that is a cluster by itself
			continue
		}
		lambda := density(p.node)
		mine := &out.Clusters[p.cluster]
		birth := mine.Birth
		var large []int32
		for _, child := range [2]int32{t.left[p.node], t.right[p.node]} {
			if int(t.size[child]) >= size {
				large = append(large, child)
				continue
			}
			for _, i := range t.members(child) {
				out.Cluster[i], out.Lambda[i] = p.cluster, lambda
			}
			mine.Stability += float64(float64(t.size[child]) * (lambda - birth))
		}
		if len(large) == 1 {
			queue = append(queue, part{large[0], p.cluster})
			continue
		}
		for _, child := range large {
			out.Clusters[p.cluster].Stability += float64(float64(t.size[child]) * (lambda - birth))
			queue = append(queue, part{child, int32(len(out.Clusters))})
			out.Clusters = append(out.Clusters, dendrogram.Part{Parent: int(p.cluster),
				Birth: lambda, Size: int(t.size[child])})
		}
	}
	return out
}

// choose returns the clusters that the settings choose, in order: of the choices that have one
// cluster above each that no other lies within the one that keeps most of what is known, and among
// these the most stable one.
func (t *CondensedTree) choose(cfg HDBSCANConfig, k *kept) []int {
	n, parts := len(t.Clusters), t.parts()
	single := cfg.Single && t.Clusters[0].Size >= cfg.MinClusterSize
	chosen := make([]bool, n)
	best, held := make([]float64, n), make([]int, n)
	for c := n - 1; c >= 0; c-- { // parts come after
		if len(parts[c]) > 0 {
			held[c] = k.loose[c]
			for _, part := range parts[c] {
				best[c] += best[part]
				held[c] += held[part]
			}
			if cfg.Selection == Leaf || c == 0 && !cfg.Single || held[c] > k.held[c] ||
				held[c] == k.held[c] && best[c] > t.Clusters[c].Stability {
				continue
			}
			t.drop(chosen, parts, c)
		}
		best[c], held[c] = t.Clusters[c].Stability, k.held[c]
		chosen[c] = c > 0 || single
	}
	if cfg.SelectionEps > 0 && !chosen[0] {
		t.joinNear(chosen, parts, cfg)
	}
	var out []int
	for c, is := range chosen {
		if is {
			out = append(out, c)
		}
	}
	return out
}

// parts returns the parts of each cluster.
func (t *CondensedTree) parts() [][]int {
	parts := make([][]int, len(t.Clusters))
	for c, p := range t.Clusters {
		if c > 0 {
			parts[p.Parent] = append(parts[p.Parent], c)
		}
	}
	return parts
}

// drop takes back the choice of clusters within c.
func (t *CondensedTree) drop(chosen []bool, parts [][]int, c int) {
	for _, part := range parts[c] {
		if chosen[part] { // none within it is
			chosen[part] = false
		} else {
			t.drop(chosen, parts, part)
		}
	}
}

// joinNear chooses in the place of each cluster born within SelectionEps the first around it that is
// not, or the largest part of all objects around it where they are not one cluster (Malzer and Baum
// 2020).
func (t *CondensedTree) joinNear(chosen []bool, parts [][]int, cfg HDBSCANConfig) {
	for c := range chosen {
		if !chosen[c] || !t.near(c, cfg.SelectionEps) {
			continue
		}
		up := c
		for t.near(up, cfg.SelectionEps) {
			above := t.Clusters[up].Parent
			if above == 0 && !cfg.Single {
				break
			}
			up = above
		}
		t.drop(chosen, parts, up)
		chosen[up] = true
	}
}

// near reports whether a cluster is born within a distance.
func (t *CondensedTree) near(c int, eps float64) bool { return eps*t.Clusters[c].Birth >= 1 }

// assign returns the chosen cluster that each object is in, [Noise] for none, and how strongly.
func (t *CondensedTree) assign(chosen []int, eps float64) (group []int32, strength []float64) {
	in, top := t.within(chosen), t.greatest()
	least := top[0] // λ of an object in the cluster of all
	if eps > 0 {
		least = 1 / eps
	}
	group, strength = make([]int32, len(t.Cluster)), make([]float64, len(t.Cluster))
	for i, c := range t.Cluster {
		if group[i] = in[c]; group[i] == 0 && t.Lambda[i] < least {
			group[i] = Noise
		}
		if group[i] == Noise {
			continue
		}
		strength[i] = 1
		if most := top[group[i]]; most > 0 {
			strength[i] = min(t.Lambda[i], most) / most
		}
	}
	return group, strength
}

// within returns the chosen cluster that each cluster is or is within, [Noise] for none.
func (t *CondensedTree) within(chosen []int) []int32 {
	in := slices.Repeat([]int32{Noise}, len(t.Clusters))
	for _, c := range chosen {
		in[c] = int32(c)
	}
	for c := 1; c < len(in); c++ { // what a cluster is part of comes before
		if in[c] == Noise {
			in[c] = in[t.Clusters[c].Parent]
		}
	}
	return in
}

// greatest returns the greatest λ at which an object, or a part, leaves each cluster itself.
func (t *CondensedTree) greatest() []float64 {
	top := make([]float64, len(t.Clusters))
	for i, c := range t.Cluster {
		top[c] = max(top[c], t.Lambda[i])
	}
	for _, c := range t.Clusters[1:] {
		top[c.Parent] = max(top[c.Parent], c.Birth)
	}
	return top
}

// outliers returns GLOSH of each object.
func (t *CondensedTree) outliers() []float64 {
	top := t.greatest()
	for c := len(top) - 1; c > 0; c-- {
		above := t.Clusters[c].Parent
		top[above] = max(top[above], top[c])
	}
	out := make([]float64, len(t.Cluster))
	for i, c := range t.Cluster {
		if top[c] > 0 {
			out[i] = (top[c] - t.Lambda[i]) / top[c]
		}
	}
	return out
}
