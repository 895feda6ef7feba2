package gmm

import (
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
)

// Result is a mixture of K Gaussians fitted to n rows of d values. Memberships, Labels and
// LogLikelihood belong to the components as they stand.
type Result struct {
	Mixture

	// n×K: the probability that each row is of each component; every row adds up to 1
	Memberships []float64
	Labels      []int32 // the most probable component of each row, from 0

	LogLikelihood float64 // of all rows, in nats
	Entropy       float64 // −Σ u ln u of the memberships

	Iterations int // of the start that was kept
	// fit.Converged: the log-likelihood stayed; fit.Tolerance or fit.IterationLimit
	Stopped fit.Reason
	// the log-likelihood of each iteration's memberships, under the components before them
	Trace []float64
	Start int // the start that was kept, from 0
}

// Mixture is the components of a Gaussian mixture.
type Mixture struct {
	Covariance Covariance
	Weights    []float64      // K, adding up to 1
	Means      dataset.Matrix // K×d, float64
	// Covariances is, by Covariance: of Full K, of Tied one lower triangle row by row, d(d+1)/2
	// values each; of Diagonal K×d variances; of Spherical K variances.
	Covariances []float64
	Floor       float64 // ε, in squared units of the data: a part of each variance
}

// Parameters returns the number of free parameters of the mixture.
func (m *Mixture) Parameters() int { return m.Means.Rows*(m.Means.Cols+1) - 1 + len(m.Covariances) }

// BIC returns the Bayesian information criterion of a fit, −2 ln L + p ln n (Schwarz 1978), where p
// is [Mixture.Parameters]: lower is better.
func (r *Result) BIC() float64 {
	return -2*r.LogLikelihood + float64(r.Parameters())*elementary.Log(float64(len(r.Labels)))
}

// AIC returns Akaike's information criterion of a fit, −2 ln L + 2p: lower is better.
func (r *Result) AIC() float64 { return -2*r.LogLikelihood + 2*float64(r.Parameters()) }

// ICL returns the integrated completed likelihood of a fit as a criterion, BIC + 2·Entropy
// (Biernacki, Celeux and Govaert 2000): lower is better. It favours components that are clusters
// apart from each other.
func (r *Result) ICL() float64 { return r.BIC() + 2*r.Entropy }
