package kin

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/elementary"
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
	// there are no groups where more rows show less, and a number that is so many times as large
	grown = 1.2
	// and where one half foretells the groups of the other with an adjusted Rand index below this: of
	// noise it is .1 at most, of groups that overlap much .4
	foretoldLeast = 0.2
	// rows up to which twice as many are drawn the next time; later eight times as many, and only
	// once, as chance matters less
	manyRows = 4000
	mostRows = 1 << 17 // rows drawn at most
	// square of the rows drawn, times columns, at most: Ward's method takes as long
	mostWork = 1 << 38
	// rows of a half whose silhouettes, and whose nearest rows, are looked at, where there are more
	// than manyRows in all
	silhouetteRows, nearRows = 1000, 5000
	// number of groups from which on scores fall by a power of it: those of groups of a few rows
	// are large by chance
	doubtedFrom, manyDoubt = 40, 0.2
)

// estimate is how many groups the rows are likely to fall into, before anybody is asked. Rows drawn
// at random are halved, and each half is clustered by Ward's method. As many groups are taken as
// have the best product of their silhouette, which is large where groups are apart, and of how well
// the nearest rows of one half foretell the groups of the other, which is large where the groups
// are no accident of the rows drawn. Silhouettes alone rise with the number of groups where there
// are none. Where the best of the numbers tried are among the largest, more rows are drawn, as long
// as they show more. Where there are no groups they do not: the more rows, the larger is the number
// and the smaller its score, and one half hardly foretells the groups of the other. The number is
// the usual one then.
func estimate(ctx context.Context, data dataset.Matrix, cfg Config) (*estimated, error) {
	report, done := cfg.Progress, 0.0
	var last *estimated
	most := min(data.Rows, mostRows, int(math.Sqrt(mostWork/float64(data.Cols))))
	for rows := min(levelRows, most); ; {
		// Half of the work that is left, as others may follow.
		to := (1 + done) / 2
		if rows == most && last != nil {
			to = 1
		}
		cfg.Progress = fit.Part(report, done, to)
		e, err := estimateOf(ctx, data, rows, cfg)
		if err != nil {
			return nil, err
		}
		enough := float64(e.best) < mostTried*float64(e.tried)
		if !enough && rows == most && last == nil {
			cfg.Progress = fit.Part(report, to, 1)
			if last, err = estimateOf(ctx, data, rows/2, cfg); err != nil {
				return nil, err
			}
		}
		switch {
		case last != nil && e.none(last):
			e.best = usual(data.Rows)
			return e, nil
		case enough || rows == most || last != nil && e.score < last.score:
			return e, nil
		}
		done, last = to, e
		if rows < manyRows {
			rows = min(2*rows, most)
		} else {
			rows = min(8*rows, most)
		}
	}
}

// usual is a number of groups for rows that show none: by Sturges' rule, 1 + log2 of the rows, as
// for the classes of a histogram.
func usual(rows int) int { return bits.Len(uint(rows)) }

// estimated is the best number of groups by some of the rows, and the most that were tried.
type estimated struct {
	best, tried int
	score       float64 // of the best number
	foretold    float64 // how well one half foretells so many groups of the other
}

// none reports whether there are no groups, where fewer rows came to last.
func (e *estimated) none(last *estimated) bool {
	return e.score < last.score && float64(e.best) > grown*float64(last.best) &&
		e.foretold < foretoldLeast
}

// estimateOf estimates by so many rows in each drawing.
func estimateOf(ctx context.Context, data dataset.Matrix, rows int, cfg Config) (*estimated,
	error) {
	if rows < 4*groupRows {
		return &estimated{best: min(2, data.Rows), tried: data.Rows}, nil
	}
	var counts []int
	for k := 2; k <= rows/2/groupRows; k = max(k+1, k*23/20) {
		counts = append(counts, k)
	}
	times := drawings
	if rows > manyRows {
		times = 1
	}
	each := make([]levels, times)
	for drawing := range each {
		share := 1 / float64(times)
		part := cfg
		part.Progress = fit.Part(cfg.Progress, float64(float64(drawing)*share),
			float64(float64(drawing+1)*share))
		var err error
		if each[drawing], err = judge(ctx, data, rows, uint64(drawing), counts, part); err != nil {
			return nil, err
		}
	}
	out := &estimated{tried: counts[len(counts)-1]}
	scores, foretold := make([]float64, len(counts)), make([]float64, len(counts))
	for c, k := range counts {
		wide := 0.0
		for _, s := range each {
			wide += s.wide[c] / float64(times)
			foretold[c] += s.stable[c] / float64(times)
		}
		few := min(1, elementary.Power(doubtedFrom/float64(k), manyDoubt))
		scores[c] = max(0, wide) * max(0, foretold[c]) * few
		out.score = max(out.score, scores[c])
	}
	at := slices.IndexFunc(scores, func(s float64) bool { return s >= nearlyBest*out.score })
	out.best, out.foretold = counts[at], foretold[at]
	return out, nil
}

// levels is how good numbers of groups are.
type levels struct {
	wide   []float64 // silhouettes, the mean of the halves
	stable []float64 // how well each half predicts the groups of the other: adjusted Rand indices
}

// judge looks at numbers of groups, rising, of so many rows drawn at random.
func judge(ctx context.Context, data dataset.Matrix, rows int, drawing uint64, counts []int,
	cfg Config) (levels, error) {
	m, d := rows/2, data.Cols
	rng := rand.New(rand.NewPCG(cfg.Seed, drawing))
	drawn := draw.Rising(rng, 0, data.Rows-1, 2*m)
	rng.Shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	x := compactRows(data, drawn)
	out := levels{make([]float64, len(counts)), make([]float64, len(counts))}
	half := [2][]float32{x[:m*d], x[m*d:]}
	var label [2][][]int32 // by count
	near, wide := m, m     // rows looked at, which are in a random order
	if rows > manyRows {
		near, wide = min(m, nearRows), min(m, silhouetteRows)
	}
	for h, own := range half {
		const joined = 0.8 // share of the work
		lo, hi := float64(h)/2, float64(h+1)/2
		tree, err := hierarchy.Fit(ctx, dataset.Matrix{Rows: m, Cols: d, F32: own},
			hierarchy.Config{Options: fit.Options{Threads: cfg.Threads,
				Progress: fit.Part(cfg.Progress, lo, lo+joined/2)}})
		if err != nil {
			return out, err
		}
		for _, k := range counts {
			cut, err := tree.Cut(k)
			if err != nil {
				return out, err
			}
			label[h] = append(label[h], cut)
		}
		each, err := silhouettes(ctx, own, d, wide, label[h], counts, cfg.Threads)
		if err != nil {
			return out, err
		}
		for c, v := range each {
			out.wide[c] += v / 2
		}
		if report := fit.Share(cfg.Progress); report != nil {
			report(hi)
		}
	}
	for h, own := range half {
		to, other := make([]int, near), half[1-h]
		err := parallel.Blocks(ctx, near, 16, cfg.Threads, func(_, lo, hi int) {
			dst := make([]float32, m)
			for i := lo; i < hi; i++ {
				simd.SquaredDistances(dst, own[i*d:(i+1)*d], other)
				for j, v := range dst {
					if v < dst[to[i]] {
						to[i] = j
					}
				}
			}
		})
		if err != nil {
			return out, err
		}
		groups, foretold := make([]int, near), make([]int, near)
		for c := range counts {
			for j, o := range to {
				groups[j], foretold[j] = 1+int(label[h][c][j]), 1+int(label[1-h][c][o])
			}
			if r, err := eval.Compare(groups, foretold); err == nil {
				out.stable[c] += r.AdjustedRand / 2
			}
		}
	}
	return out, nil
}

// silhouettes are the mean silhouettes of the first of the rows, by each of some partitions. Each
// partition joins groups of the next, so that sums of distances to the groups of one are sums of
// those of the next.
func silhouettes(ctx context.Context, x []float32, d, some int, label [][]int32, counts []int,
	threads int) ([]float64, error) {
	last := len(counts) - 1
	m := len(label[last])
	size, up := make([][]float64, len(counts)), make([][]int32, len(counts))
	for c, of := range label {
		size[c] = make([]float64, counts[c])
		for _, l := range of {
			size[c][l]++
		}
		if c < last { // group of each of the next partition's
			up[c] = make([]int32, counts[c+1])
			for i, l := range of {
				up[c][label[c+1][i]] = l
			}
		}
	}
	const block = 16
	sums := make([][]float64, parallel.Count(some, block)) // by block
	err := parallel.Blocks(ctx, some, block, threads, func(b, lo, hi int) {
		sums[b] = make([]float64, len(counts))
		square, to, next := make([]float32, m), make([]float64, counts[last]),
			make([]float64, counts[last])
		for i := lo; i < hi; i++ {
			clear(to)
			simd.SquaredDistances(square, x[i*d:(i+1)*d], x)
			for j, v := range square {
				to[label[last][j]] += math.Sqrt(float64(v))
			}
			for c := last; c >= 0; c-- {
				if c < last {
					next = next[:counts[c]]
					clear(next)
					for g, v := range to {
						next[up[c][g]] += v
					}
					to, next = next, to
				}
				sums[b][c] += silhouette(to, size[c], int(label[c][i]))
			}
			to, next = next[:counts[last]], to[:counts[last]]
		}
	})
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(counts))
	for _, block := range sums {
		for c, v := range block {
			out[c] += v / float64(some)
		}
	}
	return out, nil
}

// silhouette is that of an object of group own, by the sums of its distances to groups.
func silhouette(to, size []float64, own int) float64 {
	if size[own] < 2 {
		return 0
	}
	a, b := to[own]/(size[own]-1), math.Inf(1)
	for g, v := range to {
		if g != own {
			b = min(b, v/size[g])
		}
	}
	if top := max(a, b); top > 0 && !math.IsInf(b, 1) {
		return (b - a) / top
	}
	return 0
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
	if most > 0 && !math.IsInf(most, 1) { // else the super-instances refuse the rows
		each(func(at int, v float64) { out[at] = float32(v / most) })
	}
	return out
}
