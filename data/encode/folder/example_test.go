package folder_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/encode/folder"
)

// An encoder lies in a folder as its library keeps it.
func ExampleOpen() {
	ctx := context.Background()
	e, err := folder.Open(ctx, "all-MiniLM-L6-v2", folder.Options{})
	if err != nil {
		fmt.Println(err) // as where there is no such folder
		return
	}
	x, err := e.Encode(ctx, []string{"a card", "a pin"}, encode.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Rows, x.Cols)
}
