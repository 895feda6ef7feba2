package competitive

import (
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/link"
)

// blobs returns groups of rows of unit variance in random order, about centres drawn from a cube of
// the given side, and their classes.
func blobs(groups, d, each int, side float64, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	centres := make([]float64, groups*d)
	for i := range centres {
		centres[i] = side * rng.Float64()
	}
	classes := make([]int, groups*each)
	for i := range classes {
		classes[i] = i % groups
	}
	rng.Shuffle(len(classes), func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
	values := make([]float64, 0, len(classes)*d)
	for _, c := range classes {
		for j := range d {
			values = append(values, centres[c*d+j]+prototypes.Normal(rng))
		}
	}
	return dataset.Matrix{Rows: len(classes), Cols: d, F64: values}, classes
}

// labelled returns all links of one kind, or with Unknown of both, between so many rows of each
// class drawn at random.
func labelled(classes []int, each int, kind link.Kind, seed uint64) []link.Link {
	rng := rand.New(rand.NewPCG(seed, 2))
	left := map[int]int{}
	var rows []int
	for _, i := range rng.Perm(len(classes)) {
		if left[classes[i]] < each {
			left[classes[i]]++
			rows = append(rows, i)
		}
	}
	var links []link.Link
	for p, a := range rows {
		for _, b := range rows[:p] {
			say := link.CannotLink
			if classes[a] == classes[b] {
				say = link.MustLink
			}
			if kind == link.Unknown || kind == say {
				links = append(links, link.Link{A: a, B: b, Kind: say})
			}
		}
	}
	return links
}
