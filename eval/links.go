package eval

import (
	"fmt"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// LinkReport counts the links that a partition breaks.
type LinkReport struct {
	Must           int     `json:"must"`            // must-links given
	Cannot         int     `json:"cannot"`          // cannot-links given
	Unknown        int     `json:"unknown"`         // unknown links given, which nothing breaks
	MustViolated   int     `json:"must_violated"`   // must-links between clusters
	CannotViolated int     `json:"cannot_violated"` // cannot-links within a cluster
	MustShare      float64 `json:"must_share"`      // MustViolated of Must, in [0, 1]; 0 of none
	// CannotViolated of Cannot, in [0, 1]; 0 of none
	CannotShare float64 `json:"cannot_share"`
	Share       float64 `json:"share"` // both of both, in [0, 1]; 0 of none
}

// Violated returns the number of broken links.
func (r LinkReport) Violated() int { return r.MustViolated + r.CannotViolated }

// CheckLinks counts the links that labels, one per object, break, as by [link.Violated].
// It fails with a [*fault.Input] when a link is out of range.
func CheckLinks(labels []int, links []link.Link) (LinkReport, error) {
	if err := inRange(links, len(labels)); err != nil {
		return LinkReport{}, err
	}
	var given, broken [3]int
	for _, l := range links {
		given[l.Kind]++
	}
	for _, l := range link.Violated(labels, links) {
		broken[l.Kind]++
	}
	const m, c = link.MustLink, link.CannotLink
	return LinkReport{
		Must: given[m], Cannot: given[c], Unknown: given[link.Unknown],
		MustViolated: broken[m], CannotViolated: broken[c],
		MustShare:   share(broken[m], given[m]),
		CannotShare: share(broken[c], given[c]),
		Share:       share(broken[m]+broken[c], given[m]+given[c]),
	}, nil
}

// share returns part/whole, and 0 of none.
func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// String shows the report in one line.
func (r LinkReport) String() string {
	return fmt.Sprintf("%d of %s violated: %d of %s (%.1f %%), %d of %s (%.1f %%)",
		r.Violated(), words.Count(r.Must+r.Cannot, "link"),
		r.MustViolated, words.Count(r.Must, "must-link"), 100*r.MustShare,
		r.CannotViolated, words.Count(r.Cannot, "cannot-link"), 100*r.CannotShare)
}

// inRange refuses links that n labels cannot be judged by.
func inRange(links []link.Link, n int) error {
	for _, l := range links {
		if min(l.A, l.B) < 0 || max(l.A, l.B) >= n || l.Kind > link.CannotLink {
			return fault.Inputf("use the links of the data that was clustered",
				"the link %d, %d, %v does not fit %d labels", l.A+1, l.B+1, l.Kind, n)
		}
	}
	return nil
}
