package main

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// mostListed is how many doubtful rows and outliers are named.
const mostListed = 10

// massReport is what is to be said of masses besides.
type massReport struct {
	Nonspecificity float64    `json:"nonspecificity"` // N*, in [0, 1]
	Focal          int        `json:"focal_sets"`
	Metric         string     `json:"metric,omitempty"`
	Ambiguous      int        `json:"ambiguous"` // rows that may belong to several clusters
	Doubtful       []doubtful `json:"doubtful"`  // the ten most ambiguous
	Outliers       int        `json:"outliers"`
	Outlying       []string   `json:"outlying"` // ids of the first ten

	clusters int // how many there are
}

// doubtful is a row that may belong to several clusters.
type doubtful struct {
	ID             string  `json:"id"`
	Clusters       []int   `json:"clusters"`
	Nonspecificity float64 `json:"nonspecificity"` // in bits
}

func newMassReport(d *input.Data, out *method.Outcome) *massReport {
	p := out.Credal
	r := &massReport{
		Nonspecificity: p.Nonspecificity(), Focal: len(p.Focal), Metric: string(d.Objects.Metric),
		Doubtful: []doubtful{}, Outlying: []string{},
		clusters: p.Clusters,
	}
	if method.Fuzzy(p) {
		r.fuzzy(d, p)
		return r
	}
	rough := p.Rough()
	var unsure []int
	for i, outlier := range rough.Outlier {
		switch {
		case outlier:
			if r.Outliers++; r.Outliers <= mostListed {
				r.Outlying = append(r.Outlying, d.ID(i))
			}
		case rough.Ambiguous(i):
			unsure = append(unsure, i)
		}
	}
	r.Ambiguous = len(unsure)
	if len(unsure) == 0 {
		return r
	}
	doubt := p.Nonspecificities()
	slices.SortStableFunc(unsure, func(a, b int) int { return cmp.Compare(doubt[b], doubt[a]) })
	for _, i := range unsure[:min(mostListed, len(unsure))] {
		r.Doubtful = append(r.Doubtful, doubtful{d.ID(i), members(rough.Upper[i]), doubt[i]})
	}
	return r
}

// fuzzy finds the rows of a fuzzy partition that belong to a second cluster at least half as much
// as to the first.
func (r *massReport) fuzzy(d *input.Data, p *credal.Partition) {
	type row struct {
		at, first, second int
		share             float64 // of the second, beside the first
	}
	var unsure []row
	for i := range p.Len() {
		u := row{at: i, first: -1, second: -1}
		masses := p.Row(i)
		for j, m := range masses {
			switch {
			case u.first < 0 || m > masses[u.first]:
				u.first, u.second = j, u.first
			case u.second < 0 || m > masses[u.second]:
				u.second = j
			}
		}
		if u.second < 0 || masses[u.second] < masses[u.first]/2 {
			continue
		}
		u.share = masses[u.second] / masses[u.first]
		unsure = append(unsure, u)
	}
	r.Ambiguous = len(unsure)
	slices.SortStableFunc(unsure, func(a, b row) int { return cmp.Compare(b.share, a.share) })
	for _, u := range unsure[:min(mostListed, len(unsure))] {
		r.Doubtful = append(r.Doubtful,
			doubtful{ID: d.ID(u.at), Clusters: members(p.Focal[u.first] | p.Focal[u.second])})
	}
}

// members lists the clusters of a set, from 1.
func members(s belief.Set) []int {
	var out []int
	for ; s != 0; s &= s - 1 {
		out = append(out, bits.TrailingZeros64(uint64(s))+1)
	}
	return out
}

// doubts says in a line or two which rows are between clusters, and which near none.
func (c *massReport) doubts() []string {
	lines := []string{"no row is between clusters"}
	if c.Ambiguous > 0 {
		var rows []string
		for _, d := range c.Doubtful {
			rows = append(rows, fmt.Sprintf("row %s: %s", words.Short(d.ID),
				either(d.Clusters, c.clusters)))
		}
		lines[0] = fmt.Sprintf("%s between clusters%s: %s", are(c.Ambiguous, "row"),
			first(c.Ambiguous, "the most doubtful"), strings.Join(rows, "; "))
	}
	if c.Outliers > 0 {
		var rows []string
		for _, id := range c.Outlying {
			rows = append(rows, words.Short(id))
		}
		lines = append(lines,
			fmt.Sprintf("%s near no cluster (outliers)%s: row %s", are(c.Outliers, "row"),
				first(c.Outliers, "the first"), strings.Join(rows, ", ")))
	}
	return lines
}

// first says that not all are listed.
func first(n int, which string) string {
	if n <= mostListed {
		return ""
	}
	return ", " + which + " " + strconv.Itoa(mostListed)
}

// are writes a number with its noun and verb.
func are(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is"
	}
	return fmt.Sprintf("%d %ss are", n, noun)
}

// either lists clusters, of so many that there are, as an alternative: "1 or 3", "1, 2 or 3".
func either(clusters []int, all int) string {
	const most = 6
	var names []string
	for _, c := range clusters[:min(most, len(clusters))] {
		names = append(names, strconv.Itoa(c))
	}
	last := len(names) - 1
	if len(clusters) > most && len(clusters) == all {
		return fmt.Sprintf("any of the %d clusters", all)
	}
	if len(clusters) > most {
		return fmt.Sprintf("one of %d clusters, %s, …", len(clusters), strings.Join(names, ", "))
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
