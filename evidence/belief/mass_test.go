package belief_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

// drawMass draws a mass function on c clusters with up to eight focal sets; ∅ and the frame are
// likely ones.
func drawMass(t *rapid.T, c int, name string) belief.Mass {
	set := rapid.OneOf(rapid.Just(belief.Set(0)), rapid.Just(belief.Omega(c)),
		rapid.Map(rapid.Uint64(),
			func(u uint64) belief.Set { return belief.Set(u) & belief.Omega(c) }))
	sets := rapid.SliceOfN(set, 1, 8).Draw(t, name+" sets")
	masses := make([]float64, len(sets))
	sum := 0.0
	for j := range masses {
		masses[j] = float64(rapid.IntRange(0, 100).Draw(t, name+" weight"))
		sum += masses[j]
	}
	if sum == 0 {
		masses[0], sum = 1, 1
	}
	for j := range masses {
		masses[j] /= sum
	}
	m, err := belief.New(c, sets, masses)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func drawSet(t *rapid.T, c int, name string) belief.Set {
	return belief.Set(rapid.Uint64().Draw(t, name)) & belief.Omega(c)
}

func clusters() *rapid.Generator[int] {
	return rapid.OneOf(rapid.IntRange(1, 6), rapid.IntRange(1, belief.MaxClusters))
}

const tolerance = 1e-12

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance }

// same reports whether two mass functions agree but for rounding.
func same(a, b belief.Mass) bool {
	for _, m := range []belief.Mass{a, b} {
		for j := range m.Len() {
			if s, _ := m.Focal(j); !near(a.Of(s), b.Of(s)) {
				return false
			}
		}
	}
	return a.Clusters() == b.Clusters()
}

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

func TestBeliefAndPlausibility(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters().Draw(t, "c")
		m := drawMass(t, c, "m")
		a, b := drawSet(t, c, "a"), drawSet(t, c, "b")
		omega := belief.Omega(c)
		if !near(m.Pl(a), m.Bel(omega)-m.Bel(omega&^a)) {
			t.Fatal("Pl(A) is not Bel(Ω) − Bel(Ā)")
		}
		if m.Bel(a) > m.Pl(a) || m.Bel(a&b) > m.Bel(a) || m.Pl(a&b) > m.Pl(a) ||
			m.Commonality(a|b) > m.Commonality(a) {
			t.Fatal("Bel ≤ Pl, or monotony, fails")
		}
		if m.Bel(0) != 0 || m.Pl(0) != 0 || !near(m.Commonality(0), 1) ||
			!near(m.Bel(omega)+m.Of(0), 1) {
			t.Fatal("a bound fails")
		}
		for k, pl := range m.Contour() {
			if pl != m.Pl(belief.Singleton(k)) || pl != m.Commonality(belief.Singleton(k)) {
				t.Fatal("the contour is not the plausibility of singletons")
			}
		}
		if n := m.Nonspecificity(); n < 0 || n > math.Log2(float64(c))+tolerance {
			t.Fatalf("nonspecificity %v", n)
		}
	})
}

func TestPignisticIsAProbability(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters().Draw(t, "c")
		m := drawMass(t, c, "m")
		for _, by := range []belief.Normalisation{belief.Dempster, belief.Yager} {
			p := m.Pignistic(by)
			if !near(total(p), 1) || slices.Min(p) < 0 {
				t.Fatalf("BetP %v", p)
			}
			normal, err := m.Normalize(by)
			if err != nil {
				if m.Of(0) < 1-tolerance || by == belief.Yager || !fault.IsInput(err) {
					t.Fatal(err)
				}
				continue
			}
			if !normal.Normalized() {
				t.Fatal("normalised, yet ∅ has mass")
			}
			for k, v := range normal.Pignistic(belief.Dempster) {
				if !near(v, p[k]) || v < normal.Bel(belief.Singleton(k))-tolerance ||
					v > normal.Pl(belief.Singleton(k))+tolerance {
					t.Fatal("BetP does not lie between Bel and Pl")
				}
			}
		}
	})
}

func TestMobiusRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 7).Draw(t, "c")
		m := drawMass(t, c, "m")
		for _, way := range []struct {
			list func(belief.Mass) ([]float64, error)
			one  func(belief.Mass, belief.Set) float64
			back func([]float64) (belief.Mass, error)
		}{
			{belief.Mass.Commonalities, belief.Mass.Commonality, belief.FromCommonalities},
			{belief.Mass.Beliefs, belief.Mass.Bel, belief.FromBeliefs},
			{belief.Mass.Plausibilities, belief.Mass.Pl, belief.FromPlausibilities},
		} {
			v, err := way.list(m)
			if err != nil {
				t.Fatal(err)
			}
			for a := range v {
				if !near(v[a], way.one(m, belief.Set(a))) {
					t.Fatalf("set %v: %v listed, %v by itself", belief.Set(a), v[a],
						way.one(m, belief.Set(a)))
				}
			}
			back, err := way.back(v)
			if err != nil || !sameWithin(m, back, 1e-8) {
				t.Fatalf("%v came back as %v (%v)", m, back, err)
			}
		}
	})
}

// TestMobiusLeavesNoResidue: rounding makes no focal sets, so that a Bayesian mass function stays
// one.
func TestMobiusLeavesNoResidue(t *testing.T) {
	for _, c := range []int{2, 3, 7, 12} {
		var sets []belief.Set
		var masses []float64
		for k := range c {
			sets, masses = append(sets, belief.Singleton(k)),
				append(masses, float64(2*(k+1))/float64(c*(c+1)))
		}
		m, err := belief.New(c, sets, masses)
		if err != nil {
			t.Fatal(err)
		}
		bel, _ := m.Beliefs()
		pl, _ := m.Plausibilities()
		q, _ := m.Commonalities()
		for name, back := range map[string]func() (belief.Mass, error){
			"beliefs":        func() (belief.Mass, error) { return belief.FromBeliefs(bel) },
			"plausibilities": func() (belief.Mass, error) { return belief.FromPlausibilities(pl) },
			"commonalities":  func() (belief.Mass, error) { return belief.FromCommonalities(q) },
		} {
			if got, err := back(); err != nil || !got.Bayesian() || got.Len() != c {
				t.Errorf("%d clusters, from %s: %d focal sets (%v)", c, name, got.Len(), err)
			}
		}
	}
}

func sameWithin(a, b belief.Mass, tolerance float64) bool {
	for _, m := range []belief.Mass{a, b} {
		for j := range m.Len() {
			if s, _ := m.Focal(j); math.Abs(a.Of(s)-b.Of(s)) > tolerance {
				return false
			}
		}
	}
	return true
}

func TestConsonantRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters().Draw(t, "c")
		contour := make([]float64, c)
		for k := range contour {
			contour[k] = float64(rapid.IntRange(0, 8).Draw(t, "pl")) / 8 // ties are likely
		}
		m, err := belief.Consonant(contour)
		if err != nil || !m.Consonant() {
			t.Fatal(m, err)
		}
		for k, pl := range m.Contour() {
			if pl != contour[k] { // eighths are exact
				t.Fatalf("contour %v came back as %v", contour, m.Contour())
			}
		}
		if m.Of(0) != 1-slices.Max(contour) {
			t.Fatalf("m(∅) = %v", m.Of(0))
		}
		a, b := drawSet(t, c, "a"), drawSet(t, c, "b")
		if !near(m.Pl(a|b), max(m.Pl(a), m.Pl(b))) {
			t.Fatal("the plausibility is no possibility measure")
		}
	})
}

// TestTotalConflict: all mass on ∅ is no NaN anywhere.
func TestTotalConflict(t *testing.T) {
	m, err := belief.New(3, []belief.Set{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	third := []float64{1. / 3, 1. / 3, 1. / 3}
	if !slices.Equal(m.Contour(), []float64{0, 0, 0}) ||
		!slices.Equal(m.Pignistic(belief.Dempster), third) ||
		!slices.Equal(m.Pignistic(belief.Yager), third) {
		t.Errorf("contour %v, BetP %v", m.Contour(), m.Pignistic(belief.Dempster))
	}
	if m.Undominated() != belief.Omega(3) || m.Nonspecificity() != math.Log2(3) ||
		m.MaxFocal() != 0 {
		t.Errorf("Ω* %v, N %v", m.Undominated(), m.Nonspecificity())
	}
	for _, rule := range []belief.Rule{belief.MaxPlausibility, belief.MaxPignistic,
		belief.MaxMass} {
		if m.Decide(rule) != 0 {
			t.Errorf("rule %d chose %d", rule, m.Decide(rule))
		}
	}
}

func TestForms(t *testing.T) {
	for _, test := range []struct {
		sets                                              []belief.Set
		normalized, logical, bayesian, certain, consonant bool
	}{
		{[]belief.Set{2}, true, true, true, true, true},
		{[]belief.Set{3}, true, true, false, false, true},
		{[]belief.Set{0}, false, true, false, false, true},
		{[]belief.Set{1, 2}, true, false, true, false, false},
		{[]belief.Set{0, 2, 3, 7}, false, false, false, false, true},
		{[]belief.Set{3, 5}, true, false, false, false, false},
	} {
		masses := make([]float64, len(test.sets))
		for j := range masses {
			masses[j] = 1 / float64(len(masses))
		}
		m, err := belief.New(3, test.sets, masses)
		if err != nil {
			t.Fatal(err)
		}
		if m.Normalized() != test.normalized || m.Logical() != test.logical ||
			m.Bayesian() != test.bayesian || m.Certain() != test.certain ||
			m.Consonant() != test.consonant {
			t.Errorf("%v: %v %v %v %v %v", test.sets, m.Normalized(), m.Logical(), m.Bayesian(),
				m.Certain(), m.Consonant())
		}
	}
}

func TestBadMassesAreRefused(t *testing.T) {
	for name, make := range map[string]func() (belief.Mass, error){
		"no clusters": func() (belief.Mass, error) { return belief.New(0, nil, nil) },
		"64 clusters": func() (belief.Mass, error) { return belief.Vacuous(64) },
		"counts": func() (belief.Mass,
			error) {
			return belief.New(2, []belief.Set{1}, []float64{.5, .5})
		},
		"beyond": func() (belief.Mass,
			error) {
			return belief.New(2, []belief.Set{4}, []float64{1})
		},
		"negative": func() (belief.Mass,
			error) {
			return belief.New(2, []belief.Set{1, 2}, []float64{-.5, 1.5})
		},
		"NaN": func() (belief.Mass,
			error) {
			return belief.New(2, []belief.Set{1}, []float64{math.NaN()})
		},
		"infinite": func() (belief.Mass,
			error) {
			return belief.New(2, []belief.Set{1}, []float64{math.Inf(1)})
		},
		"sum": func() (belief.Mass,
			error) {
			return belief.New(2, []belief.Set{1, 2}, []float64{.5, .4})
		},
		"contour": func() (belief.Mass,
			error) {
			return belief.Consonant([]float64{.5, math.NaN()})
		},
		"no contour": func() (belief.Mass, error) { return belief.Consonant(nil) },
		"3 of 4 sets": func() (belief.Mass,
			error) {
			return belief.FromBeliefs([]float64{0, .5, 1})
		},
		"no belief": func() (belief.Mass,
			error) {
			return belief.FromBeliefs([]float64{0, .7, .7, 1})
		},
		"Bel(∅)": func() (belief.Mass,
			error) {
			return belief.FromBeliefs([]float64{.1, .2, .2, 1})
		},
		"Pl(∅)": func() (belief.Mass,
			error) {
			return belief.FromPlausibilities([]float64{math.NaN(), 1, 1, 1})
		},
		"no commonality": func() (belief.Mass,
			error) {
			return belief.FromCommonalities([]float64{.9, .5, .5, .1})
		},
	} {
		if m, err := make(); !fault.IsInput(err) {
			t.Errorf("%s: %v, %v", name, m, err)
		}
	}
	vacuous, err := belief.Vacuous(belief.MaxDense + 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := vacuous.Commonalities(); !fault.IsInput(err) {
		t.Error(err)
	}
}

func TestEqualSetsAreMerged(t *testing.T) {
	m, err := belief.New(2, []belief.Set{3, 1, 3, 2}, []float64{.25, .5, .25, 0})
	if err != nil || m.Len() != 2 || m.Of(3) != .5 || m.Of(2) != 0 {
		t.Errorf("%v %v", m, err)
	}
}
