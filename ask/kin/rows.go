package kin

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Where groups are expected to be compact, a row is likelier to be of a group whose centre is near.
const (
	// squared distance to the centre of a group, beside the mean one of all rows, that makes it e
	// times less likely, inverted
	centring = 30
	// share of the masses that goes by the centres: with all of it rows would be said to be surer
	// than they are
	centreShare = 0.6
	unseen      = 0.01 // mass of a group that no walk around the row ends in
	leastRow    = 1e-3 // groups with less mass must be near the likeliest to be looked at
	besides     = 10   // groups near the likeliest that are looked at
	centred     = 2    // times that centres are found
	// share of the squared distances of rows from the centre of their part that is left where the
	// tentative groups in it have a centre each, up to which they have
	apartShare = 0.25
	noSpread   = 1e-12 // share of the squares of rows that may be of rounding
)

const (
	// of the sum of the masses of a row, the power that it is taken to where links or answers are
	// about its groups: walks die more often than rows are of a group that nobody has met
	surer = 0.3
	// share of the masses of nodes that links and answers are not about that is not believed where
	// groups are many and compact, but one half of the rows foretells nothing of those of the other
	unstableShare = 0.35
)

// piece is what a tentative group has of a part.
type piece struct{ part, tentative int }

// rows finds the masses of rows on parts from those of the nodes around them.
type rows struct {
	*play
	data   dataset.Matrix
	out    func(row int) bool // reports whether a row is left out
	masses [][]entry          // of the nodes on parts
	view   *parts

	put     []bool  // of each of ends: answers put it in its group
	metPart []bool  // parts with such groups
	doubted float64 // share of the masses of nodes that no answer is about that is not believed
	// of each node: how probable it is that its tentative group is the one that most nodes of its
	// part are of; nil: it is believed
	joined []float64

	// where groups are expected to be compact
	weight  float64     // of the squared distance to a centre; 0: none
	centres [][]float64 // of each part that has rows: one, or those of the tentative groups in it
	near    [][]int32   // parts near each
}

// rowSums is room to find the masses of a row in.
type rowSums struct {
	*scatter
	x, far []float64
	of     []int32
}

func newRowSums(parts int) *rowSums { return &rowSums{scatter: newScatter(parts)} }

// likeliest returns the most plausible part of each row, and its mass; node has the most plausible
// part of each node.
func (r *rows) likeliest(ctx context.Context, node []int) (own []int, mass []float64, err error) {
	own, mass, err = r.groups(ctx, node)
	for range centred {
		if err != nil || compact(r.expected) == 0 {
			break
		}
		if err = r.centre(ctx, own); err == nil {
			own, mass, err = r.groups(ctx, node)
		}
	}
	return own, mass, err
}

// groups returns the most plausible part of each row, and its mass; that of its node where none is.
func (r *rows) groups(ctx context.Context, node []int) (own []int, mass []float64, err error) {
	own, mass = make([]int, r.n), make([]float64, r.n)
	err = parallel.Blocks(ctx, r.n, 1024, r.cfg.Threads, func(_, lo, hi int) {
		sums := newRowSums(r.size)
		for row := lo; row < hi; row++ {
			own[row] = node[r.of[row]]
			for _, e := range r.on(sums, row) {
				if e.v > mass[row] {
					mass[row], own[row] = e.v, int(e.at)
				}
			}
		}
	})
	return own, mass, err
}

// on returns the masses of a row: those of the nodes around it, the nearer the more, and where
// groups are expected to be compact those whose centres are near the more. They are valid until the
// next call with the same sums.
func (r *rows) on(sums *rowSums, row int) []entry {
	all, doubted := 0.0, 0.0
	for a, i := range r.play.near[r.of[row]] {
		w := float64(r.reach[row*surrounding+a])
		if w == 0 {
			continue
		}
		all += w
		believed := 1.0
		if r.doubted > 0 && !r.answered(i) {
			believed = 1 - r.doubted
		}
		if r.joined != nil {
			believed *= r.joined[i]
		}
		doubted += float64((1 - believed) * w)
		for _, e := range r.masses[i] {
			sums.add(e.at, float64(w*e.v))
		}
	}
	out := sums.take(sums.row[:0], 0)
	for t := range out {
		out[t].v /= all
	}
	if r.weight > 0 && len(out) > 0 {
		out = r.centred(sums, row, out)
	}
	r.believe(out, doubted/all)
	sums.row = out
	return out
}

// believe makes most of the ignorance about a row masses, and a share of them all ignorance.
func (r *rows) believe(masses []entry, doubted float64) {
	scale := (1 - doubted) * growth(masses, r.metPart)
	for t := range masses {
		masses[t].v *= scale
	}
}

// growth is what masses on parts are to be multiplied by so that most of the ignorance becomes mass,
// as far as they are on parts that links or answers are about: those that are met.
func growth(masses []entry, met []bool) float64 {
	sum, about := min(1, total(masses)), 0.0
	for _, e := range masses {
		if met[e.at] {
			about += e.v
		}
	}
	if about == 0 {
		return 1
	}
	power := 1 - float64((1-surer)*min(1, about/sum))
	return elementary.Power(sum, power) / sum
}

// meet finds which groups links or answers are about.
func (r *rows) meet() {
	r.put = r.together()
	r.metPart = r.met(r.view, r.put)
}

// met reports of each part whether links or answers are about its groups; put reports of each of
// ends whether answers put it in its group.
func (p *play) met(view *parts, put []bool) []bool {
	groups, out := make([]bool, p.size), make([]bool, p.size)
	for l, g := range p.group {
		if put[l] || p.sure[l] && len(p.apart[g]) > 0 {
			groups[g] = true
		}
	}
	for g, met := range groups {
		if part := view.of[g]; met && part >= 0 {
			out[part] = true
		}
	}
	return out
}

// join finds how probable it is that the tentative groups in each part are one.
func (r *rows) join() {
	weight, core := make([]float64, r.size), slices.Repeat([]int{-1}, r.size)
	for i, f := range r.view.f {
		for _, e := range f {
			weight[e.at] += float64(e.v * r.base.rows[i])
		}
	}
	for g, part := range r.view.of {
		if part >= 0 && (core[part] < 0 || weight[g] > weight[core[part]]) {
			core[part] = g
		}
	}
	r.joined = make([]float64, r.m)
	for i, f := range r.view.f {
		r.joined[i] = 1
		for _, e := range f {
			part := r.view.of[e.at]
			if part < 0 {
				continue
			}
			if c := core[part]; c != int(e.at) {
				one := r.view.model.same(r.view.between(int(e.at), c))
				r.joined[i] -= float64(e.v * (1 - one))
			}
		}
		r.joined[i] = max(0, r.joined[i])
	}
}

// answered reports whether answers put a node in its group.
func (r *rows) answered(node int32) bool {
	l := r.at[node]
	return l >= 0 && r.put[l]
}

// centred moves most of the masses to the parts whose centres are nearer; their sum stays.
func (r *rows) centred(sums *rowSums, row int, masses []entry) []entry {
	best, sum := 0, 0.0
	sums.of = sums.of[:0]
	for t, e := range masses {
		sum += e.v
		if e.v > masses[best].v {
			best = t
		}
		if e.v >= leastRow {
			sums.of = append(sums.of, e.at)
		}
	}
	sums.of = append(sums.of, r.near[masses[best].at]...)
	slices.Sort(sums.of)
	sums.of = slices.Compact(sums.of)
	sums.x, sums.far = r.data.AppendRow(sums.x[:0], row), sums.far[:0]
	least := -1.0
	for _, g := range sums.of {
		far := r.far(int(g), sums.x)
		if far >= 0 && (least < 0 || far < least) {
			least = far
		}
		sums.far = append(sums.far, far)
	}
	all := 0.0
	for x, g := range sums.of { // from now on what speaks for each
		if far := sums.far[x]; far >= 0 {
			sums.far[x] = (value(masses, int(g)) + unseen) * elementary.Exp(-r.weight*(far-least))
			all += sums.far[x]
		}
	}
	for _, e := range masses {
		sums.add(e.at, float64((1-centreShare)*e.v))
	}
	for x, g := range sums.of {
		if v := sums.far[x]; v > 0 {
			sums.add(g, float64(centreShare*sum)*v/all)
		}
	}
	return sums.take(masses[:0], 0)
}

// far returns the squared distance of a row to the nearest centre of a part; −1 where that has no
// rows.
func (r *rows) far(part int, x []float64) float64 {
	out := -1.0
	for at := 0; at < len(r.centres[part]); at += r.d {
		if v := linalg.SquaredDistance(x, r.centres[part][at:at+r.d]); out < 0 || v < out {
			out = v
		}
	}
	return out
}

// bunch is what is known of some rows: how many, and the sums of what they are from the first row, and
// of the squares of that.
type bunch struct {
	n, squares float64
	sum        []float64
}

func (b *bunch) add(n, squares float64, sum []float64) {
	b.n += n
	b.squares += squares
	linalg.Add(b.sum, sum)
}

// spread is the sum of the squared distances of the rows from their mean.
func (b *bunch) spread() float64 { return b.squares - linalg.Dot(b.sum, b.sum)/b.n }

// mean returns the mean of the rows.
func (b *bunch) mean(origin []float64) []float64 {
	out := slices.Clone(b.sum)
	linalg.Divide(out, b.n)
	linalg.Add(out, origin)
	return out
}

// bunches returns the rows that are not left out by piece. A part of one tentative group is a single
// piece; so are the rows of a part of several that are of none of these.
func (r *rows) bunches(ctx context.Context, own []int, origin []float64) (map[piece]*bunch, error) {
	tentative := make([]int, len(r.masses)) // group of each node
	several := make([]int, r.size)
	for c, nodes := range r.clusters {
		for _, i := range nodes {
			tentative[i] = c
		}
		if part := r.view.of[r.group[c]]; part >= 0 {
			several[part]++
		}
	}
	out := make(map[piece]*bunch)
	var row []float64
	for i, part := range own {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if r.out(i) {
			continue
		}
		p := piece{part, len(r.clusters)}
		if several[part] > 1 && r.view.of[r.group[tentative[r.of[i]]]] == part {
			p.tentative = tentative[r.of[i]]
		}
		if out[p] == nil {
			out[p] = &bunch{sum: make([]float64, r.d)}
		}
		row = r.data.AppendRow(row[:0], i)
		for j, v := range origin {
			row[j] -= v
		}
		out[p].add(1, linalg.Dot(row, row), row)
	}
	return out, nil
}

// centre finds the centres of parts by the part of each row that is not left out. A part of several
// tentative groups has a centre in each of them where there is little between them, as where answers
// made one of groups far apart.
func (r *rows) centre(ctx context.Context, own []int) error {
	origin := r.data.AppendRow(nil, 0)
	bunches, err := r.bunches(ctx, own, origin)
	if err != nil {
		return err
	}
	pieces := slices.SortedFunc(maps.Keys(bunches), func(p, q piece) int {
		return cmp.Or(cmp.Compare(p.part, q.part), cmp.Compare(p.tentative, q.tentative))
	})
	r.centres = make([][]float64, r.size)
	var places []int32
	var points []float64
	spread, squares, kept := 0.0, 0.0, 0.0
	for len(pieces) > 0 {
		g, some := pieces[0].part, 1
		for some < len(pieces) && pieces[some].part == g {
			some++
		}
		its := pieces[:some]
		if pieces = pieces[some:]; some > 1 && its[some-1].tentative == len(r.clusters) {
			its = its[:some-1]
		}
		whole, apart := &bunch{sum: make([]float64, r.d)}, 0.0
		for _, p := range its {
			h := bunches[p]
			whole.add(h.n, h.squares, h.sum)
			apart += h.spread()
		}
		mean, within := whole.mean(origin), whole.spread()
		r.centres[g] = mean
		if apart < apartShare*within {
			within, r.centres[g] = apart, nil
			for _, p := range its {
				r.centres[g] = append(r.centres[g], bunches[p].mean(origin)...)
			}
		}
		places, points = append(places, int32(g)), append(points, mean...)
		spread, squares, kept = spread+within, squares+whole.squares, kept+whole.n
	}
	if r.near = make([][]int32, r.size); len(places) < 2 || !(spread > noSpread*squares) {
		r.weight = 0
		return nil
	}
	r.weight = centring * compact(r.expected) * kept / spread
	unit(points)
	src, err := dissim.Vectors(dataset.Matrix{Rows: len(places), Cols: r.d, F64: points},
		dissim.Euclidean)
	if err != nil {
		return err
	}
	k := min(besides, len(places)-1)
	found, err := nearest.Find(ctx, src, nearest.Config{K: k, Threads: r.cfg.Threads})
	if err != nil {
		return err
	}
	for a, g := range places {
		for _, b := range found.Index[a*k : (a+1)*k] {
			r.near[g] = append(r.near[g], places[b])
		}
	}
	return nil
}
