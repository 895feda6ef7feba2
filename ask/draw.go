package ask

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// maxLinks bounds what is drawn: a million links are 72 MB.
const maxLinks = 1_000_000

// RandomLinks draws n links between different pairs of rows at random, must- or cannot-links by the
// classes. Rows without a class (negative) are left out. The same seed draws the same links.
func RandomLinks(classes []int32, n int, seed uint64) ([]link.Link, error) {
	labelled := withClass(classes)
	m := len(labelled)
	if most := min(maxLinks, m*(m-1)/2); n < 0 || n > most {
		return nil, fault.Inputf(fmt.Sprintf("ask for at most %d", most),
			"%d random links asked for among %d labelled rows", n, m)
	}
	rng := rand.New(rand.NewPCG(seed, 0x6c696e6b73)) // "links": a stream of its own
	drawn := make(map[[2]int]bool, n)
	links := make([]link.Link, 0, n)
	for len(links) < n {
		l := truth(classes, labelled[rng.IntN(m)], labelled[rng.IntN(m)])
		if l.A == l.B || drawn[l.Pair()] {
			continue
		}
		drawn[l.Pair()] = true
		links = append(links, l)
	}
	return links, nil
}

// ClassRows draws perClass rows of each class at random, all of a class that has fewer. The same
// seed draws the same rows, in the order drawn.
func ClassRows(classes []int32, perClass int, seed uint64) []int {
	return classRows(classes, seed, func(int) int { return perClass })
}

// ClassShare draws a share of the rows of each class at random, at least one of each; 1 is all of
// them. The same seed draws the same rows, in the order drawn.
func ClassShare(classes []int32, share float64, seed uint64) []int {
	return classRows(classes, seed,
		func(size int) int { return max(1, int(math.Round(share*float64(size)))) })
}

// classRows draws most of the size of each class in rows.
func classRows(classes []int32, seed uint64, most func(size int) int) []int {
	rng := rand.New(rand.NewPCG(seed, 0x636c617373)) // "class"
	labelled := withClass(classes)
	rng.Shuffle(len(labelled),
		func(i, j int) { labelled[i], labelled[j] = labelled[j], labelled[i] })
	size, taken := map[int32]int{}, map[int32]int{}
	for _, row := range labelled {
		size[classes[row]]++
	}
	var chosen []int
	for _, row := range labelled {
		if c := classes[row]; taken[c] < most(size[c]) {
			taken[c]++
			chosen = append(chosen, row)
		}
	}
	return chosen
}

// ClassLinks links each pair of the rows: the cannot-links alone, or with both the must-links as
// well. More than a million links are a [*fault.Input].
func ClassLinks(classes []int32, rows []int, both bool) ([]link.Link, error) {
	if m := len(rows); m*(m-1)/2 > maxLinks {
		return nil, fault.Inputf(fmt.Sprintf("label fewer, for at most %d pairs", maxLinks),
			"%d labelled rows make %d pairs", m, m*(m-1)/2)
	}
	var links []link.Link
	for i, a := range rows {
		for _, b := range rows[i+1:] {
			if l := truth(classes, a, b); both || l.Kind == link.CannotLink {
				links = append(links, l)
			}
		}
	}
	return links, nil
}

// mostPaired bounds the rows of which all pairs are linked by KnownLinks.
const mostPaired = 100

// KnownLinks returns the links that the classes of some rows make: of all their pairs, up to 100
// rows. Of more, each row is linked with the first of its class and the first rows of each two
// classes with each other, which implies all other pairs. More than a million links are a
// [*fault.Input].
func KnownLinks(classes []int32, rows []int) ([]link.Link, error) {
	if len(rows) <= mostPaired {
		return ClassLinks(classes, rows, true)
	}
	first, at := []int{}, make(map[int32]int) // first row of each class, and its place
	var links []link.Link
	for _, row := range rows {
		if i, ok := at[classes[row]]; ok {
			links = append(links, truth(classes, first[i], row))
			continue
		}
		at[classes[row]] = len(first)
		first = append(first, row)
	}
	between, err := ClassLinks(classes, first, true)
	return append(links, between...), err
}

func truth(classes []int32, a, b int) link.Link {
	l := link.Link{A: min(a, b), B: max(a, b), Kind: link.CannotLink}
	if classes[a] == classes[b] {
		l.Kind = link.MustLink
	}
	return l
}

func withClass(classes []int32) []int {
	return linalg.Where(classes, func(c int32) bool { return c >= 0 })
}
