package hierarchy

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/parallel"
)

// neighbours are the nearest of each cluster as they were when they were last looked for. Under a
// reducible linkage one stays the nearest until it is joined to another.
type neighbours struct {
	to    []int32 // nearest cluster; −1: not looked for
	far   []float64
	at    []int32 // what joins of the neighbour was
	joins []int32 // how often each cluster has been joined to others; −1: it is no more
}

func newNeighbours(n int) neighbours {
	return neighbours{to: make([]int32, n), far: make([]float64, n), at: make([]int32, n),
		joins: make([]int32, n)}
}

// nearby is the nearest of the clusters in the first slots, as far as has been seen.
type nearby struct {
	to      []int32
	far     []float32
	fetched float32
}

func newNearby(n int) nearby {
	f := nearby{to: make([]int32, n), far: make([]float32, n)}
	for i := range f.to {
		f.to[i], f.far[i] = -1, float32(math.Inf(1))
	}
	return f
}

// note takes note of a cluster that is so far from the one in a slot; the lower one counts among
// equals.
func (f *nearby) note(at int, id int32, far float32) {
	if far < f.far[at] || far == f.far[at] && id >= 0 && id < f.to[at] {
		f.to[at], f.far[at] = id, far
	}
}

// passBlocks is into how many blocks a pass over the rows is cut.
const passBlocks = 32

// meetAll finds the nearest of every object in one pass over the rows.
func (d *condensed) meetAll(ctx context.Context) error {
	n := len(d.ids)
	size := max(1, (n+passBlocks-1)/passBlocks)
	found := make([]nearby, parallel.Count(n, size))
	err := parallel.Blocks(ctx, n, size, d.threads, func(block, lo, hi int) {
		near := newNearby(hi)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			id, row := d.ids[i], d.row(i)
			fars, least := near.far[:i], float32(math.Inf(1))
			for j, v := range row {
				if v <= least {
					near.note(i, d.ids[j], v)
					least = near.far[i]
				}
				if v <= fars[j] {
					near.note(j, id, v)
				}
			}
		}
		found[block] = near
	})
	if err != nil {
		return err
	}
	d.meet(d.slots, found)
	return nil
}

// meet takes over what parts of a pass have found of the clusters in some slots.
func (d *condensed) meet(slots []int32, parts []nearby) {
	for _, s := range slots {
		near := newNearby(1)
		for _, f := range parts {
			if int(s) < len(f.to) {
				near.note(0, f.to[s], f.far[s])
			}
		}
		id := d.ids[s]
		d.to[id], d.far[id] = near.to[0], float64(near.far[0])
	}
}

// moved takes note of a join of two clusters: to is the neighbour of the one that it made.
func (d *condensed) moved(made, gone, to int32, far float32) {
	d.joins[made]++
	d.joins[gone] = -1
	if !d.linkage.reducible() {
		for _, a := range d.clusters {
			d.to[a] = -1
		}
	}
	d.to[made], d.far[made] = to, float64(far)
	if to >= 0 {
		d.at[made] = d.joins[to]
	}
}

func (d *condensed) nearest(a, prefer int32) (b int32, far float64) {
	if b = d.to[a]; b < 0 || d.at[a] != d.joins[b] {
		d.look(a)
	}
	b, far = d.to[a], d.far[a]
	if prefer >= 0 && b != prefer && float64(*d.cell(int(d.slot[a]), int(d.slot[prefer]))) == far {
		b = prefer
	}
	return b, far
}

// look finds the nearest cluster.
func (d *condensed) look(a int32) {
	d.from(d.a, a)
	d.looked = a
	best, least := int32(-1), math.Inf(1)
	for t, v := range d.a[:len(d.slots)] {
		if v > least {
			continue
		}
		if id := d.clusters[t]; id != a && (v < least || id < best) {
			best, least = id, v
		}
	}
	d.to[a], d.far[a], d.at[a] = best, least, d.joins[best]
}
