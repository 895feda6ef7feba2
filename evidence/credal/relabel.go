package credal

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// BySize returns the clusters, from 0, in the order in which people expect them to be numbered: the
// one with the most objects by maximum plausibility first, the one with the first object on a tie.
// It is an order for [Partition.Relabel].
func (p *Partition) BySize() []int {
	size, first := make([]int, p.Clusters), make([]int, p.Clusters)
	for i, label := range p.Hard(belief.MaxPlausibility) {
		if label == 0 {
			continue
		}
		if size[label-1] == 0 {
			first[label-1] = i
		}
		size[label-1]++
	}
	return linalg.Order(p.Clusters, func(a, b int) int {
		return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(first[a], first[b]))
	})
}

// Relabel numbers the clusters anew: what was cluster order[k] becomes cluster k, both from 0.
// Focal sets and masses are moved in place.
func (p *Partition) Relabel(order []int) error {
	to := make([]int, p.Clusters) // the new number of each cluster
	for k := range to {
		if to[k] = slices.Index(order, k); to[k] < 0 || len(order) != p.Clusters {
			return fault.Inputf("name each cluster once, from 0",
				"%v is no order of %d clusters", order, p.Clusters)
		}
	}
	moved := make([]belief.Set, len(p.Focal))
	for j, s := range p.Focal {
		for k := range s.All() {
			moved[j] |= belief.Singleton(to[k])
		}
	}
	focal, err := belief.Sort(p.Clusters, moved)
	if err != nil {
		return err
	}
	from := make([]int, len(focal)) // the old position of each focal set
	for j, s := range focal {
		from[j] = slices.Index(moved, s)
	}
	p.Focal = focal
	p.blocks(func(lo, hi int) {
		old := make([]float64, len(focal))
		for i := lo; i < hi; i++ {
			row := p.Row(i)
			copy(old, row)
			for j, was := range from {
				row[j] = old[was]
			}
		}
	})
	return nil
}
