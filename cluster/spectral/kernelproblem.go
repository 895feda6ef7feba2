package spectral

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/link"
)

// kernelProblem is the least-squares problem of CCSR in packed form: ½zᵀBz − bᵀz + c over z, the
// upper triangle of M, row by row, entries off the diagonal times √2, so that lengths of z are
// those of M.
type kernelProblem struct {
	m, size int
	b       []float64 // size×size, symmetric
	linear  []float64
	offset  float64
}

// packed returns the upper triangle of a symmetric matrix, entries off the diagonal times √2.
func packed(a *mat.SymDense) []float64 {
	m := a.SymmetricDim()
	z := make([]float64, 0, m*(m+1)/2)
	for i := range m {
		for j := i; j < m; j++ {
			v := a.At(i, j)
			if i != j {
				v *= math.Sqrt2
			}
			z = append(z, v)
		}
	}
	return z
}

func unpacked(z []float64, m int) *mat.SymDense {
	a := mat.NewSymDense(m, nil)
	at := 0
	for i := range m {
		for j := i; j < m; j++ {
			v := z[at]
			if i != j {
				v /= math.Sqrt2
			}
			a.SetSym(i, j, v)
			at++
		}
	}
	return a
}

// outer sets s so that its product with a packed M is uᵀMv.
func outer(s, u, v []float64) {
	at := 0
	for i, a := range u {
		s[at] = float64(a * v[i])
		at++
		for j := i + 1; j < len(u); j++ {
			s[at] = (float64(a*v[j]) + float64(u[j]*v[i])) / math.Sqrt2
			at++
		}
	}
}

// newKernelProblem adds up the terms of all rows, each node as often as it has rows, and of the
// links.
func newKernelProblem(ctx context.Context, g *Graph, rows []float64, m int, links []link.Link,
	weight float64, threads int) (*kernelProblem, error) {
	size := m * (m + 1) / 2
	p := &kernelProblem{m: m, size: size, b: make([]float64, size*size),
		linear: make([]float64, size)}
	times := make([]float64, g.Nodes())
	for _, c := range g.Node {
		times[c]++
	}
	u := func(row int) []float64 { c := int(g.Node[row]); return rows[c*m : (c+1)*m] }
	// A band of B a block, each adding the terms of all nodes in order.
	const band = 8
	err := parallel.Blocks(ctx, size, band, threads, func(_, lo, hi int) {
		s := make([]float64, size)
		for i, t := range times {
			if i%4096 == 0 && ctx.Err() != nil {
				return
			}
			outer(s, rows[i*m:(i+1)*m], rows[i*m:(i+1)*m])
			p.add(s, 2*t, 1, lo, hi)
		}
		for _, l := range links {
			if l.Kind == link.Unknown {
				continue
			}
			outer(s, u(l.A), u(l.B))
			target := 0.0
			if l.Kind == link.MustLink {
				target = 1
			}
			p.add(s, 2*weight*l.Confidence(), target, lo, hi)
		}
	})
	for a := range size {
		for b := range a {
			p.b[a*size+b] = p.b[b*size+a]
		}
	}
	p.offset = float64(g.Rows())
	for _, l := range links {
		if l.Kind == link.MustLink {
			p.offset += weight * l.Confidence()
		}
	}
	return p, err
}

// add adds ½w(sᵀz − target)² to rows lo to hi of B, of the upper triangle, and to the linear part.
func (p *kernelProblem) add(s []float64, w, target float64, lo, hi int) {
	for a := lo; a < hi; a++ {
		f := w * s[a]
		p.linear[a] += float64(f * target)
		row := p.b[a*p.size+a : (a+1)*p.size]
		for b, v := range s[a:] {
			row[b] += float64(f * v)
		}
	}
}

// gradient sets dst to Bz − b.
func (p *kernelProblem) gradient(dst, z []float64) {
	for a := range dst {
		sum := -p.linear[a]
		for b, v := range p.b[a*p.size : (a+1)*p.size] {
			sum += float64(v * z[b])
		}
		dst[a] = sum
	}
}

// objective returns the value at z.
func (p *kernelProblem) objective(z []float64) float64 {
	g := make([]float64, p.size)
	p.gradient(g, z)
	sum := p.offset
	for a, v := range z {
		sum += float64(v*(g[a]-p.linear[a])) / 2
	}
	return max(0, sum)
}

// lipschitz bounds the largest eigenvalue of B from above, by the power method and a margin.
func (p *kernelProblem) lipschitz() float64 {
	x, y := make([]float64, p.size), make([]float64, p.size)
	for a := range x {
		x[a] = 1 + float64(a%7)/7
	}
	value := 0.0
	for range 100 {
		norm := math.Sqrt(linalg.DotInOrder(x, x))
		if norm == 0 {
			break
		}
		for a := range x {
			x[a] /= norm
			y[a] = p.linear[a]
		}
		p.gradient(y, x)
		for a := range y {
			y[a] += p.linear[a]
		}
		value = math.Sqrt(linalg.DotInOrder(y, y))
		x, y = y, x
	}
	return 1.05*value + 1e-300
}

// project returns the nearest semidefinite matrix.
func (p *kernelProblem) project(z []float64) ([]float64, error) {
	values, vectors, err := linalg.Symmetric(unpacked(z, p.m))
	if err != nil {
		return nil, err
	}
	if values[p.m-1] >= 0 {
		return z, nil
	}
	out, s, v := make([]float64, p.size), make([]float64, p.size), make([]float64, p.m)
	for c, value := range values {
		if value <= 0 {
			break
		}
		for i := range v {
			v[i] = vectors.At(i, c)
		}
		outer(s, v, v) // √2·v_i·v_j off the diagonal, as packed has it
		for a := range out {
			out[a] += float64(value * s[a])
		}
	}
	return out, nil
}

// solve starts from the multiple of the identity that suits the rows best.
func (p *kernelProblem) solve(ctx context.Context, most int, tolerance float64,
	progress func(float64)) (*mat.SymDense, int, bool, error) {
	identity := mat.NewSymDense(p.m, nil)
	for i := range p.m {
		identity.SetSym(i, i, 1)
	}
	z, g := packed(identity), make([]float64, p.size)
	p.gradient(g, z)
	curve := linalg.DotInOrder(z, g) + linalg.DotInOrder(z, p.linear)
	if curve > 0 {
		by := linalg.DotInOrder(z, p.linear) / curve
		for a := range z {
			z[a] *= by
		}
	}
	step := 1 / p.lipschitz()
	y, t, value := append([]float64(nil), z...), 1.0, p.objective(z)
	for k := 1; k <= most; k++ {
		if ctx.Err() != nil {
			return nil, k, false, ctx.Err()
		}
		if k%16 == 0 {
			progress(float64(k) / float64(most))
		}
		p.gradient(g, y)
		next := make([]float64, p.size)
		for a := range next {
			next[a] = y[a] - float64(step*g[a])
		}
		next, err := p.project(next)
		if err != nil {
			return nil, k, false, err
		}
		moved := 0.0
		for a := range next {
			d := next[a] - y[a]
			moved += float64(d * d)
		}
		now := p.objective(next)
		if now > value && t > 1 {
			copy(y, z) // too far: from the last point, without momentum
			t = 1
			continue
		}
		value = now
		after := (1 + math.Sqrt(1+4*t*t)) / 2
		for a := range y {
			y[a] = next[a] + float64((t-1)/after*(next[a]-z[a]))
		}
		z, t = next, after
		if math.Sqrt(moved) <= tolerance*math.Sqrt(linalg.DotInOrder(z, z)) {
			return unpacked(z, p.m), k, true, nil
		}
	}
	return unpacked(z, p.m), most, false, nil
}
