package cobra

import (
	"math"
	"slices"
)

// Exclude leaves rows out as bad data, in place of those of earlier calls. They are not asked
// about, and in no cluster of the [Result]. Where one of them is the medoid of its super-instance,
// the member nearest the mean that may be asked about stands for it; a super-instance without any
// is passed over. What was answered about a row that is left out still counts for its
// super-instance. Rows that are not among the data mean nothing.
//
// The state stays a pure function of the data, the configuration, the answers and the rows left
// out.
func (r *Run) Exclude(rows []int) {
	excluded := make([]bool, len(r.si.Of))
	some := false
	for _, row := range rows {
		if row >= 0 && row < len(excluded) {
			excluded[row], some = true, true
		}
	}
	r.excluded = nil
	if some {
		r.excluded = excluded
	}
	stands := r.standing(excluded)
	if slices.Equal(stands, r.stands) {
		return
	}
	r.stands, r.idle = stands, 0
	for _, row := range stands {
		if row < 0 {
			r.idle++
		}
	}
	r.walk = newWalk(widen(r.data.Subset(r.Representatives())), r.walk.target, r.askable)
	r.replay()
}

// standing returns the row that stands for each super-instance.
func (r *Run) standing(excluded []bool) []int {
	stands := slices.Clone(r.si.Medoids)
	vacant := false
	for s, m := range stands {
		if excluded[m] {
			stands[s], vacant = -1, true
		}
	}
	if !vacant {
		return stands
	}
	nearest := make([]float64, len(stands))
	for s := range nearest {
		nearest[s] = math.Inf(1)
	}
	d := r.si.Means.Cols
	var x []float64
	for row, s := range r.si.Of {
		if !excluded[r.si.Medoids[s]] || excluded[row] || r.allowed != nil && !r.allowed[row] {
			continue
		}
		x = r.data.AppendRow(x[:0], row)
		if far := squared(x, r.si.Means.F64[int(s)*d:int(s+1)*d]); far < nearest[s] {
			stands[s], nearest[s] = row, far
		}
	}
	return stands
}

// Excluded returns the rows that are left out, rising.
func (r *Run) Excluded() []int {
	var rows []int
	for row, out := range r.excluded {
		if out {
			rows = append(rows, row)
		}
	}
	return rows
}

// Representatives returns the row that stands for each super-instance: its medoid, unless that is
// excluded and another row can.
func (r *Run) Representatives() []int {
	rows := slices.Clone(r.stands)
	for s, row := range rows {
		if row < 0 {
			rows[s] = r.si.Medoids[s]
		}
	}
	return rows
}

// unasked counts the clusters that no row stands for, the pairs of clusters with one of them that
// would be open otherwise, and those that are neither joined nor known to differ.
func (r *Run) unasked() (clusters, open, undecided int) {
	if r.idle == 0 {
		return 0, 0, 0
	}
	c := r.state
	idle := make([]bool, len(c.of))
	for name, members := range c.members {
		idle[name] = members != nil &&
			!slices.ContainsFunc(members, func(s int32) bool { return r.stands[s] >= 0 })
		if idle[name] {
			clusters++
		}
	}
	for x := range c.members {
		for y := range c.members {
			if !idle[x] || c.members[y] == nil || x == y || idle[y] && y < x ||
				c.differs(int32(x), int32(y)) {
				continue
			}
			undecided++
			if !c.aside(int32(x), int32(y)) {
				open++
			}
		}
	}
	return clusters, open, undecided
}
