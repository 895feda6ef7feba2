package competitive

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/internal/simd"
)

const (
	// lloyd is the number of rounds of Lloyd's iteration after k-means++.
	lloyd = 5

	// sampled bounds the rows that k-means++ and the starting shapes look at.
	sampled = 20_000
)

// begin returns a core whose prototypes are placed by a sample of rows, or are given, k×d. Stream
// distinguishes starts of one seed.
func begin(ctx context.Context, cfg Config, warm dataset.Matrix, stream uint64,
	given []float64) (*core, error) {
	if err := whole(warm); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(cfg.Seed, stream))
	places := given
	if given == nil {
		if err := prototypes.Check(ctx, warm, cfg.Clusters); err != nil {
			return nil, err
		}
		var err error
		if places, err = place(ctx, cfg, warm, rng); err != nil {
			return nil, err
		}
	}
	if !simd.Within(places, reach) {
		return nil, fault.Inputf("scale the columns, for example to 0..1",
			"the initial prototypes hold a value that is not finite or too large to be squared")
	}
	c := newCore(cfg, warm.Cols, places)
	if cfg.Metric != fit.Euclidean {
		start, err := c.spread(ctx, few(warm, rng))
		if err != nil {
			return nil, err
		}
		c.shapes = newShapes(cfg.Metric, c.k, start)
	}
	return c, nil
}

// place returns starting prototypes, k×d.
func place(ctx context.Context, cfg Config, warm dataset.Matrix, rng *rand.Rand) ([]float64,
	error) {
	switch cfg.Init {
	case Gaussian:
		return prototypes.Gaussian(ctx, warm, cfg.Clusters, rng)
	case Sample:
		return prototypes.Sample(ctx, warm, cfg.Clusters, rng)
	}
	sample := warm
	if s := few(warm, rng); prototypes.Check(ctx, s, cfg.Clusters) == nil {
		sample = s
	}
	r, err := kmeans.Fit(ctx, sample, kmeans.Config{
		Options:  fit.Options{Seed: rng.Uint64()},
		Limits:   fit.Limits{MaxIterations: lloyd},
		Clusters: cfg.Clusters, Init: kmeans.InitPlusPlus,
	})
	if err != nil {
		return nil, err
	}
	return r.Centers.F64, nil
}

// few returns a sample of the rows, or all where they are few.
func few(m dataset.Matrix, rng *rand.Rand) dataset.Matrix {
	if m.Rows <= sampled {
		return m
	}
	return m.Subset(draw.Few(rng, m.Rows, sampled))
}

// spread returns the variances of rows about their nearest prototypes, a column. They are at least
// a thousandth of the column's whole variance; a column that is constant in the sample gets the
// mean of the others, so that it is measured like them when it begins to vary.
func (c *core) spread(ctx context.Context, rows dataset.Matrix) ([]float64, error) {
	within, mean, total := make([]float64, c.d), make([]float64, c.d), make([]float64, c.d)
	first, row := rows.AppendRow(nil, 0), make([]float64, 0, c.d)
	each := func(do func(column int, v float64)) {
		for i := range rows.Rows {
			row = rows.AppendRow(row[:0], i)
			for j, v := range row {
				do(j, v-first[j]) // all 0 in a constant column, and so are sums of it
			}
		}
	}
	const tiny = 1e-250 // of variances, below which a column is as good as constant
	n := float64(rows.Rows)
	each(func(j int, v float64) { mean[j] += v / n })
	each(func(j int, v float64) { total[j] += float64((v-mean[j])*(v-mean[j])) / n })
	step := between(c.k*c.d, rows.Rows)
	for i := range rows.Rows {
		if i%step == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		row = rows.AppendRow(row[:0], i)
		near := c.at.Row(int(c.nearestTo(row)))
		for j, v := range row {
			within[j] += float64((v-near[j])*(v-near[j])) / n
		}
	}
	sum, vary := 0.0, 0
	for j := range within {
		if total[j] > tiny {
			within[j] = max(within[j], total[j]/1000)
			sum += within[j]
			vary++
		}
	}
	for j := range within {
		switch {
		case total[j] > tiny:
		case vary > 0:
			within[j] = sum / float64(vary)
		default:
			within[j] = 1
		}
	}
	return within, nil
}

// between returns how many rows, at most so many, may be gone through between two looks at a
// context, where each is a matter of so many values: a tenth of a second's worth.
func between(values, most int) int { return max(1, min(most, 1<<27/max(1, values))) }

// whole refuses a matrix that does not hold as many values as its size, has no rows, or holds
// values that cannot be learnt.
func whole(m dataset.Matrix) error {
	if m.Rows < 1 || m.Cols < 1 || len(m.F64)+len(m.F32) != m.Rows*m.Cols {
		return fault.Inputf("give at least one row", "%d values, not %d×%d", len(m.F64)+len(m.F32),
			m.Rows, m.Cols)
	}
	if !m.Single() {
		return checkAll(m.F64, m.Cols)
	}
	row := make([]float64, 0, m.Cols)
	for i := range m.Rows {
		row = m.AppendRow(row[:0], i)
		if err := check(row, m.Cols); err != nil {
			return numbered(err, i)
		}
	}
	return nil
}
