package hierarchy

import (
	"fmt"
	"slices"
	"strings"
)

// Linkage reports how far apart two clusters are.
type Linkage int

// The linkages; d(x, y) is the dissimilarity of two objects. Ward's, centroid and median linkage
// take dissimilarities as Euclidean distances.
const (
	Auto     Linkage = iota // Ward for vectors, Average for dissimilarities
	Single                  // the least d(x, y), x in one cluster and y in the other
	Complete                // the greatest
	Average                 // the mean of all (UPGMA)
	// the mean of the two parts that a cluster was joined from, whatever their sizes (WPGMA)
	Weighted
	// √(2|A||B|/(|A|+|B|)) times the distance of the means: its square is twice what joining adds
	// to the inertia
	Ward
	Centroid // the distance of the means (UPGMC)
	// the same, a joined cluster's mean replaced by the middle between those of its parts (WPGMC)
	Median
)

var linkageNames = []string{Auto: "auto", Single: "single", Complete: "complete",
	Average: "average", Weighted: "weighted", Ward: "ward", Centroid: "centroid", Median: "median"}

// String returns the name that [ParseLinkage] reads.
func (l Linkage) String() string {
	if l < 0 || int(l) >= len(linkageNames) {
		return fmt.Sprintf("Linkage(%d)", int(l))
	}
	return linkageNames[l]
}

// ParseLinkage reads the name of a linkage, in any case; "" is Auto.
func ParseLinkage(s string) (Linkage, error) {
	if s == "" {
		return Auto, nil
	}
	if at := slices.Index(linkageNames, strings.ToLower(s)); at >= 0 {
		return Linkage(at), nil
	}
	return 0, fmt.Errorf("unknown linkage %q: give one of %s", s, strings.Join(linkageNames, ", "))
}

// squares reports whether the linkage reckons with squared distances.
func (l Linkage) squares() bool { return l == Ward || l == Centroid || l == Median }

// reducible reports whether chains of nearest neighbours serve.
func (l Linkage) reducible() bool { return l != Centroid && l != Median }
