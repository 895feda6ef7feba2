package evclus

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
)

// problem is a small random one, with all that an engine needs.
type problem struct {
	n, clusters int
	focal       []belief.Set
	delta       *dissim.Dense // conflicts called for, float32 in [0, 1]
	mass        []float64
	links       []link.Link
	weight      float64 // of a link's penalty against one squared difference
}

// families are the focal lists to try, the odd ones without ∅, without the frame, and with
// overlapping sets.
var families = map[string][]belief.Set{
	"simple 2":       {0, 1, 2, 3},
	"simple 5":       {0, 1, 2, 4, 8, 16, 31},
	"pairs 4":        {0, 1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 15},
	"full 3":         {0, 1, 2, 4, 3, 5, 6, 7},
	"without ∅":      {1, 2, 4, 3, 7},
	"without Ω":      {0, 1, 2, 4},
	"singletons":     {1, 2, 4},
	"no singletons":  {0, 3, 6, 12},
	"overlaps alone": {3, 6, 7},
}

var familyNames = []string{"simple 2", "simple 5", "pairs 4", "full 3", "without ∅", "without Ω",
	"singletons", "no singletons", "overlaps alone"}

func newProblem(family string, n, links int, seed uint64) *problem {
	draw := rand.New(rand.NewPCG(seed, 99))
	p := &problem{n: n, focal: families[family]}
	all := belief.Set(0)
	for _, s := range p.focal {
		all |= s
	}
	p.clusters = all.Len()
	p.delta = &dissim.Dense{N: n, D: make([]float32, n*n)}
	for i := range n {
		for j := range i {
			v := float32(draw.IntN(1001)) / 1000
			if i%p.clusters == j%p.clusters { // some structure, so that masses settle
				v *= v * v
			}
			p.delta.D[i*n+j], p.delta.D[j*n+i] = v, v
		}
	}
	p.mass = make([]float64, n*len(p.focal))
	randomMasses(p.mass, len(p.focal), draw)
	for range links {
		a := draw.IntN(n)
		p.links = append(p.links, link.Link{
			A: a, B: (a + 1 + draw.IntN(n-1)) % n,
			Kind:         []link.Kind{link.MustLink, link.CannotLink}[draw.IntN(2)],
			Plausibility: float64(1+draw.IntN(4)) / 4,
		})
	}
	if links > 0 {
		p.weight = 0.5 + 4*float64(draw.IntN(10))/10
	}
	return p
}

// engines makes both engines, and the terms that each of them sums.
func (p *problem) engines(t require, partners, threads int) map[string]*contest {
	fr := newFrame(p.focal)
	ctx := t.Context()
	all, err := newFull(ctx, fr, p.n, p.delta.D, threads)
	if err != nil {
		t.Fatal(err)
	}
	full := &contest{problem: p, engine: all}
	for i := range p.n {
		full.order = append(full.order, i)
		for j := range i {
			full.terms = append(full.terms, term{i, j, float64(p.delta.D[i*p.n+j])})
		}
	}
	s, err := dissim.Sample(ctx, p.delta, partners, 5, threads, nil)
	if err != nil {
		t.Fatal(err)
	}
	some, err := newSampled(ctx, fr, s, threads)
	if err != nil {
		t.Fatal(err)
	}
	sampled := &contest{problem: p, engine: some}
	for at, i := range s.Order[:p.n] {
		sampled.order = append(sampled.order, int(i))
		for r, shift := range s.Shifts {
			j := s.Order[(at+int(shift))%p.n]
			sampled.terms = append(sampled.terms, term{int(i), int(j), float64(s.D[r*s.Stride+at])})
		}
	}
	out := map[string]*contest{"full": full, "sampled": sampled}
	for _, c := range out {
		c.twin = append([]float64(nil), p.mass...)
		c.mass = append([]float64(nil), p.mass...)
		c.byRow = make([][]term, p.n)
		for _, e := range c.terms {
			c.byRow[e.i] = append(c.byRow[e.i], e)
			c.byRow[e.j] = append(c.byRow[e.j], term{e.j, e.i, e.delta})
		}
	}
	return out
}

// require is what rapid's and testing's T share.
type require interface {
	Context() context.Context
	Fatal(...any)
}

// term is one squared difference of the stress.
type term struct {
	i, j  int
	delta float64
}

// contest sets an engine against Algorithm 1 of kevclus-2016 written plainly: rows in the engine's
// order, each solved over all terms it takes part in.
type contest struct {
	*problem
	engine     engine
	order      []int
	terms      []term
	byRow      [][]term
	mass, twin []float64
}

// conflict returns κ of two objects from its definition.
func (p *problem) conflict(a, b []float64) float64 {
	sum := 0.0
	for k, s := range p.focal {
		for l, t := range p.focal {
			if !s.Meets(t) {
				sum += a[k] * b[l]
			}
		}
	}
	return sum
}

func (p *problem) row(mass []float64, i int) []float64 {
	return mass[i*len(p.focal) : (i+1)*len(p.focal)]
}

// cost returns the weighted penalty of the links that object i takes part in, all of them where i
// is below 0.
func (p *problem) cost(mass []float64, i int) float64 {
	sum := 0.0
	for _, l := range p.links {
		if i >= 0 && l.A != i && l.B != i {
			continue
		}
		same, different := plausibilities(p.focal, p.row(mass, l.A), p.row(mass, l.B))
		must, cannot := different+1-same, same+1-different
		if l.Kind == link.CannotLink {
			must, cannot = cannot, must
		}
		sum += l.Confidence()*must + (1-l.Confidence())*cannot
	}
	return p.weight * sum
}

// measure returns the stress by the double loop of kevclus-2016 eqs. 12 and 22, not yet normalised,
// and the objective.
func (c *contest) measure(mass []float64) (stress, objective float64) {
	for _, e := range c.terms {
		d := c.conflict(c.row(mass, e.i), c.row(mass, e.j)) - e.delta
		stress += d * d
	}
	return stress, stress + c.cost(mass, -1)
}

// programme returns H and g of a row: the objective is mᵀHm − 2gᵀm and a constant.
func (c *contest) programme(mass []float64, i int) (h, g []float64) {
	f := len(c.focal)
	h, g = make([]float64, f*f), make([]float64, f)
	vertex := make([]float64, f)
	for _, e := range c.byRow[i] {
		conflicts := make([]float64, f)
		for k := range f {
			clear(vertex)
			vertex[k] = 1
			conflicts[k] = c.conflict(vertex, c.row(mass, e.j))
		}
		for k := range f {
			g[k] += e.delta * conflicts[k]
			for l := range f {
				h[k*f+l] += conflicts[k] * conflicts[l]
			}
		}
	}
	if c.weight > 0 { // the penalty is linear in the row: its values at the vertices tell all
		saved := append([]float64(nil), c.row(mass, i)...)
		for k := range f {
			clear(c.row(mass, i))
			c.row(mass, i)[k] = 1
			g[k] -= c.cost(mass, i) / 2
		}
		copy(c.row(mass, i), saved)
	}
	return h, g
}

// gap returns how far a row is from its KKT conditions, against the size of its programme.
func gap(h, g, m []float64) float64 {
	f := len(m)
	level, least, size := math.Inf(-1), math.Inf(1), 0.0
	for k := range f {
		grad := -g[k]
		for l := range f {
			grad += h[k*f+l] * m[l]
		}
		size = max(size, math.Abs(g[k]), h[k*f+k])
		least = min(least, grad)
		if m[k] > 1e-9 {
			level = max(level, grad)
		}
	}
	return (level - least) / (1 + size)
}

// solve minimises by moving mass between the two focal sets that gain most from it, until none
// gains.
func solve(h, g, m []float64) {
	f := len(m)
	for range 200_000 {
		from, to := -1, 0
		grad := make([]float64, f)
		for k := range f {
			grad[k] = -g[k]
			for l := range f {
				grad[k] += h[k*f+l] * m[l]
			}
			if m[k] > 0 && (from < 0 || grad[k] > grad[from]) {
				from = k
			}
			if grad[k] < grad[to] {
				to = k
			}
		}
		gain := grad[from] - grad[to]
		if gain < 1e-12*(1+math.Abs(grad[to])) {
			return
		}
		step := m[from]
		if curve := h[from*f+from] + h[to*f+to] - 2*h[from*f+to]; curve > 0 {
			step = min(step, gain/curve)
		}
		m[to] += step
		m[from] -= step
	}
}

// TestSweepsAgainstThePlainAlgorithm: the same stress and masses after each sweep, on all pairs and
// on sampled ones.
func TestSweepsAgainstThePlainAlgorithm(t *testing.T) {
	for seed, family := range familyNames {
		for _, links := range []int{0, 9, 60} {
			p := newProblem(family, 70, links, uint64(seed))
			for name, c := range p.engines(t, 11, 2) {
				c.engine.tie(newLinkTerms(p.n, p.links), p.weight)
				if err := c.engine.reset(t.Context(), c.mass); err != nil {
					t.Fatal(err)
				}
				_, before := c.measure(c.mass)
				for sweep := range 3 {
					for _, i := range c.order {
						h, g := c.programme(c.twin, i)
						solve(h, g, c.row(c.twin, i))
					}
					change, err := c.engine.sweep(t.Context(), nil)
					if err != nil {
						t.Fatal(err)
					}
					c.engine.settle()
					_, want := c.measure(c.twin)
					stress, got := c.measure(c.mass)
					if math.Abs(got-want) > 1e-8*want || math.Abs(before+change-got) > 1e-9*before {
						t.Fatalf("%s, %s, %d links, sweep %d: objective %v, the plain "+
							"algorithm's %v, change %v from %v", name, family, links, sweep, got,
							want, change, before)
					}
					before = got
					if far := distance(c.mass, c.twin); far > 1e-4 {
						t.Fatalf("%s, %s, %d links, sweep %d: masses are up to %v apart", name,
							family, links, sweep, far)
					}
					measured, err := c.engine.stress(t.Context())
					if err != nil || math.Abs(measured-stress) > 1e-9*(1+stress) {
						t.Fatalf("%s, %s: the engine measures a stress of %v, the double loop %v "+
							"(%v)", name, family, measured, stress, err)
					}
				}
			}
		}
	}
}

func distance(a, b []float64) float64 {
	far := 0.0
	for i := range a {
		far = max(far, math.Abs(a[i]-b[i]))
	}
	return far
}
