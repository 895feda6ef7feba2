package credal_test

import (
	"fmt"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// A possibilistic partition of two objects in two clusters, and what is believed of the pair.
func ExampleRelation_PlDifferent() {
	p, _ := credal.FromPossibilistic([]float64{1, .3, .4, 1}, 2)
	r := p.Relation(0, 1)
	fmt.Printf("the same: %.2f to %.2f\n", r.BelSame(), r.PlSame())
	fmt.Printf("different: %.2f to %.2f\n", r.BelDifferent(), r.PlDifferent())
	// Output:
	// the same: 0.00 to 0.58
	// different: 0.42 to 1.00
}

// The second object is between the clusters, the third in none.
func ExampleFromRough() {
	p, _ := credal.FromRough([]belief.Set{1, 1 | 2, 0}, 2)
	rough := p.RoughByMass()
	for i := range 3 {
		fmt.Println(rough.Lower(i), rough.Upper[i], rough.Ambiguous(i), rough.Outlier[i])
	}
	// Output:
	// {1} {1} false false
	// {} {1+2} true false
	// {} {} false true
}

// A partition of two objects from their mass functions, and its memberships: relative plausibilities.
func ExampleFromMasses() {
	a, _ := belief.New(2, []belief.Set{1, 1 | 2}, []float64{.5, .5})
	b, _ := belief.New(2, []belief.Set{2}, []float64{1})
	p, _ := credal.FromMasses([]belief.Mass{a, b})
	m, _ := p.Object(0)
	fmt.Println(m.Bel(1), m.Pl(2))
	fmt.Printf("%.2f\n", p.Fuzzy())
	// Output:
	// 0.5 0.5
	// [0.67 0.33 0.00 1.00]
}
