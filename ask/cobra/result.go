package cobra

import (
	"cmp"
	"context"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// Result is the clustering that the answers so far amount to.
type Result struct {
	// cluster of each row, from 1, the largest cluster first, and 0 for excluded rows; length n
	Labels   []int
	Clusters int     // number of clusters, N_C
	Of       []int32 // super-instance of each row, from 0; length n
	// row that stands for each super-instance; one that is excluded where nobody may be asked about
	// another; length N_S
	Medoids []int
	Means   dataset.Matrix // mean of each super-instance, by which new rows are placed
	// cluster of each super-instance, from 1, and 0 where that has excluded rows alone; length N_S
	ClusterOf []int
	Answers   []link.Link // the effective answers, in order
	Undecided int         // pairs of clusters left aside because the answers were "unknown"
	Unmet     []link.Link // links and answers that do not hold in this clustering
	Complete  bool        // no question is left
}

// Result returns the clustering so far. It is valid after any number of answers: super-instances
// that no answer joined are clusters of their own.
func (r *Run) Result() *Result {
	_, more := r.Next()
	c := r.chooser
	res := &Result{
		Labels:    make([]int, len(c.si.Of)),
		Of:        c.si.Of,
		Medoids:   r.representatives(),
		Means:     c.si.Means,
		ClusterOf: make([]int, c.si.Len()),
		Answers:   r.Answers(),
		Unmet:     slices.Clone(c.unmet),
		Complete:  !more,
	}
	var number map[int32]int
	number, res.Clusters = c.number()
	for s, name := range c.state.of {
		res.ClusterOf[s] = number[name]
	}
	for row, s := range c.si.Of {
		if !r.Out(row) {
			res.Labels[row] = res.ClusterOf[s]
		}
	}
	if res.Complete {
		_, _, unasked := c.unasked()
		res.Undecided = c.state.undecided() - unasked
	}
	return res
}

// number returns clusters the numbers 1 to N_C by size in rows, the largest first, ties by the
// lowest super-instance. Excluded rows do not count, and a cluster without others has no number.
func (c *chooser) number() (number map[int32]int, clusters int) {
	size := make(map[int32]int, c.state.count)
	var names []int32
	for s, name := range c.state.of {
		if _, seen := size[name]; !seen {
			names = append(names, name)
		}
		size[name] += c.si.Sizes[s]
	}
	for _, row := range c.excluded {
		size[c.state.of[c.si.Of[row]]]--
	}
	names = slices.DeleteFunc(names, func(name int32) bool { return size[name] == 0 })
	slices.SortFunc(names, func(x, y int32) int {
		return cmp.Or(cmp.Compare(size[y], size[x]), cmp.Compare(x, y))
	})
	number = make(map[int32]int, len(names))
	for i, name := range names {
		number[name] = i + 1
	}
	return number, len(names)
}

// Remaining estimates how many answers are left. Likely is the paper's lower bound
// (§3.1), N_S − N_C + C(N_C, 2), with the groups found so far for N_C, less the answers given; most
// is what it takes if every group differs from every other.
func (c *chooser) Remaining(*ask.Ledger) (likely, most int) {
	groups := c.state.different()
	idle, unasked, _ := c.unasked()
	most = c.state.open - unasked
	// Each cluster beyond the groups needs an answer that joins it; the groups differ
	// already.
	least := max(1, c.state.count-idle-groups)
	bound := c.si.Len() - c.idle - groups + groups*(groups-1)/2 - c.at.Answers
	return min(max(least, bound), most), most
}

// Predict returns the cluster of each row of new data, prepared as the fitted data were: that of
// the super-instance whose mean is nearest.
func (s *SuperInstances) Predict(ctx context.Context, clusterOf []int, data dataset.Matrix,
	threads int) ([]int, error) {
	nearest, err := (&kmeans.Result{Centers: s.Means}).Predict(ctx, data, threads)
	if err != nil {
		return nil, err
	}
	labels := make([]int, len(nearest))
	for i, m := range nearest {
		labels[i] = clusterOf[m]
	}
	return labels, nil
}
