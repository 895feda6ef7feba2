package hierarchy

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
)

// condensed is a space of clusters with the dissimilarities of all pairs: row i of a triangle holds those to the slots before i.
// Its measure is what the cells hold: dissimilarities, or their squares times scale² where the linkage reckons with these.
type condensed struct {
	linkage  Linkage
	cells    []float32
	ids      []int32 // cluster in each slot
	slot     []int32 // of each cluster that is there
	size     []float64
	slots    []int32 // in use, rising
	clusters []int32 // in them, in the same order
	scale    float64
	a, b     []float64
}

// row gives the cells of a slot with those before it.
func (d *condensed) row(slot int) []float32 { return d.cells[slot*(slot-1)/2:][:slot] }

// newCondensed computes the dissimilarities of all pairs of groups of objects, the least between members, once a pair. Group
// gives the group of each object; groups are numbered from 0 without a gap.
func newCondensed(ctx context.Context, src dissim.Source, group []int32, threads int, progress func(float64)) (*condensed, error) {
	starts := make([]int, 1, len(group)+1) // of each group in members
	for _, g := range group {
		for int(g) >= len(starts)-1 {
			starts = append(starts, 0)
		}
		starts[g+1]++
	}
	n := len(starts) - 1
	for g := range n {
		starts[g+1] += starts[g]
	}
	members, of := make([]int32, len(group)), make([]int32, len(group)) // by group, and the group of each of them
	next := append([]int(nil), starts...)
	for i, g := range group {
		members[next[g]], of[next[g]] = int32(i), g
		next[g]++
	}
	if err := dissim.Room(2*float64(n)*float64(n), fmt.Sprintf("the dissimilarities of all pairs of %d objects", n),
		"take single linkage, or Ward's for vectors (--linkage), which need little memory, or a sample of the objects"); err != nil {
		return nil, err
	}
	d := &condensed{cells: make([]float32, n*(n-1)/2), size: make([]float64, n)}
	for g := range d.size {
		d.size[g] = float64(starts[g+1] - starts[g])
	}
	done := counted{total: float64(len(group)) * float64(len(group)), tell: progress}
	err := parallel.Blocks(ctx, n, 1, threads, func(_, g, _ int) {
		row := d.row(g)
		for i := range row {
			row[i] = float32(math.Inf(1))
		}
		piece := make([]float32, min(rowPiece, starts[g]))
		for _, i := range members[starts[g]:starts[g+1]] {
			for lo := 0; lo < starts[g] && ctx.Err() == nil; lo += rowPiece {
				hi := min(starts[g], lo+rowPiece)
				src.Row(piece[:hi-lo], int(i), members[lo:hi])
				for t, v := range piece[:hi-lo] {
					if to := of[lo+t]; v < row[to] {
						row[to] = v
					}
				}
			}
			done.add(2 * starts[g])
		}
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// prepare makes the cells the measure of a linkage, and the objects clusters known by their places in the order.
func (d *condensed) prepare(l Linkage, order []int32) {
	n := len(order)
	d.linkage, d.scale = l, 1
	if l.squares() {
		largest := float32(0)
		for _, v := range d.cells {
			largest = max(largest, v)
		}
		if largest > 0 {
			_, power := math.Frexp(float64(largest))
			d.scale = math.Ldexp(1, -power) // so that squares fit float32
		}
		for i, v := range d.cells {
			scaled := float64(v) * d.scale
			d.cells[i] = float32(scaled * scaled)
		}
	}
	d.ids, d.slot, d.slots, d.clusters = make([]int32, n), make([]int32, n), singletons(n), make([]int32, n)
	for place, object := range order {
		d.ids[object], d.slot[place] = int32(place), object
	}
	copy(d.clusters, d.ids)
	d.a, d.b = make([]float64, n), make([]float64, n)
}

func (d *condensed) live() []int32 { return d.clusters }

func (d *condensed) from(dst []float64, a int32) {
	at := int(d.slot[a])
	row := d.row(at)
	t := 0
	for ; int(d.slots[t]) < at; t++ {
		dst[t] = float64(row[d.slots[t]])
	}
	dst[t] = math.Inf(1)
	for t++; t < len(d.slots); t++ {
		s := int(d.slots[t])
		dst[t] = float64(d.cells[s*(s-1)/2+at])
	}
}

func (d *condensed) nearest(a, prefer int32) (b int32, far float64) {
	d.from(d.a, a)
	b, far = -1, math.Inf(1)
	preferred := math.Inf(1)
	for t, v := range d.a[:len(d.slots)] {
		if v > far {
			continue
		}
		id := d.clusters[t]
		if id == a {
			continue
		}
		if v < far || id < b {
			b, far = id, v
		}
		if id == prefer {
			preferred = v
		}
	}
	if preferred == far {
		b = prefer
	}
	return b, far
}

// join puts the new cluster in the later slot of the two, whose row lies together.
func (d *condensed) join(a, b int32, far float64) int32 {
	a, b = min(a, b), max(a, b)
	p, q := int(d.slot[a]), int(d.slot[b])
	d.from(d.a, int32(a))
	d.from(d.b, int32(b))
	d.combine(d.size[p], d.size[q], far)
	gone, stays := min(p, q), max(p, q)
	d.size[stays] = d.size[p] + d.size[q]
	d.ids[stays], d.slot[a], d.slot[b] = a, int32(stays), -1

	row := d.row(stays)
	kept := 0
	for t, s := range d.slots {
		at := int(s)
		switch {
		case at == gone:
			continue
		case at < stays:
			row[at] = float32(d.a[t])
		case at > stays:
			d.cells[at*(at-1)/2+stays] = float32(d.a[t])
		}
		d.slots[kept], d.clusters[kept] = s, d.ids[at]
		kept++
	}
	d.slots, d.clusters = d.slots[:kept], d.clusters[:kept]
	if 2*kept < len(d.ids) {
		d.compact()
	}
	return a
}

// compact moves the clusters into the first slots, so that what is read lies closer together.
func (d *condensed) compact() {
	for t, s := range d.slots {
		from, to := d.row(int(s)), d.row(t)
		for u := range to {
			to[u] = from[d.slots[u]]
		}
		d.ids[t], d.size[t] = d.ids[s], d.size[s]
		d.slot[d.ids[t]] = int32(t)
	}
	m := len(d.slots)
	d.cells, d.ids, d.size = d.cells[:m*(m-1)/2], d.ids[:m], d.size[:m]
	for t := range d.slots {
		d.slots[t] = int32(t)
	}
}

func (d *condensed) height(far float64) float64 {
	if d.linkage.squares() {
		return math.Sqrt(far) / d.scale
	}
	return far
}
