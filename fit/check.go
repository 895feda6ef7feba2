package fit

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// CheckClusters refuses a number of clusters that n rows cannot have, by a [*fault.Input]. Noun is
// what the method calls clusters, in the plural.
func CheckClusters(noun string, clusters, n int) error {
	switch {
	case clusters < 1:
		return fault.Inputf("ask for at least 1", "%d %s asked for", clusters, noun)
	case clusters > n:
		return fault.Inputf(fmt.Sprintf("ask for at most %d", n),
			"%d %s asked for and only %s given", clusters, noun, words.Count(n, "row"))
	}
	return nil
}

// Or returns the limits with those of standard in place of zeros.
func (l Limits) Or(standard Limits) Limits {
	return Limits{Starts: cmp.Or(l.Starts, standard.Starts),
		MaxIterations: cmp.Or(l.MaxIterations, standard.MaxIterations),
		Tolerance:     cmp.Or(l.Tolerance, standard.Tolerance)}
}

// Check refuses negative numbers of starts and iterations, and a tolerance that is not a number, by
// a [*fault.Input].
func (l Limits) Check() error {
	switch {
	case l.Starts < 0:
		return fault.Inputf("ask for at least 1, or 0 for the default", "%d starts asked for",
			l.Starts)
	case l.MaxIterations < 0:
		return fault.Inputf("ask for at least 1, or 0 for the default",
			"at most %d iterations asked for", l.MaxIterations)
	case math.IsNaN(l.Tolerance):
		return fault.Inputf("", "the tolerance is not a number")
	}
	return nil
}

// CheckKnown refuses known classes that are not those of n rows, or of which one is not below the
// number of clusters, by a [*fault.Input]. Noun is what the method calls clusters, in the plural.
func (k Knowledge) CheckKnown(noun string, clusters, n int) error {
	if k.Known != nil && len(k.Known) != n {
		return fault.Inputf("", "classes of %d rows are given, and there are %d", len(k.Known), n)
	}
	for i, c := range k.Known {
		if int(c) >= clusters {
			return &fault.Input{Row: i + 1,
				Problem: fmt.Sprintf("the row is known to be of class %d, and there are %d %s",
					c+1, clusters, noun),
				Fix: fmt.Sprintf("ask for as many %s as there are known classes, or more", noun)}
		}
	}
	return nil
}
