package kin

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

// allPairs is the number of groups up to which all pairs of them are looked at. Of more those are
// that share rows, or whose nodes are joined in the graph: others are far from being one.
const allPairs = 400

// joining is parts under way.
type joining struct {
	*base
	n       int
	live    []int     // groups that have members, which the parts are at first
	rows    []float64 // of each part
	size    []float64 // logarithm of rows, beside those of an expected group
	mean    []float64 // n×d
	members [][]int   // groups of each
	gone    []bool    // parts that were joined to others
	ties    [][]tie   // parts that each may be joined to, or must not be, rising
	likely  ranking   // parts by the greatest score they may be joined with
	to      []int32   // with which
}

// tie is what one part is to another.
type tie struct {
	to     int32
	apart  bool    // answers part the two
	shared float64 // rows they have in common
	score  float64
}

// joining begins with a part for each group.
func (p *play) joining(f [][]entry) *joining {
	d, live := p.d, p.live()
	n := len(live)
	j := &joining{base: p.base, n: n, live: live, rows: make([]float64, n),
		size: make([]float64, n), mean: make([]float64, n*d), members: make([][]int, n),
		gone: make([]bool, n), ties: make([][]tie, n), likely: newRanking(n),
		to: make([]int32, n)}
	place := slices.Repeat([]int{-1}, p.size)
	for a, g := range live {
		place[g] = a
		j.members[a] = live[a : a+1 : a+1]
	}
	f = gather(f, place, n)
	little := 1e-6 // masses that change nothing
	if n > allPairs {
		little = 1e-3
	}
	nodes := make([][]entry, n) // that have masses on each part
	for i, row := range f {
		row = slices.DeleteFunc(row, func(e entry) bool { return e.v <= little })
		f[i] = row
		for _, e := range row {
			nodes[e.at] = append(nodes[e.at], entry{int32(i), e.v})
			v := float64(p.rows[i] * e.v)
			j.rows[e.at] += v
			to := j.mean[int(e.at)*d : int(e.at+1)*d]
			for c, x := range p.means[i*d : (i+1)*d] {
				to[c] += float64(v * x)
			}
		}
	}
	for a := range n {
		linalg.Divide(j.mean[a*d:(a+1)*d], max(j.rows[a], little))
		j.weigh(a)
	}
	p.tie(j, f, nodes, place)
	// Both sides of a pair have its score.
	side := make([]int, n)
	for a := range n {
		for t := range j.ties[a] {
			e := &j.ties[a][t]
			if int(e.to) > a {
				break
			}
			e.score = j.rate(a, int(e.to), e.shared)
			j.ties[e.to][side[e.to]].score = e.score
			side[e.to]++
			side[a]++
		}
	}
	for a := range n {
		j.look(a)
	}
	heap.Init(&j.likely)
	return j
}

// tie finds which parts may be joined, by the masses on them and the nodes of each.
func (p *play) tie(j *joining, f, nodes [][]entry, place []int) {
	top := slices.Repeat([]int32{-1}, p.m) // part that each node is most of
	for i, row := range f {
		most := 0.0
		for _, e := range row {
			if e.v > most {
				most, top[i] = e.v, e.at
			}
		}
	}
	shared := newScatter(j.n)
	var row []entry
	for a, g := range j.live {
		for _, i := range nodes[a] {
			v := float64(p.rows[i.at] * i.v)
			for _, e := range f[i.at] {
				shared.add(e.at, float64(v*e.v))
			}
			if j.n <= allPairs || int(top[i.at]) != a {
				continue
			}
			for _, e := range p.joined[i.at] {
				if b := top[e.at]; b >= 0 {
					shared.add(b, 0)
				}
			}
		}
		for b := 0; b < j.n && j.n <= allPairs; b++ {
			shared.add(int32(b), 0)
		}
		for _, of := range [2]relation{p.apart, p.aside} {
			for h := range of[g] {
				if place[h] >= 0 {
					shared.add(int32(place[h]), 0)
				}
			}
		}
		row = shared.take(row[:0], -1)
		j.ties[a] = make([]tie, 0, len(row))
		for _, e := range row {
			if h := j.live[e.at]; g != h {
				j.ties[a] = append(j.ties[a],
					tie{to: e.at, shared: e.v, apart: p.apart.has(g, h) || p.aside.has(g, h)})
			}
		}
	}
}

// littleShared is the share of doubtful rows that all parts have at least.
const littleShared = 1e-4

// weigh takes in that a part has other rows than before.
func (j *joining) weigh(a int) {
	j.size[a] = elementary.Log(max(1e-12, j.rows[a]) * float64(j.expected) / float64(j.base.n))
}

// rate returns the score of two parts with some rows in common.
func (j *joining) rate(a, b int, shared float64) float64 {
	d, small := j.d, max(1e-12, min(j.rows[a], j.rows[b]))
	height := linalg.SquaredDistance(j.mean[a*d:(a+1)*d], j.mean[b*d:(b+1)*d]) *
		(j.rows[a] * j.rows[b]) / max(1e-12, j.rows[a]+j.rows[b])
	z := float64(shareWeight*elementary.Log(littleShared+shared/small)) -
		float64(j.heightWeight*elementary.Log(1e-12+height/j.height))
	return z - float64(j.sizeWeight*min(j.size[a], j.size[b]))
}

// look finds what a part may be joined to best.
func (j *joining) look(a int) {
	most, to := math.Inf(-1), int32(-1)
	for _, t := range j.ties[a] {
		if !t.apart && t.score > most {
			most, to = t.score, t.to
		}
	}
	j.to[a], j.likely.score[a] = to, most
}

// best returns the pair that scores highest, and its score; −1: there is none.
func (j *joining) best() (one, two int, score float64) {
	if j.n == 0 {
		return -1, -1, 0
	}
	one = int(j.likely.order[0])
	if two = int(j.to[one]); two < 0 || j.gone[one] {
		return -1, -1, 0
	}
	return one, two, j.likely.score[one]
}

func (j *joining) pair(a, b int, score float64) pair {
	return pair{slices.Clip(j.members[a]), slices.Clip(j.members[b]), score,
		min(j.rows[a], j.rows[b])}
}

// find returns where a part has a tie to another, or would have it.
func (j *joining) find(a, to int) (at int, ok bool) {
	return slices.BinarySearchFunc(j.ties[a], int32(to),
		func(t tie, to int32) int { return cmp.Compare(t.to, to) })
}

// between returns the score of two parts; −Inf: they are apart.
func (j *joining) between(a, b int) float64 {
	at, ok := j.find(a, b)
	switch {
	case !ok:
		return j.rate(a, b, 0)
	case j.ties[a][at].apart:
		return math.Inf(-1)
	}
	return j.ties[a][at].score
}

// join makes part b a part of a.
func (j *joining) join(a, b int) {
	d, all := j.d, max(1e-12, j.rows[a]+j.rows[b])
	for c := range d {
		j.mean[a*d+c] = (float64(j.rows[a]*j.mean[a*d+c]) + float64(j.rows[b]*j.mean[b*d+c])) / all
	}
	j.rows[a] += j.rows[b]
	j.weigh(a)
	j.members[a] = append(j.members[a], j.members[b]...)
	j.gone[b], j.to[b] = true, -1
	j.rank(b, math.Inf(-1))
	j.ties[a] = j.merged(a, b)
	j.ties[b] = nil
	for t := range j.ties[a] {
		e := &j.ties[a][t]
		c := int(e.to)
		e.score = j.rate(a, c, e.shared)
		if at, ok := j.find(c, b); ok {
			j.ties[c] = slices.Delete(j.ties[c], at, at+1)
		}
		at, ok := j.find(c, a)
		if !ok {
			j.ties[c] = slices.Insert(j.ties[c], at, tie{})
		}
		j.ties[c][at] = tie{int32(a), e.apart, e.shared, e.score}
		switch {
		case int(j.to[c]) == a || int(j.to[c]) == b:
			j.look(c)
			heap.Fix(&j.likely, int(j.likely.at[c]))
		case !e.apart && e.score > j.likely.score[c]:
			j.to[c] = int32(a)
			j.rank(c, e.score)
		}
	}
	j.look(a)
	heap.Fix(&j.likely, int(j.likely.at[a]))
}

func (j *joining) rank(a int, score float64) {
	j.likely.score[a] = score
	heap.Fix(&j.likely, int(j.likely.at[a]))
}

// merged returns the ties of two parts to others as one.
func (j *joining) merged(a, b int) []tie {
	one, two := j.ties[a], j.ties[b]
	out := make([]tie, 0, len(one)+len(two))
	for len(one) > 0 || len(two) > 0 {
		var t tie
		switch {
		case len(two) == 0 || len(one) > 0 && one[0].to < two[0].to:
			t, one = one[0], one[1:]
		case len(one) == 0 || two[0].to < one[0].to:
			t, two = two[0], two[1:]
		default:
			t = one[0]
			t.apart, t.shared = t.apart || two[0].apart, t.shared+two[0].shared
			one, two = one[1:], two[1:]
		}
		if int(t.to) != a && int(t.to) != b {
			out = append(out, t)
		}
	}
	return out
}

// clone copies what joins change, but for members.
func (j *joining) clone() *joining {
	out := *j
	out.rows, out.size, out.mean = slices.Clone(j.rows), slices.Clone(j.size), slices.Clone(j.mean)
	out.gone, out.to = slices.Clone(j.gone), slices.Clone(j.to)
	out.members, out.likely = make([][]int, j.n), j.likely.clone()
	out.ties = make([][]tie, j.n)
	for a, ties := range j.ties {
		out.ties[a] = slices.Clone(ties)
	}
	return &out
}

// ranking is a heap of parts, that of the greatest score first.
type ranking struct {
	score     []float64
	order, at []int32 // parts, and the place of each
}

func newRanking(n int) ranking {
	return ranking{make([]float64, n), disjoint.Singletons(n), disjoint.Singletons(n)}
}

func (r *ranking) clone() ranking {
	return ranking{slices.Clone(r.score), slices.Clone(r.order), slices.Clone(r.at)}
}

func (r *ranking) Len() int { return len(r.order) }

func (r *ranking) Less(i, j int) bool {
	a, b := r.order[i], r.order[j]
	if r.score[a] != r.score[b] {
		return r.score[a] > r.score[b]
	}
	return a < b
}

func (r *ranking) Swap(i, j int) {
	r.order[i], r.order[j] = r.order[j], r.order[i]
	r.at[r.order[i]], r.at[r.order[j]] = int32(i), int32(j)
}

// Push is for no use: there are always as many.
func (r *ranking) Push(any) {}

// Pop is for no use.
func (r *ranking) Pop() any { return nil }
