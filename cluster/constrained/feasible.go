package constrained

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Infeasible reports that cannot-links leave no partition, or that none was found.
type Infeasible struct {
	Clusters int

	// Rows, rising, are all different from each other where Clique is set, a row for each cluster
	// and one more; otherwise those, one for all that must-links join, that no assignment was found
	// for, counting all that their cannot-links tie together.
	Rows   []int
	Clique bool
	Proven bool // there is no partition; otherwise none was found
}

// Error names up to 20 of the rows, counted from 1.
func (e *Infeasible) Error() string {
	switch {
	case e.Clique:
		return link.AllDifferent(e.Rows, e.Clusters).Problem
	case e.Proven:
		return fmt.Sprintf("no partition into %s keeps all cannot-links among rows %s",
			words.Count(e.Clusters, "cluster"), link.Numbers(e.Rows))
	}
	return fmt.Sprintf("no partition into %s was found that keeps all cannot-links among rows "+
		"%s; there may be one", words.Count(e.Clusters, "cluster"), link.Numbers(e.Rows))
}

// infeasible is the fault of these rows, which rise.
func (u *units) infeasible(rows []int, clique, proven bool) error {
	e := &Infeasible{Clusters: u.k, Rows: rows, Clique: clique, Proven: proven}
	fix := "ask for more clusters, or take back some of their cannot-links"
	if clique {
		fix = link.AllDifferent(rows, u.k).Fix
	}
	return &fault.Input{Problem: e.Error(), Fix: fix, Err: e}
}

// greedy places the units in order, each in the nearest cluster that is allowed. Stuck is the place
// in the order of one for which there is none; −1: all are placed.
func (u *units) greedy(order []int32) (now []int32, stuck int) {
	now = slices.Repeat([]int32{-1}, len(u.groups))
	for at, i := range order {
		if !u.place(now, i) {
			return nil, at
		}
	}
	return now, -1
}

// place puts a unit in the nearest cluster where it has no rival, the lowest among equals, if there
// is one.
func (u *units) place(now []int32, i int32) bool {
	best, costs := -1, u.costs[int(i)*u.k:][:u.k]
	for c, v := range costs {
		if (best < 0 || v < costs[best]) && !u.refused(now, i, int32(c)) {
			best = c
		}
	}
	now[i] = int32(best)
	return best >= 0
}

// refused reports whether a rival of the unit is in the cluster.
func (u *units) refused(now []int32, i, c int32) bool {
	return slices.ContainsFunc(u.rivals[i], func(r int32) bool { return now[r] == c })
}

// cost adds up the distances.
func (u *units) cost(now []int32) (sum float64) {
	for i, c := range now {
		sum += u.costs[i*u.k+int(c)]
	}
	return sum
}

// core takes units away, one by one, that have fewer rivals left than there are clusters: whatever
// the others do, they find a place, in reverse order. It returns those that stay, rising, and those
// taken.
func (u *units) core() (core, taken []int32) {
	left := make([]int, len(u.groups))
	gone := make([]bool, len(u.groups))
	for i, r := range u.rivals {
		if left[i] = len(r); left[i] < u.k {
			gone[i] = true
			taken = append(taken, int32(i))
		}
	}
	for at := 0; at < len(taken); at++ {
		for _, r := range u.rivals[taken[at]] {
			if left[r]--; left[r] < u.k && !gone[r] {
				gone[r] = true
				taken = append(taken, r)
			}
		}
	}
	for i := range u.groups {
		if !gone[i] {
			core = append(core, int32(i))
		}
	}
	return core, taken
}

// distinct refuses more rows than clusters that are all different from each other, where bounded
// effort finds such.
func (u *units) distinct(ctx context.Context, set *link.Set) error {
	rows, err := set.Different(ctx, u.k+1)
	if rows == nil {
		return err
	}
	return u.infeasible(rows, true, true)
}

// search assigns the core by trying clusters in turn, always for the unit with the fewest left
// (Brélaz 1979), and then the others.
func (u *units) search(ctx context.Context) ([]int32, error) {
	core, taken := u.core()
	now := slices.Repeat([]int32{-1}, len(u.groups))
	steps := 20_000_000
	s := &search{units: u, now: now, core: core, closed: make([]int32, len(u.groups)*u.k),
		used: make([]int, u.k)}
	found := s.next(ctx, &steps)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if !found {
		var rows []int
		for _, i := range core {
			rows = append(rows, int(u.at[u.groups[i][0]]))
		}
		slices.Sort(rows)
		return nil, u.infeasible(rows, false, steps > 0)
	}
	for _, i := range slices.Backward(taken) {
		u.place(now, i)
	}
	return now, nil
}

// search is an assignment of the core under way.
type search struct {
	*units
	now    []int32
	core   []int32
	closed []int32 // units×k: how many rivals of a unit are in a cluster
	used   []int   // units in each cluster
}

// next assigns the core units that have no cluster. False: it cannot be done, or steps are used up.
func (s *search) next(ctx context.Context, steps *int) bool {
	unit, fewest := int32(-1), 0
	for _, i := range s.core {
		if s.now[i] >= 0 {
			continue
		}
		left := 0
		for _, v := range s.closed[int(i)*s.k:][:s.k] {
			if v == 0 {
				left++
			}
		}
		if unit < 0 || left < fewest || left == fewest && len(s.rivals[i]) > len(s.rivals[unit]) {
			unit, fewest = i, left
		}
	}
	if unit < 0 {
		return true
	}
	if *steps -= len(s.core) * s.k; *steps <= 0 || fewest == 0 || ctx.Err() != nil {
		return false
	}
	costs := s.costs[int(unit)*s.k:][:s.k]
	order := linalg.Order(s.k, func(a, b int) int { return cmp.Compare(costs[a], costs[b]) })
	fresh := false
	for _, c := range order {
		// of clusters without core units one is as good as another
		if s.closed[int(unit)*s.k+c] > 0 || s.used[c] == 0 && fresh {
			continue
		}
		fresh = fresh || s.used[c] == 0
		s.set(unit, int32(c), 1)
		if s.next(ctx, steps) {
			return true
		}
		s.set(unit, int32(c), -1)
	}
	return false
}

// set takes a unit into a cluster, or out of it by −1.
func (s *search) set(unit, c int32, by int32) {
	s.used[c] += int(by)
	s.now[unit] = c
	if by < 0 {
		s.now[unit] = -1
	}
	for _, r := range s.rivals[unit] {
		s.closed[int(r)*s.k+int(c)] += by
	}
}
