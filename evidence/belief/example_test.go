package belief_test

import (
	"fmt"

	"github.com/kindred-go/kindred/evidence/belief"
)

// Ann comes from an Asian country with probability 0.8, Henri from a French-speaking one with
// probability 0.5: how plausible is it that both have one nationality? (kevclus-2016, Example 1)
func ExampleConflict() {
	const singapore, thailand, france, canada = 1, 2, 4, 8
	ann, _ := belief.New(4, []belief.Set{singapore | thailand, belief.Omega(4)}, []float64{.8, .2})
	henri, _ := belief.New(4, []belief.Set{france | canada, belief.Omega(4)}, []float64{.5, .5})
	conflict, _ := belief.Conflict(ann, henri)
	fmt.Printf("%.1f %.1f\n", conflict, 1-conflict)
	// Output: 0.4 0.6
}

// Example 2 of kevclus-2016: the most plausible cluster is the first, and the second is not
// dominated.
func ExampleMass_Undominated() {
	m, _ := belief.New(3, []belief.Set{1, 2, 1 | 4}, []float64{.3, .4, .3})
	fmt.Printf("%.1f\n", m.Contour())
	fmt.Println(m.Decide(belief.MaxPlausibility)+1, m.Undominated())
	// Output:
	// [0.6 0.4 0.3]
	// 1 {1+2}
}

func ExampleConsonant() {
	m, _ := belief.Consonant([]float64{.9, .4, .4})
	for j := range m.Len() {
		set, mass := m.Focal(j)
		fmt.Printf("%v %.1f\n", set, mass)
	}
	// Output:
	// {} 0.1
	// {1} 0.5
	// {1+2+3} 0.4
}

func ExampleFocal() {
	sets, _ := belief.Focal(3, []belief.Set{1 | 2})
	fmt.Println(sets)
	// Output: [{} {1} {2} {3} {1+2} {1+2+3}]
}

// The belief, plausibility and commonality of a set, and what each set has.
func ExampleMass_Bel() {
	m, _ := belief.New(2, []belief.Set{1, 2, 1 | 2}, []float64{.5, .2, .3})
	fmt.Printf("%.1f %.1f %.1f\n", m.Bel(1), m.Pl(1), m.Commonality(1))
	bel, _ := m.Beliefs()
	pl, _ := m.Plausibilities()
	q, _ := m.Commonalities()
	fmt.Printf("%.1f\n%.1f\n%.1f\n", bel, pl, q)
	fmt.Println(m.Normalized(), m.Certain())
	// Output:
	// 0.5 0.8 0.8
	// [0.0 0.5 0.2 1.0]
	// [0.0 0.8 0.5 1.0]
	// [1.0 0.8 0.5 0.3]
	// true false
}

// Masses follow from beliefs, plausibilities or commonalities alone.
func ExampleFromBeliefs() {
	a, _ := belief.FromBeliefs([]float64{0, .5, .2, 1})
	b, _ := belief.FromPlausibilities([]float64{0, .8, .5, 1})
	c, _ := belief.FromCommonalities([]float64{1, .8, .5, .3})
	for _, m := range []belief.Mass{a, b, c} {
		masses, _ := m.Masses()
		fmt.Printf("%.1f\n", masses)
	}
	// Output:
	// [0.0 0.5 0.2 0.3]
	// [0.0 0.5 0.2 0.3]
	// [0.0 0.5 0.2 0.3]
}

// Two witnesses of whom at least one is right.
func ExampleDisjunctive() {
	a, _ := belief.New(3, []belief.Set{1, belief.Omega(3)}, []float64{.6, .4})
	b, _ := belief.New(3, []belief.Set{2, belief.Omega(3)}, []float64{.5, .5})
	either, _ := belief.Disjunctive(a, b)
	for j := range either.Len() {
		set, mass := either.Focal(j)
		fmt.Printf("%v %.1f\n", set, mass)
	}
	// Output:
	// {1+2} 0.3
	// {1+2+3} 0.7
}

// What is known of one object, on the frame of pairs of objects (cevclus-2013 eqs. 6 and 7).
func ExampleProduct() {
	pairs, _ := belief.NewProduct(2, 2)
	m, _ := belief.New(2, []belief.Set{1, belief.Omega(2)}, []float64{.7, .3})
	wide, _ := pairs.VacuousExtension(m, belief.First)
	back, _ := pairs.Marginal(wide, belief.First)
	fmt.Println(wide.Clusters(), back.Bel(1) == m.Bel(1))
	// Output: 4 true
}

// The forms of mass functions, and both ways to do without a mass on the empty set.
func ExampleMass_Normalize() {
	m, _ := belief.New(2, []belief.Set{0, 1, 1 | 2}, []float64{.2, .4, .4})
	fmt.Println(m.Logical(), m.Bayesian(), m.Consonant())
	for _, by := range []belief.Normalisation{belief.Dempster, belief.Yager} {
		n, _ := m.Normalize(by)
		masses, _ := n.Masses()
		fmt.Printf("%.1f\n", masses)
	}
	// Output:
	// false false true
	// [0.0 0.5 0.0 0.5]
	// [0.0 0.4 0.0 0.6]
}

// The pairs of two clusters and three clusters.
func ExampleProduct_Project() {
	pairs, _ := belief.NewProduct(2, 3)
	s := pairs.Times(2, 1|4)
	fmt.Println(s, pairs.Project(s, belief.First), pairs.Project(s, belief.Second))
	// Output: {4+6} {2} {1+3}
}
