package lsa_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/lsa"
)

func ExampleModel_Report() {
	texts := []string{"red apple", "green apple", "red car", "green car"}
	m, vectors, err := lsa.Fit(context.Background(), texts, lsa.Config{Dimensions: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	r := m.Report()
	fmt.Println(vectors.Rows, vectors.Cols, r.Texts, r.Words, r.Wordless)
	// Output: 4 2 4 4 0
}
