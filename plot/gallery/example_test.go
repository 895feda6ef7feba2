package gallery_test

import (
	"fmt"

	"github.com/kindred-go/kindred/plot/gallery"
)

func ExampleFind() {
	p, argument, err := gallery.Find("focal:1+2")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s of %s: %s\n", p.Name, argument, p.Title)
	// Output: focal of 1+2: the mass of one focal set
}
