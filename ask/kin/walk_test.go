package kin

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/internal/linalg"
	"gonum.org/v1/gonum/mat"
)

// points are m points in two dimensions.
func points(m int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, 2*m)
	for i := range out {
		out[i] = rng.Float64()
	}
	return out
}

func graphOf(t testing.TB, points []float64, m int) *graph {
	t.Helper()
	g, err := newGraph(t.Context(), points, m, len(points)/m, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ending is the probability that the walk from each node ends at the node to, found by iterating; a
// walk that stands at a node of ends goes no further, but for the one at free.
func ending(g *graph, ends []int, to, free int) []float64 {
	at := make([]float64, g.m)
	for range 20000 {
		next := make([]float64, g.m)
		for i := range g.m {
			if slices.Contains(ends, i) && i != free {
				if i == to {
					next[i] = 1
				}
				continue
			}
			degree := 0.0
			for _, e := range g.joined[i] {
				degree += e.v
				next[i] += e.v * at[e.at]
			}
			next[i] /= (1+dying)*degree + 1e-9
		}
		at = next
	}
	return at
}

// TestWalks end where a walk by steps ends, however many nodes came to end them one after the
// other.
func TestWalks(t *testing.T) {
	const m = 30
	g := graphOf(t, points(m, 3), m)
	w := walkOf(t, g, 4)
	for _, i := range []int{17, 9} {
		w.end(i)
	}
	followed := &walk{graph: g, open: make([][]entry, m), hits: make([][]entry, m), ends: w.ends,
		at: w.at}
	if err := followed.follow(t.Context()); err != nil {
		t.Fatal(err)
	}
	for l, i := range w.ends {
		want := ending(g, w.ends, i, -1)
		for j, v := range want {
			if got := value(w.hits[j], l); math.Abs(v-got) > 2*trifle {
				t.Fatalf("the walk from %d ends at %d with %g, want %g", j, i, got, v)
			}
			if got := value(followed.hits[j], l); w.at[j] < 0 && math.Abs(v-got) > 10*morsel {
				t.Fatalf("the walk from %d, followed, ends at %d with %g, want %g", j, i, got, v)
			}
		}
	}
	for i, row := range w.open {
		for _, e := range row {
			if got := value(followed.open[i], int(e.at)); math.Abs(got-e.v) > 0.01*e.v+10*morsel {
				t.Fatalf("from %d to %d: %g, followed %g", i, e.at, e.v, got)
			}
		}
	}
	copied := w.clone()
	copied.end(11)
	if w.at[11] >= 0 || len(w.ends) != 3 || value(w.hits[11], 0) == 0 {
		t.Error("a copy changes what it was made of")
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.on(over, g); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
	again, err := w.on(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	for j, row := range w.hits {
		for _, e := range row {
			if math.Abs(value(again.hits[j], int(e.at))-e.v) > 2*trifle {
				t.Error("the same walk anew is another")
			}
		}
	}
}

// TestOneLeftOut: what a known node's surroundings say of it is what the walk from it gives that
// ends at the others alone, but for those that come back.
func TestOneLeftOut(t *testing.T) {
	const m = 30
	p := playOf(t, points(m, 5), m)
	for l, i := range []int{4, 17, 9, 22} {
		p.alone()
		p.put(i, l, true, nil)
	}
	got := p.beside(p.walk, 2)
	all, back := 0.0, 1.0
	for l, i := range p.ends {
		if l == 2 {
			continue
		}
		want := ending(p.plain, p.ends, i, 9)[9] // which comes back and starts anew
		all += want
		back = min(back, got[l]/want)
		if back > 1 || math.Abs(got[l]/want-back) > 1e-6 {
			t.Errorf("from 9 to %d: %g, want a multiple of %g by %g", i, got[l], want, back)
		}
	}
	if all == 0 || got[2] != 0 {
		t.Errorf("nothing ends elsewhere: %v", got)
	}
}

func walkOf(t testing.TB, g *graph, ends ...int) *walk {
	t.Helper()
	w, err := g.walk(t.Context(), ends)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// playOf is a play on points, each a row and a node.
func playOf(t testing.TB, points []float64, m int) *play {
	t.Helper()
	g := graphOf(t, points, m)
	b := &base{n: m, d: 2, means: points, plain: g, height: 1, heightWeight: heightWeight}
	for i := range m {
		b.of, b.rows, b.standing = append(b.of, int32(i)), append(b.rows, float64(1+i%3)),
			append(b.standing, i)
	}
	return &play{base: b, walk: walkOf(t, g), hard: make([]bool, m), learnAt: m}
}

// TestGain is what trying each answer gives.
func TestGain(t *testing.T) {
	const m = 25
	p := playOf(t, points(m, 8), m)
	for l, i := range []int{3, 12, 20, 7} {
		if l < 3 {
			p.found(i)
		} else {
			p.put(i, 0, true, nil)
		}
	}
	right := func(p *play) float64 {
		sum, f := 0.0, p.masses()
		for i := range p.m {
			sum += p.rows[i] * greatest(f[i])
		}
		return sum
	}
	w := p.worth(p.masses())
	w.some = w.f
	for j, row := range w.f {
		w.top[j] = greatest(row)
	}
	for _, i := range []int{0, 5, 24} {
		chance := []entry{{0, 0.5}, {1, 0.3}, {2, 0.2}}
		want := -right(p)
		for _, c := range chance {
			tried := *p
			tried.walk, tried.group = p.walk.clone(), slices.Clone(p.group)
			tried.put(i, int(c.at), false, nil)
			want += c.v * right(&tried)
		}
		// Nodes that an answer hardly reaches are passed over.
		if got := w.gain(i, chance, 0); math.Abs(got-want) > 0.02*math.Abs(want)+
			m*leastReach {
			t.Errorf("node %d is worth %g, want %g", i, got, want)
		}
	}
}

// TestFeaturesThatTellNothing weigh little.
func TestFeaturesThatTellNothing(t *testing.T) {
	const m = 40
	x := points(m, 2)
	for i := range m {
		x[2*i] = float64(i%2) + 0.1*x[2*i]
	}
	p := playOf(t, x, m)
	p.alone()
	p.alone()
	for i := range 12 {
		p.put(i, i%2, true, nil)
	}
	scale := p.features()
	if len(scale) != 2 || math.Abs(scale[0]+scale[1]-2) > 1e-9 || scale[0] < 5*scale[1] {
		t.Errorf("weights %v", scale)
	}
}

// TestDirections learns that groups differ along the second of two columns only by chance.
func TestDirections(t *testing.T) {
	const m = 40
	x := points(m, 2)
	for i := range m {
		x[2*i] = float64(i%2) + 0.1*x[2*i]
		x[2*i+1] *= 5
	}
	p := playOf(t, x, m)
	p.alone()
	p.alone()
	for i := range 24 {
		p.put(i, i%2, true, nil)
	}
	s, err := p.sample(t.Context())
	if err != nil || len(s.nodes) != 24 {
		t.Fatalf("%d nodes, %v", len(s.nodes), err)
	}
	of, among := make([]int, 24), make([]int, m)
	for i := range of {
		of[i] = i
	}
	for i := range among {
		among[i] = i
	}
	// of pairs of two groups and of one, which were not learnt from
	ratio := func(far func(i, j int) float64) float64 {
		one, two := 0.0, 0.0
		for i := 24; i < m; i += 2 {
			for j := 24; j < i; j += 2 {
				one += far(i, j)
				two += far(i, j+1)
			}
		}
		return two / one
	}
	plain := ratio(p.square)
	if got := ratio(s.within(of, among, 0.05).far); got < 4*plain {
		t.Errorf("two groups are %.2f times as far as one, by the plain distance %.2f", got, plain)
	}
	learnt, err := p.learnMetric(t.Context())
	if err != nil || learnt == nil {
		t.Errorf("no metric is learnt, %v", err)
	}
}

// TestWithin compares the metric with the inverse of the shrunk scatter within groups, computed
// plainly.
func TestWithin(t *testing.T) {
	const m, d, share = 14, 2, 0.2
	x := points(m, d)
	p := playOf(t, x, m)
	p.alone()
	p.alone()
	for i := range 9 {
		p.put(i, i%2, true, nil)
	}
	s, err := p.sample(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	of, among := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, make([]int, m)
	for i := range among {
		among[i] = i
	}
	scatter := mat.NewSymDense(d, nil)
	for g := range 2 {
		mean, members := make([]float64, d), 0.0
		for i := g; i < 9; i += 2 {
			linalg.Add(mean, x[i*d:(i+1)*d])
			members++
		}
		linalg.Divide(mean, members)
		for i := g; i < 9; i += 2 {
			r := mat.NewVecDense(d, slices.Clone(x[i*d:(i+1)*d]))
			r.SubVec(r, mat.NewVecDense(d, mean))
			scatter.SymRankOne(scatter, 1, r)
		}
	}
	even := share / (1 - share) * mat.Trace(scatter) / d
	for j := range d {
		scatter.SetSym(j, j, scatter.At(j, j)+even)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(scatter); err != nil {
		t.Fatal(err)
	}
	learnt := s.within(of, among, share)
	moved, err := learnt.points(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range m {
		for j := range i {
			v := mat.NewVecDense(d, slices.Clone(x[i*d:(i+1)*d]))
			v.SubVec(v, mat.NewVecDense(d, slices.Clone(x[j*d:(j+1)*d])))
			got, want := learnt.far(i, j), even*mat.Inner(v, &inverse, v)
			at := linalg.SquaredDistance(moved[i*d:(i+1)*d], moved[j*d:(j+1)*d])
			if math.Abs(got-want) > 1e-9 || math.Abs(at-want) > 1e-9 {
				t.Fatalf("%d, %d: %g and %g, want %g", i, j, got, at, want)
			}
		}
	}
}

// TestHints of single rows change masses as Bayes' rule has it, and no others.
func TestHints(t *testing.T) {
	const m = 20
	p := playOf(t, points(m, 4), m)
	p.found(2)
	p.found(13)
	before := p.masses()
	p.hints = []hint{{fact{7, 2, true}, 0.1}, {fact{13, 7, false}, 0.1}}
	after := p.masses()
	// Half of the ignorance is spread; both hints are .9 likely in the first group, .1 in the
	// second, and ½ where nothing is known.
	of := func(g int) float64 { return value(before[7], g) }
	rest := 1 - of(0) - of(1)
	one, two, none := (of(0)+rest/4)*0.81, (of(1)+rest/4)*0.01, rest/2*0.25
	if all := one + two + none; math.Abs(value(after[7], 0)-one/all) > 1e-9 ||
		math.Abs(value(after[7], 1)-two/all) > 1e-9 {
		t.Errorf("masses %v, want %.4f and %.4f", after[7], one/all, two/all)
	}
	for j := range m {
		if j != 7 && !slices.Equal(before[j], after[j]) {
			t.Errorf("the masses of %d change", j)
		}
	}
}

// TestLooking again where nothing is left to ask changes nothing.
func TestLooking(t *testing.T) {
	p := playOf(t, points(12, 4), 12)
	for i := range 12 {
		p.found(i)
	}
	p.learnAt = 4
	for g := range 12 {
		for h := range 12 {
			p.part(g, h)
		}
	}
	for range 2 {
		if _, ok, err := p.next(t.Context()); ok || err != nil {
			t.Fatal("something is left to ask", err)
		}
		if p.learnAt != 8 {
			t.Errorf("features are looked at again with %d known nodes", p.learnAt)
		}
	}
}

// TestManyNodes come to the same bytes on any number of threads.
func TestManyNodes(t *testing.T) {
	const m = 1500
	x := points(m, 7)
	for _, ends := range []int{3, 500} { // walks that are long, and short ones
		var first *walk
		for _, threads := range []int{1, 5} {
			g, err := newGraph(t.Context(), x, m, 2, threads, nil)
			if err != nil {
				t.Fatal(err)
			}
			var at []int
			for i := range ends {
				at = append(at, 3*i)
			}
			w := walkOf(t, g, at...)
			w.end(1499)
			if first == nil {
				first = w
				continue
			}
			for i := range m {
				if !slices.Equal(w.open[i], first.open[i]) ||
					!slices.Equal(w.hits[i], first.hits[i]) {
					t.Fatalf("five threads come to other bytes than one from node %d", i)
				}
			}
		}
	}
}
