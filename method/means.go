package method

import (
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
)

// ByDegrees returns the outcome of memberships, n×k row-major, that has a model of means, k×d:
// labels has the cluster of each row, from 0, and degrees how new rows belong to the means. Where
// there are more clusters than masses can be about, labels alone are kept.
func ByDegrees(memberships []float64, labels []int32, means dataset.Matrix, degrees Degrees) (
	*Outcome, error) {
	if means.Rows > belief.MaxClusters {
		out := ByMeans(labels, means)
		out.Model.Degrees = &degrees
		out.Notes = append(out.Notes, fmt.Sprintf("degrees of membership are kept of at most %d "+
			"clusters: each row has its first one alone", belief.MaxClusters))
		return out, nil
	}
	out, order, err := ByMemberships(memberships, means.Rows)
	if err != nil {
		return nil, err
	}
	out.Model = &Model{Means: means, ClusterOf: make([]int, means.Rows), Degrees: &degrees}
	for number, c := range order {
		out.Model.ClusterOf[c] = number + 1
	}
	return out, nil
}

// Clashing returns the note that n links contradict others, and what all links do, such as "are
// kept"; nil for 0.
func Clashing(n int, do string) []string {
	if n == 0 {
		return nil
	}
	verb := "contradict"
	if n == 1 {
		verb = "contradicts"
	}
	return []string{fmt.Sprintf("%s %s others; all links %s", words.Count(n, "link"), verb, do)}
}

// WithoutRows returns the note that some prototypes have no rows, given how many have some; nil
// where all do.
func WithoutRows(with, prototypes int) []string {
	if with == prototypes {
		return nil
	}
	return []string{fmt.Sprintf(
		"only %d of the %d clusters have rows: none is nearest to the other prototypes", with,
		prototypes)}
}

// ClassClusters declares the number of clusters of a method that begins with the known classes.
func ClassClusters(set *param.Set, v *int) {
	set.Int(v, param.Param{Name: "clusters", Short: "k", Basic: true, Min: 1,
		Help: "number of clusters", Auto: "as many as classes are known", Example: "3"})
}

// Seeds returns the classes that are known, as [Problem.KnownClasses] does, and the number of
// clusters: as many as there are classes unless it is asked for. Name is that of the method, for
// errors.
func (p Problem) Seeds(clusters int, name string) (classes []int32, k int, notes []string,
	err error) {
	if classes, notes, err = p.KnownClasses(); err != nil {
		return nil, 0, nil, err
	}
	most := -1
	for _, c := range classes {
		most = max(most, int(c))
	}
	switch k = clusters; {
	case most < 0 && k == 0:
		return nil, 0, nil, &fault.Input{
			Problem: name + " needs the number of clusters, as no classes are known",
			Fix:     "give it with --clusters, or labels or links with the data"}
	case k == 0:
		k = most + 1
		notes = append(notes,
			fmt.Sprintf("%s asked for, as many as classes are known", Number(k, "cluster")))
	case most < 0:
		notes = append(notes, "no classes are known")
	case most >= k:
		return nil, 0, nil, fault.Inputf(fmt.Sprintf("ask for at least %d", most+1),
			"%d clusters are asked for, and %d classes are known", k, most+1)
	}
	return classes, k, notes, nil
}
