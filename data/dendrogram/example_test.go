package dendrogram_test

import (
	"fmt"

	"github.com/kindred-go/kindred/data/dendrogram"
)

// Rows 0 and 1 merge at 1, and row 2 joins them at 3.
func ExampleTree_Cophenetic() {
	tree := dendrogram.Tree{N: 3, Merges: []dendrogram.Merge{
		{A: 0, B: 1, Height: 1, Size: 2}, {A: 2, B: 3, Height: 3, Size: 3}}}
	fmt.Println(tree.Cophenetic())
	// Output: [1 3 3]
}
