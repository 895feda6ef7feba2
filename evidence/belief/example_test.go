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
