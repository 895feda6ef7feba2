package belief

// Rule is how one cluster is chosen from a mass function. Ties go to the lowest cluster.
type Rule uint8

// The rules.
const (
	MaxPlausibility Rule = iota // the greatest Pl({ω}) (kevclus-2016 eq. 6)
	MaxPignistic                // the greatest BetP(ω) (cevclus-2013 eq. 8)
	MaxMass                     // the greatest m({ω}), which is Bel({ω})
)

// ArgMax returns the position of the greatest value, the first on a tie; -1 where there are none.
func ArgMax(values []float64) int {
	best := -1
	for k, v := range values {
		if best < 0 || v > values[best] {
			best = k
		}
	}
	return best
}

// Undominated returns Ω*, the clusters that no other dominates: those whose plausibility is at
// least every cluster's belief (kevclus-2016 eq. 7). bel and pl hold Bel({ω}) and Pl({ω}) of each
// cluster. The set is never empty where pl ≥ bel ≥ 0; all masses on ∅ give the frame.
func Undominated(bel, pl []float64) Set {
	most := 0.0
	for _, b := range bel {
		most = max(most, b)
	}
	var out Set
	for k, p := range pl {
		if most <= p {
			out |= Singleton(k)
		}
	}
	return out
}
