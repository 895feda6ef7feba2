package belief

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

// MaxFocal is the largest number of focal sets that a list may have: masses of thousands of sets
// can neither be distinguished nor read.
const MaxFocal = 4096

// Simple returns the empty set, the singletons and the frame of c clusters: c+2 sets (2 where c is
// 1).
func Simple(c int) ([]Set, error) { return Focal(c, nil) }

// Focal returns the empty set, the singletons, the given further sets by size and then by mask, and
// the frame; each set once.
func Focal(c int, further []Set) ([]Set, error) {
	if err := checkClusters(c); err != nil {
		return nil, err
	}
	sets := []Set{0, Omega(c)}
	for k := range c {
		sets = append(sets, Singleton(k))
	}
	return Sort(c, append(sets, further...))
}

// Pairs returns the sets of [Simple] and every pair of clusters: c(c−1)/2 more.
func Pairs(c int) ([]Set, error) {
	if err := checkClusters(c); err != nil {
		return nil, err
	}
	var pairs []Set
	for a := range c {
		for b := range a {
			pairs = append(pairs, Singleton(a)|Singleton(b))
		}
	}
	return Focal(c, pairs)
}

// Full returns all 2^c sets; c is at most 12.
func Full(c int) ([]Set, error) {
	if err := checkClusters(c); err != nil {
		return nil, err
	}
	if c > 12 {
		return nil, tooMany(c, fmt.Sprintf("2^%d", c))
	}
	sets := make([]Set, 1<<c)
	for i := range sets {
		sets[i] = Set(i)
	}
	return Sort(c, sets)
}

// Sort checks a list of focal sets on c clusters and returns it in the order of this package: by
// size, then by mask, each set once.
func Sort(c int, sets []Set) ([]Set, error) {
	if err := checkClusters(c); err != nil {
		return nil, err
	}
	out := slices.Clone(sets)
	slices.SortFunc(out, compare)
	out = slices.Compact(out)
	for _, s := range out {
		if !s.Within(Omega(c)) {
			return nil, outside(c, s)
		}
	}
	if len(out) > MaxFocal {
		return nil, tooMany(c, fmt.Sprint(len(out)))
	}
	return out, nil
}

// compare orders sets by size, then by mask.
func compare(a, b Set) int { return cmp.Or(cmp.Compare(a.Len(), b.Len()), cmp.Compare(a, b)) }

func checkClusters(c int) error {
	if c < 1 || c > MaxClusters {
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d clusters", MaxClusters),
			"a frame of %d clusters cannot be used", c)
	}
	return nil
}

func tooMany(c int, count string) error {
	return fault.Inputf(
		"use simple focal sets (--focal simple) with the pairs that overlap (--pairs 1), or "+
			"fewer clusters", "%s focal sets on %d clusters are more than %d", count, c, MaxFocal)
}

// ConflictMatrix returns C for a list of f focal sets, f×f row-major: 1 where two sets are disjoint
// (∅ and any set are), else 0, so that the conflict of two mass vectors is m1ᵀ C m2 (kevclus-2016
// eq. 18).
func ConflictMatrix(sets []Set) []float64 {
	return pairMatrix(sets, func(a, b Set) float64 {
		if a.Meets(b) {
			return 0
		}
		return 1
	})
}

// PenaltyMatrix returns P for a list of f focal sets, f×f row-major: 0 for the same singleton, 2
// for disjoint sets that are not empty, 1 otherwise. m1ᵀ P m2 = 1 − pl(θ) + pl(θ̄) is what a
// must-link costs that two mass vectors should obey, and 2 less it a cannot-link (cevclus-2013 eqs.
// 18b, 18c).
func PenaltyMatrix(sets []Set) []float64 {
	return pairMatrix(sets, func(a, b Set) float64 {
		switch {
		case a == b && a.Len() == 1:
			return 0
		case a != 0 && b != 0 && !a.Meets(b):
			return 2
		}
		return 1
	})
}

func pairMatrix(sets []Set, of func(a, b Set) float64) []float64 {
	out := make([]float64, 0, len(sets)*len(sets))
	for _, a := range sets {
		for _, b := range sets {
			out = append(out, of(a, b))
		}
	}
	return out
}
