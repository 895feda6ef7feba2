package method

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

// byLabels returns the outcome of labels, one per row from 0 and negative for noise: clusters are
// numbered by size, the largest first, and by their first rows where they are equally large. Labels
// that no row has are passed over.
func byLabels(labels []int32) *Outcome {
	index := map[int32]int{} // of each label, by first rows; labels themselves may be any numbers
	var sizes []int
	for _, c := range labels {
		if c < 0 {
			continue
		}
		i, known := index[c]
		if !known {
			i = len(sizes)
			index[c], sizes = i, append(sizes, 0)
		}
		sizes[i]++
	}
	number := make([]int, len(sizes))
	for rank, i := range bySize(sizes) {
		number[i] = rank + 1
	}
	out := &Outcome{Labels: make([]int, len(labels)), Clusters: len(sizes)}
	for row, c := range labels {
		if c >= 0 {
			out.Labels[row] = number[index[c]]
		}
	}
	return out
}

// byMasses returns the outcome of a credal partition, whose clusters it numbers by size in place:
// each row is in its most plausible cluster, outliers in none. Order is the number that each
// cluster had.
func byMasses(p *credal.Partition) (out *Outcome, order []int, err error) {
	order = p.BySize()
	if err := p.Relabel(order); err != nil {
		return nil, nil, err
	}
	out = &Outcome{Labels: p.Hard(belief.MaxPlausibility), Clusters: p.Clusters, Credal: p}
	if empty := emptyClusters(out.Labels, out.Clusters); empty > 0 {
		out.Notes = append(out.Notes,
			are(empty, "cluster")+" no object's most plausible one: fewer may do")
	}
	return out, order, nil
}

// byMemberships returns the outcome of fuzzy memberships u, n×c row-major, each row adding up to 1:
// they become Bayesian masses.
func byMemberships(u []float64, c int) (out *Outcome, order []int, err error) {
	p, err := credal.FromFuzzy(u, c)
	if err != nil {
		return nil, nil, err
	}
	return byMasses(p)
}

// n is the number of rows.
func (p Problem) n() int {
	if p.Dissim != nil {
		return p.Dissim.Len()
	}
	return max(p.Data.Rows, p.Objects.Len())
}

// vectors reports whether the rows are vectors that are compared by Euclidean distance, as Data has
// them.
func (p Problem) vectors() bool {
	return p.Data.Rows > 0 &&
		(p.Objects.Metric == dissim.Euclidean || p.Objects.None() && p.Dissim == nil)
}

// known returns the class of each row that is known before, from 0, negative where it is not; nil
// where none is. Where the problem names no classes they are what its links amount to: rows that
// must-links join are of one class, taken greedily, the most rows first, as long as they are
// cannot-linked to all classes taken before. A lone row of cannot-links is a class of its own.
func (p Problem) known(s Settings) (classes []int32, notes []string, err error) {
	switch {
	case len(p.Links) == 0:
		return p.Known, nil, nil
	case p.Known != nil:
		return p.Known, []string{"links are only counted, as classes are known"}, nil
	}
	set, clashing, err := link.Build(p.n(), p.Links, s.Contradictions)
	if err != nil {
		return nil, nil, err
	}
	if len(clashing) > 0 {
		notes = append(notes, are(len(clashing), "link")+" left out, as each contradicts others")
	}
	var groups [][]int
	seen := map[int]bool{}
	for row := range set.Linked() {
		if c := set.Component(row); !seen[c] {
			seen[c] = true
			groups = append(groups, set.Members(row))
		}
	}
	for _, g := range groups {
		slices.Sort(g)
	}
	slices.SortFunc(groups,
		func(a, b []int) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a[0], b[0]))
		})
	classes = slices.Repeat([]int32{-1}, set.N())
	var taken []int // a row of each class
	left := 0
	for _, g := range groups {
		if slices.ContainsFunc(taken,
			func(row int) bool { return set.Relation(row, g[0]) != link.CannotLink }) {
			left += len(g)
			continue
		}
		for _, row := range g {
			classes[row] = int32(len(taken))
		}
		taken = append(taken, g[0])
	}
	notes = append(notes,
		fmt.Sprintf("links tell %s apart", number(len(taken), "class", "classes")))
	if left > 0 {
		notes = append(notes,
			are(left, "linked row")+
				" of no known class, as no link tells them from all of the classes")
	}
	return classes, notes, nil
}
