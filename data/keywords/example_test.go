package keywords_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/keywords"
)

func Example() {
	texts := []string{"The exchange rate is wrong", "your exchange rate", "I lost my card",
		"My card was stolen"}
	index, err := keywords.New(context.Background(), texts, keywords.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := index.Groups([]int{1, 1, 2, 2}, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	names := keywords.Names(found)
	fmt.Printf("%s; %s\n", names[1], names[2])
	// Output: exchange rate; card, lost
}
