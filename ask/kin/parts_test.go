package kin

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// TestNoGroups: what is a sign of none in noise of eight columns, and what is not: a better score, as
// large a number, and groups that one half foretells of the other, as on texts of many intents.
func TestNoGroups(t *testing.T) {
	noise := estimated{best: 163, score: 0.0083, foretold: 0.098}
	for _, c := range []struct {
		more estimated
		want bool
	}{
		{estimated{best: 326, score: 0.0064, foretold: 0.089}, true},
		{estimated{best: 326, score: 0.0085, foretold: 0.089}, false},
		{estimated{best: 187, score: 0.0064, foretold: 0.089}, false},
		{estimated{best: 326, score: 0.0064, foretold: 0.38}, false},
	} {
		if got := c.more.none(&noise); got != c.want {
			t.Errorf("%+v after %+v: %v", c.more, noise, got)
		}
	}
}

// TestTheNumberOfManyGroupsIsBelieved: where groups are compact, their threshold is taken to be near
// that of the estimated number, and one answer against it moves it little.
func TestTheNumberOfManyGroupsIsBelieved(t *testing.T) {
	var moved [2]float64
	for i, dense := range []float64{0, 1} {
		m := newPairModel(-2, dense)
		sum, square := 0.0, 0.0
		for at, w := range m.weight {
			by := m.threshold[at/len(m.slope)] + 2
			sum, square = sum+w*by, square+w*by*by
		}
		want := []float64{spreadThreshold, compactThreshold}[i]
		if sd := math.Sqrt(square - sum*sum); math.Abs(sd-want) > 0.01 {
			t.Errorf("compact %g: a standard deviation of %g, want %g", dense, sd, want)
		}
		m.learn(-3, true, 0)
		moved[i] = -2 - m.even
	}
	if moved[1] <= 0 || moved[1] > moved[0]/3 {
		t.Errorf("one answer moves the threshold by %g of few groups, and %g of many", moved[0],
			moved[1])
	}
}

// TestPairModel is even where groups are as likely to be one as not, and follows the answers.
func TestPairModel(t *testing.T) {
	m := newPairModel(-2, 0)
	if math.Abs(m.even+2) > 1e-6 || math.Abs(m.same(-2)-0.5) > 1e-6 {
		t.Errorf("even at %g, %g likely at −2", m.even, m.same(-2))
	}
	for z := -8.0; z < 4; z += 0.37 {
		if m.same(z) >= m.same(z+0.37) {
			t.Fatalf("%g is as likely as %g", z, z+0.37)
		}
	}
	if m.same(math.Inf(-1)) != 0 {
		t.Error("groups that are apart may be one")
	}
	for range 6 {
		m.learn(-3, true, 0)
	}
	if m.even > -3 || m.same(-3) < 0.75 {
		t.Errorf("after six answers of \"same\" at −3: even at %g, %.2f likely", m.even, m.same(-3))
	}
	for range 12 {
		m.learn(-3, false, 0)
	}
	if m.even < -3 {
		t.Errorf("after twelve of \"different\": even at %g", m.even)
	}
}

// TestParts join what is near, and never what answers part.
func TestParts(t *testing.T) {
	const m = 30
	x := points(m, 6)
	for i := range m { // three places
		x[2*i] = 0.2*x[2*i] + float64(i%3)
		x[2*i+1] *= 0.2
	}
	p := playOf(t, x, m)
	for i := range 9 {
		p.found(i)
	}
	p.expected, p.height = 3, 0.05
	p.model = newPairModel(p.middle(), 0)
	view := p.parts(p.masses())
	if view.count != 3 {
		t.Fatalf("%d parts, want 3", view.count)
	}
	for g := range 9 {
		if view.of[g] != view.of[g%3] {
			t.Errorf("groups %d and %d are not supposed to be one", g, g%3)
		}
	}
	if view.fewest() > 3 || view.most < 3 {
		t.Errorf("from %d to %d parts", view.fewest(), view.most)
	}
	p.part(0, 3)
	view = p.parts(p.masses())
	if view.of[0] == view.of[3] || !math.IsInf(view.between(3, 0), -1) {
		t.Error("what answers part is supposed to be one")
	}
	f := p.masses()
	for i, on := range view.on {
		if math.Abs(total(f[i])-total(on)) > 1e-12 {
			t.Fatalf("node %d has masses %v on groups, and %v on parts", i, f[i], on)
		}
	}
}

// TestEstimate is near the number of groups that were drawn.
func TestEstimate(t *testing.T) {
	for _, groups := range []int{3, 40} {
		rng := rand.New(rand.NewPCG(uint64(groups), 5))
		const n, d = 1200, 6
		x, centres := make([]float64, 0, n*d), make([]float64, groups*d)
		for i := range centres {
			centres[i] = 6 * rng.NormFloat64()
		}
		for i := range n {
			for j := range d {
				x = append(x, centres[i%groups*d+j]+rng.NormFloat64())
			}
		}
		for _, scale := range []float64{1, 1e-150, 1e100} {
			scaled := slices.Clone(x)
			for i := range scaled {
				scaled[i] *= scale
			}
			e, err := estimate(t.Context(), dataset.Matrix{Rows: n, Cols: d, F64: scaled}, Config{})
			if err != nil {
				t.Fatal(err)
			}
			if got := e.best; got < groups*8/10 || got > groups*12/10 {
				t.Errorf("%d groups times %g: %d", groups, scale, got)
			}
		}
	}
}

// TestEstimateWithoutGroups is the usual number, however many rows show none, and a count of groups
// where there are many small ones.
func TestEstimateWithoutGroups(t *testing.T) {
	const d = 8
	noise := func(rng *rand.Rand, _ int) float64 { return rng.NormFloat64() }
	small := func(rng *rand.Rand, centre int) float64 {
		place := rand.New(rand.NewPCG(uint64(centre), 3))
		return place.NormFloat64() + .1*rng.NormFloat64()
	}
	for _, c := range []struct {
		rows     int
		value    func(rng *rand.Rand, centre int) float64
		from, to int
	}{
		{1024, noise, 11, 11}, {6000, noise, 13, 13}, {6000, small, 350, 450},
	} {
		if testing.Short() && c.rows > 1024 {
			continue
		}
		for seed := range uint64(3) {
			rng, x := rand.New(rand.NewPCG(seed, 4)), make([]float64, c.rows*d)
			for i := range x {
				x[i] = c.value(rng, i/d%400*d+i%d)
			}
			cfg := Config{Options: fit.Options{Seed: seed}}
			e, err := estimate(t.Context(), dataset.Matrix{Rows: c.rows, Cols: d, F64: x}, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if got := e.best; got < c.from || got > c.to {
				t.Errorf("%d rows, seed %d: %d groups, want %d to %d", c.rows, seed, got, c.from,
					c.to)
			}
		}
	}
}

// TestAnAnswerTurnsWhatIsLikely, however many others made it so.
func TestAnAnswerTurnsWhatIsLikely(t *testing.T) {
	m := newPairModel(0, 0)
	for range 150 {
		m.learn(2, true, 0)
		m.learn(-2, false, 0)
	}
	if p := bayes(m.same(12), 0, 1); p != 0 {
		t.Errorf("groups that an answer parts are %g likely to be one", p)
	}
	if p := bayes(m.same(-12), 1, 0); p != 1 {
		t.Errorf("groups that an answer joins are %g likely to be one", p)
	}
}

// TestRefused rows are refused by their number, not by that in a drawing.
func TestRefused(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), math.MaxFloat64} {
		x := points(50, 1)
		x[2*17], x[2*18], x[2*19] = v, -v, v
		_, err := New(t.Context(), dataset.Matrix{Rows: 50, Cols: 2, F64: x}, Config{})
		if err == nil || !strings.Contains(err.Error(), "row 18") {
			t.Errorf("%g in row 18: %v", v, err)
		}
	}
}

// TestCancelledBegin: making the tentative groups ends with the context.
func TestCancelledBegin(t *testing.T) {
	run, err := New(t.Context(), dataset.Matrix{Rows: 50, Cols: 2, F64: points(50, 1)}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := run.chooser.begin(over, run.Ledger); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is over: %v", err)
	}
}

// TestProgress of the work before the first question rises to 1.
func TestProgress(t *testing.T) {
	var shares []float64
	cfg := Config{Options: fit.Options{Progress: func(p fit.Progress) {
		shares = append(shares, p.Share)
	}}}
	const n = 2500
	if _, err := New(t.Context(), dataset.Matrix{Rows: n, Cols: 2, F64: points(n, 1)},
		cfg); err != nil {
		t.Fatal(err)
	}
	if !slices.IsSorted(shares) || len(shares) < drawings || shares[0] > 0.2 ||
		shares[len(shares)-1] != 1 {
		t.Errorf("shares of the work: %v", shares)
	}
}

// TestOutcomesAreUncertain as long as the number of groups is, and say so.
func TestOutcomesAreUncertain(t *testing.T) {
	run, err := New(t.Context(), dataset.Matrix{Rows: 50, Cols: 2, F64: points(50, 1)}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	var seen [2]bool
	for {
		out, err := run.outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(out.Notes,
			func(n string) bool { return strings.HasPrefix(n, "there are likely to be ") })
		if out.Uncertain != noted {
			t.Fatalf("uncertain: %t, notes %q", out.Uncertain, out.Notes)
		}
		if seen[0] = seen[0] || !noted; noted {
			seen[1] = true
		}
		q, ok := run.Next()
		if !ok {
			break
		}
		kind := link.CannotLink
		if (q.A < 25) == (q.B < 25) {
			kind = link.MustLink
		}
		if err := run.Answer(kind); err != nil {
			t.Fatal(err)
		}
	}
	if seen != [2]bool{true, true} {
		t.Errorf("certain, and uncertain: %v", seen)
	}
}
