package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
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
	order = make([]int, p.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		ga, gb := groups[a], groups[b]
		if ga == 0 || gb == 0 { // 0 after all others
			ga, gb = -min(1, ga), -min(1, gb)
			return cmp.Compare(ga, gb)
		}
		return cmp.Or(cmp.Compare(ga, gb), cmp.Compare(certainty(b), certainty(a)))
	})
	return order, groups
}

// checkCredal refuses what is no credal partition of objects that can be drawn.
func checkCredal(p *credal.Partition) error {
	refuse := func(format string, args ...any) error {
		return &fault.Input{Problem: fmt.Sprintf(format, args...),
			Fix: "give a credal partition as a fit or a file makes it"}
	}
	switch {
	case p == nil || len(p.Focal) == 0 || len(p.Mass) == 0:
		return refuse("there are no masses to draw")
	case len(p.Mass)%len(p.Focal) != 0:
		return refuse("%d masses cannot be those of %d focal sets", len(p.Mass), len(p.Focal))
	case p.Clusters < 1 || p.Clusters > belief.MaxClusters:
		return refuse("the credal partition has %d clusters", p.Clusters)
	}
	for _, s := range p.Focal {
		if !s.Within(belief.Omega(p.Clusters)) {
			return refuse("the focal set %v has clusters beyond the %d there are", s, p.Clusters)
		}
	}
	for at, m := range p.Mass {
		if !(m >= 0 && m <= 1+1e-6) {
			return &fault.Input{Row: at/len(p.Focal) + 1,
				Problem: fmt.Sprintf("the mass of %v is %v", p.Focal[at%len(p.Focal)], m),
				Fix:     "masses are numbers from 0 to 1"}
		}
	}
	return nil
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
	text := ""
	for k := range clusters {
		if !s.Has(k) {
			continue
		}
		if text != "" {
			text += " + "
		}
		if k < len(names) && names[k] != "" {
			text += names[k]
		} else {
			text += fmt.Sprint(k + 1)
		}
	}
	return text
}

// firstOf returns the lowest cluster of a set that is not empty.
func firstOf(s belief.Set) int {
	for k := range belief.MaxClusters {
		if s.Has(k) {
			return k
		}
	}
	return -1
}

// planar is what the pictures of objects in the plane have in common.
type planar struct {
	points     dataset.Matrix // n×2
	classes    []int
	classNames []string
	links      []link.Link
	maxPoints  int
}

// check refuses contradictions with a credal partition.
func (c planar) check(p *credal.Partition) error {
	refuse := func(fix, format string, args ...any) error {
		return &fault.Input{Problem: fmt.Sprintf(format, args...), Fix: fix}
	}
	if err := checkCredal(p); err != nil {
		return err
	}
	n := p.Len()
	switch {
	case c.points.Cols != 2:
		return refuse("bring the data into the plane first", "points have %d coordinates, not 2",
			c.points.Cols)
	case c.points.Rows != n:
		return refuse("give one mass function a point", "there are %d points but %d mass functions",
			c.points.Rows, n)
	case c.classes != nil && len(c.classes) != n:
		return refuse("give one a point", "there are %d points but %d classes", n, len(c.classes))
	case c.maxPoints < 0:
		return refuse("give a number from 1, or 0 for 20000", "cannot draw at most %d points",
			c.maxPoints)
	}
	return cmp.Or(checkClasses(c.classes, c.classNames), checkLinks(c.links, n))
}

// rows chooses the points to draw, in a random order, so that no cluster hides the others only
// because it comes last: all linked ones, and of the others a random sample that makes at most
// maxPoints.
func (c planar) rows(seed uint64) []int {
	kept := map[int]bool{}
	for _, l := range c.links {
		kept[l.A], kept[l.B] = true, true
	}
	rows := thin(c.points.Rows, cmp.Or(c.maxPoints, maxPoints), kept, seed)
	shuffle(rows, seed)
	return rows
}

// besides joins notes that are not empty.
func besides(notes ...string) string {
	text := ""
	for _, n := range notes {
		if text != "" && n != "" {
			text += " · "
		}
		text += n
	}
	return text
}

// share brings a mass or plausibility, which may be off by rounding, into 0..1.
func share(v float64) float64 { return math.Min(1, math.Max(0, v)) }
