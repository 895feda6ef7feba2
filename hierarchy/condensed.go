package hierarchy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/dissim"
	"github.com/kindred-go/kindred/internal/parallel"
)

// condensed is a space of clusters with the dissimilarities of all pairs. Its measure is what the cells hold: dissimilarities, or
// their squares times scale² where the linkage reckons with these.
type condensed struct {
	linkage  Linkage
	cells    []float32
	ids      []int32 // cluster in each slot
	slot     []int32 // of each cluster that is there
	size     []float64
	slots    []int32 // in use, rising
	clusters []int32 // in them, in the same order
	scale    float64
	a, b     []float64 // distances from two clusters to those in slots
	looked   int32     // cluster that a is of; −1: of none
	fetched  float32
	neighbours
}

// strip is how many rows of the triangle lie together, column by column: what a slot has to do with all others is a piece of a
// row and a piece of a column, and neither may take a line of memory for every cell.
const strip = 8

// row gives where the cells of a slot with those before it begin; that with slot j is j·strip further on.
func row(slot int) int {
	s := slot / strip
	return strip*strip/2*s*(s+1) + slot%strip
}

// cell gives where the cell of two slots is.
func cell(i, j int) int { return row(max(i, j)) + strip*min(i, j) }

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
	next := slices.Clone(starts)
	for i, g := range group {
		members[next[g]], of[next[g]] = int32(i), g
		next[g]++
	}
	if err := dissim.Room(2*float64(n)*float64(n), fmt.Sprintf("the dissimilarities of all pairs of %d objects", n),
		"take single linkage, or Ward's for vectors (--linkage), which need little memory, or a sample of the objects"); err != nil {
		return nil, err
	}
	d := &condensed{cells: make([]float32, row((n+strip-1)/strip*strip)), size: make([]float64, n)}
	for g := range d.size {
		d.size[g] = float64(starts[g+1] - starts[g])
	}
	done := counted{total: float64(len(group)) * float64(len(group)), tell: progress}
	err := parallel.Blocks(ctx, n, strip, threads, func(_, first, last int) {
		piece := make([]float32, rowPiece)
		for g := first; g < last; g++ {
			cells := d.cells[row(g):]
			for j := range g {
				cells[j*strip] = float32(math.Inf(1))
			}
			for _, i := range members[starts[g]:starts[g+1]] {
				for lo := 0; lo < starts[g] && ctx.Err() == nil; lo += rowPiece {
					hi := min(starts[g], lo+rowPiece)
					src.Row(piece[:hi-lo], int(i), members[lo:hi])
					for t, v := range piece[:hi-lo] {
						if to := int(of[lo+t]) * strip; v < cells[to] {
							cells[to] = v
						}
					}
				}
				done.add(2 * starts[g])
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// pairs goes through the cells of slot i with those before it.
func (d *condensed) pairs(i int, do func(j int, v float32)) {
	if i == 0 {
		return
	}
	for j, at := 0, row(i); j < i; j, at = j+1, at+strip {
		do(j, d.cells[at])
	}
}

// largest gives the greatest dissimilarity.
func (d *condensed) largest() float32 {
	most := float32(0)
	for _, v := range d.cells { // what is in no use is 0
		most = max(most, v)
	}
	return most
}

// prepare makes the cells the measure of a linkage, and the objects clusters known by their places in the order.
func (d *condensed) prepare(ctx context.Context, l Linkage, order []int32, threads int) error {
	n := len(order)
	d.linkage, d.scale = l, 1
	if l.squares() {
		if most := d.largest(); most > 0 {
			_, power := math.Frexp(float64(most))
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
	d.a, d.b, d.looked = make([]float64, n), make([]float64, n), -1
	return d.meet(ctx, threads)
}

func (d *condensed) live() []int32 { return d.clusters }

func (d *condensed) from(dst []float64, a int32) {
	at := int(d.slot[a])
	d.fetch(at)
	t, cells := 0, d.cells[row(at):]
	for ; int(d.slots[t]) < at; t++ {
		dst[t] = float64(cells[int(d.slots[t])*strip])
	}
	dst[t] = math.Inf(1)
	last, column := -1, cells
	for t++; t < len(d.slots); t++ {
		s := int(d.slots[t])
		if s/strip != last { // rows that lie together
			last = s / strip
			column = d.cells[row(last*strip)+at*strip:][:strip]
		}
		dst[t] = float64(column[s%strip])
	}
}

// fetch reads a cell of every strip below a slot. They are far from each other, and the processor waits for many of them at once
// where it does nothing else.
func (d *condensed) fetch(at int) {
	sum := float32(0)
	s := at/strip + 1
	for begin := row(s*strip) + at*strip; begin < len(d.cells); s++ {
		sum += d.cells[begin]
		begin += strip * strip * (s + 1)
	}
	d.fetched = sum
}

// join puts the new cluster in the later slot of the two, whose row lies together.
func (d *condensed) join(a, b int32, far float64) int32 {
	a, b = min(a, b), max(a, b)
	p, q := int(d.slot[a]), int(d.slot[b])
	other := b
	if d.looked == b {
		p, q, other = q, p, a
	} else if d.looked != a {
		d.from(d.a, a)
	}
	d.from(d.b, other)
	d.combine(d.size[p], d.size[q], far)
	d.looked = -1
	gone, stays := min(p, q), max(p, q)
	d.size[stays] = d.size[p] + d.size[q]
	d.ids[stays], d.slot[a], d.slot[b] = a, int32(stays), -1
	kept, best, least := 0, int32(-1), float32(math.Inf(1))
	for t, s := range d.slots {
		if int(s) == gone {
			continue
		}
		id := d.ids[s]
		if int(s) != stays {
			v := float32(d.a[t])
			d.cells[cell(stays, int(s))] = v
			if v < least || v == least && id < best {
				best, least = id, v
			}
		}
		d.slots[kept], d.clusters[kept] = s, id
		kept++
	}
	d.slots, d.clusters = d.slots[:kept], d.clusters[:kept]
	d.moved(a, b, best, least)
	if 2*kept < len(d.ids) {
		d.compact()
	}
	return a
}

// compact moves the clusters into the first slots, so that what is read lies closer together.
func (d *condensed) compact() {
	for t, s := range d.slots {
		to, from := d.cells[row(t):], d.cells[row(int(s)):]
		for u := range t {
			to[u*strip] = from[int(d.slots[u])*strip]
		}
		d.ids[t], d.size[t] = d.ids[s], d.size[s]
		d.slot[d.ids[t]] = int32(t)
	}
	m := len(d.slots)
	d.cells = d.cells[:row((m+strip-1)/strip*strip)]
	d.ids, d.size = d.ids[:m], d.size[:m]
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
