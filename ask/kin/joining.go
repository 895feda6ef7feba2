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
const allPairs = 250

// joining is parts under way: each has the number of its lowest group.
type joining struct {
	*base
	live    int         // parts there are at first
	rows    []float64   // of each part
	size    []float64   // logarithm of rows, beside those of an expected group
	mean    [][]float64 // of each; means are replaced and never changed
	members [][]int     // groups of each
	gone    []bool      // numbers of no part
	ties    [][]tie     // parts that each may be joined to, or must not be, and some gone ones, rising
	likely  ranking     // parts by the greatest score they may be joined with
	to      []int32     // with which

	early      []union // joins so far
	earlyPairs []pair
}

// tie is what one part is to another.
type tie struct {
	to     int32
	apart  bool    // answers part the two
	shared float64 // rows they have in common
	score  float64
}

// union is a join of two parts.
type union struct {
	one, two int
	score    float64
}

func newJoining(b *base, n int) *joining {
	return &joining{base: b, rows: make([]float64, n), size: make([]float64, n),
		mean: make([][]float64, n), members: make([][]int, n), gone: make([]bool, n),
		ties: make([][]tie, n), likely: newRanking(n), to: make([]int32, n)}
}

// joining begins with a part for each group, by the masses of the nodes.
func (p *play) joining(f [][]entry) *joining {
	live := p.live()
	if len(live) > allPairs {
		return p.survey(f, live).joining(p.model.even)
	}
	const little = 1e-6 // masses that change nothing
	j, nodes := newJoining(p.base, p.size), make([][]entry, p.size)
	for i, row := range f {
		for _, e := range row {
			if e.v > little {
				nodes[e.at] = append(nodes[e.at], entry{int32(i), e.v})
			}
		}
	}
	j.begin(live)
	shared := newScatter(p.size)
	for _, g := range live {
		j.rows[g], j.mean[g] = p.amount(nodes[g])
		j.weigh(g)
		for _, i := range nodes[g] {
			v := float64(p.rows[i.at] * i.v)
			for _, e := range f[i.at] {
				if e.v > little {
					shared.add(e.at, float64(v*e.v))
				}
			}
		}
		for _, h := range live {
			shared.add(int32(h), 0)
		}
		j.ties[g] = p.ties(g, shared, j.gone)
	}
	j.rateAll(live)
	return j
}

// begin makes a part of each group that has members.
func (j *joining) begin(live []int) {
	j.live = len(live)
	for g := range j.gone {
		j.gone[g] = true
	}
	for t, g := range live {
		j.gone[g], j.members[g] = false, live[t:t+1:t+1]
	}
}

// amount returns the rows of a group, and their mean, by the nodes that have masses on it.
func (b *base) amount(nodes []entry) (rows float64, mean []float64) {
	const little = 1e-6
	mean = make([]float64, b.d)
	for _, e := range nodes {
		i, v := int(e.at), float64(b.rows[e.at]*e.v)
		rows += v
		for c, x := range b.means[i*b.d : (i+1)*b.d] {
			mean[c] += float64(v * x)
		}
	}
	linalg.Divide(mean, max(rows, little))
	return rows, mean
}

// ties returns what a group is to others, by the rows it shares with them.
func (p *play) ties(g int, shared *scatter, gone []bool) []tie {
	for h := range p.apart[g] {
		if !gone[h] {
			shared.add(int32(h), 0)
		}
	}
	shared.row = shared.take(shared.row[:0], -1)
	out := make([]tie, 0, len(shared.row))
	for _, e := range shared.row {
		if h := int(e.at); g != h {
			out = append(out,
				tie{to: e.at, shared: e.v, apart: p.apart.has(g, h)})
		}
	}
	return out
}

// rateAll finds the scores of all ties, the same on both sides, and what each part may be joined to
// best. Parts are rising.
func (j *joining) rateAll(parts []int) {
	side := make([]int, len(j.gone)) // ties of each to lower ones, so far
	for _, a := range parts {
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
	j.rankAll(parts)
}

func (j *joining) rankAll(parts []int) {
	for a := range j.gone {
		j.to[a], j.likely.score[a] = -1, math.Inf(-1)
	}
	for _, a := range parts {
		j.look(a)
	}
	heap.Init(&j.likely)
}

// littleShared is the share of doubtful rows that all parts have at least.
const littleShared = 1e-4

// weigh takes in that a part has other rows than before.
func (j *joining) weigh(a int) {
	j.size[a] = elementary.Log(max(1e-12, j.rows[a]) * float64(j.expected) / float64(j.base.n))
}

// rate returns the score of two parts with some rows in common.
func (j *joining) rate(a, b int, shared float64) float64 {
	small := max(1e-12, min(j.rows[a], j.rows[b]))
	height := linalg.SquaredDistance(j.mean[a], j.mean[b]) * (j.rows[a] * j.rows[b]) /
		max(1e-12, j.rows[a]+j.rows[b])
	z := float64(shareWeight*elementary.Log(littleShared+shared/small)) -
		float64(j.heightWeight*elementary.Log(1e-12+height/j.height))
	return z - float64(j.sizeWeight*min(j.size[a], j.size[b]))
}

// look finds what a part may be joined to best.
func (j *joining) look(a int) {
	most, to := math.Inf(-1), int32(-1)
	for _, t := range j.ties[a] {
		if t.score > most && !t.apart && !j.gone[t.to] {
			most, to = t.score, t.to
		}
	}
	j.to[a], j.likely.score[a] = to, most
}

// best returns the pair that scores highest, and its score; −1: there is none.
func (j *joining) best() (one, two int, score float64) {
	if len(j.gone) == 0 {
		return -1, -1, 0
	}
	one = int(j.likely.order[0])
	if two = int(j.to[one]); two < 0 {
		return -1, -1, 0
	}
	return min(one, two), max(one, two), j.likely.score[one]
}

func (j *joining) pair(a, b int, score float64) pair {
	return pair{slices.Clip(j.members[a]), slices.Clip(j.members[b]), score,
		min(j.rows[a], j.rows[b])}
}

// open is how many pairs of parts may be joined.
func (j *joining) open() int {
	out := 0
	for a, ties := range j.ties {
		for _, t := range ties {
			if int(t.to) < a && !t.apart {
				out++
			}
		}
	}
	return out
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
	j.add(a, b)
	j.to[b] = -1
	j.rank(b, math.Inf(-1))
	j.ties[a] = j.merged(a, b)
	j.ties[b] = nil
	for t := range j.ties[a] {
		e := &j.ties[a][t]
		c := int(e.to)
		e.score = j.rate(a, c, e.shared)
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

// add adds the rows and groups of part b to those of a.
func (j *joining) add(a, b int) {
	all, mean, other := max(1e-12, j.rows[a]+j.rows[b]), slices.Clone(j.mean[a]), j.mean[b]
	for c, v := range mean {
		mean[c] = (float64(j.rows[a]*v) + float64(j.rows[b]*other[c])) / all
	}
	j.mean[a] = mean
	j.rows[a] += j.rows[b]
	j.weigh(a)
	j.members[a] = append(j.members[a], j.members[b]...)
	j.gone[b] = true
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
		if int(t.to) != a && !j.gone[t.to] {
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
	out.members, out.likely = make([][]int, len(j.gone)), j.likely.clone()
	out.ties = make([][]tie, len(j.gone))
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
