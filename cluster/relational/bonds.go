package relational

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// bonds are links as a fit meets them. Nil: there are none.
type bonds struct {
	alpha float64 // as it is
	full  float64 // as it comes to be
	links []link.Link
	rows  []int           // objects with links, rising
	of    map[int][]other // what each of them is linked to
	costs []float64
}

type other struct {
	row  int
	must bool
	p    float64
}

func newBonds(links []link.Link, clusters int) *bonds {
	b := &bonds{of: make(map[int][]other), costs: make([]float64, clusters)}
	for _, l := range links {
		if l.Kind == link.Unknown {
			continue
		}
		must, p := l.Kind == link.MustLink, l.Confidence()
		b.links = append(b.links, l)
		b.of[l.A] = append(b.of[l.A], other{l.B, must, p})
		b.of[l.B] = append(b.of[l.B], other{l.A, must, p})
	}
	if len(b.links) == 0 {
		return nil
	}
	b.rows = slices.Sorted(maps.Keys(b.of))
	return b
}

// rampSteps is how often α doubles until it is what it is to be, once an iteration: links that
// outweigh all distances at once leave objects where the first of their partners happened to be.
const rampSteps = 8

// begin sets α to what the ramp begins with.
func (b *bonds) begin(full float64) { b.full, b.alpha = full, full/(1<<rampSteps) }

// rises reports whether α has still to grow.
func (b *bonds) rises() bool { return b != nil && b.alpha < b.full }

// raise doubles α while it has to grow.
func (b *bonds) raise() {
	if b.rises() {
		b.alpha = min(b.full, 2*b.alpha)
	}
}

// end sets α to what it is to be, where iterations did not suffice.
func (b *bonds) end() {
	if b != nil {
		b.alpha = b.full
	}
}

// cost is what links add to the objective under memberships u.
func (b *bonds) cost(u []float64) float64 {
	if b == nil {
		return 0
	}
	c, sum := len(b.costs), 0.0
	for _, l := range b.links {
		together := 0.0
		for i := range c {
			together += float64(u[l.A*c+i] * u[l.B*c+i])
		}
		if l.Kind == link.MustLink {
			together = 1 - together
		}
		sum += float64(l.Confidence() * together)
	}
	return float64(b.alpha * sum)
}

// settle writes to f.next, for each linked object, the memberships that cost least beside those
// that all others have. Those of linked objects before it have changed already.
func (b *bonds) settle(f *fitting) {
	if b == nil {
		return
	}
	c := f.c
	for _, row := range b.rows {
		copy(f.next[row*c:(row+1)*c], f.u[row*c:])
	}
	for _, row := range b.rows {
		clear(b.costs)
		for _, o := range b.of[row] {
			for i, u := range f.next[o.row*c:][:c] {
				if o.must {
					u = 1 - u
				}
				b.costs[i] += float64(b.alpha * o.p * u)
			}
		}
		b.fill(f.next[row*c:][:c], f.far[row*c:][:c])
	}
}

// least is taken for squared distances of 0, in parts of the greatest R, where a quotient is
// formed.
const least = 1e-12

// fill sets u to the point of the simplex at which Σ u_i² d²_i + Σ costs_i u_i is least: u_i = (λ −
// costs_i)/(2d²_i) where that is above 0, with λ so that they add up to 1.
func (b *bonds) fill(u, far []float64) {
	order := linalg.Order(len(b.costs),
		func(x, y int) int { return cmp.Compare(b.costs[x], b.costs[y]) })
	lowest := b.costs[order[0]]
	for i := range b.costs { // a cost that all share decides nothing, and would take digits
		b.costs[i] -= lowest
	}
	slope, at, level := 0.0, 0.0, 0.0
	for n, i := range order {
		if n > 0 && level <= b.costs[i] {
			break
		}
		by := 1 / (2 * max(far[i], least))
		slope += by
		at += float64(b.costs[i] * by)
		level = (1 + at) / slope
	}
	for i := range u {
		u[i] = max(0, (level-b.costs[i])/(2*max(far[i], least)))
	}
	linalg.Divide(u, linalg.Sum(u))
}
