package kin

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
)

// Silhouettes are computed of up to firstTried groups, and of up to mostTried where each group
// would have leastRows rows on average, and two nodes: those of a few nodes near each other are
// large by chance alone.
const (
	firstTried = 40
	mostTried  = 150
	leastRows  = 10
)

const (
	fewTentative   = 10   // at most as many where there are no clear groups
	clearlyGrouped = 0.45 // silhouette from which on there are
	// and from which on more than firstTried are: a line in equal parts has 0.52
	clearlyMany = 0.55
	nearlyBest  = 0.9 // share of the best silhouette that fewer groups must reach
)

// Silhouettes alone do not distinguish many groups that overlap, such as topics of short texts,
// from no groups: they rise with the number of groups in both. Answers do. A question is about the
// likeliest group of a row, or about groups that are likely to be one, so where there are few
// groups one of the first answers is "same". Where one answer in five is, mostUnlike in a row that
// are "different" come up once in thirty times; then there are more groups than the tentative ones.
// Questions are about the groups added first, so againUnlike more answers show whether these are
// too many.
const mostUnlike, againUnlike = 15, 3

// starting is the nodes of tentative groups, and how many groups there may be if answers ask for
// more.
type starting struct {
	nodes []int
	most  int
}

// tentative returns nodes that groups may be about: each is the one that most rows come to that
// came to none before. As many are taken as have a silhouette, of the groups in which walks end,
// near the best: few where the best is not clear, and more than firstTried only where it is very
// clear. Answers may ask for as many as have the best.
func tentative(ctx context.Context, g *graph, rows []float64) (starting, error) {
	w, n := g.walk(), linalg.Sum(rows)
	few := min(firstTried, max(1, g.m/3))
	most := max(few, min(mostTried, g.m/2, int(n/leastRows)))
	var scores []float64 // of 2, 3, … groups
	for len(w.ends) < most {
		if ctx.Err() != nil {
			return starting{}, ctx.Err()
		}
		w.end(w.widest(rows, nil))
		if len(w.ends) > 1 {
			scores = append(scores, w.silhouette(rows))
		}
	}
	count, best := near(scores[:few-1])
	if best < clearlyGrouped {
		count = min(count, fewTentative)
	}
	many, best := near(scores)
	if best >= clearlyMany {
		count = many
	}
	return starting{w.ends[:count], slices.Index(scores, best) + 2}, nil
}

// near returns the least number of groups that has nearly the best of the silhouettes of 2, 3, …
// groups, and the best.
func near(scores []float64) (count int, best float64) {
	best = math.Inf(-1)
	for _, s := range scores {
		best = max(best, s)
	}
	return slices.IndexFunc(scores, func(s float64) bool { return s >= nearlyBest*best }) + 2, best
}

// widen doubles the groups, up to as many as have the best silhouette, where mostUnlike answers in
// a row were "different".
func (p *play) widen() {
	if p.unlike < mostUnlike {
		return
	}
	live := len(p.live())
	for to := min(2*live, p.first.most); live < to; live++ {
		i := p.widest(p.rows, func(i int) bool { return p.hard[i] || p.standing[i] < 0 })
		if i < 0 {
			return
		}
		p.found(i)
		p.now, p.unlike = nil, mostUnlike-againUnlike
	}
}

// widest returns the node that most rows would end at, of those that are not aside (nil: none is);
// −1: there is none.
func (w *walk) widest(rows []float64, aside func(i int) bool) int {
	most, at := -1.0, -1
	for i := range w.m {
		if w.at[i] >= 0 || aside != nil && aside(i) {
			continue
		}
		row, sum := w.open[i*w.m:(i+1)*w.m], 0.0
		for j, v := range row {
			sum += float64(rows[j] * v)
		}
		if sum /= row[i]; sum > most {
			most, at = sum, i
		}
	}
	return at
}

// silhouette is that of the nodes, weighted by rows, each in the group where most of its walks end.
func (w *walk) silhouette(rows []float64) float64 {
	m, k := w.m, len(w.ends)
	group, size := make([]int, m), make([]float64, k)
	for j := range m {
		best := -1.0
		for l, h := range w.hits {
			if h[j] > best {
				best, group[j] = h[j], l
			}
		}
		size[group[j]] += rows[j]
	}
	sum, all, to := 0.0, 0.0, make([]float64, k)
	for i := range m {
		clear(to)
		all += rows[i]
		for j := range m {
			to[group[j]] += float64(rows[j] * math.Sqrt(w.apart[i*m+j]))
		}
		own := group[i]
		if size[own] <= rows[i] {
			continue
		}
		a, b := to[own]/size[own], math.Inf(1)
		for g, v := range to {
			if g != own && size[g] > 0 {
				b = min(b, v/size[g])
			}
		}
		if top := max(a, b); top > 0 && !math.IsInf(b, 1) {
			sum += float64(rows[i] * ((b - a) / top))
		}
	}
	return sum / all
}
