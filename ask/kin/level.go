package kin

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

const (
	levelRows = 2000 // rows drawn at first to estimate the number of groups
	drawings  = 3    // of as many rows
	groupRows = 6    // rows of a half that each group has at least, on average
	// share of the best score that fewer groups must reach
	nearlyBest = 0.97
	// of the groups tried, above which more rows are drawn: they may be too few to see them all
	mostTried = 0.6
	mostRows  = 8000 // rows drawn at most
	// number of groups from which on scores fall by a power of it: those of groups of a few rows are
	// large by chance
	doubtedFrom, manyDoubt = 40, 0.2
)

// estimate is how many groups the rows are likely to fall into, before anybody is asked. Rows drawn
// at random are halved, and each half is clustered by Ward's method. As many groups are taken as
// have the best product of their silhouette, which is large where groups are apart, and of how well
// the nearest rows of one half foretell the groups of the other, which is large where the groups
// are no accident of the rows drawn. Silhouettes alone rise with the number of groups where there
// are none.
func estimate(ctx context.Context, data dataset.Matrix, cfg Config) (int, error) {
	for rows := levelRows; ; rows *= 2 {
		best, tried, err := estimateOf(ctx, data, min(rows, data.Rows), cfg)
		if err != nil || rows >= min(data.Rows, mostRows) ||
			float64(best) < mostTried*float64(tried) {
			return best, err
		}
	}
}

// estimateOf is estimate by so many rows in each drawing, and the most groups that were tried.
func estimateOf(ctx context.Context, data dataset.Matrix, rows int, cfg Config) (best, tried int,
	err error) {
	if rows < 4*groupRows {
		return min(2, data.Rows), data.Rows, nil
	}
	var counts []int
	for k := 2; k <= rows/2/groupRows; k = max(k+1, k*23/20) {
		counts = append(counts, k)
	}
	wide, stable := make([]float64, len(counts)), make([]float64, len(counts))
	for drawing := range uint64(drawings) {
		h, err := halve(ctx, data, rows, drawing, cfg)
		if err != nil {
			return 0, 0, err
		}
		err = parallel.Blocks(ctx, len(counts), 1, cfg.Threads, func(_, lo, hi int) {
			for c := lo; c < hi; c++ {
				w, s := h.judge(counts[c])
				wide[c] += w
				stable[c] += s
			}
		})
		if err != nil {
			return 0, 0, err
		}
	}
	most, scores := 0.0, make([]float64, len(counts))
	for c, w := range wide {
		few := min(1, math.Pow(doubtedFrom/float64(counts[c]), manyDoubt))
		scores[c] = max(0, w) * max(0, stable[c]) * few
		most = max(most, scores[c])
	}
	at := slices.IndexFunc(scores, func(s float64) bool { return s >= nearlyBest*most })
	return counts[at], counts[len(counts)-1], nil
}

// halves is two halves of rows drawn at random, and how they are clustered.
type halves struct {
	tree  [2]*dendrogram.Tree
	near  [2][]int     // nearest row of the other half
	apart [2][]float32 // m×m distances
}

func halve(ctx context.Context, data dataset.Matrix, rows int, drawing uint64,
	cfg Config) (*halves, error) {
	m, d := rows/2, data.Cols
	rng := rand.New(rand.NewPCG(cfg.Seed, drawing))
	drawn := draw.Rising(rng, 0, data.Rows-1, 2*m)
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	x := compactRows(data, drawn)
	out := &halves{}
	for h := range out.tree {
		own, other := x[h*m*d:(h+1)*m*d], x[(1-h)*m*d:(2-h)*m*d]
		near, apart := make([]int, m), make([]float32, m*m)
		err := parallel.Blocks(ctx, m, 32, cfg.Threads, func(_, lo, hi int) {
			dst := make([]float32, m)
			for i := lo; i < hi; i++ {
				simd.SquaredDistances(dst, own[i*d:(i+1)*d], other)
				for j, v := range dst {
					if v < dst[near[i]] {
						near[i] = j
					}
				}
				to := apart[i*m : (i+1)*m]
				simd.SquaredDistances(to, own[i*d:(i+1)*d], own)
				for j, v := range to {
					to[j] = float32(math.Sqrt(float64(v)))
				}
			}
		})
		if err != nil {
			return nil, err
		}
		out.near[h], out.apart[h] = near, apart
		out.tree[h], err = hierarchy.Fit(ctx, dataset.Matrix{Rows: m, Cols: d, F32: own},
			hierarchy.Config{Options: fit.Options{Threads: cfg.Threads}})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// judge returns the silhouette of k groups, the mean of the halves, and how well each half
// foretells the groups of the other: the mean of the adjusted Rand indices.
func (h *halves) judge(k int) (wide, stable float64) {
	var label [2][]int32
	for i, t := range h.tree {
		cut, err := t.Cut(k)
		if err != nil {
			return 0, 0
		}
		label[i] = cut
	}
	for i, own := range label {
		groups, foretold := make([]int, len(own)), make([]int, len(own))
		for j, to := range h.near[i] {
			groups[j], foretold[j] = 1+int(own[j]), 1+int(label[1-i][to])
		}
		if r, err := eval.Compare(groups, foretold); err == nil {
			stable += r.AdjustedRand / 2
		}
		wide += silhouette(h.apart[i], own, k) / 2
	}
	return wide, stable
}

// compactRows returns rows in float32, moved and scaled such that no square overflows.
func compactRows(data dataset.Matrix, rows []int32) []float32 {
	d := data.Cols
	mean, row := make([]float64, d), []float64(nil)
	for _, i := range rows {
		row = data.AppendRow(row[:0], int(i))
		for j, v := range row {
			mean[j] += v / float64(len(rows))
		}
	}
	most := 0.0
	each := func(do func(at int, v float64)) {
		for r, i := range rows {
			row = data.AppendRow(row[:0], int(i))
			for j, v := range row {
				do(r*d+j, v-mean[j])
			}
		}
	}
	each(func(_ int, v float64) { most = max(most, math.Abs(v)) })
	out := make([]float32, len(rows)*d)
	if most > 0 {
		each(func(at int, v float64) { out[at] = float32(v / most) })
	}
	return out
}

// silhouette is the mean silhouette of objects with m×m distances, labelled from 0 to k−1.
func silhouette(apart []float32, label []int32, k int) float64 {
	m := len(label)
	size, to := make([]float64, k), make([]float64, k)
	for _, l := range label {
		size[l]++
	}
	sum := 0.0
	for i, own := range label {
		if size[own] < 2 {
			continue
		}
		clear(to)
		for j, v := range apart[i*m : (i+1)*m] {
			to[label[j]] += float64(v)
		}
		a, b := to[own]/(size[own]-1), math.Inf(1)
		for g, v := range to {
			if g != int(own) && size[g] > 0 {
				b = min(b, v/size[g])
			}
		}
		if top := max(a, b); top > 0 && !math.IsInf(b, 1) {
			sum += (b - a) / top
		}
	}
	return sum / float64(m)
}
