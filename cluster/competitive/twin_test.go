package competitive

import (
	"math"

	"github.com/kindred-go/kindred/link"
)

// twin learns as the algorithms are written (Covões, Hruschka and Ghosh 2013, algorithms 1 and 2,
// and must-links as the package's documentation has them), as plainly as can be.
type twin struct {
	rule        Rule
	mu          [][]float64
	w           []float64
	alpha, beta float64
	penalty     Penalty
}

func square(x, y []float64) (sum float64) {
	for j := range x {
		sum += (x[j] - y[j]) * (x[j] - y[j])
	}
	return sum
}

// argmin returns the prototype with the least cost among those allowed, -1 when none is.
func (t *twin) argmin(cost func(j int) float64, allowed func(j int) bool) int {
	best := -1
	for j := range t.mu {
		if allowed(j) && (best < 0 || cost(j) < cost(best)) {
			best = j
		}
	}
	return best
}

func (t *twin) step(j int, x []float64, rate float64) {
	for c := range x {
		t.mu[j][c] += rate * (x[c] - t.mu[j][c])
	}
}

func anyone(int) bool { return true }

func (t *twin) nearest(x []float64) int {
	return t.argmin(func(j int) float64 { return square(x, t.mu[j]) }, anyone)
}

// gamma is the winning frequency.
func (t *twin) gamma(j int) float64 {
	sum := 0.0
	for _, w := range t.w {
		sum += w
	}
	return t.w[j] / sum
}

func (t *twin) learn(x []float64, partners []partner) {
	switch t.rule {
	case WinnerTakeAll:
		j := t.nearest(x)
		t.step(j, x, t.alpha)
		t.w[j]++
	case OLCVQE:
		t.olcvqe(x, partners)
	case FrequencySensitive:
		j := t.argmin(func(j int) float64 { return t.gamma(j) * square(x, t.mu[j]) }, anyone)
		t.step(j, x, t.alpha)
		t.w[j]++
	case RPCL:
		t.crpcl(x, nil)
	case CRPCL:
		t.crpcl(x, partners)
	}
}

func (t *twin) olcvqe(x []float64, partners []partner) {
	j := t.nearest(x)
	t.w[j]++
	if len(partners) == 0 {
		t.step(j, x, t.alpha)
	}
	for _, p := range partners {
		a, b, o := t.alpha*p.confidence, t.beta*p.confidence, p.row
		r := t.nearest(o)
		if p.kind == link.MustLink {
			if r == j {
				t.step(j, x, t.alpha)
				continue
			}
			d := func(z []float64, j int) float64 { return square(z, t.mu[j]) }
			keep := .5*(d(x, j)+d(o, r)) + .25*(d(o, j)+d(x, r))
			toJ, toR := .5*(d(x, j)+d(o, j)), .5*(d(x, r)+d(o, r))
			if keep <= toJ && keep <= toR {
				t.step(j, x, a)
				t.step(j, o, a/2)
				t.step(r, x, a/2)
			} else if toJ <= toR {
				t.step(j, x, a)
				t.step(j, o, a)
				t.step(r, o, -b)
			} else {
				t.step(r, x, a)
				t.step(j, x, -b)
			}
			continue
		}
		if r != j {
			t.step(j, x, t.alpha)
			continue
		}
		c, f := x, o
		if square(o, t.mu[j]) < square(x, t.mu[j]) {
			c, f = o, x
		}
		n := t.argmin(func(m int) float64 { return square(f, t.mu[m]) },
			func(m int) bool { return m != j })
		if n < 0 { // one prototype cannot keep anything apart
			t.step(j, x, t.alpha)
			continue
		}
		keep := .5 * (square(x, t.mu[j]) + square(o, t.mu[j]) + square(f, t.mu[n]))
		split := .5 * (square(c, t.mu[j]) + square(f, t.mu[n]))
		if keep < split { // the branch of the paper that never happens
			t.step(j, x, a)
			t.step(n, f, a)
			continue
		}
		t.step(n, f, a)
		if &f[0] == &o[0] {
			t.step(j, o, -b)
			t.step(j, x, a)
		}
	}
}

func (t *twin) crpcl(x []float64, partners []partner) {
	cost := func(j int) float64 {
		sum, weight := square(x, t.mu[j]), 1.0
		for _, p := range partners {
			if p.kind == link.MustLink {
				sum += p.confidence * square(p.row, t.mu[j])
				weight += p.confidence
			}
		}
		return t.gamma(j) * sum / weight
	}
	j := t.argmin(cost, anyone)
	f := map[int]float64{}
	for _, p := range partners {
		if p.kind == link.CannotLink {
			r := t.argmin(func(m int) float64 { return t.gamma(m) * square(p.row, t.mu[m]) },
				anyone)
			f[r] = math.Max(f[r], p.confidence)
		}
	}
	_, taken := f[j]
	if len(f) == 0 || !taken || len(f) == len(t.mu) {
		n := t.argmin(cost, func(m int) bool { return m != j })
		if n >= 0 {
			rate := t.beta
			winner, rival := cost(j)/t.gamma(j), cost(n)/t.gamma(n)
			if t.penalty == Controlled && 100*winner < rival {
				rate *= 10 * math.Sqrt(winner/rival)
			}
			t.step(n, x, -rate)
		}
		t.step(j, x, t.alpha)
		t.w[j]++
		return
	}
	n := t.argmin(cost, func(m int) bool { _, in := f[m]; return !in })
	t.step(n, x, t.alpha*f[j])
	t.step(j, x, -t.beta*f[j])
	t.w[n]++
}

// near compares prototypes; sums are made in other orders, so that the last digits differ.
func near(t interface {
	Helper()
	Fatalf(string, ...any)
}, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
			t.Fatalf("%s: value %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}
