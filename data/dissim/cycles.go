package dissim

import (
	"math"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// DefaultEditCost is the cost, in degrees, of inserting or deleting an angle, as in the
// chickenpieces-20-90 data of cevclus-2013 §4.1.1.
const DefaultEditCost = 90

// longestCycle bounds the memory of one comparison to 200 MB.
const longestCycle = 5000

// Cycles returns the edit distances among cyclic strings of angles in degrees, such as those of
// outlines (see package silhouette): the least cost of turning one string into the other over all
// starting points of both. Inserting or deleting an angle costs cost (0: DefaultEditCost),
// replacing one by another the angle between them, at most 180. A metric, since that angle is one
// and no substitution needs to cost more than a deletion and an insertion.
//
// The exact minimum is found by Maes' method (1990) in O(nm log m), n and m being the lengths. It
// fails with a [*fault.Input] when a string is empty or longer than 5000 angles, when an angle is
// not finite, or cost is negative or not finite.
func Cycles(strings [][]float64, cost float64) (Source, error) {
	rows, err := CyclesTo(strings, strings, cost)
	return sourceOf(rows, len(strings), err)
}

// CyclesTo returns the distances from each cyclic string of from to those of to, as [Cycles] does.
func CyclesTo(from, to [][]float64, cost float64) (Rows, error) {
	if cost < 0 || math.IsInf(cost, 0) || math.IsNaN(cost) || cost > 1e6 {
		return nil, &fault.Input{Problem: "inserting or deleting an angle cannot cost " +
			strconv.FormatFloat(cost, 'g', -1, 64),
			Fix: "give degrees, such as 90"}
	}
	if cost == 0 {
		cost = DefaultEditCost
	}
	for _, all := range [][][]float64{from, to} {
		if err := checkSequences(all, "cyclic string"); err != nil {
			return nil, err
		}
		for i, x := range all {
			if len(x) > longestCycle {
				return nil, &fault.Input{Row: i + 1,
					Problem: "the cyclic string has " + strconv.Itoa(len(x)) +
						" angles, more than " + strconv.Itoa(longestCycle),
					Fix: "take longer segments"}
			}
		}
	}
	a, b := both(from, to, wrapped)
	return objects[[]float64]{a, b,
		func(a, b []float64, s *scratch) float64 { return cyclicEdit(a, b, cost, s) }}, nil
}

// wrapped takes angles into [0, 360).
func wrapped(all [][]float64) [][]float64 {
	out := make([][]float64, len(all))
	for i, x := range all {
		out[i] = make([]float64, len(x))
		for j, v := range x {
			v = math.Mod(v, 360)
			if v < 0 {
				v += 360
			}
			out[i][j] = v
		}
	}
	return out
}

// angle returns the angle, at most 180, between two directions in [0, 360).
func angle(x, y float64) float64 {
	d := math.Abs(x - y)
	if d > 180 {
		return 360 - d
	}
	return d
}

// cycleGraph is the grid in which a path from (0, k) to (n, k+m) is an edit of a into b started at
// k: columns are b written twice, rows are a, steps right for insertions, down for deletions.
type cycleGraph struct {
	a, b []float64
	cost float64
	dist []float64 // least costs of one path's cells: n+1 rows of the m+1 columns from k on
	wide int

	twice []float64 // twice[c] is the symbol of a step from column c−1 to c
}

// cyclicEdit finds the cheapest of the paths that start at k = 0 … m−1. Cheapest paths of different
// k need not cross, so the path of a k in the middle of two others lies between theirs.
func cyclicEdit(a, b []float64, cost float64, s *scratch) float64 {
	// The result must not depend on which string comes first, not even in its last bits.
	if len(a) < len(b) || len(a) == len(b) && before(b, a) {
		a, b = b, a
	}
	n, m := len(a), len(b)
	levels := 2
	for 1<<levels < m {
		levels++
	}
	g := &cycleGraph{a: a, b: b, cost: cost, wide: m + 1}
	memory := s.numbers((n+1)*g.wide + 2*m + 1)
	g.dist, g.twice = memory[:(n+1)*g.wide], memory[(n+1)*g.wide:]
	g.twice[0] = b[m-1]
	copy(g.twice[1:], b)
	copy(g.twice[m+1:], b)
	bounds := s.bounds(2 * (levels + 3) * (n + 1))
	first, bounds := bounds[:2*(n+1)], bounds[2*(n+1):]
	best := g.path(0, nil, nil, first)
	// The path of k = m is that of k = 0, one string further.
	end, bounds := bounds[:2*(n+1)], bounds[2*(n+1):]
	for i, c := range first {
		end[i] = c + int32(m)
	}
	return min(best, g.between(0, m, first, end, bounds))
}

// before compares strings in the order of a dictionary.
func before(a, b []float64) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// between returns the least cost of the paths that start after lo and before hi, whose own are
// known.
func (g *cycleGraph) between(lo, hi int, left, right, bounds []int32) float64 {
	k := (lo + hi) / 2
	if k == lo {
		return math.Inf(1)
	}
	rows := 2 * (len(g.a) + 1)
	own := bounds[:rows]
	best := g.path(k, left, right, own)
	best = min(best, g.between(lo, k, left, own, bounds[rows:]))
	return min(best, g.between(k, hi, own, right, bounds[rows:]))
}

// path finds a cheapest path from (0, k) to (n, k+m) between two others (nil: anywhere), puts the
// first and last column of each of its rows into own, rows after rows, and returns its cost.
func (g *cycleGraph) path(k int, left, right, own []int32) float64 {
	n, m := len(g.a), len(g.b)
	window := func(i int) (from, to int) { // columns in which row i may be
		from, to = k, k+m
		if left != nil {
			from, to = max(from, int(left[2*i])), min(to, int(right[2*i+1]))
		}
		return from, to
	}
	from, to := window(0)
	row := g.dist[:g.wide]
	row[0] = 0
	for c := k + 1; c <= to; c++ {
		row[c-k] = row[c-k-1] + g.cost
	}
	above, lastFrom, lastTo := row, from, to
	for i := 1; i <= n; i++ {
		row = g.dist[i*g.wide : (i+1)*g.wide]
		from, to = window(i)
		for c := lastTo + 1; c <= to; c++ {
			above[c-k] = math.Inf(1)
		}
		diagonal, before := math.Inf(1), math.Inf(1) // costs at (i−1, c−1) and (i, c−1)
		if from > lastFrom {
			diagonal = above[from-1-k]
		}
		x, wide := g.a[i-1], above[from-k:to+1-k]
		out, symbols := row[from-k:][:len(wide)], g.twice[from:][:len(wide)]
		for t, up := range wide {
			d := diagonal + angle(x, symbols[t])
			if e := min(up, before) + g.cost; e < d {
				d = e
			}
			out[t] = d
			diagonal, before = up, d
		}
		above, lastFrom, lastTo = row, from, to
	}
	g.trace(k, window, own)
	return row[m]
}

// trace walks a cheapest path backwards.
func (g *cycleGraph) trace(k int, window func(i int) (from, to int), own []int32) {
	i, c := len(g.a), k+len(g.b)
	own[2*i+1] = int32(c)
	for i > 0 || c > k {
		d := g.dist[i*g.wide+c-k]
		from, _ := window(i)
		if c > from && d == g.dist[i*g.wide+c-k-1]+g.cost {
			c--
			continue
		}
		own[2*i] = int32(c)
		i--
		above, aboveTo := window(i)
		if c > above && c-1 <= aboveTo && d == g.dist[i*g.wide+c-k-1]+angle(g.a[i], g.twice[c]) {
			c--
		}
		own[2*i+1] = int32(c)
	}
	own[0] = int32(k)
}
