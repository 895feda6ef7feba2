package kin

import (
	"context"
	"math"
)

const (
	mostTentative  = 40
	fewTentative   = 10   // at most as many where there are no clear groups
	clearlyGrouped = 0.45 // silhouette from which on there are
	nearlyBest     = 0.9  // share of the best silhouette that fewer groups must reach
)

// tentative gives nodes that groups may be about: each is the one that most rows come to that came to none before. As many
// are taken as give a silhouette, of the groups in which walks end, near the best.
func tentative(ctx context.Context, g *graph, rows []float64) ([]int, error) {
	w := g.walk()
	var scores []float64 // of 2, 3, … groups
	best := math.Inf(-1)
	for len(w.ends) < min(mostTentative, max(1, g.m/3)) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		w.end(w.widest(rows))
		if len(w.ends) > 1 {
			s := w.silhouette(rows)
			scores, best = append(scores, s), max(best, s)
		}
	}
	count := 1
	for i, s := range scores {
		if s >= nearlyBest*best {
			count = i + 2
			break
		}
	}
	if best < clearlyGrouped {
		count = min(count, fewTentative)
	}
	return w.ends[:count], nil
}

// widest gives the node that most rows would end at.
func (w *walk) widest(rows []float64) int {
	most, at := -1.0, -1
	for i := range w.m {
		if w.at[i] >= 0 {
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
