package ask

import (
	"cmp"
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

// Likeness guesses from the answers about pairs that are as far apart. It keeps what it works out
// of the answers of one ledger. The zero value is ready to use; it is to be made anew when
// distances change.
type Likeness struct {
	at    Mark
	pairs []apart // answers that something is to be learnt from, by distance and then in order
}

// apart is an answer and the distance of its rows.
type apart struct {
	distance float64
	place    int // among the answers
	same     bool
}

func (a apart) compare(b apart) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.place, b.place))
}

// Guess guesses as a [Guesser] does, from the answers about pairs that are most nearly as far
// apart as the rows a and b, the earlier answer on a tie: (s + 1) / (m + 2), as s of the m ≤ 5
// pairs are of one cluster, and ½ before the first answer. Apart returns the distance of two rows;
// ok is false for a pair that nothing is to be learnt from.
func (k *Likeness) Guess(known *Ledger, a, b int,
	apart func(a, b int) (distance float64, ok bool)) (same float64, words string) {
	k.take(known, apart)
	distance, _ := apart(a, b)
	near := k.near(distance)
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

// take brings the pairs to what is known.
func (k *Likeness) take(known *Ledger, distance func(a, b int) (float64, bool)) {
	kept, fresh := known.Since(k.at)
	if kept < k.at.Answers {
		k.pairs = slices.DeleteFunc(k.pairs, func(a apart) bool { return a.place >= kept })
	}
	const few = 8
	for i, l := range fresh {
		if l.Kind == link.Unknown {
			continue
		}
		d, ok := distance(l.A, l.B)
		if !ok {
			continue
		}
		one := apart{d, kept + i, l.Kind == link.MustLink}
		if len(fresh) > few {
			k.pairs = append(k.pairs, one)
			continue
		}
		at, _ := slices.BinarySearchFunc(k.pairs, one, apart.compare)
		k.pairs = slices.Insert(k.pairs, at, one)
	}
	if len(fresh) > few {
		slices.SortFunc(k.pairs, apart.compare)
	}
	k.at = known.Mark()
}

// near returns the answers about pairs that are most nearly so far apart, at most [alike].
func (k *Likeness) near(distance float64) []apart {
	off := func(a apart) float64 { return math.Abs(a.distance - distance) }
	start := func(d float64) int { // of the pairs that are no nearer together
		at, _ := slices.BinarySearchFunc(k.pairs, d,
			func(a apart, d float64) int { return cmp.Compare(a.distance, d) })
		return at
	}
	// Of pairs equally far apart the first ones will do, on either side until there are enough.
	var found []apart
	side := func(next func() (lo, hi int)) {
		n, last := 0, 0.0
		for {
			lo, hi := next()
			if lo == hi || n >= alike && off(k.pairs[lo]) > last {
				return
			}
			some := k.pairs[lo:min(hi, lo+alike)]
			found, n, last = append(found, some...), n+len(some), off(some[0])
		}
	}
	mid := start(distance)
	below, above := mid, mid
	side(func() (lo, hi int) {
		hi = below
		if hi > 0 {
			below = start(k.pairs[hi-1].distance)
		}
		return below, hi
	})
	side(func() (lo, hi int) {
		lo = above
		if lo < len(k.pairs) {
			above = start(math.Nextafter(k.pairs[lo].distance, math.Inf(1)))
		}
		return lo, above
	})
	slices.SortFunc(found, func(a, b apart) int {
		return cmp.Or(cmp.Compare(off(a), off(b)), cmp.Compare(a.place, b.place))
	})
	return found[:min(alike, len(found))]
}
