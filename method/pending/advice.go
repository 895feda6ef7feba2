//go:build ignore

package method

import (
	"fmt"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/evidence/belief"
)

// reach says in words how far links reach, by how they enter.
var reach = map[evclus.Constraints]string{
	evclus.Anchor:    "only linked rows are moved by them",
	evclus.Propagate: "rows near linked ones share them",
	evclus.Penalty:   "they weigh in the fit of all rows",
}

// advice says what may be amiss with d0 or the number of clusters, and what to try.
func advice(out *Outcome, e Evidential) []string {
	r := out.Evidential
	scaled := r.D0 > 0 && e.Transform != evclus.Rank
	smaller, larger := "--d0 auto, or --d0 quantile:0.5",
		fmt.Sprintf("--d0 auto, or a --d0 above %.4g", r.D0)
	switch q := e.D0.Quantile; {
	case e.D0.Auto:
		smaller, larger = fmt.Sprintf("a --d0 below %.4g", r.D0),
			fmt.Sprintf("a --d0 above %.4g", r.D0)
	case e.D0.Value > 0:
		smaller, larger = fmt.Sprintf("--d0 auto, or a --d0 below %.4g", r.D0),
			fmt.Sprintf("--d0 auto, or a --d0 above %.4g, such as --d0 quantile:0.9", r.D0)
	case q > 0:
		smaller = fmt.Sprintf("--d0 auto, or a quantile below %g", q)
		if q < 1 {
			larger = fmt.Sprintf("--d0 auto, or a quantile above %g", q)
		}
	}
	var notes []string
	if empty := emptyClusters(out.Labels, out.Clusters); empty > 0 {
		try := "fewer may do"
		if scaled {
			try = "a smaller d0 tells more of them apart (try " + smaller + "), or fewer may do"
		}
		notes = append(notes, are(empty, "cluster")+" no object's most plausible one: "+try)
	}
	if !scaled {
		return notes
	}
	rough := r.Credal.Rough()
	between, near := 0, 0
	for i, outlier := range rough.Outlier {
		switch {
		case outlier:
			near++
		case rough.Ambiguous(i):
			between++
		}
	}
	switch n := len(rough.Outlier); {
	case 2*near > n:
		notes = append(notes,
			"Over half of the objects are near no cluster: d0 is probably too small; try "+larger)
	case 2*between > n:
		notes = append(notes,
			"Over half of the objects are between clusters: d0 is probably too large; try "+smaller)
	}
	return notes
}

// edge reports how far the best number of clusters of a range is to be trusted, of n objects.
func edge(best, first, last, n int) string {
	const guide = "Nonspecificity is a guide, no proof: compare the partitions, too."
	switch longer := min(last+4, n, belief.MaxClusters); {
	case best == last && longer > last:
		return fmt.Sprintf("%d is the end of the range, and more clusters may be better still: "+
			"try a longer one, as in -k %d..%d. %s", last, first, longer, guide)
	case best == first && first > 2:
		return fmt.Sprintf("%d is the start of the range, and fewer clusters may be better "+
			"still: let it start at 2. %s", first, guide)
	}
	return guide
}
