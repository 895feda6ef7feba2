package constrained

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
)

// field is what clusters cost the linked rows: each row by itself, and each link that is violated.
type field struct {
	*linked
	groups [][]int32 // rows that must-links join
	alone  []float64 // m×k: what a row costs in each cluster
	// pairs×k: a must-link of rows in clusters a and b costs ends[a] + ends[b], a cannot-link of
	// rows in a costs ends[a]
	ends   []float64
	now    []int32   // cluster of each row; −1 before the first
	space  []float64 // k
	inside []bool    // of each row: it is in the group that is looked at
}

func newField(l *linked, groups [][]int32) *field {
	return &field{linked: l, groups: groups, alone: make([]float64, len(l.at)*l.k),
		ends: make([]float64, len(l.pairs)*l.k),
		now:  slices.Repeat([]int32{-1}, len(l.at)), space: make([]float64, l.k),
		inside: make([]bool, len(l.at))}
}

// settle puts linked rows where they cost least, given the others, until none moves: iterated
// conditional modes. The first time, groups are placed whole, in random order, beside those placed
// before. Then rows move one by one in random order, and groups as wholes (ours) where that costs
// less. No move raises the cost.
func (f *field) settle(ctx context.Context, rng *rand.Rand) error {
	order := rng.Perm(len(f.groups))
	if len(f.now) > 0 && f.now[0] < 0 {
		for _, g := range order {
			f.moveGroup(f.groups[g])
		}
	}
	rows := rng.Perm(len(f.now))
	const most = 100 // sweeps: each lowers the cost, so there is an end, but it might be far
	for range most {
		moved := false
		for n, i := range rows {
			if n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			moved = f.moveRow(int32(i)) || moved
		}
		for n, g := range order {
			if n%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if len(f.groups[g]) > 1 {
				moved = f.moveGroup(f.groups[g]) || moved
			}
		}
		if !moved {
			break
		}
	}
	return ctx.Err()
}

// moveRow moves a row to the cluster where it costs least, and reports whether it was elsewhere.
func (f *field) moveRow(i int32) bool {
	copy(f.space, f.alone[int(i)*f.k:][:f.k])
	f.addLinks(i)
	return f.choose([]int32{i}, f.space[max(0, f.now[i])])
}

// addLinks adds to space what the links of row i cost in each cluster. Links within the group that
// is looked at, and to rows without a cluster, are left out.
func (f *field) addLinks(i int32) {
	for _, n := range f.of[i] {
		p := f.pairs[n]
		other := p.other(i)
		b := f.now[other]
		if b < 0 || f.inside[other] {
			continue
		}
		ends := f.ends[int(n)*f.k:][:f.k]
		if !p.must {
			f.space[b] += ends[b]
			continue
		}
		at := f.space[b]
		for c, v := range ends {
			f.space[c] += v + ends[b]
		}
		f.space[b] = at
	}
}

// moveGroup moves a group to the cluster where it costs least as a whole, if that is less than now.
func (f *field) moveGroup(group []int32) bool {
	clear(f.space)
	for _, i := range group {
		f.inside[i] = true
	}
	own := 0.0
	for _, i := range group {
		own += f.cost(i)
		linalg.Add(f.space, f.alone[int(i)*f.k:][:f.k])
		f.addLinks(i)
	}
	for _, i := range group {
		for _, n := range f.of[i] {
			// they contradict must-links, and are kept
			if p := f.pairs[n]; !p.must && p.x == i && f.inside[p.y] {
				linalg.Add(f.space, f.ends[int(n)*f.k:][:f.k])
			}
		}
	}
	for _, i := range group {
		f.inside[i] = false
	}
	return f.choose(group, own)
}

// cost returns what row i costs where it is, with its links: those within the group that is looked
// at once, by their first ends.
func (f *field) cost(i int32) float64 {
	a := f.now[i]
	if a < 0 {
		return 0
	}
	sum := f.alone[int(i)*f.k+int(a)]
	for _, n := range f.of[i] {
		if p := f.pairs[n]; !f.inside[p.other(i)] || p.x == i {
			sum += f.pairCost(n)
		}
	}
	return sum
}

// pairCost returns what a link costs.
func (f *field) pairCost(n int32) float64 {
	p := f.pairs[n]
	a, b := f.now[p.x], f.now[p.y]
	ends := f.ends[int(n)*f.k:][:f.k]
	switch {
	case a < 0 || b < 0 || p.must == (a == b):
		return 0
	case p.must:
		return ends[a] + ends[b]
	}
	return ends[a]
}

// choose moves the group to the cluster of least space, the lowest among equals, if that is less
// than own by more than rounding.
func (f *field) choose(group []int32, own float64) bool {
	best := linalg.ArgMin(f.space)
	if f.now[group[0]] >= 0 && !(f.space[best] < own-1e-12*max(own, -own)) {
		return false
	}
	for _, i := range group {
		f.now[i] = int32(best)
	}
	return true
}

// penalty adds up what the links cost.
func (f *field) penalty() (sum float64) {
	for n := range f.pairs {
		sum += f.pairCost(int32(n))
	}
	return sum
}
