package density

import (
	"cmp"
	"context"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// parting is clusters in the making.
type parting struct {
	*dense
	groups    *groups
	rivals    map[int32]map[int32]bool // roots that must not join a root
	linked    []int32                  // positions of linked objects
	contested []bool                   // core objects of clusters that cannot-links part
	parted    int
	outcast   int
}

// newParting joins what must-links join.
func newParting(f *dense, set *link.Set) *parting {
	p := &parting{dense: f, groups: newGroups(f.size()), rivals: map[int32]map[int32]bool{}}
	at := make([]int32, f.size())
	for i, row := range f.rows() {
		at[row] = int32(i)
	}
	for members := range set.Components() {
		for _, row := range members {
			p.groups.join(at[members[0]], at[row])
		}
	}
	for row := range set.Linked() {
		p.linked = append(p.linked, at[row])
		for other := range set.Separated(row) {
			p.part(p.groups.find(at[row]), p.groups.find(at[other]))
		}
	}
	slices.Sort(p.linked)
	return p
}

func (p *parting) part(a, b int32) {
	for _, side := range [2][2]int32{{a, b}, {b, a}} {
		if p.rivals[side[0]] == nil {
			p.rivals[side[0]] = map[int32]bool{}
		}
		p.rivals[side[0]][side[1]] = true
	}
}

// apart reports whether two roots must not be joined.
func (p *parting) apart(a, b int32) bool { return p.rivals[a][b] }

// merge joins two groups, unless they must not be, and reports whether it did.
func (p *parting) merge(a, b int32) bool {
	a, b = p.groups.find(a), p.groups.find(b)
	if a == b || p.apart(a, b) {
		return false
	}
	p.groups.join(a, b)
	root := p.groups.find(a)
	gone := a + b - root
	for rival := range p.rivals[gone] {
		delete(p.rivals[rival], gone)
		p.part(root, rival)
	}
	delete(p.rivals, gone)
	return true
}

// contest finds the clusters of DBSCAN, joined by must-links, that hold a cannot-link, and settles
// the others.
func (p *parting) contest(ctx context.Context) error {
	whole := newGroups(p.size())
	if err := p.join(ctx, p.key, p.core, whole); err != nil {
		return err
	}
	// Must-links join clusters by core objects; others may yet be noise.
	anchor := map[int32]int32{}
	for _, i := range p.linked {
		if !p.core[i] {
			continue
		}
		if first, known := anchor[p.groups.find(i)]; known {
			whole.join(first, i)
		} else {
			anchor[p.groups.find(i)] = i
		}
	}
	split := map[int32]bool{}
	for g, at := range anchor {
		for rival := range p.rivals[g] {
			if other, known := anchor[rival]; known && whole.find(at) == whole.find(other) {
				split[whole.find(at)] = true
			}
		}
	}
	p.parted = len(split)
	p.contested = make([]bool, p.size())
	for i, core := range p.core {
		if root := whole.find(int32(i)); core && split[root] {
			p.contested[i] = true
		} else if core {
			p.merge(root, int32(i))
		}
	}
	return nil
}

// local makes local clusters in the leaves.
func (p *parting) local() {
	starts := p.leaves()
	for leaf := 1; leaf < len(starts); leaf++ {
		for i := starts[leaf-1]; i < starts[leaf]; i++ {
			if !p.contested[i] {
				continue
			}
			var near []int32
			for j := starts[leaf-1]; j < starts[leaf]; j++ {
				if p.contested[j] && p.between(i, j) <= p.key {
					near = append(near, j)
				}
			}
			if !p.divided(near) {
				for _, j := range near {
					p.merge(i, j)
				}
			}
		}
	}
}

// divided reports whether a cannot-link is among objects.
func (p *parting) divided(objects []int32) bool {
	roots := map[int32]bool{}
	for _, i := range objects {
		roots[p.groups.find(i)] = true
	}
	for g := range roots {
		for rival := range p.rivals[g] {
			if roots[rival] {
				return true
			}
		}
	}
	return false
}

// spread lets local clusters join until none can.
func (p *parting) spread(ctx context.Context) error {
	b := newBridges(p.size(), p.groups.roots(nil), p.key)
	b.among, b.apart = p.contested, p.apart
	for p.parted > 0 {
		if err := p.bridge(ctx, b); err != nil {
			return err
		}
		joined := false
		for _, e := range b.shortest() {
			joined = p.merge(e.a, e.b) || joined
		}
		if !joined {
			return nil
		}
		b.group = p.groups.roots(b.group)
	}
	return nil
}

// settle puts objects that are no core objects into clusters.
func (p *parting) settle(ctx context.Context) error {
	asked := make([]bool, p.size())
	for i, core := range p.core {
		asked[i] = !core
	}
	to, far, err := p.nearest(ctx, asked, p.core, p.key)
	if err != nil {
		return err
	}
	cluster := map[int32]bool{} // of groups of linked objects: it has a core object
	for _, i := range p.linked {
		if p.core[i] {
			cluster[p.groups.find(i)] = true
		}
	}
	var linked []int32
	for _, i := range p.linked {
		if asked[i] && to[i] >= 0 && !cluster[p.groups.find(i)] {
			linked = append(linked, i)
		}
		asked[i] = false
	}
	slices.SortFunc(linked,
		func(a, b int32) int { return cmp.Or(cmp.Compare(far[a], far[b]), cmp.Compare(a, b)) })
	for _, i := range linked {
		if err := p.admit(ctx, i, to[i], cluster); err != nil {
			return err
		}
	}
	for i, is := range asked {
		if is && to[i] >= 0 {
			p.merge(to[i], int32(i))
		}
	}
	return nil
}

// admit puts a linked object, and those must-linked to it, into the nearest cluster that it may
// join.
func (p *parting) admit(ctx context.Context, i, nearest int32, cluster map[int32]bool) error {
	if cluster[p.groups.find(i)] {
		return nil // with one that came before
	}
	if p.apart(p.groups.find(i), p.groups.find(nearest)) {
		asked, among := make([]bool, p.size()), make([]bool, p.size())
		asked[i] = true
		rivals := p.rivals[p.groups.find(i)]
		for j, core := range p.core {
			among[j] = core && !rivals[p.groups.find(int32(j))]
		}
		to, _, err := p.nearest(ctx, asked, among, p.key)
		if err != nil {
			return err
		}
		if nearest = to[i]; nearest < 0 {
			p.outcast++
			return nil
		}
	}
	p.merge(nearest, i)
	cluster[p.groups.find(i)] = true
	return nil
}
