package belief

import (
	"cmp"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// Normalized reports whether ∅ is no focal set.
func (m Mass) Normalized() bool { return m.Of(0) == 0 }

// Logical reports whether there is one focal set.
func (m Mass) Logical() bool { return len(m.sets) == 1 }

// Bayesian reports whether all focal sets are singletons.
func (m Mass) Bayesian() bool {
	return !slices.ContainsFunc(m.sets, func(s Set) bool { return s.Len() != 1 })
}

// Certain reports whether the one focal set is a singleton.
func (m Mass) Certain() bool { return m.Logical() && m.Bayesian() }

// Consonant reports whether the focal sets are nested, ∅ within all.
func (m Mass) Consonant() bool {
	for j := 1; j < len(m.sets); j++ {
		if !m.sets[j-1].Within(m.sets[j]) {
			return false
		}
	}
	return true
}

// Consonant returns the mass function with nested focal sets that has a contour (kevclus-2016
// §2.1): the sets of clusters at least as plausible as some level each have the drop to the next
// level as mass, and m(∅) is 1 less the greatest plausibility. The values must be from 0 to 1, one
// for each cluster.
func Consonant(contour []float64) (Mass, error) {
	if err := checkClusters(len(contour)); err != nil {
		return Mass{}, err
	}
	for k, p := range contour {
		if !(p >= 0 && p <= 1) {
			return Mass{}, fault.Inputf("give a number from 0 to 1",
				"the plausibility of cluster %d is %v", k+1, p)
		}
	}
	order := linalg.Order(len(contour),
		func(a, b int) int { return cmp.Compare(contour[b], contour[a]) })
	sets, mass := []Set{0}, []float64{1 - contour[order[0]]}
	var nest Set
	for i, k := range order {
		nest |= Singleton(k)
		next := 0.0
		if i+1 < len(order) {
			next = contour[order[i+1]]
		}
		sets, mass = append(sets, nest), append(mass, contour[k]-next)
	}
	return gather(len(contour), sets, mass), nil
}

// Decide returns the cluster that the rule chooses, counted from 0, the lowest on a tie. Total
// conflict leads to cluster 0 by each rule; see [Mass.Undominated] for a decision that may stay
// open.
func (m Mass) Decide(by Rule) int {
	switch by {
	case MaxPignistic:
		return linalg.ArgMax(m.Pignistic(Dempster))
	case MaxMass:
		return linalg.ArgMax(m.singletons())
	}
	return linalg.ArgMax(m.Contour())
}

// Undominated returns Ω* by interval dominance (kevclus-2016 eq. 7); see [Undominated].
func (m Mass) Undominated() Set { return Undominated(m.singletons(), m.Contour()) }

// MaxFocal returns the focal set of greatest mass; on a tie the smallest, then that of lowest mask.
func (m Mass) MaxFocal() Set {
	if len(m.sets) == 0 {
		return 0
	}
	return m.sets[linalg.ArgMax(m.mass)]
}

// singletons returns m({ω}) of each cluster.
func (m Mass) singletons() []float64 {
	bel := make([]float64, m.c)
	for k := range bel {
		bel[k] = m.Of(Singleton(k))
	}
	return bel
}

// Rule is how one cluster is chosen from a mass function. Ties go to the lowest cluster.
type Rule uint8

// The rules.
const (
	MaxPlausibility Rule = iota // the greatest Pl({ω}) (kevclus-2016 eq. 6)
	MaxPignistic                // the greatest BetP(ω) (cevclus-2013 eq. 8)
	MaxMass                     // the greatest m({ω}), which is Bel({ω})
)

// Undominated returns Ω*, the clusters that no other dominates: those whose plausibility is at
// least every cluster's belief (kevclus-2016 eq. 7). bel and pl hold Bel({ω}) and Pl({ω}) of each
// cluster. The set is never empty where pl ≥ bel ≥ 0; with all mass on ∅ it is the frame.
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
