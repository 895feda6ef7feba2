package link_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/kindred-go/kindred/link"
)

func ExampleSet() {
	s := link.NewSet(4)
	for _, l := range []link.Link{
		{A: 0, B: 1, Kind: link.MustLink},
		{A: 1, B: 2, Kind: link.MustLink},
		{A: 2, B: 3, Kind: link.CannotLink},
	} {
		if err := s.Add(l); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(s.Relation(0, 2), s.Relation(0, 3))
	fmt.Println(s.Add(link.Link{A: 0, B: 2, Kind: link.CannotLink}))
	// Output:
	// same different
	// 1 = 2, 2 = 3, but 1 ≠ 3
}

func ExampleBuild() {
	links := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink},
		{A: 1, B: 0, Kind: link.CannotLink},
		{A: 1, B: 2, Kind: link.CannotLink},
	}
	s, left, err := link.Build(3, links, link.Keep)
	if err != nil {
		fmt.Println(err)
		return
	}
	birds := []string{"robin", "wren", "heron"}
	for _, c := range left {
		c.Names = func(row int) string { return birds[row] }
		fmt.Println(c)
	}
	fmt.Println(s.Len(), "links agree")
	// Output:
	// wren = robin, but wren ≠ robin
	// 2 links agree
}

func ExampleRead() {
	text := "a,b,link,p\n1,3,same,\n2,3,different,0.8\n"
	links, err := link.Read(context.Background(), strings.NewReader(text), "answers.csv",
		link.Numbered(3))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range links {
		fmt.Println(l.A, l.B, l.Kind, l.Confidence())
	}
	_, err = link.Read(context.Background(), strings.NewReader("a,b,link\n1,4,same\n"),
		"answers.csv", link.Numbered(3))
	fmt.Println(err)
	// Output:
	// 0 2 same 1
	// 1 2 different 0.8
	// answers.csv, line 2, column b: no row has the id "4"; use the ids of the data at hand
}

func ExampleWrite() {
	ids := []string{"12", "=40"}
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink, Source: "ann"}}
	if err := link.Write(os.Stdout, links, func(row int) string { return ids[row] }); err != nil {
		fmt.Println(err)
	}
	// Output:
	// a,b,link,source
	// 12,'=40,same,ann
}

func ExampleViolated() {
	labels := []int{1, 1, 2}
	fmt.Println(len(link.Violated(labels, []link.Link{
		{A: 0, B: 2, Kind: link.MustLink},
		{A: 0, B: 1, Kind: link.MustLink},
	})))
	// Output: 1
}

func ExampleWriteJSONL() {
	ids := []string{"robin", "wren", "heron"}
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.CannotLink}}
	name := func(row int) string { return ids[row] }
	if err := link.WriteJSONL(os.Stdout, links, name); err != nil {
		fmt.Println(err)
	}
	s, _, err := link.Build(len(ids), links, link.Refuse)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Count(link.MustLink), s.Count(link.CannotLink), s.Members(0))
	// Output:
	// {"a":"robin","b":"wren","link":"same"}
	// {"a":"wren","b":"heron","link":"different"}
	// 1 1 [0 1]
}
