package bayes

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/internal/weighted"
)

// Model is what the classes are like. The log-probability of a row x in class c is, up to a term of
// the row alone,
//
//	gaussian     ln π_c − ½ Σ_j ((x_j − μ_cj)²/σ²_cj + ln σ²_cj)
//	multinomial  ln π_c + Σ_j x_j ln θ_cj
type Model struct {
	Likelihood Likelihood
	LogPrior   []float64      // ln π of each class, k values
	Means      dataset.Matrix // gaussian: μ, k×d float64
	// gaussian: σ², k×d; +Inf in constant columns, which count for nothing
	Variances []float64
	LogTheta  []float64 // multinomial: ln θ, k×d
}

// classes returns the number of classes.
func (m *Model) classes() int { return len(m.LogPrior) }

// cols returns the number of values of a row.
func (m *Model) cols() int {
	if m.Likelihood == Gaussian {
		return m.Means.Cols
	}
	return len(m.LogTheta) / len(m.LogPrior)
}

// roots returns of each class the square roots of the inverse variances, k×d, 0 in constant
// columns: a gaussian row is in the class of least Σ(root·(x−μ))² plus offset.
func (m *Model) roots() []float64 {
	roots := make([]float64, len(m.Variances))
	for i, v := range m.Variances {
		roots[i] = 1 / math.Sqrt(v)
	}
	return roots
}

// offsets returns of each class what is added to squared distances: for gaussian models Σ ln σ² − 2
// ln π; for multinomial ones, whose means are ln θ, −‖ln θ‖² − 2 ln π.
func (m *Model) offsets() []float64 {
	k, d := m.classes(), m.cols()
	out := make([]float64, k)
	for c := range k {
		sum := float64(-2 * m.LogPrior[c])
		for j := range d {
			if m.Likelihood == Multinomial {
				sum -= float64(m.LogTheta[c*d+j] * m.LogTheta[c*d+j])
			} else if v := m.Variances[c*d+j]; !math.IsInf(v, 1) {
				sum += elementary.Log(v)
			}
		}
		out[c] = sum
	}
	return out
}

// Predict returns for each row of data the probability of each class, n×k, and the most probable
// class, the lowest among equals. Data need the columns that were fitted. Threads ≤ 0 means one per
// processor.
func (m *Model) Predict(ctx context.Context, data dataset.Matrix,
	threads int) (memberships []float64, labels []int32, err error) {
	if err := data.CheckCols("classes", m.cols()); err != nil {
		return nil, nil, err
	}
	if err := data.CheckSize("data"); err != nil {
		return nil, nil, err
	}
	if err := values(ctx, data, m.Likelihood); err != nil {
		return nil, nil, err
	}
	memberships, labels = make([]float64, data.Rows*m.classes()), make([]int32, data.Rows)
	w := newRows(data, m.classes(), threads, m.Likelihood)
	for i, v := range m.Means.F64 {
		w.Origin[i%w.D] += v / float64(w.K) // amid the means, so that differences keep their digits
	}
	e := newExpectation(m, w.Origin)
	err = w.Each(ctx, func(s *weighted.Space, _ *weighted.Part, lo, n int) {
		e.joint(s, n)
		s.Posteriors(n, weighted.Smallest)
		s.Write(memberships, labels, lo, n)
	})
	if err != nil {
		return nil, nil, fmt.Errorf("bayes: interrupted: %w", err)
	}
	return memberships, labels, nil
}

// expectation is a model made ready for rows less an origin.
type expectation struct {
	model    *Model
	k, d     int
	means    []float64 // k×d, of a gaussian model: less the origin, times the roots
	roots    []float64
	constant []float64 // k: what does not depend on the row
}

func newExpectation(m *Model, origin []float64) *expectation {
	e := &expectation{model: m, k: m.classes(), d: m.cols()}
	if m.Likelihood == Multinomial {
		e.constant = m.LogPrior
		return e
	}
	e.roots, e.constant = m.roots(), m.offsets()
	e.means = make([]float64, e.k*e.d)
	for i, r := range e.roots {
		e.means[i] = float64((m.Means.F64[i] - origin[i%e.d]) * r)
	}
	linalg.Divide(e.constant, -2)
	return e
}

// joint sets the log-probabilities of n rows and each class, k×n.
func (e *expectation) joint(s *weighted.Space, n int) {
	d := e.d
	for c := range e.k {
		to := s.Shares[c*n : (c+1)*n]
		if e.model.Likelihood == Multinomial {
			theta := e.model.LogTheta[c*d : (c+1)*d]
			for i := range to {
				to[i] = e.constant[c] + linalg.Dot(s.Rows[i*d:(i+1)*d], theta)
			}
			continue
		}
		root := e.roots[c*d : (c+1)*d]
		for i := 0; i < n*d; i += d {
			scaled := s.Spare[i : i+d]
			for j, v := range s.Rows[i : i+d] {
				scaled[j] = float64(v * root[j])
			}
		}
		simd.SquaredDistances(to, e.means[c*d:(c+1)*d], s.Spare[:n*d])
		for i, v := range to {
			// a row so far away that the square overflows is in each class to the same degree
			to[i] = math.FMA(min(v, math.MaxFloat64), -0.5, e.constant[c])
		}
	}
}
