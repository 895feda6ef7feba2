package relational

import (
	"context"

	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// noise is how far below 0, in parts of the greatest R, a squared distance is taken as 0: float32
// is no more precise.
const noise = 1e-6

// measure works out the squared distances of all objects from the clusters of the memberships u,
// and the weights of relations where there are several.
func (f *fitting) measure(ctx context.Context) error {
	n, c := f.n, f.c
	sums := make([]float64, c)
	for k := range n {
		for i, u := range f.u[k*c:][:c] {
			v := f.power(u)
			f.w[i*n+k] = v
			sums[i] += v
		}
	}
	for i, sum := range sums {
		w := f.w[i*n:][:n]
		f.norm[i] = 0
		for k, v := range w {
			if sum > 0 {
				v /= sum
			} else { // a cluster that has no part in any object is in the middle of all
				v = 1 / float64(n)
			}
			w[k] = v
			f.norm[i] += float64(v * v)
		}
	}
	for s, r := range f.relations {
		if err := f.distances(ctx, r, f.apart[s]); err != nil {
			return err
		}
	}
	if len(f.relations) == 1 {
		copy(f.far, f.apart[0])
	} else {
		f.weigh()
	}
	f.spread()
	return ctx.Err()
}

// distances sets out to the squared distances by one relation, which may be below 0.
func (f *fitting) distances(ctx context.Context, r *relation, out []float64) error {
	n, c := f.n, f.c
	if err := r.products(ctx, out, f.w, c, f.cfg.Threads); err != nil {
		return err
	}
	within := make([]float64, c) // ½ wᵀRw
	for k := range n {
		for i, v := range out[k*c:][:c] {
			within[i] += float64(f.w[i*n+k] * v)
		}
	}
	linalg.Divide(within, 2)
	return parallel.Blocks(ctx, n, blockRows, f.cfg.Threads, func(_, lo, hi int) {
		for k := lo; k < hi; k++ {
			for i, less := range within {
				out[k*c+i] -= less
			}
		}
	})
}

// spread raises β until no squared distance is below 0, and adds to them what β adds.
func (f *fitting) spread() {
	n, c := f.n, f.c
	lift := func(k, i int) float64 { return (f.norm[i] - 2*f.w[i*n+k] + 1) / 2 } // ½‖w_i − e_k‖²
	more := 0.0
	for k := range n {
		for i := range c {
			d := f.far[k*c+i]
			if f.beta > 0 {
				d += float64(f.beta * lift(k, i))
				f.far[k*c+i] = d
			}
			if d < -noise {
				if by := lift(k, i); by > noise {
					more = max(more, -d/by)
				}
			}
		}
	}
	f.beta += more
	for k := range n {
		for i := range c {
			at := k*c + i
			if more > 0 {
				f.far[at] += float64(more * lift(k, i))
			}
			f.far[at] = max(f.far[at], 0)
		}
	}
}

// weigh sets the weights v_is of relations, which minimise Σ_s v_is^q D_is for D_is the squared
// distances of cluster i by relation s, weighed by squared memberships, and the squared distances
// that follow.
func (f *fitting) weigh() {
	n, c, count := f.n, f.c, len(f.relations)
	for i := range c {
		v := f.weights[i*count:][:count]
		for s := range v {
			v[s] = 0
			for k := range n {
				v[s] += float64(f.power(f.u[k*c+i]) * max(0, f.apart[s][k*c+i]))
			}
		}
		share(v, v, func(ratio float64) float64 {
			return elementary.Power(ratio, 1/(f.exponent-1))
		})
		for k := range n {
			f.far[k*c+i] = 0
		}
		for s, apart := range f.apart {
			counts := elementary.Power(v[s], f.exponent)
			for k := range n {
				f.far[k*c+i] += float64(counts * apart[k*c+i])
			}
		}
	}
}
