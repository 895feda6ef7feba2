package bayes

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/weighted"
)

// gather adds up the rows by hard classes: those of −1 are left out.
func (e *em) gather(ctx context.Context, class func(i int) int32) (sums, counts []float64,
	err error) {
	err = e.Each(ctx, func(s *weighted.Space, p *weighted.Part, lo, n int) {
		clear(s.Shares)
		for i := range n {
			if c := class(lo + i); c >= 0 {
				s.Shares[int(c)*n+i] = 1
			}
		}
		e.add(s, p, lo, n)
	})
	sums, counts = e.Sums()
	return sums, counts, err
}

// start returns the model that the iteration begins with.
func (e *em) start(ctx context.Context, rng *rand.Rand) (*Model, error) {
	if e.complete() {
		sums, counts, err := e.gather(ctx, e.class)
		return e.model(sums, counts, nil), err
	}
	space, err := e.shares(ctx)
	if err != nil {
		return nil, err
	}
	at, err := e.centers(ctx, space, rng)
	if err != nil {
		return nil, err
	}
	labels, err := (&kmeans.Result{Centers: at}).Predict(ctx, space, e.Threads)
	if err != nil {
		return nil, err
	}
	sums, counts, err := e.gather(ctx, func(i int) int32 {
		if y := e.class(i); y >= 0 {
			return y
		}
		return labels[i]
	})
	return e.model(sums, counts, nil), err
}

// sharesBlock is the number of rows that a goroutine divides at a time.
const sharesBlock = 512

// shares returns the rows as they are; counts divided by their sums.
func (e *em) shares(ctx context.Context) (dataset.Matrix, error) {
	if e.by == Gaussian {
		return e.Data, nil
	}
	out := dataset.Matrix{Rows: e.N, Cols: e.D, F32: make([]float32, e.N*e.D)}
	err := parallel.Blocks(ctx, e.N, sharesBlock, e.Threads, func(_, lo, hi int) {
		var row []float64
		for i := lo; i < hi; i++ {
			row = e.Data.AppendRow(row[:0], i)
			sum := linalg.Sum(row)
			for j, v := range row {
				if sum > 0 {
					out.F32[i*e.D+j] = float32(v / sum)
				}
			}
		}
	})
	return out, err
}

// centers returns the means of the classes that are known, and draws others beside them.
func (e *em) centers(ctx context.Context, space dataset.Matrix, rng *rand.Rand) (dataset.Matrix,
	error) {
	means := make([]float64, e.K*e.D)
	var row []float64
	for i := range e.known {
		y := int(e.class(i))
		if y < 0 {
			continue
		}
		row = space.AppendRow(row[:0], i)
		for j, v := range row {
			means[y*e.D+j] += v / float64(e.counts[y])
		}
	}
	var given dataset.Matrix
	for c, n := range e.counts {
		if n > 0 {
			given.Rows, given.Cols, given.F64 = given.Rows+1, e.D,
				append(given.F64, means[c*e.D:(c+1)*e.D]...)
		}
	}
	drawn, err := kmeans.Draw(ctx, space, given, e.K, rng, e.Threads)
	if err != nil {
		return drawn, err
	}
	if given.Rows == 0 {
		const few = 10
		fit, err := kmeans.Fit(ctx, space,
			kmeans.Config{Clusters: e.K, Centers: drawn, Limits: fit.Limits{MaxIterations: few},
				Options: fit.Options{Threads: e.Threads}})
		if err != nil {
			return drawn, err
		}
		return fit.Centers, nil
	}
	at := dataset.Matrix{Rows: e.K, Cols: e.D}
	known, others := drawn.F64, drawn.F64[given.Rows*e.D:]
	for _, n := range e.counts {
		from := &others
		if n > 0 {
			from = &known
		}
		at.F64 = append(at.F64, (*from)[:e.D]...)
		*from = (*from)[e.D:]
	}
	return at, nil
}

// maximise returns the model of greatest posterior for the sums of the last expectation.
func (e *em) maximise(before *Model) *Model {
	sums, counts := e.Sums()
	return e.model(sums, counts, before)
}

// none is the number of rows below which a class keeps what it was like before: sums of fewer mean
// nothing.
const none = 1e-9

// model returns the model of greatest posterior for the sums. Before, where there is one, is what
// classes of no weight stay like; otherwise they are like all rows.
func (e *em) model(sums, counts []float64, before *Model) *Model {
	m := &Model{Likelihood: e.by, LogPrior: make([]float64, e.K)}
	total := linalg.Sum(counts)
	for c, n := range counts {
		m.LogPrior[c] = elementary.Log((n + 1) / (total + float64(e.K)))
	}
	if e.by == Multinomial {
		m.LogTheta = make([]float64, e.K*e.D)
		for c := range e.K {
			own := sums[c*e.D : (c+1)*e.D]
			all := linalg.Sum(own)
			for j, v := range own {
				m.LogTheta[c*e.D+j] = elementary.Log((v + e.smoothing) /
					(all + float64(e.smoothing*float64(e.D))))
			}
		}
		return m
	}
	m.Means = dataset.Matrix{Rows: e.K, Cols: e.D, F64: make([]float64, e.K*e.D)}
	m.Variances = make([]float64, e.K*e.D)
	least := none * min(1, e.weight)
	for c, n := range counts {
		for j, v := range e.variance {
			at := c*e.D + j
			switch {
			case v == 0:
				m.Means.F64[at], m.Variances[at] = e.Origin[j], math.Inf(1)
			case n < least && before != nil:
				m.Means.F64[at], m.Variances[at] = before.Means.F64[at], before.Variances[at]
			case n < least:
				m.Means.F64[at], m.Variances[at] = e.Origin[j], v
			default:
				mean := sums[2*c*e.D+j] / n
				m.Means.F64[at] = e.Origin[j] + mean
				own := max(0, sums[(2*c+1)*e.D+j]-float64(n*mean*mean))
				m.Variances[at] = (own + float64(e.smoothing*e.usual[j])) / (n + e.smoothing)
			}
		}
	}
	return m
}

// prior returns ln p(model), up to a constant.
func (e *em) prior(m *Model) float64 {
	sum := linalg.Sum(m.LogPrior)
	for _, v := range m.LogTheta {
		sum += float64(e.smoothing * v)
	}
	for i, v := range m.Variances {
		if !math.IsInf(v, 1) {
			sum -= float64(e.smoothing * (elementary.Log(v) + e.usual[i%e.D]/v) / 2)
		}
	}
	return sum
}
