package plot

import "math/rand/v2"

// thin chooses which of n rows are drawn: all rows of keep, and of the others a simple random
// sample that makes count in all. The rows come in ascending order (selection sampling, Knuth
// volume 2, algorithm S).
func thin(n, count int, keep map[int]bool, seed uint64) []int {
	rows := make([]int, 0, min(n, max(count, len(keep))))
	rng := rand.New(rand.NewPCG(seed, 0x706c6f74))
	left, wanted := n-len(keep), max(0, count-len(keep))
	for i := range n {
		if keep[i] {
			rows = append(rows, i)
			continue
		}
		if rng.IntN(left) < wanted {
			rows = append(rows, i)
			wanted--
		}
		left--
	}
	return rows
}

// shuffle puts rows in a random order.
func shuffle(rows []int, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0x6f72646572))
	rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
}
