package ask

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Plausible returns what masses make of a pair, as a [Guesser] does: the mean of belief and
// plausibility that both rows are of one cluster, and both in words.
func Plausible(believed, plausible float64) (same float64, words string) {
	believed, plausible = min(1, believed), min(1, plausible)
	return (believed + plausible) / 2,
		fmt.Sprintf("same: plausible %.2f, believed %.2f", plausible, believed)
}

// alike is how many answered pairs a guess is made from.
const alike = 5

// Alike guesses as a [Guesser] does, from the answers about pairs that are most nearly as far
// apart as the rows a and b, the earlier answer on a tie: (s + 1) / (m + 2), as s of the m ≤ 5
// pairs are of one cluster, and ½ before the first answer. Apart returns the distance of two rows;
// ok is false for a pair that nothing is to be learnt from.
func Alike(known *Ledger, a, b int, apart func(a, b int) (distance float64, ok bool)) (
	same float64, words string) {
	type answer struct {
		same bool
		off  float64
	}
	var near []answer
	distance, _ := apart(a, b)
	for _, l := range known.answers {
		d, ok := apart(l.A, l.B)
		if !ok || l.Kind == link.Unknown {
			continue
		}
		off := math.Abs(d - distance)
		at, _ := slices.BinarySearchFunc(near, off, func(n answer, off float64) int {
			if n.off <= off {
				return -1
			}
			return 1
		})
		if at < alike {
			near = slices.Insert(near, at, answer{l.Kind == link.MustLink, off})
			near = near[:min(alike, len(near))]
		}
	}
	if len(near) == 0 {
		return 0.5, "nothing is known yet"
	}
	together := 0
	for _, n := range near {
		if n.same {
			together++
		}
	}
	return float64(together+1) / float64(len(near)+2), fmt.Sprintf(
		"%d of the %d answered pairs that are most nearly as far apart are the same", together,
		len(near))
}
