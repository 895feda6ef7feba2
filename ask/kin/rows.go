package kin

import (
	"context"
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
)

// rows finds the masses of rows on parts from those of the nodes around them.
type rows struct {
	*play
	data   dataset.Matrix
	out    func(row int) bool // reports whether a row is left out
	masses [][]entry          // of the nodes on parts

	// where groups are expected to be compact
	weight  float64   // of the squared distance to a centre; 0: none
	centres []float64 // size×d
	filled  []bool    // parts that have rows
	near    [][]int32 // parts near each
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
	all := 0.0
	for a, i := range r.play.near[r.of[row]] {
		w := float64(r.reach[row*surrounding+a])
		if w == 0 {
			continue
		}
		all += w
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
	sums.row = out
	return out
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
		far := -1.0
		if r.filled[g] {
			far = linalg.SquaredDistance(sums.x, r.centres[int(g)*r.d:(int(g)+1)*r.d])
			if least < 0 || far < least {
				least = far
			}
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

// centre finds the centres of parts by the part of each row that is not left out.
func (r *rows) centre(ctx context.Context, own []int) error {
	d := r.d
	r.centres, r.filled = make([]float64, r.size*d), make([]bool, r.size)
	count, kept := make([]float64, r.size), 0.0
	each := func(do func(g int, row []float64)) error {
		var row []float64
		for i, g := range own {
			if i%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if !r.out(i) {
				row = r.data.AppendRow(row[:0], i)
				do(g, row)
			}
		}
		return nil
	}
	err := each(func(g int, row []float64) {
		linalg.Add(r.centres[g*d:(g+1)*d], row)
		count[g]++
		kept++
	})
	if err != nil {
		return err
	}
	var places []int32
	var points []float64
	for g, c := range count {
		if c > 0 {
			r.filled[g] = true
			linalg.Divide(r.centres[g*d:(g+1)*d], c)
			places = append(places, int32(g))
			points = append(points, r.centres[g*d:(g+1)*d]...)
		}
	}
	spread := 0.0
	err = each(func(g int, row []float64) {
		spread += linalg.SquaredDistance(row, r.centres[g*d:(g+1)*d]) / kept
	})
	if err != nil {
		return err
	}
	if r.near = make([][]int32, r.size); len(places) < 2 || spread == 0 {
		r.weight = 0
		return nil
	}
	r.weight = centring * compact(r.expected) / spread
	unit(points)
	src, err := dissim.Vectors(dataset.Matrix{Rows: len(places), Cols: d, F64: points},
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
