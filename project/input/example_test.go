package input_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/project/input"
)

// DATA are read by settings, as the command and a project have them, and are then a problem for a
// method.
func ExampleOpen() {
	ctx := context.Background()
	recipe := input.New()
	if err := recipe.Set("label", "class"); err != nil {
		fmt.Println(err)
		return
	}
	data, err := input.Open(ctx, input.Place{}, "iris", recipe, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer data.Close()
	fmt.Println(data.N(), "rows of", data.ClassNames)
	first := data.Card(0).Fields[0]
	fmt.Println(first.Name, first.Value)
	kmeans, err := all.Find("kmeans")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := kmeans.With(map[string]string{"clusters": "3"})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := c.Fit(ctx, data.Problem())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(out.Clusters, "groups")
	// Output:
	// 150 rows of [setosa versicolor virginica]
	// sepal_length 5.1
	// 3 groups
}
