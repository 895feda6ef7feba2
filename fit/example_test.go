package fit_test

import (
	"fmt"

	"github.com/kindred-go/kindred/fit"
)

// Limits that are not set are those of the method.
func ExampleLimits_Or() {
	given := fit.Limits{Starts: 5}
	if err := given.Check(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%+v\n", given.Or(fit.Limits{Starts: 10, MaxIterations: 100, Tolerance: 1e-4}))
	fmt.Println(fit.Limits{MaxIterations: -1}.Check() != nil)
	// Output:
	// {Starts:5 MaxIterations:100 Tolerance:0.0001}
	// true
}

// Known classes are those of all rows, and negative where they are not known.
func ExampleKnowledge_CheckKnown() {
	k := fit.Knowledge{Known: []int32{0, -1, 1}}
	fmt.Println(k.CheckKnown("clusters", 2, 3))
	fmt.Println(k.CheckKnown("clusters", 1, 3) != nil)
	// Output:
	// <nil>
	// true
}

// Two parts of a fit report one progress.
func ExamplePart() {
	report := func(p fit.Progress) { fmt.Printf("%.0f %%\n", 100*p.Share) }
	neighbours, tree := fit.Part(report, 0, 0.8), fit.Part(report, 0.8, 1)
	neighbours(fit.Progress{Share: 0.5})
	tree(fit.Progress{Share: 0.5})
	// Output:
	// 40 %
	// 90 %
}
