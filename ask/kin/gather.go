package kin

import "slices"

// firm is how often a walk that comes to a node that links or answers put in its group ends there.
// Else it goes on from there: what they say of a node is evidence of those around it, and not the
// truth about them, as the node may be an exception, or an answer wrong.
const firm = 0.6

// passing returns where walks that come to each of ends, but do not end there, end instead: shares
// on groups, with sum 1; nil: all walks end there, as at nodes that stand for tentative groups, and
// at those whose group was only left over. reached is the masses of the nodes if all do: by these the
// shares are those of beside, without another look at all walks.
func (p *play) passing(reached [][]entry) *passing {
	const little = 1e-6
	var out *passing
	sums := newScatter(p.size)
	for l, i := range p.ends {
		if p.tentative[l] || !p.sure[l] {
			continue
		}
		for _, e := range p.joined[i] {
			for _, to := range reached[e.at] {
				sums.add(to.at, float64(e.v*to.v))
			}
			if back := value(p.hits[e.at], l); back > 0 {
				sums.add(int32(p.group[l]), -float64(e.v*back))
			}
		}
		row := sums.take(nil, 0)
		all := total(row)
		if all <= little*total(p.joined[i]) {
			continue
		}
		for t := range row {
			row[t].v /= all
		}
		if out == nil {
			out = &passing{p.ends, make([][]entry, len(p.ends))}
		}
		out.on[l] = row
	}
	return out
}

// passing is where walks end that do not end where they come to.
type passing struct {
	from []int     // rows whose own entries stay, by place
	on   [][]entry // by place; nil: all end there
}

// of returns the shares of a place; nil: all walks end there.
func (p *passing) of(place int32) []entry {
	if p == nil || int(place) >= len(p.on) {
		return nil
	}
	return p.on[place]
}

// gathered is sparse rows of which the entries were added up by the place of each. It never changes.
type gathered struct {
	rows [][]entry
	to   []int // −1: nowhere
	past *passing
	out  [][]entry
}

// gather adds up the entries of sparse rows by what is to be the place of each; −1: nowhere. Of
// those that past has shares of, the rest goes by these. Of what was gathered before, nil: nothing,
// it takes over the rows that have not changed.
func gather(rows [][]entry, to []int, past *passing, places, threads int,
	before *gathered) *gathered {
	const block = 2048
	g := &gathered{slices.Clone(rows), slices.Clone(to), past, make([][]entry, len(rows))}
	moved := make([]bool, len(to))
	if before != nil {
		for l, at := range to {
			moved[l] = l >= len(before.to) || before.to[l] != at ||
				!slices.Equal(past.of(int32(l)), before.past.of(int32(l)))
		}
	}
	stays := func(i int) bool {
		return before != nil && i < len(before.rows) && identical(rows[i], before.rows[i]) &&
			!slices.ContainsFunc(rows[i], func(e entry) bool { return moved[e.at] })
	}
	changed := make([][]int32, (len(rows)+block-1)/block)
	inBlocks(len(rows), block, threads, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if stays(i) {
				g.out[i] = before.out[i]
			} else {
				changed[lo/block] = append(changed[lo/block], int32(i))
			}
		}
	})
	all := slices.Concat(changed...)
	inBlocks(len(all), block, threads, func(lo, hi int) {
		sums := newScatter(places)
		for _, i := range all[lo:hi] {
			for _, e := range rows[i] {
				v := e.v
				if on := past.of(e.at); on != nil && past.from[e.at] != int(i) {
					for _, o := range on {
						sums.add(o.at, float64((1-firm)*v*o.v))
					}
					v *= firm
				}
				if at := to[e.at]; at >= 0 {
					sums.add(int32(at), v)
				}
			}
			sums.row = sums.take(sums.row[:0], 0)
			g.out[i] = slices.Clone(sums.row)
		}
	})
	return g
}
