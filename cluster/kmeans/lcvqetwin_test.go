package kmeans_test

import (
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

func labelsAt(m dataset.Matrix, links []link.Link, at dataset.Matrix) []int32 {
	tw := twin{m: m, links: links, at: at.Clone().F64, k: at.Rows}
	tw.assign()
	return tw.label
}

// twin is LCVQE written from the equations, without a thought to speed.
type twin struct {
	m     dataset.Matrix
	links []link.Link
	at    []float64
	k     int
	label []int32
	tie   bool // rounding decided something
}

// less compares two costs or distances.
func (t *twin) less(a, b float64) bool {
	t.tie = t.tie || near(a, b)
	return a < b
}

func (t *twin) dist(i int, c int32) (sum float64) {
	for j := range t.m.Cols {
		v := t.m.At(i, j) - t.at[int(c)*t.m.Cols+j]
		sum += v * v
	}
	return sum
}

func (t *twin) nearest(i int, but int32) int32 {
	best := int32(-1)
	for c := range int32(t.k) {
		if c != but && (best < 0 || t.less(t.dist(i, c), t.dist(i, best))) {
			best = c
		}
	}
	return best
}

// farther is R of equation A.2.
func (t *twin) farther(l link.Link) (r, other int) {
	if c := t.label[l.A]; t.less(t.dist(l.B, c), t.dist(l.A, c)) {
		return l.A, l.B
	}
	return l.B, l.A
}

func (t *twin) assign() {
	t.label = make([]int32, t.m.Rows)
	for i := range t.label {
		t.label[i] = t.nearest(i, -1)
	}
	for _, l := range t.links {
		x, y, p := l.A, l.B, l.Confidence()
		j, n := t.label[x], t.label[y]
		if l.Kind != link.MustLink || j == n {
			continue
		}
		keep := .5*(t.dist(x, j)+t.dist(y, n)) + .25*p*(t.dist(y, j)+t.dist(x, n))
		toJ, toN := .5*(t.dist(x, j)+t.dist(y, j)), .5*(t.dist(x, n)+t.dist(y, n))
		if best := t.less(toN, toJ); !t.less(min(toJ, toN), keep) {
			continue
		} else if best {
			t.label[x] = n
		} else {
			t.label[y] = j
		}
	}
	for _, l := range t.links {
		if l.Kind != link.CannotLink || t.label[l.A] != t.label[l.B] || t.k == 1 {
			continue
		}
		j, p := t.label[l.A], l.Confidence()
		r, other := t.farther(l)
		v := t.nearest(r, j)
		keep := .5*(t.dist(l.A, j)+t.dist(l.B, j)) + .5*p*t.dist(r, v)
		split := .5*t.dist(other, j) + .5*t.dist(r, v)
		if t.less(split, keep) {
			t.label[r] = v
		}
	}
}

// objective is equation A.1, a cluster at a time.
func (t *twin) objective() (sum float64) {
	for c := range int32(t.k) {
		for i, l := range t.label {
			if l == c {
				sum += .5 * t.dist(i, c)
			}
		}
		for _, l := range t.links {
			a, b, p := t.label[l.A], t.label[l.B], l.Confidence()
			switch {
			case l.Kind == link.MustLink && a != b && a == c:
				sum += .5 * .5 * p * t.dist(l.B, c)
			case l.Kind == link.MustLink && a != b && b == c:
				sum += .5 * .5 * p * t.dist(l.A, c)
			case l.Kind == link.CannotLink && a == b && t.k > 1:
				if r, _ := t.farther(l); t.nearest(r, a) == c {
					sum += .5 * p * t.dist(r, c)
				}
			}
		}
	}
	return sum
}

// update is equations A.4 to A.6.
func (t *twin) update() {
	d := t.m.Cols
	y, z := make([]float64, t.k*d), make([]float64, t.k)
	add := func(c int32, i int, w float64) {
		z[c] += w
		for j := range d {
			y[int(c)*d+j] += w * t.m.At(i, j)
		}
	}
	for i, c := range t.label {
		add(c, i, 1)
	}
	for _, l := range t.links {
		a, b, p := t.label[l.A], t.label[l.B], l.Confidence()
		switch {
		case l.Kind == link.MustLink && a != b:
			add(a, l.B, .5*p)
			add(b, l.A, .5*p)
		case l.Kind == link.CannotLink && a == b && t.k > 1:
			r, _ := t.farther(l)
			add(t.nearest(r, a), r, p)
		}
	}
	for i := range y {
		if z[i/d] > 0 {
			t.at[i] = y[i] / z[i/d]
		}
	}
}

// problems are small ones: rows with links between any two, some of them doubtful, none denying
// what others entail.
func problems(t *rapid.T) (m dataset.Matrix, links []link.Link, k int) {
	n, d := rapid.IntRange(3, 40).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
	k = rapid.IntRange(1, min(n, 6)).Draw(t, "k")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
	values := make([]float64, n*d)
	for i := range values {
		values[i] = 10 * rng.Float64()
	}
	m = matrix(t, n, d, values...)
	set := link.NewSet(n)
	for range rapid.IntRange(0, 30).Draw(t, "links") {
		l := link.Link{A: rng.IntN(n), B: rng.IntN(n), Kind: link.Kind(rng.IntN(3))}
		if rng.IntN(4) == 0 {
			l.Plausibility = 1 - rng.Float64()
		}
		if l.A != l.B {
			set.Add(l) // those that contradict stay out
		}
	}
	return m, set.Given(), k
}

// around returns k prototypes amid the rows, none of them on a row.
func around(m dataset.Matrix, k int) dataset.Matrix {
	at := first(m, k)
	for i := range at.F64 {
		at.F64[i] = 0.9*at.F64[i] + 0.1*m.F64[len(m.F64)-1-i] + 0.01*float64(i)
	}
	return at
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(a)+math.Abs(b)) }
