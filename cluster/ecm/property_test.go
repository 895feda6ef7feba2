package ecm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simplexqp"
	"github.com/kindred-go/kindred/link"
)

// drawData draws rows around a few points.
func drawData(t *rapid.T, c int) dataset.Matrix {
	n := rapid.IntRange(c, 40).Draw(t, "n")
	d := rapid.IntRange(1, 6).Draw(t, "d")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "data"), 0))
	at := rapid.SampledFrom([]float64{0, 1e6}).Draw(t, "at")
	unit := rapid.SampledFrom([]float64{1, 1e-9, 1e12}).Draw(t, "unit")
	values := make([]float64, 0, n*d)
	for i := range n {
		for j := range d {
			values = append(values, (float64(i%3*(j+1))+2*rng.Float64()+at)*unit)
		}
	}
	return dataset.Matrix{Rows: n, Cols: d, F64: values}
}

func drawConfig(t *rapid.T, c int) Config {
	return Config{
		Clusters:   c,
		Focal:      focalOf(c, rapid.IntRange(0, 2).Draw(t, "focal")),
		SetPenalty: rapid.SampledFrom([]float64{0.01, 1, 2}).Draw(t, "alpha"),
		Fuzziness:  rapid.SampledFrom([]float64{1.5, 2, 3, 1.2}).Draw(t, "beta"),
		Barycentre: rapid.SampledFrom([]float64{0.5, 1, 5}).Draw(t, "gamma"),
		Limits:     fit.Limits{Tolerance: 1e-12, MaxIterations: 60},
		Options:    fit.Options{Seed: rapid.Uint64().Draw(t, "seed")},
		Spread:     rapid.SampledFrom([]float64{1, 0.3}).Draw(t, "eta"),
		LinkWeight: 0.5,
	}
}

// falls fails where a trace rises.
func falls(t *rapid.T, r *Result) {
	trace := r.Trace
	for i := 1; i < len(trace); i++ {
		if trace[i] > trace[i-1]+1e-9*trace[0]+1e-14*r.NoiseDistance*r.NoiseDistance {
			t.Fatalf("the objective rises at step %d: %v", i, trace)
		}
	}
}

func near(a, b, tolerance float64) bool {
	return math.Abs(a-b) <= tolerance*(math.Abs(a)+math.Abs(b))+1e-300
}

// Whatever the data, the sets and the exponents: the objective is that of the papers, it never
// rises, masses are the best for the centres, and the centres the best for the masses as far as
// small steps can tell. Rows of the fit that have no links are placed by the masses that it found.
func TestTheObjectiveOfVectorsNeverRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 4).Draw(t, "c")
		data := drawData(t, c)
		cfg := drawConfig(t, c)
		ccm := rapid.Bool().Draw(t, "ccm")
		run := Fit
		if ccm {
			run = FitCredal
		} else {
			cfg.Metric = fit.Metric(rapid.IntRange(0, 2).Draw(t, "metric"))
			cfg.Shared = rapid.Bool().Draw(t, "shared")
			for range rapid.IntRange(0, 5).Draw(t, "links") {
				a, b := rapid.IntRange(0, data.Rows-1).Draw(t, "a"),
					rapid.IntRange(0, data.Rows-1).Draw(t, "b")
				kind := rapid.SampledFrom([]link.Kind{link.MustLink, link.CannotLink}).Draw(t,
					"kind")
				if a != b {
					cfg.Links = append(cfg.Links,
						link.Link{A: a, B: b, Kind: kind,
							Plausibility: rapid.SampledFrom([]float64{1, 0.7}).Draw(t, "p")})
				}
			}
			cfg.Contradictions = link.Keep
		}
		r, err := run(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		falls(t, r)
		if err := r.Credal.Check(); err != nil {
			t.Fatal(err)
		}
		want, least := twin(cfg, r, data, ccm), 1e-12
		if cfg.Metric != fit.Euclidean {
			least = 1e-3 // a learnt metric stretches what rounding leaves of a fit without error
		}
		if !near(r.Objective, want, 1e-5) && max(r.Objective, want) > least*r.Trace[0] &&
			math.Abs(r.Objective-want) > 1e-9*r.NoiseDistance*r.NoiseDistance {
			t.Fatalf("objective %g, by its definition %g", r.Objective, want)
		}
		placed, err := r.Place(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i := range data.Rows {
			linked := slices.ContainsFunc(cfg.Links,
				func(l link.Link) bool { return l.A == i || l.B == i })
			if most := largest(placed.Row(i), r.Credal.Row(i)); !linked && most > 1e-6 {
				t.Fatalf("row %d is placed by masses %v, and has %v", i, placed.Row(i),
					r.Credal.Row(i))
			}
		}
		if len(cfg.Links) > 0 {
			return
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range data.Rows {
			x, m := data.AppendRow(nil, i), r.Credal.Row(i)
			best := twinRow(cfg, r, x, m, ccm)
			other, sum := slices.Clone(m), 0.0
			for s := range other {
				other[s] = math.Max(0, other[s]+0.05*(rng.Float64()-0.5))
				sum += other[s]
			}
			for s := range other {
				other[s] /= sum
			}
			if v := twinRow(cfg, r, x, other,
				ccm); v < best*(1-1e-5)-1e-9*r.NoiseDistance*r.NoiseDistance {
				t.Fatalf("row %d: masses %v cost %g, and %v only %g", i, m, best, other, v)
			}
		}
	})
}

// The centres are where the gradient of the objective vanishes, by finite differences.
func TestCentresAreStationary(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	data := dataset.Matrix{Rows: 60, Cols: 3}
	for i := range data.Rows {
		for range data.Cols {
			data.F64 = append(data.F64, 3*float64(i%3)+rng.Float64()*4)
		}
	}
	for name, one := range map[string]struct {
		ccm    bool
		metric fit.Metric
	}{"ecm": {}, "ccm": {ccm: true}, "diagonal": {metric: fit.Diagonal},
		"full": {metric: fit.Full}} {
		cfg := Config{
			Clusters:   3,
			Limits:     fit.Limits{Tolerance: 1e-15, MaxIterations: 3000},
			Fuzziness:  2,
			SetPenalty: 1,
			Barycentre: 1,
			Metric:     one.metric,
		}
		run := Fit
		if one.ccm {
			run = FitCredal
		}
		r, err := run(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		const h = 1e-4
		for j := range r.Centers.F64 {
			at := r.Centers.F64[j]
			r.Centers.F64[j] = at + h
			up := twin(cfg, r, data, one.ccm)
			r.Centers.F64[j] = at - h
			down := twin(cfg, r, data, one.ccm)
			r.Centers.F64[j] = at
			if slope := (up - down) / (2 * h); math.Abs(slope) > 1e-3 {
				t.Errorf("%s: the objective changes by %g a step of coordinate %d", name, slope, j)
			}
		}
		for k := range 3 { // metrics keep the volume
			w := metricOf(r, k, 3)
			det := w[0]*(w[4]*w[8]-w[5]*w[7]) - w[1]*(w[3]*w[8]-w[5]*w[6]) +
				w[2]*(w[3]*w[7]-w[4]*w[6])
			if math.Abs(det-1) > 1e-9 {
				t.Errorf("%s: determinant %g", name, det)
			}
		}
	}
}

// RECM on Euclidean distances is ECM, from the same objects as first centres.
func TestRelationalIsECMOnEuclideanDistances(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 4).Draw(t, "c")
		n, d := rapid.IntRange(10, 40).Draw(t, "n"), rapid.IntRange(2, 5).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "data"), 0))
		data := dataset.Matrix{Rows: n, Cols: d}
		for range n * d {
			data.F64 = append(data.F64, rng.Float64())
		}
		cfg := drawConfig(t, c)
		cfg.MaxIterations = 3 // dissimilarities are float32, and later on paths part
		cfg.Medoids = rng.Perm(n)[:c]
		src, err := dissim.Vectors(data, dissim.Euclidean)
		if err != nil {
			t.Fatal(err)
		}
		r, err := FitRelational(t.Context(), src, cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Centers, cfg.Medoids = data.Subset(cfg.Medoids), nil
		want, err := Fit(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for i := range min(len(r.Trace), len(want.Trace)) {
			if !near(r.Trace[i], want.Trace[i], 1e-3) {
				t.Fatalf("objectives %v, and of ECM %v", r.Trace, want.Trace)
			}
		}
		if r.Lifted != 0 || len(r.Trace) == len(want.Trace) &&
			largest(r.Credal.Mass, want.Credal.Mass) > 0.02 {
			t.Fatalf("masses differ by %g; lifted by %g", largest(r.Credal.Mass, want.Credal.Mass),
				r.Lifted)
		}
	})
}

func largest(a, b []float64) float64 {
	most := 0.0
	for i, v := range a {
		most = math.Max(most, math.Abs(v-b[i]))
	}
	return most
}

// On dissimilarities that are no distances RECM lifts them, goes down from there, and says by how
// much; MECM needs no such thing and has the objective that it says.
func TestAnyDissimilarities(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 4).Draw(t, "c")
		n := rapid.IntRange(c, 30).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "data"), 0))
		m := &dissim.Dense{N: n, D: make([]float32, n*n)}
		unit := rapid.SampledFrom([]float32{1, 1e-12, 1e12}).Draw(t, "unit")
		for i := range n {
			for j := range i {
				v := rng.Float32() * rng.Float32() * unit
				m.D[i*n+j], m.D[j*n+i] = v, v
			}
		}
		before := slices.Clone(m.D)
		cfg := drawConfig(t, c)
		cfg.Starts = 2
		r, err := FitRelational(t.Context(), m, cfg)
		if err != nil {
			t.Fatal(err)
		}
		falls(t, r)
		if err := r.Credal.Check(); err != nil {
			t.Fatal(err)
		}
		r, err = FitMedian(t.Context(), m, cfg)
		if err != nil {
			t.Fatal(err)
		}
		falls(t, r)
		if err := r.Credal.Check(); err != nil {
			t.Fatal(err)
		}
		if want := twinMedian(cfg, r, m); !near(r.Objective, want, 1e-5) &&
			r.Objective > 1e-9*float64(unit) {
			t.Fatalf("objective %g, by its definition %g", r.Objective, want)
		}
		if !slices.Equal(before, m.D) {
			t.Fatal("the caller's dissimilarities are changed")
		}
	})
}

// The programme of a linked row has the solution that a solver for all quadratic programmes finds,
// and for other exponents none that is better nearby.
func TestTheProgrammeOfARow(t *testing.T) {
	t.Run("a price like λ but for its last digit",
		func(t *testing.T) { checkRow(t, 5, 0x6b8dadb, 7) })
	rapid.Check(t, func(t *rapid.T) {
		checkRow(t, rapid.IntRange(2, 9).Draw(t, "f"), rapid.Uint64().Draw(t, "seed"),
			rapid.SampledFrom([]float64{1.2, 1.5, 3, 7}).Draw(t, "beta"))
	})
}

// checkRow draws weights and prices of f sets, and compares what row finds with other solutions.
func checkRow(t interface{ Fatalf(string, ...any) }, f int, seed uint64, beta float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	w, price := make([]float64, f), make([]float64, f)
	for s := range w {
		w[s], price[s] = rng.ExpFloat64(), rng.ExpFloat64()*rng.Float64()
		if rng.IntN(8) == 0 {
			w[s] = 0
		}
	}
	m := make([]float64, f)
	newPowers(2).row(m, w, price)
	h, g := make([]float64, f*f), make([]float64, f)
	for s := range w {
		h[s*f+s], g[s] = w[s], -price[s]/2
	}
	best := slices.Repeat([]float64{1 / float64(f)}, f)
	simplexqp.New(f).Solve(h, g, best)
	cost := func(p powers, m []float64) (sum float64) {
		for s, v := range m {
			sum += w[s]*p.weight(v) + price[s]*v
		}
		return sum
	}
	if a, b := cost(newPowers(2), m), cost(newPowers(2), best); a > b+1e-9 {
		t.Fatalf("%v costs %g, and %v only %g", m, a, best, b)
	}
	p := newPowers(beta)
	p.row(m, w, price)
	least, sum := cost(p, m), 0.0
	for _, v := range m {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 || slices.Min(m) < 0 {
		t.Fatalf("%v is no mass function", m)
	}
	for a := range f {
		for b := range f {
			step := min(1e-4, m[a])
			other := slices.Clone(m)
			other[a] -= step
			other[b] += step
			if v := cost(p, other); v < least-1e-12 {
				t.Fatalf("β %g: %v costs %g, and %v only %g", p.beta, m, least, other, v)
			}
		}
	}
}
