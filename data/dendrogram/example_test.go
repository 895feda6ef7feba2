package dendrogram_test

import (
	"bytes"
	"fmt"

	"github.com/kindred-go/kindred/data/dendrogram"
	"os"
	"strings"
)

// Rows 0 and 1 merge at 1, and row 2 joins them at 3.
func ExampleTree_Cophenetic() {
	tree := dendrogram.Tree{N: 3, Merges: []dendrogram.Merge{
		{A: 0, B: 1, Height: 1, Size: 2}, {A: 2, B: 3, Height: 3, Size: 3}}}
	fmt.Println(tree.Cophenetic())
	// Output: [1 3 3]
}

func ExampleTree_WriteJSON() {
	tree := dendrogram.Tree{N: 3, Merges: []dendrogram.Merge{
		{A: 0, B: 1, Height: 1, Size: 2}, {A: 2, B: 3, Height: 3, Size: 3}}}
	birds := []string{"robin", "wren", "heron"}
	if err := tree.WriteCSV(os.Stdout); err != nil {
		fmt.Println(err)
	}
	var text bytes.Buffer
	if err := tree.WriteJSON(&text, func(row int) string { return birds[row] }); err != nil {
		fmt.Println(err)
	}
	fmt.Println(strings.ReplaceAll(text.String(), ",\"merges", ",\n\"merges"))
	// Output:
	// a,b,height,size
	// 1,2,1,2
	// 3,4,3,3
	// {"linkage":"","ids":["robin","wren","heron"],
	// "merges":[{"a":1,"b":2,"height":1,"size":2},{"a":3,"b":4,"height":3,"size":3}]}
}
