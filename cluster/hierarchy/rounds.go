package hierarchy

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// fewPairs is the share of clusters, one in so many, below which pairs are not worth a pass over
// the rows.
const fewPairs = 24

// rounds joins all pairs of clusters that are nearest to each other, and again as long as there are
// many. Under a reducible linkage such a pair stays one whatever else is joined, so they can be
// joined together: in one pass over the rows in the order in which they lie, where joins one by one
// would wait for memory. What is worked out of two pairs is as if the pair of the lower cluster
// were joined first.
func (d *condensed) rounds(ctx context.Context, n int, p *pace) ([]join, error) {
	joins := make([]join, 0, n-1)
	for {
		var pairs []fusion // by the slot that stays
		for _, s := range d.slots {
			a := d.ids[s]
			if b := d.to[a]; b >= 0 && d.to[b] == a && d.slot[b] > s {
				gone := d.slot[b]
				pairs = append(pairs,
					fusion{a: s, b: gone, id: min(a, b), far: d.far[a],
						weights: newWeights(d.linkage, d.size[s], d.size[gone], d.far[a])})
			}
		}
		if len(pairs) == 0 || fewPairs*len(pairs) < len(d.slots) {
			return joins, nil
		}
		began := len(joins)
		for _, f := range pairs {
			joins = append(joins, join{d.ids[f.a], d.ids[f.b], d.height(f.far)})
		}
		slices.SortFunc(joins[began:],
			func(x, y join) int { return cmp.Compare(min(x.a, x.b), min(y.a, y.b)) })
		if err := d.fuse(ctx, pairs); err != nil {
			return nil, err
		}
		if err := d.compact(ctx); err != nil {
			return nil, err
		}
		p.left(len(d.slots))
	}
}

// fusion is two slots that become one.
type fusion struct {
	a, b int32 // the earlier stays
	id   int32 // cluster that it comes to be
	far  float64
	weights
}

// fuse joins pairs and finds the nearest of those that were the nearest of one. Nobody writes to
// the rows of slots that go.
func (d *condensed) fuse(ctx context.Context, pairs []fusion) error {
	at, gone := make([]int32, len(d.ids)), make([]bool, len(d.ids)) // pair of a slot, from 1
	for k, f := range pairs {
		at[f.a], gone[f.b] = int32(k+1), true
	}
	var stay, asking []int32 // slots
	stays, asks := make([]bool, len(d.ids)), make([]bool, len(d.ids))
	for _, s := range d.slots {
		if gone[s] {
			continue
		}
		stay, stays[s] = append(stay, s), true
		if near := d.slot[d.to[d.ids[s]]]; at[near] > 0 || gone[near] {
			asking, asks[s] = append(asking, s), true
		}
	}
	for _, f := range pairs {
		d.slot[d.ids[f.a]], d.slot[d.ids[f.b]] = -1, -1
		d.ids[f.a], d.slot[f.id] = f.id, f.a
	}
	size := max(1, (len(stay)+passBlocks-1)/passBlocks)
	found := make([]nearby, parallel.Count(len(stay), size))
	err := parallel.Blocks(ctx, len(stay), size, d.threads, func(block, lo, hi int) {
		near := newNearby(int(stay[hi-1]) + 1)
		for s := range near.far {
			if !asks[s] {
				near.far[s] = float32(math.Inf(-1)) // nothing is within it
			}
		}
		fetched := float32(0)
		pair := 0 // how many are in earlier slots
		crossed := make([]float32, len(pairs))
		for t := lo; t < hi && ctx.Err() == nil; t++ {
			s := stay[t]
			if (t-lo)%lineRows == 0 {
				slots := stay[t:min(hi, t+lineRows)]
				for _, s := range slots {
					fetched += fetch(d.row(int(s)))
				}
				d.fuseColumns(slots, pairs, at)
			}
			for pair < len(pairs) && pairs[pair].a < s {
				pair++
			}
			row := d.row(int(s))
			if k := at[s]; k > 0 {
				fetched += d.fuseRow(row, stay[:t], pairs[:pair], &pairs[k-1], crossed)
			}
			d.noteRow(&near, int(s), row, stays, asks[s])
		}
		near.fetched = fetched
		found[block] = near
	})
	if err != nil {
		return err
	}
	for _, f := range pairs {
		d.size[f.a] = f.na + f.nb
	}
	d.slots, d.clusters, d.looked = stay, d.clusters[:0], -1
	for _, s := range stay {
		d.clusters = append(d.clusters, d.ids[s])
	}
	d.meet(asking, found)
	return nil
}

// noteRow takes note, by slot, of how near a slot is to earlier ones that ask, and of how near
// those that stay are to it if it asks itself.
func (d *condensed) noteRow(near *nearby, s int, row []float32, stays []bool, asks bool) {
	id := d.ids[s]
	for j := 0; ; j++ {
		if j += simd.FirstWithin(row[j:], near.far[j:s]); j == s {
			break
		}
		near.note(j, id, row[j])
	}
	if !asks {
		return
	}
	for j := 0; ; j++ {
		if j += simd.FirstAtMost(row[j:], near.far[s]); j == s {
			break
		}
		if stays[j] {
			near.note(s, d.ids[j], row[j])
		}
	}
}

// lineRows is how many rows are gone through together: a row of a slot that goes is read as their
// column, a line of memory at a time.
const lineRows = 8

// fuseColumns joins what the pairs have to do with slots that stay and are of no pair.
func (d *condensed) fuseColumns(slots []int32, pairs []fusion, at []int32) {
	var room [lineRows]line
	alone := room[:0]
	for _, s := range slots {
		if at[s] == 0 {
			alone = append(alone, line{s, d.row(int(s))})
		}
	}
	for k := range pairs {
		f := &pairs[k]
		for len(alone) > 0 && alone[0].slot < f.a {
			alone = alone[1:]
		}
		if len(alone) == 0 {
			return
		}
		column := d.row(int(f.b))
		for i := range alone {
			s, row := alone[i].slot, alone[i].row
			var other float32
			if s < f.b {
				other = column[s]
			} else {
				other = row[f.b]
			}
			switch f.linkage {
			case Complete:
				row[f.a] = max(row[f.a], other)
			case Average:
				row[f.a] = simd.Blended(row[f.a], other, f.pa, f.pb)
			default:
				row[f.a] = f.joined(float64(row[f.a]), float64(other), d.size[s])
			}
		}
	}
}

// line is a slot with its row.
type line struct {
	slot int32
	row  []float32
}

// fuseRow makes the row of a pair's earlier slot what the pair has to do with the slots that stay
// before it. There is room for as many values as there are pairs before.
func (d *condensed) fuseRow(row []float32, stay []int32, before []fusion, own *fusion,
	room []float32) (fetched float32) {
	other := d.row(int(own.b))
	fetched = fetch(other)
	for k := range before {
		f := &before[k]
		a, b := row[f.a], *d.cell(int(own.a), int(f.b))
		p, q := other[f.a], *d.cell(int(own.b), int(f.b))
		if own.linkage == Complete {
			room[k] = max(a, b, p, q)
			continue
		}
		if f.id < own.id {
			a, b = f.fused(a, b, own.na), f.fused(p, q, own.nb)
			room[k] = own.fused(a, b, f.na+f.nb)
		} else {
			a, b = own.fused(a, p, f.na), own.fused(b, q, f.nb)
			room[k] = f.fused(a, b, own.na+own.nb)
		}
	}
	// Slots that are not in use do not matter.
	switch own.linkage {
	case Complete:
		simd.Raise(row, other[:len(row)])
	case Average:
		simd.Blend(row, other[:len(row)], own.pa, own.pb)
	default:
		for _, s := range stay {
			row[s] = own.fused(row[s], other[s], d.size[s])
		}
	}
	for k := range before {
		row[before[k].a] = room[k]
	}
	return fetched
}

// fused is [weights.joined] for cells.
func (f *fusion) fused(a, b float32, n float64) float32 {
	if f.linkage == Average {
		return simd.Blended(a, b, f.pa, f.pb)
	}
	return f.joined(float64(a), float64(b), n)
}

// fetch reads a cell of every line of memory of a row, in order, which is where a processor is
// fast: what jumps about in the row then finds it in the cache. The sum is to be kept, so that it
// is worked out.
func fetch(row []float32) (sum float32) {
	for len(row) >= 16 {
		sum += row[0]
		row = row[16:]
	}
	return sum
}

// compact moves the clusters into the first slots where many are not in use, so that what is read
// lies closer together.
func (d *condensed) compact(ctx context.Context) error {
	m := len(d.slots)
	if 4*m > 3*len(d.ids) {
		return nil
	}
	err := parallel.Blocks(ctx, m, rowsTogether, d.threads, func(_, lo, hi int) {
		for t := lo; t < hi; t++ {
			row := d.row(int(d.slots[t]))
			for u, s := range d.slots[:t] {
				row[u] = row[s]
			}
		}
	})
	if err != nil {
		return err
	}
	for t, s := range d.slots {
		d.start[t], d.ids[t], d.size[t] = d.start[s], d.ids[s], d.size[s]
		d.slot[d.ids[t]] = int32(t)
		d.slots[t] = int32(t)
	}
	d.start, d.ids, d.size = d.start[:m], d.ids[:m], d.size[:m]
	return nil
}
