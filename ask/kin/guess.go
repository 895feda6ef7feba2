package kin

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/link"
)

// Guess returns what is known of two rows: how plausible it is that they are of one cluster, in [0,
// 1], and why, in words. It is 1 or 0 where links and answers entail it. Else it is the mean of
// belief and plausibility by the masses of their super-instances; ½ is what nothing is known of.
func (r *Run) Guess(a, b int) (same float64, words string) {
	if same, words, ok := r.Entailed(a, b); ok {
		return same, words
	}
	r.Next() // which takes in what need not be asked
	f, err := r.fold(context.Background())
	if err != nil {
		return 0.5, "nothing is known yet"
	}
	i, j := int(f.of[a]), int(f.of[b])
	if i == j {
		return 1, "the same super-instance"
	}
	masses := f.masses()
	x, y := masses[i*f.size:(i+1)*f.size], masses[j*f.size:(j+1)*f.size]
	believed, other := 0.0, 0.0
	for g, v := range x {
		for h, w := range y {
			if g == h {
				believed += float64(v * w)
			} else {
				other += float64(v * w)
			}
		}
	}
	plausible := max(believed, 1-other)
	return (believed + plausible) / 2,
		fmt.Sprintf("same: plausible %.2f, believed %.2f", plausible, believed)
}

// likely is the answer to expect, to see which questions follow.
func (r *Run) likely(a, b int) link.Kind {
	switch same, _ := r.Guess(a, b); {
	case same > 0.5:
		return link.MustLink
	case same < 0.5:
		return link.CannotLink
	}
	return link.Unknown
}
