package method

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// Outcome is what a method found.
type Outcome struct {
	Labels   []int       // cluster of each row, from 1; 0 is noise, or an outlier
	Clusters int         // number of clusters
	Queries  int         // answers used
	Asked    []link.Link // the answers, in order
	Unmet    []link.Link // given links that the method could not honour
	// Medoids are the representatives of super-instances, where there are any; one that is excluded
	// where no other row can be.
	Medoids    []int
	Of         []int32 // super-instance of each row, where there are any
	Excluded   []int   // rows left out as bad data, ascending; their label is 0
	Core       []int   // rows in dense neighbourhoods, ascending, where a method has these
	Objective  float64 // inertia, or what another method minimises
	Measure    string  // what Objective is, where it is not the inertia: objective; else ""
	Iterations int
	Unit       string // what Iterations counts: iteration, epoch, sweep or step
	Stopped    string // why it stopped
	Unfinished bool   // questions remain, so clusters may still join
	Uncertain  bool   // there may well be fewer or more clusters
	Model      *Model // places new rows; nil where the outcome cannot
	Notes      []string
	Estimate   int // number of clusters that the method estimates; 0: it does not

	// Criteria are those of the method that compare fits of several numbers of clusters, by name, as
	// in bic: the lowest is best. nil: it has none.
	Criteria map[string]float64
	// Choice is how the number of clusters was chosen among several; nil: one was given, or found.
	Choice *Choice

	// Credal is the credal partition of a method with masses, or with fuzzy memberships as masses;
	// clusters are numbered as in Labels. nil: neither.
	Credal *credal.Partition
	// Strength is how strongly each row is of its cluster, in [0, 1], where a method has that; nil: it
	// does not.
	Strength []float64
	// Columns are further columns that files of the partition have.
	Columns []partition.Column
	// Tree is that of a method that joins rows; nil: none.
	Tree *dendrogram.Tree
	// Condensed is that of a method that follows clusters over densities; nil: none.
	Condensed *dendrogram.Condensed

	// Was has, for a session whose questions name clusters, the number from 0 that cluster k+1 has
	// in its questions; nil: none.
	Was []int

	// Detail is what the method has to report besides; nil: nothing.
	Detail Detail
}

// Detail is what a method reports besides the fields of an [Outcome].
type Detail interface {
	// Figures returns what the JSON report has besides: a struct or map of fields.
	Figures() any
	// Summary returns what the line on the clusters found has after their sizes; "": the
	// objective.
	Summary(o *Outcome) string
	// Lines returns sentences for the report.
	Lines() []string
}

// Notef adds a note, formatted.
func (o *Outcome) Notef(format string, args ...any) {
	o.Notes = append(o.Notes, fmt.Sprintf(format, args...))
}

// LeftOut reports whether a row was left out as bad data.
func (o *Outcome) LeftOut(row int) bool {
	_, out := slices.BinarySearch(o.Excluded, row)
	return out
}

// Counted returns the labels, with −1 for the rows left out as bad data.
func (o *Outcome) Counted() []int {
	if len(o.Excluded) == 0 {
		return o.Labels
	}
	out := slices.Clone(o.Labels)
	for _, row := range o.Excluded {
		out[row] = -1
	}
	return out
}

// LeaveOut takes the rows of Excluded, which were in the fit, out of their clusters and of the model,
// and adds a note.
func (o *Outcome) LeaveOut() {
	for _, row := range o.Excluded {
		o.Labels[row] = 0
	}
	if o.Model = o.Model.without(o.Excluded); len(o.Excluded) == len(o.Labels) {
		o.Model = nil
	}
	o.Note(len(o.Excluded), "left out as bad data: in no cluster, but in the fit of the others",
		"row")
}

// Note adds the note that n things are something, as in "2 rows are left out"; none where n is 0.
// The noun is as in [Are].
func (o *Outcome) Note(n int, what string, noun ...string) {
	if n > 0 {
		o.Notef("%s %s", Are(n, noun...), what)
	}
}

// CountsUnmet reports whether a note counts the links of Unmet, as those of methods that choose their
// questions do.
func (o *Outcome) CountsUnmet() bool {
	count := Are(len(o.Unmet), "link") + " not met"
	return slices.ContainsFunc(o.Notes,
		func(note string) bool { return strings.HasPrefix(note, count) })
}

// ByLabels returns the outcome of labels, one per row from 0 and negative for noise: clusters are
// numbered by size, the largest first, and by their first rows where they are equally large. Labels
// that no row has are passed over.
func ByLabels(labels []int32) *Outcome {
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

// ByMeans returns the outcome of a method that places rows by the nearest mean, given the label of
// each row from 0: clusters are numbered by size, those without rows last and not counted.
func ByMeans(labels []int32, means dataset.Matrix) *Outcome {
	sizes := make([]int, means.Rows)
	for _, c := range labels {
		sizes[c]++
	}
	out := &Outcome{Labels: make([]int, len(labels)),
		Model: &Model{Means: means, ClusterOf: make([]int, means.Rows)}}
	for rank, c := range bySize(sizes) {
		out.Model.ClusterOf[c] = rank + 1
		if sizes[c] > 0 {
			out.Clusters++
		}
	}
	for i, c := range labels {
		out.Labels[i] = out.Model.ClusterOf[c]
	}
	return out
}

// ByMasses returns the outcome of a credal partition, whose clusters it numbers by size in place:
// each row is in its most plausible cluster, outliers in none. Order is the number that each
// cluster had.
func ByMasses(p *credal.Partition) (out *Outcome, order []int, err error) {
	order = p.BySize()
	if err := p.Relabel(order); err != nil {
		return nil, nil, err
	}
	out = &Outcome{Labels: p.Hard(belief.MaxPlausibility), Clusters: p.Clusters, Credal: p}
	out.Note(EmptyClusters(out.Labels, out.Clusters),
		"no object's most plausible one: fewer may do", "cluster")
	return out, order, nil
}

// ByMemberships returns the outcome of fuzzy memberships u, n×c row-major, each row adding up to 1:
// they become Bayesian masses.
func ByMemberships(u []float64, c int) (out *Outcome, order []int, err error) {
	p, err := credal.FromFuzzy(u, c)
	if err != nil {
		return nil, nil, err
	}
	return ByMasses(p)
}

// bySize returns the indices of sizes, the largest first, ties by index: the order in which
// clusters are numbered.
func bySize(sizes []int) []int {
	return linalg.Order(len(sizes), func(a, b int) int { return cmp.Compare(sizes[b], sizes[a]) })
}

// EmptyClusters counts the clusters, from 1, that no label names.
func EmptyClusters(labels []int, clusters int) int {
	size := make([]int, clusters+1)
	for _, l := range labels {
		size[l]++
	}
	empty := 0
	for _, n := range size[1:] {
		if n == 0 {
			empty++
		}
	}
	return empty
}

// ClassOf returns of each cluster the class of most of its rows whose class is known, the first
// among equals; -1 where there are none. Known has the class of each row, from 0, negative where it
// is not known.
func (o *Outcome) ClassOf(known []int32) []int32 {
	type pair struct {
		cluster int
		class   int32
	}
	rows := map[pair]int{}
	for i, l := range o.Labels {
		if c := known[i]; c >= 0 && l > 0 {
			rows[pair{l - 1, c}]++
		}
	}
	of := slices.Repeat([]int32{-1}, o.Clusters)
	for p, n := range rows {
		best := of[p.cluster]
		if most := rows[pair{p.cluster, best}]; n > most || n == most && p.class < best {
			of[p.cluster] = p.class
		}
	}
	return of
}
