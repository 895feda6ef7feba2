package belief

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
