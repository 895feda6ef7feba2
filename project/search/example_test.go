package search_test

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/project/search"
)

// What a person types finds documents by their words.
func ExampleIndex_Find() {
	ctx := context.Background()
	notes := []string{"the card has not arrived", "my card was declined",
		"the transfer has not arrived"}
	index, err := search.New(ctx, len(notes), func(i int) search.Document {
		return search.Document{ID: fmt.Sprint(i + 1), Text: notes[i]}
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer index.Close()
	for _, text := range []string{"card", `"not arrived" -card`, "arriv"} {
		query, err := search.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		found, err := index.Find(ctx, query)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, found)
	}
	// Output:
	// card [1 0]
	// "not arrived" -card [2]
	// arriv [0 2]
}
