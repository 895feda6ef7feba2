package density

import "github.com/kindred-go/kindred/link"

// kept counts, for each cluster of a condensed tree, the ends of links that hold: those of a
// must-link where both are in one cluster, and those of a cannot-link where they are not (Campello,
// Moulavi, Zimek and Sander 2013, section 4). Known classes are links among all rows that have one.
type kept struct {
	held  []int // ends within the cluster that hold where it is chosen
	loose []int // ends at objects that fall off it which hold where they are noise
}

// keeps counts for links and the classes of objects (nil: none is known).
func (t *CondensedTree) keeps(links []link.Link, class []int32) *kept {
	n := len(t.Clusters)
	k := &kept{held: make([]int, n), loose: make([]int, n)}
	depth := t.depths()
	for _, l := range links {
		if l.Kind == link.Unknown {
			continue
		}
		a, b := int(t.Cluster[l.A]), int(t.Cluster[l.B])
		if l.Kind == link.CannotLink {
			k.loose[a]++
			k.loose[b]++
			k.held[a]++
			k.held[b]++
		}
		a = t.around(depth, a, b)
		if l.Kind == link.MustLink {
			k.held[a] += 2
		} else {
			k.held[a] -= 2
		}
	}
	for c := n - 1; c > 0; c-- {
		k.held[t.Clusters[c].Parent] += k.held[c]
	}
	t.keepClasses(k, class)
	return k
}

// depths returns how many clusters each is part of.
func (t *CondensedTree) depths() []int {
	depth := make([]int, len(t.Clusters))
	for c, p := range t.Clusters {
		if c > 0 {
			depth[c] = depth[p.Parent] + 1
		}
	}
	return depth
}

// around returns the smallest cluster that two are, or are part of.
func (t *CondensedTree) around(depth []int, a, b int) int {
	for a != b {
		if depth[a] < depth[b] {
			a, b = b, a
		}
		a = t.Clusters[a].Parent
	}
	return a
}

// keepClasses adds the ends of the links among all objects that have a class.
func (t *CondensedTree) keepClasses(k *kept, class []int32) {
	known, all := 0, map[int32]int{}
	for _, c := range class {
		if c >= 0 {
			all[c]++
			known++
		}
	}
	if known == 0 {
		return
	}
	in := make([]map[int32]int, len(t.Clusters)) // objects of each class in each cluster
	for c := range in {
		in[c] = map[int32]int{}
	}
	for i, c := range class {
		if c >= 0 {
			in[t.Cluster[i]][c]++
			k.loose[t.Cluster[i]] += known - all[c]
		}
	}
	for c := len(in) - 1; c >= 0; c-- {
		total := 0
		for _, m := range in[c] {
			total += m
		}
		for class, m := range in[c] {
			within, without := m-1, known-all[class]-(total-m)
			k.held[c] += m * (within + without)
			if above := t.Clusters[c].Parent; above >= 0 {
				in[above][class] += m
			}
		}
	}
}
