package hierarchy

import (
	"github.com/kindred-go/kindred/internal/words"
)

// Linkage is how far apart two clusters are.
type Linkage int

// The linkages; d(x, y) is the dissimilarity of two objects. Ward's, centroid and median linkage
// take dissimilarities as Euclidean distances.
const (
	Auto     Linkage = iota // Ward for vectors, Average for dissimilarities
	Single                  // the least d(x, y), x in one cluster and y in the other
	Complete                // the greatest
	Average                 // the mean of all (UPGMA)

	// Weighted is the mean of the two parts that a cluster was joined from, whatever their sizes
	// (WPGMA).
	Weighted

	// Ward is √(2|A||B|/(|A|+|B|)) times the distance of the means: its square is twice what
	// joining adds to the inertia.
	Ward

	Centroid // the distance of the means (UPGMC)

	// Median is the same, a joined cluster's mean replaced by the middle between those of its parts
	// (WPGMC).
	Median
)

var linkages = words.Enum[Linkage]{Type: "Linkage", Words: []string{"auto", "single", "complete",
	"average", "weighted", "ward", "centroid", "median"}}

// String returns the name of the linkage, as in "ward".
func (l Linkage) String() string { return linkages.Name(l) }

// squares reports whether the linkage reckons with squared distances.
func (l Linkage) squares() bool { return l == Ward || l == Centroid || l == Median }

// reducible reports whether chains of nearest neighbours serve.
func (l Linkage) reducible() bool { return l != Centroid && l != Median }
