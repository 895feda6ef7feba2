package constrained

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
)

// metrics are those of all clusters. With V the matrix that a cluster's metric is the inverse of,
// root is W with WᵀW = A.
type metrics struct {
	kind   fit.Metric
	k, d   int
	units  []float64 // d: the variance of each column, the mean one of its block, 1 where that is 0
	blocks [][]int   // columns that have one weight
	root   []float64 // k×size: the diagonal of W, or its lower triangle row by row
	logDet []float64 // k: ln det A
}

// floor is the least variance, in any direction, that a metric reckons with, as a share of the
// variances of the columns.
const floor = 0.01

// newMetrics starts with the identity.
func newMetrics(kind fit.Metric, k int, units []float64, blocks [][]int) *metrics {
	m := &metrics{kind: kind, k: k, d: len(units), units: units, blocks: blocks,
		logDet: make([]float64, k)}
	m.root = make([]float64, k*m.size())
	for c := range k {
		for j := range m.d {
			m.root[c*m.size()+m.diagonal(j)] = 1
		}
	}
	return m
}

// size returns the number of values of a matrix.
func (m *metrics) size() int {
	if m.kind == fit.Full {
		return m.d * (m.d + 1) / 2
	}
	return m.d
}

// diagonal returns where the diagonal entry of column j lies.
func (m *metrics) diagonal(j int) int {
	if m.kind == fit.Full {
		return j*(j+1)/2 + j
	}
	return j
}

// rooted sets out to W·gap for rows of gaps, each of d values. Out may not be gaps.
func (m *metrics) rooted(out, gaps []float64, c int) {
	root := m.root[c*m.size():][:m.size()]
	if m.kind == fit.Euclidean {
		copy(out, gaps)
		return
	}
	for at := 0; at < len(gaps); at += m.d {
		gap, to := gaps[at:at+m.d], out[at:at+m.d]
		if m.kind == fit.Diagonal {
			for j, v := range gap {
				to[j] = float64(v * root[j])
			}
			continue
		}
		row := root
		for j := range gap {
			to[j] = linalg.Dot(row[:j+1], gap[:j+1])
			row = row[j+1:]
		}
	}
}

// measurer is scratch memory to measure with.
type measurer struct {
	*metrics
	gaps, rooted, centers []float64
	zero                  []float64
}

// distances sets dst to the squared distances of rows from a centre in the metric of cluster c.
func (s *measurer) distances(dst, rows, center []float64, c int) {
	switch s.kind {
	case fit.Euclidean:
		simd.SquaredDistances(dst, center, rows)
	case fit.Diagonal:
		root := s.root[c*s.d:][:s.d]
		for i := range dst {
			dst[i] = weighted(rows[i*s.d:(i+1)*s.d], center, root)
		}
	default:
		if s.zero == nil {
			s.zero = make([]float64, s.d)
		}
		s.place(rows, center, c)
		simd.SquaredDistances(dst, s.zero, s.rooted)
	}
}

// place sets rooted to W·(row − from) for each of the rows.
func (s *measurer) place(rows, from []float64, c int) {
	s.gaps, s.rooted = slices.Grow(s.gaps[:0], len(rows))[:len(rows)],
		slices.Grow(s.rooted[:0], len(rows))[:len(rows)]
	less(s.gaps, rows, from)
	s.metrics.rooted(s.rooted, s.gaps, c)
}

// shared sets dst, k×rows, to the squared distances from all centres in the one metric that they
// share.
func (s *measurer) shared(dst, rows, centers, origin []float64) {
	n := len(rows) / s.d
	s.place(centers, origin, 0)
	s.centers = append(s.centers[:0], s.rooted...)
	s.place(rows, origin, 0)
	for c := range len(centers) / s.d {
		simd.SquaredDistances(dst[c*n:(c+1)*n], s.centers[c*s.d:(c+1)*s.d], s.rooted)
	}
}

// less sets gaps to the rows less a point. They may be the same.
func less(gaps, rows, from []float64) {
	d := len(from)
	for at := 0; at < len(rows); at += d {
		to := gaps[at : at+d]
		for j, v := range rows[at : at+d] {
			to[j] = v - from[j]
		}
	}
}

// weighted is Σ (w·(a − b))², in four chains.
func weighted(a, b, w []float64) float64 {
	b, w = b[:len(a)], w[:len(a)]
	var p, q, r, s float64
	i := 0
	for ; i+4 <= len(a); i += 4 {
		g, h, k, l := float64((a[i]-b[i])*w[i]), float64((a[i+1]-b[i+1])*w[i+1]),
			float64((a[i+2]-b[i+2])*w[i+2]), float64((a[i+3]-b[i+3])*w[i+3])
		p, q, r, s = p+float64(g*g), q+float64(h*h), r+float64(k*k), s+float64(l*l)
	}
	for ; i < len(a); i++ {
		g := float64((a[i] - b[i]) * w[i])
		p += float64(g * g)
	}
	return (p + q) + (r + s)
}

// add adds w·v·vᵀ to a matrix.
func (m *metrics) add(matrix, v []float64, w float64) {
	if m.kind != fit.Full {
		for j, x := range v {
			matrix[j] = math.FMA(float64(w*x), x, matrix[j])
		}
		return
	}
	for r, x := range v {
		x, row := float64(w*x), matrix[r*(r+1)/2:][:r+1]
		for c := range row {
			row[c] = math.FMA(x, v[c], row[c])
		}
	}
}

// join sets the variances of all columns of a block to their mean, and the covariances to 0: the
// inverse is of all metrics of such a form that of least tr(A V) − ln det A.
func (m *metrics) join(v []float64) {
	for _, block := range m.blocks {
		sum := 0.0
		for _, j := range block {
			sum += v[m.diagonal(j)]
		}
		for _, j := range block {
			if m.kind == fit.Full {
				clear(v[j*(j+1)/2:][:j])
				for i := j + 1; i < m.d; i++ {
					v[i*(i+1)/2+j] = 0
				}
			}
			v[m.diagonal(j)] = sum / float64(len(block))
		}
	}
}

// set makes V the inverse of the metric of cluster c, after raising to the floor what lies below:
// the diagonal, or the eigenvalues, both in units of the variances of the columns. It changes V.
// The metric that results is, of all whose variances are no less than the floor, that of least tr(A
// V) − ln det A. When ctx is done it is any.
func (m *metrics) set(ctx context.Context, c int, v []float64) {
	root := m.root[c*m.size():][:m.size()]
	sum := 0.0
	m.join(v)
	if m.kind == fit.Diagonal {
		for j, x := range v {
			x = max(x, floor*m.units[j])
			root[j] = 1 / math.Sqrt(x)
			sum += elementary.Log(x)
		}
		m.logDet[c] = -sum
		return
	}
	for r := range m.d {
		for q := range r + 1 {
			v[r*(r+1)/2+q] /= math.Sqrt(float64(m.units[r] * m.units[q]))
		}
	}
	raise(ctx, v, m.d)
	l := linalg.Lower{N: m.d, A: v}
	l.Factor(linalg.AtLeast(floor)) // no pivot is less, but for rounding
	for r := range m.d {
		for q := range r + 1 {
			v[r*(r+1)/2+q] *= math.Sqrt(m.units[r])
		}
		sum += elementary.Log(v[m.diagonal(r)])
	}
	m.logDet[c] = -2 * sum
	copy(root, v)
	linalg.Lower{N: m.d, A: root}.Invert()
}
