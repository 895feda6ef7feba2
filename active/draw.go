package active

import (
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// maxLinks bounds what is drawn: a million links are 72 MB.
const maxLinks = 1_000_000

// RandomLinks draws n links between different pairs of rows at random, must- or cannot-links as the
// classes say. Rows without a class (negative) are left out. The same seed gives the same links.
func RandomLinks(classes []int32, n int, seed uint64) ([]link.Link, error) {
	labelled := withClass(classes)
	m := len(labelled)
	if most := min(maxLinks, m*(m-1)/2); n < 0 || n > most {
		return nil, &fault.Input{Problem: fmt.Sprintf("%d random links asked for among %d labelled rows", n, m), Mend: fmt.Sprintf("ask for at most %d", most)}
	}
	rng := rand.New(rand.NewPCG(seed, 0x6c696e6b73)) // "links": a stream of its own
	drawn := make(map[[2]int]bool, n)
	links := make([]link.Link, 0, n)
	for len(links) < n {
		a, b := labelled[rng.IntN(m)], labelled[rng.IntN(m)]
		if a > b {
			a, b = b, a
		}
		if a == b || drawn[[2]int{a, b}] {
			continue
		}
		drawn[[2]int{a, b}] = true
		links = append(links, truth(classes, a, b))
	}
	return links, nil
}

// ClassLinks draws perClass rows of each class at random, all of a class that has fewer, and links
// each pair of them: the cannot-links alone, or with both the must-links as well. The same seed gives
// the same links. More than a million are a [*fault.Input].
func ClassLinks(classes []int32, perClass int, both bool, seed uint64) ([]link.Link, error) {
	rng := rand.New(rand.NewPCG(seed, 0x636c617373)) // "class"
	labelled := withClass(classes)
	rng.Shuffle(len(labelled), func(i, j int) { labelled[i], labelled[j] = labelled[j], labelled[i] })
	taken := map[int32]int{}
	var chosen []int
	for _, row := range labelled {
		if taken[classes[row]] < perClass {
			taken[classes[row]]++
			chosen = append(chosen, row)
		}
	}
	if m := len(chosen); m*(m-1)/2 > maxLinks {
		return nil, &fault.Input{Problem: fmt.Sprintf("%d labelled rows make %d pairs", m, m*(m-1)/2), Mend: fmt.Sprintf("label fewer a class, for at most %d pairs", maxLinks)}
	}
	var links []link.Link
	for i, a := range chosen {
		for _, b := range chosen[i+1:] {
			if l := truth(classes, a, b); both || l.Kind == link.CannotLink {
				links = append(links, l)
			}
		}
	}
	return links, nil
}

func truth(classes []int32, a, b int) link.Link {
	l := link.Link{A: min(a, b), B: max(a, b), Kind: link.CannotLink}
	if classes[a] == classes[b] {
		l.Kind = link.MustLink
	}
	return l
}

func withClass(classes []int32) []int {
	var rows []int
	for row, c := range classes {
		if c >= 0 {
			rows = append(rows, row)
		}
	}
	return rows
}
