package cobra

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
)

// leave finds the rows that stand for super-instances now that other rows may be left out: where
// the medoid of one is, the member nearest the mean that may be asked about stands for it, and a
// super-instance without any is passed over. What was answered about a row that is left out still
// counts for its super-instance. ok is false where other rows stand than before.
func (c *chooser) leave(known *ask.Ledger) (ok bool) {
	out := known.Excluded()
	if slices.Equal(out, c.excluded) {
		return true
	}
	c.excluded = out
	stands := c.si.Standing(c.data, known, c.allowed, linalg.SquaredDistance)
	if slices.Equal(stands, c.stands) {
		return true
	}
	c.stands, c.idle = stands, 0
	for _, row := range stands {
		if row < 0 {
			c.idle++
		}
	}
	c.walk = newWalk(widen(c.data.Subset(c.representatives())), c.walk.Target, c.askable)
	c.likeness = ask.Likeness{}
	return false
}

// Standing returns the row that stands for each super-instance; −1 where none may be asked about.
// allowed is Config.Askable, and squared the distance by which a member is nearest a mean.
func (si *SuperInstances) Standing(data dataset.Matrix, known *ask.Ledger, allowed []bool,
	squared func(x, mean []float64) float64) []int {
	stands := slices.Clone(si.Medoids)
	vacant := false
	for s, m := range stands {
		if known.Out(m) {
			stands[s], vacant = -1, true
		}
	}
	if !vacant {
		return stands
	}
	nearest := slices.Repeat([]float64{math.Inf(1)}, len(stands))
	d := si.Means.Cols
	var x []float64
	for row, s := range si.Of {
		if !known.Out(si.Medoids[s]) || known.Out(row) || allowed != nil && !allowed[row] {
			continue
		}
		x = data.AppendRow(x[:0], row)
		if far := squared(x, si.Means.F64[int(s)*d:int(s+1)*d]); far < nearest[s] {
			stands[s], nearest[s] = row, far
		}
	}
	return stands
}

// representatives returns the row that stands for each super-instance: its medoid, unless that is
// excluded and another row can.
func (r *Run) representatives() []int {
	r.chooser.take(r.Ledger)
	return r.chooser.representatives()
}

func (c *chooser) representatives() []int {
	rows := slices.Clone(c.stands)
	for s, row := range rows {
		if row < 0 {
			rows[s] = c.si.Medoids[s]
		}
	}
	return rows
}

// unasked counts the clusters that no row stands for, the pairs of clusters with one of them that
// would be open otherwise, and those that are neither joined nor known to differ.
func (c *chooser) unasked() (clusters, open, undecided int) {
	if c.idle == 0 {
		return 0, 0, 0
	}
	state := c.state
	idle := make([]bool, len(state.of))
	for name, members := range state.members {
		idle[name] = members != nil &&
			!slices.ContainsFunc(members, func(s int32) bool { return c.stands[s] >= 0 })
		if idle[name] {
			clusters++
		}
	}
	for x := range state.members {
		for y := range state.members {
			if !idle[x] || state.members[y] == nil || x == y || idle[y] && y < x ||
				state.differs(int32(x), int32(y)) {
				continue
			}
			undecided++
			if !state.aside(int32(x), int32(y)) {
				open++
			}
		}
	}
	return clusters, open, undecided
}
