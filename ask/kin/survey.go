package kin

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
)

// survey is what many groups are to each other. It is brought up to date where things have changed,
// and comes to what it would be if it were made anew.
type survey struct {
	all   *joining  // the groups, none joined
	f     [][]entry // masses of each node that are not small
	from  [][]entry // all masses of each, which f is of
	top   []int32   // group that each node is most of, with a mass that is not small; −1: none
	nodes [][]entry // nodes that have masses on each group
	block []int     // of each group; nil: there are none
	in    [][]int   // groups of each block
	steps [][]union // joins of each block, if it were alone; nil: to be found
	floor []float64 // score below which joins of each block were not looked for
	worth []float64 // of asking about each node; below 0: to be found
	told  int       // parts that worth is of, up to fewTold
	parts [][]entry // masses on parts that it is of
	open  [][]entry // and walks
	live  []int
	graph *graph // that is walked on
}

// smallMass is how much mass of a node on a group counts, where there are many groups.
const smallMass = 1e-2

// blockReach is how far below the score from which on parts are joined the groups of a block may be
// from each other. Blocks are joined on their own first.
const blockReach = 1

// floorReach is how far below that score joins of blocks are looked for: it moves with answers.
const floorReach = 0.5

func (s *survey) clone() *survey {
	if s == nil {
		return nil
	}
	out := *s
	all := *s.all
	all.rows, all.size, all.mean = slices.Clone(all.rows), slices.Clone(all.size),
		slices.Clone(all.mean)
	// Means and ties are replaced and never changed.
	all.gone, all.members, all.ties = slices.Clone(all.gone), slices.Clone(all.members),
		slices.Clone(all.ties)
	out.all = &all
	out.f, out.top, out.nodes = slices.Clone(s.f), slices.Clone(s.top), slices.Clone(s.nodes)
	out.from = slices.Clone(s.from)
	out.block, out.in, out.steps = slices.Clone(s.block), slices.Clone(s.in), slices.Clone(s.steps)
	out.floor, out.worth = slices.Clone(s.floor), slices.Clone(s.worth)
	return &out
}

func (p *play) newSurvey() *survey {
	return &survey{all: newJoining(p.base, 0), f: make([][]entry, p.m),
		from: make([][]entry, p.m), top: slices.Repeat([]int32{-1}, p.m),
		worth: slices.Repeat([]float64{-1}, p.m)}
}

// survey brings the survey up to date with the masses of the nodes.
func (p *play) survey(f [][]entry, live []int) *survey {
	if p.known == nil {
		p.known = p.newSurvey()
	}
	s := p.known
	s.grow(p.size)
	s.live = live
	s.all.begin(live)
	changed := s.masses(f, s.graph != p.graph)
	s.graph = p.graph
	dirty := make([]bool, p.size)
	for _, g := range p.moved {
		dirty[g] = true
	}
	p.moved = nil
	s.regroup(p, changed, dirty)
	some := make([]int, 0, len(changed))
	for g, is := range dirty {
		if is {
			some = append(some, g)
		}
	}
	shared := newScatter(p.size)
	beside := slices.Clone(dirty)
	for _, g := range some {
		before := s.all.ties[g]
		s.tie(p, g, shared)
		for _, ties := range [2][]tie{before, s.all.ties[g]} {
			for _, t := range ties {
				beside[t.to] = true
			}
		}
	}
	for g, is := range beside {
		if is && !dirty[g] {
			s.tie(p, g, shared)
			some = append(some, g)
		}
	}
	for _, g := range some {
		for t := range s.all.ties[g] {
			e := &s.all.ties[g][t]
			e.score = s.all.rate(g, int(e.to), e.shared)
		}
		if s.block != nil {
			s.steps[s.block[g]] = nil
		}
	}
	return s
}

// grow makes room for so many groups: each new one is a block.
func (s *survey) grow(groups int) {
	a := s.all
	for g := len(a.gone); g < groups; g++ {
		a.rows, a.size, a.members = append(a.rows, 0), append(a.size, 0), append(a.members, nil)
		a.mean = append(a.mean, make([]float64, a.d))
		a.gone, a.ties = append(a.gone, true), append(a.ties, nil)
		s.nodes = append(s.nodes, nil)
		if s.block != nil {
			s.block = append(s.block, len(s.in))
			s.in, s.steps = append(s.in, []int{g}), append(s.steps, nil)
			s.floor = append(s.floor, 0)
		}
	}
}

// masses takes in the masses of the nodes, and returns those nodes whose are others than before, or
// all, with what they were.
func (s *survey) masses(f [][]entry, all bool) (changed []before) {
	for i, row := range f {
		if !all && identical(row, s.from[i]) {
			continue
		}
		s.from[i] = row
		old, at, same := s.f[i], 0, !all
		for _, e := range row {
			if e.v > smallMass {
				same = same && at < len(old) && old[at] == e
				at++
			}
		}
		if same && at == len(old) {
			continue
		}
		now, most := make([]entry, 0, at), 0.0
		s.top[i] = -1
		for _, e := range row {
			if e.v > smallMass {
				now = append(now, e)
				if e.v > most {
					most, s.top[i] = e.v, e.at
				}
			}
		}
		s.f[i] = now
		changed = append(changed, before{i, old})
	}
	return changed
}

// before is what a node was.
type before struct {
	node int
	row  []entry
}

// regroup finds the rows of groups whose nodes have changed, and marks these groups and those that
// are beside them in the graph.
func (s *survey) regroup(p *play, changed []before, dirty []bool) {
	amount := make(map[int32][]entry) // new entries of the groups
	is := make([]bool, p.m)
	for _, c := range changed {
		is[c.node] = true
		for _, e := range c.row {
			if _, ok := amount[e.at]; !ok {
				amount[e.at] = nil
			}
		}
		for _, e := range s.f[c.node] {
			amount[e.at] = append(amount[e.at], entry{int32(c.node), e.v})
		}
		for _, e := range p.joined[c.node] {
			if g := s.top[e.at]; g >= 0 {
				dirty[g] = true
			}
		}
	}
	for g, fresh := range amount {
		dirty[g] = true
		list := make([]entry, 0, len(s.nodes[g])+len(fresh))
		for _, e := range s.nodes[g] {
			if !is[e.at] {
				list = append(list, e)
			}
		}
		list = append(list, fresh...)
		slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
		s.nodes[g] = list
		s.all.rows[g], s.all.mean[g] = p.amount(list)
		s.all.weigh(int(g))
	}
}

// tie finds what a group is to those that it shares rows with, or that are beside it in the graph.
func (s *survey) tie(p *play, g int, shared *scatter) {
	if s.all.gone[g] {
		s.all.ties[g] = nil
		return
	}
	for _, i := range s.nodes[g] {
		v := float64(p.rows[i.at] * i.v)
		for _, e := range s.f[i.at] {
			shared.add(e.at, float64(v*e.v))
		}
		if int(s.top[i.at]) != g {
			continue
		}
		for _, e := range p.joined[i.at] {
			if b := s.top[e.at]; b >= 0 {
				shared.add(b, 0)
			}
		}
	}
	s.all.ties[g] = p.ties(g, shared, s.all.gone)
}

// split makes blocks of groups that may be one, as the score from which on they are joined is even.
func (s *survey) split(even float64) {
	up := disjoint.Singletons(len(s.all.gone))
	for g, ties := range s.all.ties {
		for _, t := range ties {
			if t.score > even-blockReach {
				up.Join(int32(g), t.to)
			}
		}
	}
	s.block = make([]int, len(up))
	for g := range up {
		root := int(up.Root(int32(g)))
		if root == g {
			s.block[g] = len(s.in)
			s.in = append(s.in, nil)
		}
		s.block[g] = s.block[root]
		s.in[s.block[g]] = append(s.in[s.block[g]], g)
	}
	s.steps, s.floor = make([][]union, len(s.in)), make([]float64, len(s.in))
}

// joining begins with the groups, or where there are blocks with the parts of each.
func (s *survey) joining(even float64) *joining {
	a := s.all
	j := newJoining(a.base, len(a.gone))
	j.begin(s.live)
	copy(j.rows, a.rows)
	copy(j.size, a.size)
	copy(j.mean, a.mean)
	if s.block == nil {
		for g, ties := range a.ties {
			j.ties[g] = slices.Clone(ties)
		}
		j.rateAll(s.live)
		return j
	}
	s.look(even)
	part, unions := disjoint.Singletons(len(a.gone)), 0
	for _, steps := range s.steps {
		unions += len(steps)
	}
	j.early, j.earlyPairs = make([]union, 0, unions), make([]pair, 0, unions)
	for _, steps := range s.steps {
		for _, t := range steps {
			if t.score <= even {
				break
			}
			j.early, j.earlyPairs = append(j.early, t),
				append(j.earlyPairs, j.pair(t.one, t.two, t.score))
			j.add(t.one, t.two)
			part[t.two] = int32(t.one)
		}
	}
	var parts []int
	root := make([]int32, len(part))
	for g, gone := range j.gone {
		root[g] = part.Root(int32(g))
		if !gone {
			parts = append(parts, g)
		}
	}
	const some = 2048
	inBlocks(len(parts), some, a.cfg.Threads, func(lo, hi int) {
		shared, apart := newScatter(len(root)), make([]bool, len(root))
		for _, g := range parts[lo:hi] {
			for _, h := range j.members[g] {
				for _, t := range a.ties[h] {
					if to := root[t.to]; int(to) != g {
						shared.add(to, t.shared)
						apart[to] = apart[to] || t.apart
					}
				}
			}
			shared.row = shared.take(shared.row[:0], -1)
			j.ties[g] = make([]tie, len(shared.row))
			for t, e := range shared.row {
				j.ties[g][t] = tie{to: e.at, apart: apart[e.at], shared: e.v}
				apart[e.at] = false
			}
		}
	})
	j.rateAll(parts)
	return j
}

// look finds the joins of blocks that are to be found, or that were not looked for so far down.
func (s *survey) look(even float64) {
	const some = 16
	var stale []int
	for b, steps := range s.steps {
		if len(s.in[b]) > 1 && (steps == nil || s.floor[b] > even) {
			stale = append(stale, b)
		}
	}
	inBlocks(len(stale), some, s.all.cfg.Threads, func(lo, hi int) {
		for _, b := range stale[lo:hi] {
			s.floor[b] = even - floorReach
			s.steps[b] = s.alone(b)
		}
	})
}

// alone returns the joins of a block until none is above its floor.
func (s *survey) alone(block int) []union {
	var live []int
	for _, g := range s.in[block] {
		if !s.all.gone[g] {
			live = append(live, g)
		}
	}
	a, out := s.all, []union{}
	j, own := newJoining(a.base, len(live)), make([]int, len(live))
	for t, g := range live {
		own[t] = t
		j.rows[t], j.size[t], j.mean[t] = a.rows[g], a.size[g], a.mean[g]
		for _, e := range a.ties[g] {
			if s.block[e.to] == block {
				at, _ := slices.BinarySearch(live, int(e.to))
				e.to = int32(at)
				j.ties[t] = append(j.ties[t], e)
			}
		}
	}
	j.begin(own)
	j.rateAll(own)
	for {
		one, two, z := j.best()
		if one < 0 || z <= s.floor[block] {
			return out
		}
		out = append(out, union{live[one], live[two], z})
		j.join(one, two)
	}
}

// forget forgets what it is worth to ask about nodes from which a walk comes to where something has
// changed: the walks themselves, or the masses on parts; and all where there are other than told.
func (s *survey) forget(w *walk, f [][]entry, told int) {
	if s.told != told {
		s.told, s.worth = told, slices.Repeat([]float64{-1}, w.m)
	}
	if s.parts == nil {
		s.parts, s.open = make([][]entry, w.m), make([][]entry, w.m)
	}
	for i, row := range w.open {
		walked := identical(row, s.open[i])
		if !walked {
			s.worth[i] = -1
		}
		if walked && (identical(f[i], s.parts[i]) || slices.Equal(f[i], s.parts[i])) {
			continue
		}
		s.worth[i] = -1
		for _, rows := range [2][]entry{row, s.open[i]} {
			for _, e := range rows {
				s.worth[e.at] = -1
			}
		}
	}
	s.parts, s.open = f, slices.Clone(w.open)
}
