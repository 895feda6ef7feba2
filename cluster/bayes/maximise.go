package bayes

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/parallel"
)

// gather adds up the rows by hard classes: those of −1 are left out.
func (e *em) gather(ctx context.Context, class func(i int) int32) (sums, counts []float64,
	err error) {
	err = parallel.Blocks(ctx, e.n, e.block, e.threads, func(b, lo, hi int) {
		p := e.clear(b)
		s := newSpace(e.work)
		for ; lo < hi && ctx.Err() == nil; lo += piece {
			n := min(hi, lo+piece) - lo
			s.read(lo, n)
			clear(s.joint)
			for i := range n {
				if c := class(lo + i); c >= 0 {
					s.joint[int(c)*n+i] = 1
				}
			}
			s.add(p, n, e.by == Gaussian, func(i int) float64 { return e.weightOf(lo + i) })
		}
	})
	sums, counts = e.added()
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
	labels, err := (&kmeans.Result{Centers: at}).Predict(ctx, space, e.threads)
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

// shares returns the rows as they are; counts divided by their sums.
func (e *em) shares(ctx context.Context) (dataset.Matrix, error) {
	if e.by == Gaussian {
		return e.data, nil
	}
	out := dataset.Matrix{Rows: e.n, Cols: e.d, F32: make([]float32, e.n*e.d)}
	err := parallel.Blocks(ctx, e.n, e.block, e.threads, func(_, lo, hi int) {
		var row []float64
		for i := lo; i < hi; i++ {
			row = e.data.AppendRow(row[:0], i)
			sum := 0.0
			for _, v := range row {
				sum += v
			}
			for j, v := range row {
				if sum > 0 {
					out.F32[i*e.d+j] = float32(v / sum)
				}
			}
		}
	})
	return out, err
}

// centers returns the means of the classes that are known, and draws others beside them.
func (e *em) centers(ctx context.Context, space dataset.Matrix, rng *rand.Rand) (dataset.Matrix,
	error) {
	means := make([]float64, e.k*e.d)
	var row []float64
	for i := range e.known {
		y := int(e.class(i))
		if y < 0 {
			continue
		}
		row = space.AppendRow(row[:0], i)
		for j, v := range row {
			means[y*e.d+j] += v / float64(e.counts[y])
		}
	}
	var given dataset.Matrix
	for c, n := range e.counts {
		if n > 0 {
			given.Rows, given.Cols, given.F64 = given.Rows+1, e.d,
				append(given.F64, means[c*e.d:(c+1)*e.d]...)
		}
	}
	drawn, err := kmeans.Draw(ctx, space, given, e.k, rng, e.threads)
	if err != nil {
		return drawn, err
	}
	if given.Rows == 0 {
		const few = 10
		fit, err := kmeans.Fit(ctx, space,
			kmeans.Config{Clusters: e.k, Centers: drawn, Limits: fit.Limits{MaxIterations: few},
				Options: fit.Options{Threads: e.threads}})
		if err != nil {
			return drawn, err
		}
		return fit.Centers, nil
	}
	at := dataset.Matrix{Rows: e.k, Cols: e.d}
	known, others := drawn.F64, drawn.F64[given.Rows*e.d:]
	for _, n := range e.counts {
		from := &others
		if n > 0 {
			from = &known
		}
		at.F64 = append(at.F64, (*from)[:e.d]...)
		*from = (*from)[e.d:]
	}
	return at, nil
}

// maximise returns the model of greatest posterior for the sums of the last expectation.
func (e *em) maximise(before *Model) *Model {
	sums, counts := e.added()
	return e.model(sums, counts, before)
}

// none is the weight below which a class keeps what it was like before: sums of less mean nothing.
const none = 1e-9

// model returns the model of greatest posterior for the sums. Before, where there is one, is what
// classes of no weight stay like; otherwise they are like all rows.
func (e *em) model(sums, counts []float64, before *Model) *Model {
	m := &Model{Likelihood: e.by, LogPrior: make([]float64, e.k)}
	total := 0.0
	for _, n := range counts {
		total += n
	}
	for c, n := range counts {
		m.LogPrior[c] = elementary.Log((n + 1) / (total + float64(e.k)))
	}
	if e.by == Multinomial {
		m.LogTheta = make([]float64, e.k*e.d)
		for c := range e.k {
			all, own := 0.0, sums[c*e.d:(c+1)*e.d]
			for _, v := range own {
				all += v
			}
			for j, v := range own {
				m.LogTheta[c*e.d+j] = elementary.Log((v + e.smoothing) /
					(all + float64(e.smoothing*float64(e.d))))
			}
		}
		return m
	}
	m.Means = dataset.Matrix{Rows: e.k, Cols: e.d, F64: make([]float64, e.k*e.d)}
	m.Variances = make([]float64, e.k*e.d)
	for c, n := range counts {
		for j, v := range e.variance {
			at := c*e.d + j
			switch {
			case v == 0:
				m.Means.F64[at], m.Variances[at] = e.origin[j], math.Inf(1)
			case n < none && before != nil:
				m.Means.F64[at], m.Variances[at] = before.Means.F64[at], before.Variances[at]
			case n < none:
				m.Means.F64[at], m.Variances[at] = e.origin[j], v
			default:
				mean := sums[2*c*e.d+j] / n
				m.Means.F64[at] = e.origin[j] + mean
				m.Variances[at] = max(0, sums[(2*c+1)*e.d+j]/n-float64(mean*mean)) + 2*e.spread(j)/n
			}
		}
	}
	return m
}

// spread returns b of the prior of a column's variances.
func (e *em) spread(j int) float64 {
	return e.smoothing * e.variance[j] * e.total / float64(2*e.k)
}

// prior returns ln p(model), up to a constant.
func (e *em) prior(m *Model) (sum float64) {
	for _, v := range m.LogPrior {
		sum += v
	}
	for _, v := range m.LogTheta {
		sum += float64(e.smoothing * v)
	}
	for i, v := range m.Variances {
		sum -= e.spread(i%e.d) / v
	}
	return sum
}
