package gmm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/weighted"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// Methods returns the methods of this package.
func Methods() []method.Method {
	return []method.Method{{
		Name:  "gmm",
		Title: "Gaussian mixture: each row belongs to every cluster with a probability",
		Source: "Dempster, Laird and Rubin, JRSS B 1977; McLachlan and Peel, Finite Mixture " +
			"Models (2000)",
		NeedsClusters: true,
		Masses:        true,
		Degrees:       true,
		Draws:         true,
		Criteria:      []string{"bic", "aic", "icl"},
		Invariant:     method.ToFactor,
		Configure: func(set *param.Set) method.Steps {
			c := &Config{}
			method.Clusters(set, &c.Clusters)
			param.Enum(set, &c.Covariance, Full, param.Param{Name: "covariance", Basic: true,
				Choices: CovarianceNames(), Help: "shapes of the clusters: any, along the axes, " +
					"one for all, or round"})
			set.Float(&c.Regularisation, param.Param{Name: "regularisation", Above: true, Max: 1,
				Default: "1e-06", Example: "1e-6", Help: "added to the variances of clusters, as a " +
					"share of the mean variance of the columns"})
			method.Starts(set, &c.Starts, param.Param{Default: "1"})
			method.MaxIterations(set, &c.MaxIterations, param.Param{Default: "300"})
			method.Tolerance(set, &c.Tolerance, param.Param{Default: "0.0001",
				Help: "a start ends once an iteration raises the log-likelihood per row by less"})
			method.Seed(set, &c.Seed)
			return method.Steps{Fit: c.outcome}
		},
	}}
}

func (c *Config) outcome(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if c.Clusters == 0 {
		return nil, method.NeedsClusters("a Gaussian mixture")
	}
	cfg := *c
	cfg.Options = p.Options(c.Seed)
	r, err := Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	out, err := method.ByDegrees(r.Memberships, r.Labels, r.Means, method.Degrees{})
	if err != nil {
		return nil, err
	}
	r.place(out.Model)
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = -r.LogLikelihood,
		"negative log-likelihood", r.Iterations, "iteration", r.Stopped.String()
	out.Detail = &detail{r}
	if !r.collapsed() {
		out.Criteria = map[string]float64{"bic": r.BIC(), "aic": r.AIC(), "icl": r.ICL()}
	}
	if n := r.shrunken(); n > 0 {
		out.Note(n, "as narrow as --regularisation lets it be: there may be too many clusters, or "+
			"rows that are the same", "cluster")
	}
	return out, nil
}

// place completes a model of the means: a row is of the component under which it is most probable.
func (r *Result) place(m *method.Model) {
	k, d := r.Means.Rows, r.Means.Cols
	w := &work{Rows: &weighted.Rows{K: k, D: d}, kind: r.Covariance, floor: r.Floor,
		weights: r.Weights, means: r.Means.F64, cov: r.Covariances, root: make([]float64, len(r.Covariances)), base: make([]float64, k),
		shifted: make([]float64, k*d)}
	w.refresh()
	m.Metric, m.Roots, m.Offsets = "diagonal", w.root, make([]float64, k)
	switch r.Covariance {
	case Full:
		m.Metric = "full"
	case Tied:
		m.Metric, m.Roots = "full", slices.Repeat(w.root, k)
	case Spherical:
		m.Roots = nil
		for _, v := range w.root {
			m.Roots = append(m.Roots, slices.Repeat([]float64{v}, d)...)
		}
	}
	for c, base := range w.base {
		m.Offsets[c] = max(-2*base, -math.MaxFloat64)
		if math.IsInf(base, -1) { // of no weight: no row is of it
			m.Offsets[c] = math.MaxFloat64
		}
	}
}

// collapsed reports whether a component has too few rows for a covariance, so that the likelihood
// depends on the regularisation, and cannot be compared.
func (r *Result) collapsed() bool {
	need := 2
	switch r.Covariance {
	case Tied:
		return false
	case Full:
		need += r.Means.Cols - 1
	}
	return slices.Min(r.Weights)*float64(len(r.Labels)) < float64(need)-.5 && len(r.Weights) > 1
}

// shrunken returns the number of components with a variance, along an axis, of twice ε or less in a
// column that has more.
func (r *Result) shrunken() (count int) {
	if r.Covariance == Tied {
		return 0
	}
	d := r.Means.Cols
	size := len(r.Covariances) / r.Means.Rows
	wide := make([]bool, d) // where some component has more
	narrow := func(c, j int) bool {
		at := min(j, size-1)
		if r.Covariance == Full {
			at = j*(j+1)/2 + j
		}
		return r.Covariances[c*size+at] <= 2*r.Floor
	}
	for c := range r.Means.Rows {
		for j := range d {
			wide[j] = wide[j] || !narrow(c, j)
		}
	}
	for c := range r.Means.Rows {
		for j := range d {
			if wide[j] && narrow(c, j) {
				count++
				break
			}
		}
	}
	return count
}

// detail is what the method reports besides.
type detail struct{ r *Result }

// Figures returns the criteria of the fit.
func (d *detail) Figures() any {
	return struct {
		Covariance    string    `json:"covariance"`
		Parameters    int       `json:"parameters"`
		LogLikelihood float64   `json:"log_likelihood"`
		BIC           float64   `json:"bic"`
		AIC           float64   `json:"aic"`
		ICL           float64   `json:"icl"`
		Weights       []float64 `json:"weights"` // of the largest cluster first
	}{d.r.Covariance.String(), d.r.Parameters(), d.r.LogLikelihood, d.r.BIC(), d.r.AIC(), d.r.ICL(),
		d.weights()}
}

// weights returns the weights of the components, the greatest first.
func (d *detail) weights() []float64 {
	w := slices.Sorted(slices.Values(d.r.Weights))
	slices.Reverse(w)
	return w
}

// Summary returns the log-likelihood and the criteria.
func (d *detail) Summary(o *method.Outcome) string {
	return fmt.Sprintf(", log-likelihood %.6g, BIC %.6g after %s (%s)", d.r.LogLikelihood,
		d.r.BIC(), words.Count(o.Iterations, o.Unit), o.Stopped)
}

// Lines returns nothing.
func (d *detail) Lines() []string { return nil }
