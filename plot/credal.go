package plot

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

// ByCertainty returns the objects of a credal partition by their cluster of maximum plausibility,
// and within it by the belief in that cluster, the most certain first; outliers come last. Ties
// keep the order of the objects. It is an order for [Masses] and [HeatMap]; groups holds the
// cluster of each object, from 1, and 0 for an outlier.
func ByCertainty(p *credal.Partition) (order, groups []int) {
	groups = p.ArgMax(belief.MaxPlausibility)
	for i, out := range p.Outliers() {
		if out {
			groups[i] = 0
		}
	}
	bel := p.Beliefs()
	certainty := func(i int) float64 {
		if groups[i] == 0 {
			return 0
		}
		return bel[i*p.Clusters+groups[i]-1]
	}
	order = numbered(p.Len(), 0)
	place := func(i int) int { return (groups[i] + p.Clusters) % (p.Clusters + 1) } // outliers last
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(certainty(b), certainty(a)))
	})
	return order, groups
}

// checkCredal refuses what is no credal partition of objects that can be drawn.
func checkCredal(p *credal.Partition) error {
	const fix = "give a credal partition as a fit or a file makes it"
	switch {
	case p == nil || len(p.Focal) == 0 || len(p.Mass) == 0:
		return fault.Inputf(fix, "there are no masses to draw")
	case len(p.Mass)%len(p.Focal) != 0:
		return fault.Inputf(fix, "%d masses cannot be those of %d focal sets",
			len(p.Mass), len(p.Focal))
	case p.Clusters < 1 || p.Clusters > belief.MaxClusters:
		return fault.Inputf(fix, "the credal partition has %d clusters", p.Clusters)
	}
	for _, s := range p.Focal {
		if !s.Within(belief.Omega(p.Clusters)) {
			return fault.Inputf(fix, "the focal set %v has clusters beyond the %d there are", s,
				p.Clusters)
		}
	}
	for at, m := range p.Mass {
		if !(m >= 0 && m <= 1+1e-6) {
			return refuseRow(at/len(p.Focal), "masses are numbers from 0 to 1",
				"the mass of %v is %v", p.Focal[at%len(p.Focal)], m)
		}
	}
	return nil
}

// checkMasses refuses contradictions of points with a credal partition.
func checkMasses(c *Cloud, p *credal.Partition) error {
	if err := checkCredal(p); err != nil {
		return err
	}
	return c.check(p.Len())
}

// setName names a focal set in the words of the clusters' names.
func setName(s belief.Set, clusters int, names []string) string {
	switch {
	case s == 0:
		return "empty set"
	case s.Len() == 1:
		return clusterName(firstOf(s)+1, names)
	case s == belief.Omega(clusters):
		return "Ω (any cluster)"
	}
	var list []string
	for k := range s.All() {
		if k < len(names) && names[k] != "" {
			list = append(list, names[k])
		} else {
			list = append(list, fmt.Sprint(k+1))
		}
	}
	return strings.Join(list, " + ")
}

// firstOf returns the lowest cluster of a set that is not empty.
func firstOf(s belief.Set) int { return bits.TrailingZeros64(uint64(s)) }

// besides joins notes that are not empty.
func besides(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(n string) bool { return n == "" }), " · ")
}

// share brings a mass or plausibility, which may be off by rounding, into 0..1.
func share(v float64) float64 { return math.Min(1, math.Max(0, v)) }
