package linalg

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/internal/parallel"
)

// chunk is the number of elements of a vector that one block takes.
const chunk = 2048

// space does the arithmetic of long vectors, with sums that do not depend on the number of threads.
type space struct {
	n, threads int
	parts      []float64
}

// partials returns f zeroed sums per block.
func (s *space) partials(f int) []float64 {
	size := parallel.Count(s.n, chunk) * f
	if cap(s.parts) < size {
		s.parts = make([]float64, size)
	}
	s.parts = s.parts[:size]
	clear(s.parts)
	return s.parts
}

// total adds the partial sums up in the order of the blocks.
func total(dst, parts []float64) {
	clear(dst)
	for at := 0; at < len(parts); at += len(dst) {
		for q := range dst {
			dst[q] += parts[at+q]
		}
	}
}

// dots sets h[q] to the product of w with vector q of v.
func (s *space) dots(ctx context.Context, h []float64, v [][]float64, w []float64) error {
	f := len(v)
	parts := s.partials(f)
	err := parallel.Blocks(ctx, s.n, chunk, s.threads, func(b, lo, hi int) {
		dotsOf(parts[b*f:(b+1)*f], v, w, lo, hi)
	})
	total(h[:f], parts)
	return err
}

// dotsOf takes four vectors at a time, so that w is read once for the four.
func dotsOf(out []float64, v [][]float64, w []float64, lo, hi int) {
	x := w[lo:hi]
	q := 0
	for ; q+4 <= len(v); q += 4 {
		a, b, c, d := v[q][lo:hi], v[q+1][lo:hi], v[q+2][lo:hi], v[q+3][lo:hi]
		a, b, c, d = a[:len(x)], b[:len(x)], c[:len(x)], d[:len(x)]
		var sa, sb, sc, sd float64
		for i, t := range x {
			sa += float64(t * a[i])
			sb += float64(t * b[i])
			sc += float64(t * c[i])
			sd += float64(t * d[i])
		}
		out[q], out[q+1], out[q+2], out[q+3] = sa, sb, sc, sd
	}
	for ; q < len(v); q++ {
		a := v[q][lo:hi]
		a = a[:len(x)]
		sum := 0.0
		for i, t := range x {
			sum += float64(t * a[i])
		}
		out[q] = sum
	}
}

// subtract takes Σ h[q]·v[q] off w and returns the squared norm of what is left.
func (s *space) subtract(ctx context.Context, w, h []float64, v [][]float64) (float64, error) {
	parts := s.partials(1)
	err := parallel.Blocks(ctx, s.n, chunk, s.threads, func(b, lo, hi int) {
		subtractFrom(w, h, v, lo, hi)
		sum := 0.0
		for _, t := range w[lo:hi] {
			sum += float64(t * t)
		}
		parts[b] = sum
	})
	var sum [1]float64
	total(sum[:], parts)
	return sum[0], err
}

func subtractFrom(w, h []float64, v [][]float64, lo, hi int) {
	x := w[lo:hi]
	q := 0
	for ; q+4 <= len(v); q += 4 {
		a, b, c, d := v[q][lo:hi], v[q+1][lo:hi], v[q+2][lo:hi], v[q+3][lo:hi]
		a, b, c, d = a[:len(x)], b[:len(x)], c[:len(x)], d[:len(x)]
		ha, hb, hc, hd := h[q], h[q+1], h[q+2], h[q+3]
		for i, t := range x {
			x[i] = t - ((float64(ha*a[i]) + float64(hb*b[i])) +
				(float64(hc*c[i]) + float64(hd*d[i])))
		}
	}
	for ; q < len(v); q++ {
		a, hq := v[q][lo:hi], h[q]
		a = a[:len(x)]
		for i, t := range x {
			x[i] = t - float64(hq*a[i])
		}
	}
}

// scale multiplies w by a factor.
func (s *space) scale(w []float64, by float64) {
	for i := range w {
		w[i] = float64(w[i] * by)
	}
}

// rotate replaces the first p vectors of v by combinations of all: new vector c is Σ_q
// s[q*p+c]·v[q].
func (s *space) rotate(ctx context.Context, v [][]float64, coef []float64, p int) error {
	m := len(v)
	return parallel.Blocks(ctx, s.n, 256, s.threads, func(_, lo, hi int) {
		size := hi - lo
		out := make([]float64, p*size)
		c := 0
		for ; c+2 <= p; c += 2 {
			y, z := out[c*size:(c+1)*size], out[(c+1)*size:(c+2)*size]
			z = z[:len(y)]
			q := 0
			for ; q+2 <= m; q += 2 {
				a, b := v[q][lo:hi], v[q+1][lo:hi]
				a, b = a[:len(y)], b[:len(y)]
				ya, yb, za, zb := coef[q*p+c], coef[(q+1)*p+c], coef[q*p+c+1], coef[(q+1)*p+c+1]
				for i := range y {
					y[i] += float64(ya*a[i]) + float64(yb*b[i])
					z[i] += float64(za*a[i]) + float64(zb*b[i])
				}
			}
			for ; q < m; q++ {
				a := v[q][lo:hi]
				a = a[:len(y)]
				ya, za := coef[q*p+c], coef[q*p+c+1]
				for i := range y {
					y[i] += float64(ya * a[i])
					z[i] += float64(za * a[i])
				}
			}
		}
		for ; c < p; c++ {
			y := out[c*size : (c+1)*size]
			for q := range m {
				a, by := v[q][lo:hi], coef[q*p+c]
				for i := range y {
					y[i] += float64(by * a[i])
				}
			}
		}
		for c := range p {
			copy(v[c][lo:hi], out[c*size:(c+1)*size])
		}
	})
}

// norm returns the length of w.
func (s *space) norm(ctx context.Context, w []float64) (float64, error) {
	sum, err := s.subtract(ctx, w, nil, nil)
	return math.Sqrt(sum), err
}
