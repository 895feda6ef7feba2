package gmm

import (
	"math"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
)

// maximise sets the components to what is most likely under the shares of the last pass. One that
// no row belongs to stays where it is, with no weight.
func (w *work) maximise() {
	sums, weights := w.Sums()
	all := linalg.Sum(weights)
	f, d, size := len(sums)/w.K, w.D, w.size()
	if w.kind == Tied {
		for i, v := range w.total {
			w.cov[i] = v / float64(w.N)
		}
	}
	for c, weight := range weights {
		w.weights[c] = weight / all
		if weight == 0 {
			continue
		}
		sum, mean := sums[c*f:(c+1)*f], w.means[c*d:(c+1)*d]
		for j := range mean {
			mean[j] = sum[j] / weight
		}
		switch powers := sum[d:]; w.kind {
		case Full:
			w.spread(w.cov[c*size:(c+1)*size], powers, mean, weight)
		case Diagonal:
			for j, m := range mean {
				w.cov[c*d+j] = max(0, powers[j]/weight-float64(m*m)) + w.floor
			}
		case Spherical:
			mean2 := 0.0
			for j, m := range mean {
				mean2 += max(0, powers[j]/weight-float64(m*m))
			}
			w.cov[c] = mean2/float64(d) + w.floor
		case Tied:
			lower(w.cov, func(at, a, b int) {
				w.cov[at] -= float64(w.weights[c] * float64(mean[a]*mean[b]))
			})
		}
	}
	if w.kind == Tied {
		for j := range d {
			at := j*(j+1)/2 + j
			w.cov[at] = max(0, w.cov[at]) + w.floor
		}
	}
	w.refresh()
}

// spread sets a full covariance by sums of products.
func (w *work) spread(cov, products, mean []float64, weight float64) {
	lower(cov, func(at, a, b int) {
		cov[at] = products[at]/weight - float64(mean[a]*mean[b])
		if a == b {
			cov[at] = max(0, cov[at]) + w.floor
		}
	})
}

// lower calls do for each place of a lower triangle, row a and column b.
func lower(triangle []float64, do func(at, a, b int)) {
	a, b := 0, 0
	for at := range triangle {
		do(at, a, b)
		if b++; b > a {
			a, b = a+1, 0
		}
	}
}

const ln2Pi = 1.83787706640934548356065947281123527972279494727556682563430308

// refresh makes the roots and bases of the covariances. With x a row and e noise of variance ε, the
// expected log-density of x + e is that of x less ½ ε tr Σ⁻¹.
func (w *work) refresh() {
	d, size := w.D, w.size()
	copy(w.root, w.cov)
	var det, trace float64 // of the covariance, its logarithm; of the inverse
	for c := range w.K {
		if w.kind != Tied || c == 0 {
			det, trace = w.invert(w.root[c*size : (c+1)*size])
		}
		w.base[c] = math.Inf(-1)
		if w.weights[c] > 0 {
			w.base[c] = elementary.Log(w.weights[c]) -
				0.5*(float64(float64(d)*ln2Pi)+det+float64(w.floor*trace))
		}
		if w.kind == Tied {
			to := w.shifted[c*d : (c+1)*d]
			whiten(to, w.means[c*d:(c+1)*d], w.root, 1)
		}
	}
}

// invert replaces a covariance by the inverse of its root, and returns the logarithm of its
// determinant and the trace of its inverse.
func (w *work) invert(a []float64) (det, trace float64) {
	d := float64(w.D)
	switch w.kind {
	case Full, Tied:
		l := linalg.Lower{N: w.D, A: a}
		l.Factor(linalg.AtLeast(w.floor))
		for i := range w.D {
			det += 2 * elementary.Log(l.Row(i)[i])
		}
		l.Invert()
		for _, v := range a {
			trace += float64(v * v)
		}
	case Diagonal:
		for j, v := range a {
			det += elementary.Log(v)
			trace += 1 / v
			a[j] = 1 / math.Sqrt(v)
		}
	case Spherical:
		det, trace = float64(d*elementary.Log(a[0])), d/a[0]
		a[0] = 1 / math.Sqrt(a[0])
	}
	return det, trace
}
