package kin

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

// parts is which groups are supposed to be one: the likeliest pair is joined, and again, until none
// is likelier one than not. What answers part stays apart.
type parts struct {
	of     []int  // part of each group, from 0; −1: it has no members
	count  int    // parts there are
	most   int    // parts there would be if only what is very likely were joined
	fewest int    // parts there would be if what is not very unlikely were joined as well
	pairs  []pair // that were joined, and those of parts that were not and may be
	score  []float64
	size   int // groups: score has size×size, of two of one part or of their parts; −Inf: apart
}

// pair is two parts of which it may be asked whether they are one.
type pair struct {
	one, two []int // groups of each
	score    float64
	rows     float64 // of the smaller part
}

// What is very likely, and what is not very unlikely, for the range of the number of groups.
const veryLikely, notUnlikely = 0.9, 0.1

// joining is parts under way.
type joining struct {
	p       *play
	n       int
	rows    []float64
	shared  []float64 // n×n
	mean    []float64 // n×d
	apart   []bool    // n×n
	score   []float64 // n×n
	members [][]int   // groups of each
	near    *nearest
}

// parts finds which groups are supposed to be one, by the masses of the nodes.
func (p *play) parts(f []float64) *parts {
	j := p.joining(f)
	out := &parts{of: slices.Repeat([]int{-1}, p.size), count: j.n, size: p.size,
		score: slices.Repeat([]float64{math.Inf(-1)}, p.size*p.size)}
	out.most = j.n
	for {
		one := j.near.best()
		if one < 0 {
			break
		}
		two := j.near.to[one]
		z := j.score[one*j.n+two]
		if z <= p.model.even {
			break
		}
		out.add(j.pair(one, two))
		if p.model.same(z) >= veryLikely {
			out.most--
		}
		j.join(one, two)
		out.count--
	}
	part := 0
	for a := range j.n {
		if j.near.gone[a] {
			continue
		}
		for _, g := range j.members[a] {
			out.of[g] = part
		}
		part++
		for b := range a {
			if j.near.gone[b] || j.apart[a*j.n+b] {
				continue
			}
			out.add(j.pair(a, b))
		}
	}
	for out.fewest = out.count; ; out.fewest-- {
		one := j.near.best()
		if one < 0 || p.model.same(j.score[one*j.n+j.near.to[one]]) < notUnlikely {
			return out
		}
		j.join(one, j.near.to[one])
	}
}

// add notes a pair, and its score for the groups of both.
func (c *parts) add(q pair) {
	c.pairs = append(c.pairs, q)
	for _, g := range q.one {
		for _, h := range q.two {
			c.score[g*c.size+h], c.score[h*c.size+g] = q.score, q.score
		}
	}
}

func (p *play) joining(f []float64) *joining {
	k, d := p.size, p.d
	live := p.live()
	n := len(live)
	j := &joining{p: p, n: n, rows: make([]float64, n), shared: make([]float64, n*n),
		mean: make([]float64, n*d), apart: make([]bool, n*n), score: make([]float64, n*n)}
	const little = 1e-6 // masses that change nothing
	var some []int
	for i := range p.m {
		some = some[:0]
		for a, g := range live {
			if f[i*k+g] > little {
				some = append(some, a)
			}
		}
		for _, a := range some {
			v := float64(p.rows[i] * f[i*k+live[a]])
			j.rows[a] += v
			for c, x := range p.means[i*d : (i+1)*d] {
				j.mean[a*d+c] += float64(v * x)
			}
			for _, b := range some {
				j.shared[a*n+b] += float64(v * f[i*k+live[b]])
			}
		}
	}
	for a, g := range live {
		j.members = append(j.members, []int{g})
		for c := range d {
			j.mean[a*d+c] /= max(j.rows[a], little)
		}
		for b, h := range live {
			j.apart[a*n+b] = p.apart[g][h] || p.aside[g][h]
		}
	}
	for a := range n {
		for b := range a {
			j.rate(a, b)
		}
	}
	j.near = newNearest(n, func(a, b int) float64 {
		if j.apart[a*n+b] {
			return math.Inf(-1)
		}
		return j.score[a*n+b]
	})
	return j
}

// rate finds the score of two parts.
func (j *joining) rate(a, b int) {
	const little = 1e-4 // share of doubtful rows, and of the height that groups join at
	d, n := j.p.d, j.n
	small := max(1e-12, min(j.rows[a], j.rows[b]))
	height := linalg.SquaredDistance(j.mean[a*d:(a+1)*d], j.mean[b*d:(b+1)*d]) *
		j.rows[a] * j.rows[b] / max(1e-12, j.rows[a]+j.rows[b])
	z := float64(shareWeight*elementary.Log(little+j.shared[a*n+b]/small)) -
		float64(j.p.heightWeight*elementary.Log(1e-12+height/j.p.height))
	z -= float64(j.p.sizeWeight * elementary.Log(small*float64(j.p.expected)/float64(j.p.n)))
	j.score[a*n+b], j.score[b*n+a] = z, z
}

func (j *joining) pair(a, b int) pair {
	return pair{slices.Clip(j.members[a]), slices.Clip(j.members[b]), j.score[a*j.n+b],
		min(j.rows[a], j.rows[b])}
}

// join makes part b a part of a.
func (j *joining) join(a, b int) {
	n, d := j.n, j.p.d
	all := max(1e-12, j.rows[a]+j.rows[b])
	for c := range d {
		j.mean[a*d+c] = (float64(j.rows[a]*j.mean[a*d+c]) + float64(j.rows[b]*j.mean[b*d+c])) / all
	}
	j.rows[a] += j.rows[b]
	j.members[a] = append(j.members[a], j.members[b]...)
	for c := range n {
		if j.near.gone[c] || c == a || c == b {
			continue
		}
		j.shared[a*n+c] += j.shared[b*n+c]
		j.shared[c*n+a] += j.shared[c*n+b]
		j.apart[a*n+c] = j.apart[a*n+c] || j.apart[b*n+c]
		j.apart[c*n+a] = j.apart[a*n+c]
		j.rate(a, c)
	}
	j.near.merge(a, b)
}

// nearest returns the two groups of a pair of parts that are nearest: with the least squared
// distance between nodes that are known to be of them.
func (p *play) nearest(q pair) (one, two int) {
	one, two = q.one[0], q.two[0]
	if len(q.one)*len(q.two) == 1 {
		return one, two
	}
	least := math.Inf(1)
	for l, g := range p.group {
		if !slices.Contains(q.one, g) {
			continue
		}
		for o, h := range p.group {
			if !slices.Contains(q.two, h) || p.apart[g][h] || p.aside[g][h] {
				continue
			}
			if d := p.plain.apart[p.ends[l]*p.m+p.ends[o]]; d < least {
				least, one, two = d, g, h
			}
		}
	}
	return one, two
}

// sum adds up masses on groups, m×size, by part: m×count.
func (c *parts) sum(f []float64) []float64 {
	m := len(f) / c.size
	out := make([]float64, m*c.count)
	for i := range m {
		for g, part := range c.of {
			if part >= 0 {
				out[i*c.count+part] += f[i*c.size+g]
			}
		}
	}
	return out
}
