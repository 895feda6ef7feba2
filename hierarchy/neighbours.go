package hierarchy

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/parallel"
)

// neighbours are the nearest of each cluster as they were when they were last looked for. Under a reducible linkage one stays
// the nearest until it is joined to another.
type neighbours struct {
	to    []int32 // nearest cluster; −1: not looked for
	far   []float64
	at    []int32 // what joins of the neighbour was
	joins []int32 // how often each cluster has been joined to others; −1: it is no more
}

// meetBlocks is into how many blocks the search for the first neighbours is cut.
const meetBlocks = 16

// meet finds the nearest of every object, the lowest among equals, in one pass over the cells.
func (d *condensed) meet(ctx context.Context, threads int) error {
	n := len(d.ids)
	type found struct {
		to  []int32
		far []float32
	}
	size := max(strip, (n+meetBlocks-1)/meetBlocks)
	parts := make([]found, parallel.Count(n, size))
	err := parallel.Blocks(ctx, n, size, threads, func(block, lo, hi int) {
		f := found{make([]int32, hi), make([]float32, hi)}
		for i := range f.to {
			f.to[i], f.far[i] = -1, float32(math.Inf(1))
		}
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			id, best, least := d.ids[i], int32(-1), float32(math.Inf(1))
			d.pairs(i, func(j int, v float32) {
				if other := d.ids[j]; v < least || v == least && other < best {
					best, least = other, v
				}
				if v < f.far[j] || v == f.far[j] && id < f.to[j] {
					f.to[j], f.far[j] = id, v
				}
			})
			if least < f.far[i] || least == f.far[i] && best < f.to[i] {
				f.to[i], f.far[i] = best, least
			}
		}
		parts[block] = f
	})
	if err != nil {
		return err
	}
	d.neighbours = neighbours{to: make([]int32, n), far: make([]float64, n), at: make([]int32, n), joins: make([]int32, n)}
	for i, id := range d.ids {
		d.to[id], d.far[id] = -1, math.Inf(1)
		for _, f := range parts {
			if i < len(f.to) && f.to[i] >= 0 && (float64(f.far[i]) < d.far[id] || float64(f.far[i]) == d.far[id] && f.to[i] < d.to[id]) {
				d.to[id], d.far[id] = f.to[i], float64(f.far[i])
			}
		}
	}
	return nil
}

// moved takes note of a join that made a cluster, whose neighbour is told, of two.
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
	if prefer >= 0 && b != prefer && float64(d.cells[cell(int(d.slot[a]), int(d.slot[prefer]))]) == far {
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
