package ecm

import (
	"cmp"
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// links are the penalties of CECM and the masses of the rows that they are about.
type links struct {
	fr     *frame
	xi     float64
	terms  []link.Link
	total  float64 // of the confidences
	of     []int32 // place of each row among the linked ones, or −1
	rows   []int   // that are linked, rising
	about  [][]pull
	mass   []float64 // of the linked rows
	order  []int     // in which linked rows are gone through
	seeds  [][]int   // rows of groups that links separate
	singly []bool    // whether each set, the empty one included, has one member
}

// pull is a link as one of its ends sees it.
type pull struct {
	other int // place of the other end
	must  bool
	p     float64
}

// newLinks checks links and readies them; nil where all are unknown.
func newLinks(n int, cfg Config, fr *frame) (*links, []*link.Contradiction, error) {
	set, clashing, err := link.Build(n, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, nil, err
	}
	l := &links{fr: fr, xi: cfg.LinkWeight, singly: make([]bool, len(fr.sets))}
	for s, set := range fr.sets {
		l.singly[s] = set.Len() == 1
	}
	for _, t := range cfg.Links {
		if t.Kind == link.Unknown {
			continue
		}
		l.terms = append(l.terms, t)
		l.total += t.Confidence()
		l.rows = append(l.rows, t.A, t.B)
	}
	if len(l.terms) == 0 {
		return nil, clashing, nil
	}
	slices.Sort(l.rows)
	l.rows = slices.Compact(l.rows)
	l.of = slices.Repeat([]int32{-1}, n)
	for t, i := range l.rows {
		l.of[i] = int32(t)
	}
	l.about = make([][]pull, len(l.rows))
	for _, t := range l.terms {
		a, b, must, p := int(l.of[t.A]), int(l.of[t.B]), t.Kind == link.MustLink, t.Confidence()
		l.about[a] = append(l.about[a], pull{b, must, p})
		l.about[b] = append(l.about[b], pull{a, must, p})
	}
	l.seeds, _ = set.Apart(fr.c)
	return l, clashing, nil
}

// lead puts the first centres on the means of the groups that links separate.
func (l *links) lead(e *engine) {
	row := make([]float64, e.d)
	for k, rows := range l.seeds {
		at := e.at[k*e.d : (k+1)*e.d]
		clear(at)
		for _, i := range rows {
			e.load(row, i)
			for j, v := range row {
				at[j] += v / float64(len(rows))
			}
		}
	}
}

// row returns the masses of the linked row at place t.
func (l *links) row(t int) []float64 {
	f := len(l.fr.sets)
	return l.mass[t*f : (t+1)*f]
}

// begin sets the masses of linked rows to those that they have without links. The most doubtful row
// is to be the first to follow its links.
func (l *links) begin(e *engine) {
	l.mass = make([]float64, len(l.rows)*len(l.fr.sets))
	sure := make([]float64, len(l.rows))
	e.place()
	w := e.newWorker()
	for t, i := range l.rows {
		e.costs(w, i)
		e.pow.masses(l.row(t), w.w, e.limit)
		for s, v := range l.row(t) {
			if l.singly[s] {
				sure[t] = max(sure[t], v)
			}
		}
	}
	l.order = linalg.Order(len(l.rows), func(a, b int) int { return cmp.Compare(sure[a], sure[b]) })
}

// share is what the cost of an object weighs in the objective.
func (l *links) share(e *engine) float64 {
	spread := e.spread
	spread = cmp.Or(spread, 1)
	return (1 - l.xi) / (float64(e.n) * float64(len(l.fr.sets)) * spread)
}

// Linked rows are gone through until the objective falls by less than settled of it, at most
// mostSweeps times.
const (
	mostSweeps = 20
	settled    = 1e-9
)

// sweep puts the masses of linked rows where the objective is least, one by one, adds the rows to
// the sums of the engine, and returns the objective.
func (l *links) sweep(e *engine) float64 {
	f, share := len(l.fr.sets), l.share(e)
	w := e.newWorker()
	costs := make([]float64, len(l.rows)*f)
	for t, i := range l.rows {
		e.costs(w, i)
		for s, v := range w.w {
			costs[t*f+s] = v * share
		}
	}
	price, meets := make([]float64, f), make([]float64, f)
	before := math.Inf(1)
	for range mostSweeps {
		for _, t := range l.order {
			l.prices(price, meets, t)
			at, w := l.row(t), costs[t*f:(t+1)*f]
			was := l.cost(e, at, w, price)
			copy(meets, at)
			e.pow.row(at, w, price)
			if l.cost(e, at, w, price) > was { // by rounding
				copy(at, meets)
			}
		}
		now := l.objective(e, costs, price, meets)
		if !(before-now > settled*now) {
			break
		}
		before = now
	}
	now := l.objective(e, costs, price, meets) + share*e.sums.cost
	for t, i := range l.rows {
		e.load(w.row, i)
		copy(w.m, l.row(t))
		e.add(e.sums, w)
	}
	return now
}

// cost returns Σ w·m^β + Σ price·m.
func (l *links) cost(e *engine, m, w, price []float64) float64 {
	sum := 0.0
	for s, v := range m {
		sum += float64(w[s]*e.pow.weight(v)) + float64(price[s]*v)
	}
	return sum
}

// objective returns the costs of the linked rows and the penalties.
func (l *links) objective(e *engine, costs, price, meets []float64) float64 {
	f, sum, penalty := len(l.fr.sets), 0.0, 0.0
	for t := range l.rows {
		l.prices(price, meets, t)
		at := l.row(t)
		for s, v := range at {
			sum += float64(costs[t*f+s] * e.pow.weight(v))
			penalty += float64(price[s] * v)
		}
	}
	return sum + penalty/2 // each link is seen from both its ends
}

// prices sets price to the weight of the penalties in a unit of mass on each set of the row at
// place t. With m the masses of the other end, ½(Pm) is 1/2 for the empty set, and for others 1 −
// ½(m(∅) + Pl), less on a cluster alone half its mass; a must-link costs that, and a cannot-link
// what it lacks of 1.
func (l *links) prices(price, meets []float64, t int) {
	clear(price)
	for _, p := range l.about[t] {
		m, weight := l.row(p.other), float64(l.xi*p.p/l.total)
		plausible(meets, m, l.fr.sets)
		none := 0.0
		if l.fr.noise == 1 {
			none = m[0]
		}
		for s, v := range meets {
			v = 1 - (none+v)/2
			if s < l.fr.noise {
				v = 0.5
			} else if l.singly[s] {
				v -= m[s] / 2
			}
			if !p.must {
				v = 1 - v
			}
			price[s] += float64(weight * min(max(v, 0), 1))
		}
	}
}

// plausible sets to to the plausibility of each focal set under masses m.
func plausible(to, m []float64, sets []belief.Set) {
	for s, a := range sets {
		sum := 0.0
		for t, b := range sets {
			if a.Meets(b) {
				sum += m[t]
			}
		}
		to[s] = sum
	}
}
