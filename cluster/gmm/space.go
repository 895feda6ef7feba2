package gmm

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/internal/weighted"
)

// negligible is the logarithm of the share beside the greatest that counts as none: adding it to 1
// changes nothing.
const negligible = -40

// work is a pass over the rows, and the mixture that it goes by.
type work struct {
	*weighted.Rows
	kind  Covariance
	floor float64 // ε

	weights []float64 // K
	means   []float64 // K×D, less the origin
	cov     []float64 // see Mixture.Covariances
	root    []float64 // of cov: inverses of Cholesky factors, or of standard deviations
	shifted []float64 // K×D: of tied covariances, the root times each mean
	base    []float64 // K: the log-density of a row on the mean, and of the component's weight
	total   []float64 // of tied covariances: Σ xxᵀ over all rows, lower triangle
}

// size returns the number of values of one covariance.
func (w *work) size() int {
	switch w.kind {
	case Full, Tied:
		return w.D * (w.D + 1) / 2
	case Diagonal:
		return w.D
	}
	return 1
}

// powers returns what is summed of the values to estimate covariances.
func powers(kind Covariance) weighted.Powers {
	switch kind {
	case Full:
		return weighted.Products
	case Tied:
		return weighted.Values
	}
	return weighted.Squares
}

// moments returns the means of the columns of data and the sums of their squares about them, or
// the lower triangle of those of products.
func moments(ctx context.Context, r *weighted.Rows) (means, sums []float64, err error) {
	err = r.Each(ctx, func(s *weighted.Space, p *weighted.Part, _, n int) {
		for i := range n {
			s.Weights[i] = 1
		}
		s.Add(p, n)
	})
	if err != nil {
		return nil, nil, err
	}
	all, _ := r.Sums()
	means, sums = all[:r.D], all[r.D:]
	for j := range means {
		means[j] /= float64(r.N)
		if means[j]-means[j] != 0 {
			return nil, nil, tooFar()
		}
	}
	return means, sums, nil
}

// tooFar is the error where sums overflow.
func tooFar() error {
	return fault.Inputf("scale the columns, to 0..1 say",
		"the values are not finite, or lie so far apart that sums over rows overflow")
}

// densities sets the shares of n rows to the logarithms of their densities under each component,
// times its weight.
func (w *work) densities(s *weighted.Space, n int) {
	d := w.D
	cols := s.Spare[:n*d]
	linalg.Transpose(cols, s.Rows[:n*d], d)
	if w.kind == Tied {
		whiten(cols, cols, w.root, n)
	}
	for c := range w.K {
		far := s.Shares[c*n : (c+1)*n]
		mean := w.means[c*d : (c+1)*d]
		half := 0.5
		switch w.kind {
		case Full:
			size := w.size()
			mahalanobis(far, s.A[:n], cols, mean, w.root[c*size:(c+1)*size])
		case Diagonal:
			weighed(far, cols, mean, w.root[c*d:(c+1)*d])
		case Tied:
			simd.SquaredDistancesColumns(far, w.shifted[c*d:(c+1)*d], cols, n)
		case Spherical:
			simd.SquaredDistancesColumns(far, mean, cols, n)
			half *= float64(w.root[c] * w.root[c])
		}
		for i, v := range far {
			far[i] = math.FMA(-half, v, w.base[c])
		}
	}
}

// mahalanobis sets far to ‖L(x − μ)‖² of columns x, L being a lower triangle row by row. Y is
// scratch.
func mahalanobis(far, y, cols, mean, root []float64) {
	n := len(far)
	clear(far)
	for r := range mean {
		row := root[r*(r+1)/2:][:r+1]
		start := 0.0
		for l, v := range row {
			start = math.FMA(-v, mean[l], start)
		}
		for i := range y {
			y[i] = start
		}
		multiply(y, cols, row, n)
		for i, v := range y {
			far[i] = math.FMA(v, v, far[i])
		}
	}
}

// multiply adds to y the sum of columns of n values, each by its factor.
func multiply(y, cols, factors []float64, n int) {
	l := 0
	for ; l+4 <= len(factors); l += 4 {
		a, b, c, d := factors[l], factors[l+1], factors[l+2], factors[l+3]
		p, q := cols[l*n:][:len(y)], cols[(l+1)*n:][:len(y)]
		r, s := cols[(l+2)*n:][:len(y)], cols[(l+3)*n:][:len(y)]
		for i, v := range y {
			y[i] = math.FMA(d, s[i], math.FMA(c, r[i], math.FMA(b, q[i], math.FMA(a, p[i], v))))
		}
	}
	for ; l < len(factors); l++ {
		a, p := factors[l], cols[l*n:][:len(y)]
		for i, v := range y {
			y[i] = math.FMA(a, p[i], v)
		}
	}
}

// weighed sets far to Σ (r_j (x_j − μ_j))² of columns x.
func weighed(far, cols, mean, root []float64) {
	clear(far)
	for j, m := range mean {
		r := root[j]
		for i, v := range cols[j*len(far):][:len(far)] {
			t := float64((v - m) * r)
			far[i] = math.FMA(t, t, far[i])
		}
	}
}

// whiten sets dst to L times each of n columns of x, which may be dst; L is a lower triangle row by
// row.
func whiten(dst, x, root []float64, n int) {
	d := len(x) / n
	y := make([]float64, n)
	for r := d - 1; r >= 0; r-- {
		clear(y)
		multiply(y, x, root[r*(r+1)/2:][:r+1], n)
		copy(dst[r*n:(r+1)*n], y)
	}
}

// entropy returns −Σ u ln u of the shares of n rows.
func entropy(shares []float64) (sum float64) {
	for _, u := range shares {
		if u > 0 && u < 1 {
			sum -= float64(u * elementary.Log(u))
		}
	}
	return sum
}
