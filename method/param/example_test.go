package param_test

import (
	"fmt"

	"github.com/kindred-go/kindred/method/param"
)

// Parameters are bound to variables, and set by name, as text.
func Example() {
	var set param.Set
	least, linkage := 0, ""
	set.Int(&least, param.Param{Name: "min-points", Min: 2, Default: "10",
		Help: "rows that make a neighbourhood dense"})
	set.Choice(&linkage, param.Param{Name: "linkage", Choices: []string{"single", "average"},
		Default: "average", Help: "how far two clusters are apart"})
	for _, p := range set.Params() {
		fmt.Printf("--%s: %s\n", p.Name, p.Usage())
	}
	for name, value := range map[string]string{"min-points": "5", "linkage": "average"} {
		if err := set.Set(name, value); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(least, linkage)
	fmt.Println(set.Set("min-points", "1"))
	// Output:
	// --min-points: rows that make a neighbourhood dense (default 10)
	// --linkage: how far two clusters are apart: single or average (default average)
	// 5 average
	// --min-points is "1": give a whole number of 2 or more, such as 10
}
