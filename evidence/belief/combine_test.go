package belief_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

type rule = func(m1, m2 belief.Mass) (belief.Mass, error)

func must(t *rapid.T, m belief.Mass, err error) belief.Mass {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRulesCommuteAndAssociate(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters().Draw(t, "c")
		m1, m2, m3 := drawMass(t, c, "m1"), drawMass(t, c, "m2"), drawMass(t, c, "m3")
		a := drawSet(t, c, "a")
		combine := func(of rule, x, y belief.Mass) belief.Mass {
			m, err := of(x, y)
			return must(t, m, err)
		}
		for _, of := range []rule{belief.Conjunctive, belief.Disjunctive} {
			if !same(combine(of, m1, m2), combine(of, m2, m1)) {
				t.Fatal("the rule does not commute")
			}
			if !same(combine(of, combine(of, m1, m2), m3), combine(of, m1, combine(of, m2, m3))) {
				t.Fatal("the rule does not associate")
			}
		}
		and, or := combine(belief.Conjunctive, m1, m2), combine(belief.Disjunctive, m1, m2)
		if !near(and.Commonality(a), m1.Commonality(a)*m2.Commonality(a)) {
			t.Fatal("commonalities do not multiply under the conjunctive rule")
		}
		within := func(m belief.Mass) float64 { return m.Bel(a) + m.Of(0) }
		if !near(within(or), within(m1)*within(m2)) {
			t.Fatal("implicabilities do not multiply under the disjunctive rule")
		}
		vacuous, err := belief.Vacuous(c)
		if !same(combine(belief.Conjunctive, m1, must(t, vacuous, err)), m1) {
			t.Fatal("the vacuous mass function changes another")
		}
		conflict, err := belief.Conflict(m1, m2)
		if err != nil || !near(conflict, and.Of(0)) {
			t.Fatal("the conflict is not the mass on ∅")
		}
		joint, err := belief.DempsterRule(m1, m2)
		if and.Of(0) > 1-1e-9 {
			return
		}
		if must(t, joint, err); !joint.Normalized() || !near(joint.Bel(belief.Omega(c)), 1) {
			t.Fatal("Dempster's rule leaves mass on ∅")
		}
	})
}

func TestDempsterRuleAtTotalConflict(t *testing.T) {
	m1, _ := belief.New(2, []belief.Set{1}, []float64{1})
	m2, _ := belief.New(2, []belief.Set{2}, []float64{1})
	if _, err := belief.DempsterRule(m1, m2); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "Yager") {
		t.Error(err)
	}
	other, _ := belief.Vacuous(3)
	for _, of := range []rule{belief.Conjunctive, belief.Disjunctive, belief.DempsterRule} {
		if _, err := of(m1, other); !fault.IsInput(err) {
			t.Errorf("different frames: %v", err)
		}
	}
	if _, err := belief.Conflict(m1, other); !fault.IsInput(err) {
		t.Errorf("different frames: %v", err)
	}
}

func TestDiscount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := clusters().Draw(t, "c")
		m := drawMass(t, c, "m")
		r := float64(rapid.IntRange(0, 16).Draw(t, "reliability")) / 16
		a := drawSet(t, c, "a")
		d, err := m.Discount(r)
		must(t, d, err)
		if a != belief.Omega(c) && !near(d.Bel(a), r*m.Bel(a)) || !near(total(masses(d)), 1) {
			t.Fatal("beliefs are not scaled by the reliability")
		}
	})
	m, _ := belief.Vacuous(2)
	if _, err := m.Discount(1.5); !fault.IsInput(err) {
		t.Error(err)
	}
}

func masses(m belief.Mass) []float64 {
	out := make([]float64, m.Len())
	for j := range out {
		_, out[j] = m.Focal(j)
	}
	return out
}

func TestProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c1, c2 := rapid.IntRange(1, 7).Draw(t, "c1"), rapid.IntRange(1, 9).Draw(t, "c2")
		p, err := belief.NewProduct(c1, c2)
		if err != nil {
			t.Fatal(err)
		}
		sides := []belief.Side{belief.First, belief.Second}
		var wide [2]belief.Mass
		for i, c := range []int{c1, c2} {
			m := drawMass(t, c, "m")
			wide[i], err = p.VacuousExtension(m, sides[i])
			must(t, wide[i], err)
			back, err := p.Marginal(wide[i], sides[i])
			if !same(must(t, back, err), m) {
				t.Fatal("the marginal of the vacuous extension differs")
			}
			other, err := p.Marginal(wide[i], sides[1-i])
			if must(t, other, err); !near(other.Of(0)+other.Of(belief.Omega([]int{c2, c1}[i])), 1) {
				t.Fatal("the vacuous extension is informative about the other factor")
			}
		}
		if c1 != c2 {
			return
		}
		// Two objects on one frame: the joint mass function, the diagonal and the conflict
		// (cevclus-2013 eqs. 10 to 12).
		joint, err := belief.Conjunctive(wide[0], wide[1])
		must(t, joint, err)
		var diagonal belief.Set
		for k := range c1 {
			diagonal |= belief.Singleton(p.Pair(k, k))
		}
		m1, _ := p.Marginal(wide[0], belief.First)
		m2, _ := p.Marginal(wide[1], belief.Second)
		conflict, err := belief.Conflict(m1, m2)
		if err != nil || !near(joint.Pl(diagonal), 1-conflict) {
			t.Fatalf("pl(θ) = %v, 1 − κ = %v", joint.Pl(diagonal), 1-conflict)
		}
	})
	if _, err := belief.NewProduct(8, 8); !fault.IsInput(err) {
		t.Error(err)
	}
	p, _ := belief.NewProduct(2, 3)
	m, _ := belief.Vacuous(4)
	if _, err := p.Marginal(m, belief.First); !fault.IsInput(err) {
		t.Error(err)
	}
	if _, err := p.VacuousExtension(m, belief.First); !fault.IsInput(err) {
		t.Error(err)
	}
}
