package mds

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	extra  = 8  // directions beside those wanted, which make the iteration converge sooner
	rounds = 60 // at most; the start of a descent need not be exact
)

// classical returns the classical scaling of the landmarks (Torgerson; Borg and Groenen eqs. 12.1
// to 12.4): the leading eigenvectors of −½ J D² J, J the centring, by orthogonal iteration with
// Rayleigh-Ritz steps (Golub and Van Loan, Matrix Computations, §8.2.4), each as long as the root
// of its eigenvalue. Where that is not positive, the coordinate is 0, or noise if there are
// negative eigenvalues: the descent cannot leave a coordinate that is 0 everywhere, and only
// Euclidean distances are content with fewer.
func (f *fit) classical(ctx context.Context) ([]point, error) {
	size, wanted := len(f.landmarks), f.cfg.Dimensions
	points := make([]point, size)
	if f.square == 0 {
		return points, nil
	}
	width := min(size, wanted+extra)
	rng := rand.New(rand.NewPCG(f.cfg.Seed, 0x6d6473))
	noise := func() float64 { return float64(rng.IntN(1<<30))/(1<<29) - 1 }
	v := mat.NewDense(size, width, nil)
	for i := range size {
		for k := range width {
			v.Set(i, k, noise())
		}
	}
	var values, before []float64
	var ritz *mat.Dense
	var q *mat.Dense
	for range rounds {
		q = v
		linalg.Orthonormal(q)
		w, err := f.times(ctx, q)
		if err != nil {
			return nil, err
		}
		values, ritz = ritzPairs(q, w)
		if settled(values, before, wanted) {
			break
		}
		before = values
		v = w
	}
	var x mat.Dense
	x.Mul(q, ritz)
	curved := values[width-1] < -1e-4*values[0]
	small := math.Sqrt(f.square/2) / float64(size) * 1e-4
	for k := range min(wanted, width) {
		long := math.Sqrt(max(0, values[k]))
		for i := range size {
			if values[k] > 1e-12*values[0] {
				points[i][k] = float64(long * x.At(i, k))
			} else if curved {
				points[i][k] = small * noise()
			}
		}
	}
	return points, nil
}

// ritzPairs returns the eigenvalues of the matrix within the space of q, the largest first, and the
// vectors in terms of q; w is the matrix times q.
func ritzPairs(q, w *mat.Dense) ([]float64, *mat.Dense) {
	var t mat.Dense
	t.Mul(q.T(), w)
	width, _ := t.Dims()
	sym := mat.NewSymDense(width, nil)
	for i := range width {
		for j := i; j < width; j++ {
			sym.SetSym(i, j, (t.At(i, j)+t.At(j, i))/2)
		}
	}
	return eigen(sym)
}

// eigen returns the eigenvalues of a small symmetric matrix, the largest first, and its
// eigenvectors as columns. A matrix of finite numbers has them; should they not be found, the axes
// stand for them.
func eigen(sym *mat.SymDense) ([]float64, *mat.Dense) {
	values, vectors, err := linalg.Symmetric(sym)
	if err == nil {
		return values, vectors
	}
	width := sym.SymmetricDim()
	values, vectors = make([]float64, width), mat.NewDense(width, width, nil)
	for k := range width {
		values[k] = sym.At(k, k)
		vectors.Set(k, k, 1)
	}
	return values, vectors
}

// settled reports whether the wanted values have changed by less than a millionth of the largest.
func settled(values, before []float64, wanted int) bool {
	if before == nil {
		return false
	}
	for k := range min(wanted, len(values)) {
		if math.Abs(values[k]-before[k]) > 1e-6*math.Abs(values[0]) {
			return false
		}
	}
	return true
}

// times returns −½ J D² J v without forming the matrix.
func (f *fit) times(ctx context.Context, v *mat.Dense) (*mat.Dense, error) {
	size, width := v.Dims()
	in := mat.DenseCopyOf(v)
	centre(in)
	raw := in.RawMatrix()
	out := mat.NewDense(size, width, nil)
	err := parallel.Blocks(ctx, size, blockRows(size), f.cfg.Threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			sum := out.RawRowView(i)
			for j, d := range f.d[i*size : (i+1)*size] {
				weight := -0.5 * float64(float64(d)*float64(d))
				from := raw.Data[j*raw.Stride : j*raw.Stride+len(sum)]
				for k, x := range from {
					sum[k] += float64(weight * x)
				}
			}
		}
	})
	centre(out)
	return out, err
}

// centre takes its mean off each column.
func centre(m *mat.Dense) {
	rows, cols := m.Dims()
	for k := range cols {
		sum := 0.0
		for i := range rows {
			sum += m.At(i, k)
		}
		for i := range rows {
			m.Set(i, k, m.At(i, k)-sum/float64(rows))
		}
	}
}

// turn moves the mean of the points to the origin and turns them to their principal axes, the
// widest first, with a positive coordinate where an axis reaches farthest: distances alone leave
// all of this open.
func turn(points []point, dimensions int) {
	var mean point
	for _, p := range points {
		for k := range mean {
			mean[k] += p[k] / float64(len(points))
		}
	}
	cov := mat.NewSymDense(dimensions, nil)
	for i := range points {
		p := points[i].minus(mean)
		points[i] = p
		for k := range dimensions {
			for l := k; l < dimensions; l++ {
				cov.SetSym(k, l, cov.At(k, l)+float64(p[k]*p[l]))
			}
		}
	}
	_, axes := eigen(cov)
	for i, p := range points {
		points[i] = point{}
		for k := range dimensions {
			for l := range dimensions {
				points[i][k] += float64(p[l] * axes.At(l, k))
			}
		}
	}
	for k := range dimensions {
		flip := 1.0
		if farthest(points, k) < 0 {
			flip = -1
		}
		for i := range points {
			points[i][k] *= flip
			points[i][k] += 0 // no −0
		}
	}
}

// farthest returns coordinate k of the point that lies farthest out along it, the first within a
// billionth.
func farthest(points []point, k int) float64 {
	most := 0.0
	for _, p := range points {
		most = max(most, math.Abs(p[k]))
	}
	for _, p := range points {
		if math.Abs(p[k]) >= float64(most*(1-1e-9)) {
			return p[k]
		}
	}
	return 0
}
