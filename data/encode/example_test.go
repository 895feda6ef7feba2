package encode_test

import (
	"fmt"

	"github.com/kindred-go/kindred/data/encode"
)

// Texts that repeat are encoded once.
func ExampleDistinct() {
	different, of := encode.Distinct([]string{"a card", "a pin", "a card"})
	fmt.Println(different, of)
	// Output: [a card a pin] [0 1 0]
}

func ExampleUnit() {
	unit := make([]float32, 2)
	encode.Unit(unit, []float32{3, 4})
	fmt.Println(unit)
	// Output: [0.6 0.8]
}
