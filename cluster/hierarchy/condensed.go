package hierarchy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

// condensed is a space of clusters with the dissimilarities of all pairs. Its measure is what the
// cells hold: dissimilarities, or their squares times scale² where the linkage reckons with these.
type condensed struct {
	linkage  Linkage
	cells    []float32
	start    []int   // of the row of each slot in cells: those with the slots before it
	ids      []int32 // cluster in each slot
	slot     []int32 // of each cluster that is there
	size     []float64
	slots    []int32 // in use, rising
	clusters []int32 // in them, in the same order
	scale    float64
	a, b     []float64 // distances from two clusters to those in slots
	looked   int32     // cluster that a is of; −1: of none
	threads  int
	neighbours
}

// row returns the cells of a slot with those before it.
func (d *condensed) row(slot int) []float32 { return d.cells[d.start[slot]:][:slot] }

// cell returns what two slots have to do with each other.
func (d *condensed) cell(i, j int) *float32 { return &d.cells[d.start[max(i, j)]+min(i, j)] }

// rowsTogether is how many rows a goroutine takes at a time.
const rowsTogether = 8

// newCondensed computes the dissimilarities of all pairs of groups of objects, the least between
// members, once a pair. Group has the group of each object; groups are numbered from 0 without a
// gap.
func newCondensed(ctx context.Context, src dissim.Source, group []int32, threads int,
	progress func(float64)) (*condensed, error) {
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
	// by group, and the group of each of them
	members, of := make([]int32, len(group)), make([]int32, len(group))
	next := slices.Clone(starts)
	for i, g := range group {
		members[next[g]], of[next[g]] = int32(i), g
		next[g]++
	}
	if err := checkPairs(n, 0); err != nil {
		return nil, err
	}
	d := &condensed{cells: make([]float32, n*(n-1)/2), start: make([]int, n),
		size: make([]float64, n), threads: threads}
	for g := range n {
		d.start[g], d.size[g] = g*(g-1)/2, float64(starts[g+1]-starts[g])
	}
	done := counted{total: float64(len(group)) * float64(len(group)), report: progress}
	err := parallel.Blocks(ctx, n, rowsTogether, threads, func(_, first, last int) {
		piece := make([]float32, rowPiece)
		for g := first; g < last; g++ {
			cells := d.row(g)
			alone := starts[g+1] == g+1 // and so are all groups before it
			// The row of an object alone is set whole below.
			if !alone {
				for j := range cells {
					cells[j] = float32(math.Inf(1))
				}
			}
			for _, i := range members[starts[g]:starts[g+1]] {
				for lo := 0; lo < starts[g] && ctx.Err() == nil; lo += rowPiece {
					hi := min(starts[g], lo+rowPiece)
					if alone {
						src.Row(cells[lo:hi], int(i), members[lo:hi])
						continue
					}
					src.Row(piece[:hi-lo], int(i), members[lo:hi])
					for t, v := range piece[:hi-lo] {
						cells[of[lo+t]] = min(v, cells[of[lo+t]])
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

// checkPairs refuses the dissimilarities of all pairs of n objects, and so many bytes more, where
// memory does not suffice.
func checkPairs(n int, more float64) error {
	return memory.Check(2*float64(n)*float64(n)+more,
		fmt.Sprintf("the dissimilarities of all pairs of %d objects", n),
		"take single linkage, or Ward's for rows of features (--linkage), or --method hdbscan, which "+
			"need little memory, or join the centres of k-means or a sample")
}

// largest returns the greatest dissimilarity.
func (d *condensed) largest() float32 {
	most := float32(0)
	for _, v := range d.cells {
		if v > most {
			most = v
		}
	}
	return most
}

// prepare makes the cells the measure of a linkage, and the objects clusters known by their places
// in the order.
func (d *condensed) prepare(ctx context.Context, l Linkage, order []int32) error {
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
	d.ids, d.slot, d.slots, d.clusters = make([]int32, n), make([]int32, n), disjoint.Singletons(n),
		make([]int32, n)
	for place, object := range order {
		d.ids[object], d.slot[place] = int32(place), object
	}
	copy(d.clusters, d.ids)
	d.a, d.b, d.looked = make([]float64, n), make([]float64, n), -1
	d.neighbours = newNeighbours(n)
	return d.meetAll(ctx)
}

func (d *condensed) live() []int32 { return d.clusters }

func (d *condensed) from(dst []float64, a int32) {
	at := int(d.slot[a])
	before, _ := slices.BinarySearch(d.slots, int32(at))
	row := d.row(at)
	for t, s := range d.slots[:before] {
		dst[t] = float64(row[s])
	}
	dst[before] = math.Inf(1)
	later := dst[before+1 : len(d.slots)]
	for t, s := range d.slots[before+1:] {
		later[t] = float64(d.cells[d.start[s]+at])
	}
}

// join puts the new cluster in the later slot of the two, whose row is the longer.
func (d *condensed) join(ctx context.Context, a, b int32, far float64) (int32, error) {
	a, b = min(a, b), max(a, b)
	p, q := int(d.slot[a]), int(d.slot[b])
	other := b
	if d.looked == b {
		p, q, other = q, p, a
	} else if d.looked != a {
		d.from(d.a, a)
	}
	d.from(d.b, other)
	d.looked = -1
	w := newWeights(d.linkage, d.size[p], d.size[q], far)
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
			v := w.joined(d.a[t], d.b[t], d.size[s])
			*d.cell(stays, int(s)) = v
			if v < least || v == least && id < best {
				best, least = id, v
			}
		}
		d.slots[kept], d.clusters[kept] = s, id
		kept++
	}
	d.slots, d.clusters = d.slots[:kept], d.clusters[:kept]
	d.moved(a, b, best, least)
	return a, d.compact(ctx)
}

func (d *condensed) height(far float64) float64 {
	if d.linkage.squares() {
		return math.Sqrt(far) / d.scale
	}
	return far
}
