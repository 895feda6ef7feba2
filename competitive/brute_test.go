package competitive

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/link"
)

// twin learns as the algorithms are written (Covões, Hruschka and Ghosh 2013, algorithms 1 and 2, and must-links as the package's
// documentation has them), as plainly as can be.
type twin struct {
	rule        Rule
	mu          [][]float64
	w           []float64
	alpha, beta float64
}

func square(x, y []float64) (sum float64) {
	for j := range x {
		sum += (x[j] - y[j]) * (x[j] - y[j])
	}
	return sum
}

// argmin gives the prototype with the least cost among those allowed, -1 when none is.
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
				t.step(j, x, a)
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
			t.step(j, x, a)
			continue
		}
		c, f := x, o
		if square(o, t.mu[j]) < square(x, t.mu[j]) {
			c, f = o, x
		}
		n := t.argmin(func(m int) float64 { return square(f, t.mu[m]) }, func(m int) bool { return m != j })
		if n < 0 { // one prototype cannot keep anything apart
			t.step(j, x, a)
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
			r := t.argmin(func(m int) float64 { return t.gamma(m) * square(p.row, t.mu[m]) }, anyone)
			f[r] = math.Max(f[r], p.confidence)
		}
	}
	_, taken := f[j]
	if len(f) == 0 || !taken || len(f) == len(t.mu) {
		n := t.argmin(cost, func(m int) bool { return m != j })
		if n >= 0 {
			t.step(n, x, -t.beta)
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

// Every rule agrees with its twin on random problems, with and without links of all kinds.
func TestRulesAgreeWithTheirTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive, WinnerTakeAll}).Draw(t, "rule")
		n, d := rapid.IntRange(2, 40).Draw(t, "n"), rapid.IntRange(1, 20).Draw(t, "d")
		k := rapid.IntRange(1, 11).Draw(t, "k")
		many := rapid.IntRange(0, 60).Draw(t, "links")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		data := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
		for i := range data.F64 {
			data.F64[i] = rng.NormFloat64()
		}
		start := dataset.Matrix{Rows: k, Cols: d, F64: make([]float64, k*d)}
		for i := range start.F64 {
			start.F64[i] = rng.NormFloat64()
		}
		var links []link.Link
		for range many {
			a, b := rng.IntN(n), rng.IntN(n)
			if a != b {
				links = append(links, link.Link{A: a, B: b, Kind: link.Kind(rng.IntN(3)), Plausibility: []float64{0, .4, .9}[rng.IntN(3)]})
			}
		}
		rate := Rate{Start: 0.1, Unlearn: 0.02}
		r, err := Fit(context.Background(), data, links, FitConfig{Config: Config{Rule: rule, Clusters: k, Rate: rate, Contradictions: link.Keep},
			Epochs: 3, InOrder: true, InitialPrototypes: start})
		if err != nil {
			t.Fatal(err)
		}
		twin := &twin{rule: rule, alpha: rate.Start, beta: rate.Unlearn}
		for j := range k {
			twin.mu = append(twin.mu, slices.Clone(start.F64[j*d:(j+1)*d]))
			twin.w = append(twin.w, 1)
		}
		row := func(i int) []float64 { return data.F64[i*d : (i+1)*d] }
		for epoch := range 3 {
			presented := 0.0
			for i := range n {
				var partners []partner
				for _, l := range link.Latest(links) {
					if l.Kind == link.Unknown || l.A != i && l.B != i {
						continue
					}
					o := l.A + l.B - i
					partners = append(partners, partner{row(o), l.Kind, l.Confidence()})
				}
				presented += square(row(i), twin.mu[twin.nearest(row(i))])
				twin.learn(row(i), partners)
			}
			near(t, "trace", r.Trace[epoch:epoch+1], []float64{presented})
		}
		near(t, "prototypes", r.Prototypes.F64, slices.Concat(twin.mu...))
		near(t, "wins", r.Wins, twin.w)
		objective := 0.0
		for i := range n {
			j := twin.nearest(row(i))
			if int(r.Labels[i]) != j {
				t.Fatalf("row %d is in %d, want %d", i, r.Labels[i], j)
			}
			objective += square(row(i), twin.mu[j])
		}
		near(t, "objective", []float64{r.Objective}, []float64{objective})
		again, err := r.Predict(context.Background(), data, 2)
		if err != nil || !slices.Equal(again, r.Labels) {
			t.Fatalf("predicted %v, %v; fitted %v", again, err, r.Labels)
		}
	})
}

// Without links O-LCVQE is WTA and C-RPCL is RPCL; without unlearning RPCL is FSCL. All to the bit, in every setting.
func TestWithoutLinksRulesFallTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := anyConfig(t)
		cfg.Metric = Euclidean
		data, _ := blobs(3, 3, 40, 6, cfg.Seed)
		fit := func(rule Rule, unlearn float64) *Result {
			c := cfg
			c.Rule, c.Rate.Unlearn = rule, unlearn
			r, err := Fit(context.Background(), data, nil, FitConfig{Config: c, Epochs: 2})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		for _, same := range [][2]*Result{
			{fit(OLCVQE, 0), fit(WinnerTakeAll, 0)}, {fit(CRPCL, 0), fit(RPCL, 0)}, {fit(RPCL, -1), fit(FrequencySensitive, 0)},
		} {
			if !slices.Equal(same[0].Prototypes.F64, same[1].Prototypes.F64) || !slices.Equal(same[0].Labels, same[1].Labels) {
				t.Fatalf("%v differs from %v", same[0].Prototypes.F64, same[1].Prototypes.F64)
			}
		}
	})
}

// A learner under links presents both rows again with all their partners, as the twin does.
func TestLearnerAgreesWithTheTwin(t *testing.T) {
	for _, rule := range []Rule{OLCVQE, CRPCL} {
		const k, d = 3, 4
		data, _ := blobs(3, d, 30, 3, 7)
		l, err := New(Config{Rule: rule, Clusters: k, Init: Sample, Rehearse: 10, Contradictions: link.Keep}, data)
		if err != nil {
			t.Fatal(err)
		}
		twin := &twin{rule: rule, alpha: 0.05, beta: 0.002, w: []float64{1, 1, 1}}
		for j := range k {
			twin.mu = append(twin.mu, slices.Clone(l.Snapshot().Prototypes.F64[j*d:(j+1)*d]))
		}
		rng := rand.New(rand.NewPCG(1, uint64(rule)))
		partners := map[int64][]partner{}
		var order []int64 // linked rows, as they were first linked
		row := func(number int64) []float64 { return data.F64[(number-1)*d : number*d] }
		turn := 0
		for i := range data.Rows {
			number, label, err := l.Observe(row(int64(i + 1)))
			if err != nil {
				t.Fatal(err)
			}
			if want := twin.nearest(row(number)); int(label.Cluster) != want {
				t.Fatalf("%v: row %d is in %d, want %d", rule, number, label.Cluster, want)
			}
			twin.learn(row(number), nil)
			if number%10 == 0 && len(order) > 0 {
				x := order[turn%len(order)]
				turn = turn%len(order) + 1
				twin.learn(row(x), partners[x])
			}
			if a, b := 1+rng.Int64N(number), 1+rng.Int64N(number); a != b && i%3 == 0 && l.memory.tie(a, b) == nil {
				kind := link.MustLink + link.Kind(rng.IntN(2))
				if _, err := l.Link(a, b, kind, 0.5); err != nil {
					t.Fatal(err)
				}
				for _, ends := range [][2]int64{{a, b}, {b, a}} {
					if partners[ends[0]] == nil {
						order = append(order, ends[0])
					}
					partners[ends[0]] = append(partners[ends[0]], partner{row(ends[1]), kind, 0.5})
				}
				twin.learn(row(a), partners[a])
				twin.learn(row(b), partners[b])
			}
		}
		near(t, rule.String(), l.Publish().Prototypes.F64, slices.Concat(twin.mu...))
		near(t, rule.String(), l.Snapshot().Wins, twin.w)
	}
}
