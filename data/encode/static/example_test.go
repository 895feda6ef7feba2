package static_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/static"
)

// Texts of one meaning are nearer to each other than to another text.
func ExampleFit() {
	_, x, err := static.Fit(context.Background(), []string{
		"my bank card was stolen", "somebody took my credit card", "how do I change my PIN code",
		"what is the exchange rate of the dollar"}, 0, encode.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	cosine := func(a, b int) (sum float64) {
		for j := range x.Cols {
			sum += x.At(a, j) * x.At(b, j)
		}
		return sum
	}
	fmt.Println(cosine(0, 1) > cosine(0, 2), cosine(0, 1) > cosine(0, 3))
	// Output: true true
}
