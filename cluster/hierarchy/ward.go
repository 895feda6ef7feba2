package hierarchy

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// wards are clusters under Ward's linkage, each known by its centre and size. Its measure is the
// squared distance of two centres times 2|A||B|/(|A|+|B|). A cluster has the number of its lowest
// part.
//
// Each cluster has a list of the nearest of the others, and a bound below which no other is that is
// not on it. Joins bring nothing nearer: so what is on a list, or the cluster that it has come to
// be part of, is the nearest as long as it is within the bound. Only where it is not is the cluster
// compared with all others, together with all that are.
type wards struct {
	d       int
	centres []float64 // of clusters by number, d each
	size    []float64
	joins   []int32   // how often each has been joined to others; −1: it is part of another
	made    []float64 // measure of the join that made it
	up      disjoint.Sets
	live    []int32 // rising
	least   float64 // size of the smallest

	near  []candidate // listed for each, the nearest first; those with to < 0 are none
	bound []float64

	mean    []float64 // of the centres; nil where float32 is of no use
	threads int
}

// listed is how many others are on the list of a cluster.
const listed = 16

// candidate is another cluster that is far from the one whose list it is on, when it had been
// joined to others so many times.
type candidate struct {
	far    float64
	to, at int32
}

// fitWard joins the rows of data by Ward's linkage.
func fitWard(ctx context.Context, data dataset.Matrix, cfg Config) ([]join, []int32, error) {
	n, d := data.Rows, data.Cols
	if err := memory.Check(float64(n)*float64(8*d+16*listed+100),
		fmt.Sprintf("the centres and neighbours of %d clusters", n),
		"join the centres of k-means, or a sample of the rows"); err != nil {
		return nil, nil, err
	}
	rows, order, err := layOut(ctx, data)
	if err != nil {
		return nil, nil, err
	}
	sizes := slices.Repeat([]float64{1}, n)
	if cfg.Sizes != nil {
		for place, i := range order {
			sizes[place] = cfg.Sizes[i]
		}
	}
	w, joins, first := newWards(rows, sizes, d, cfg.Threads)
	if err := w.meet(ctx, fit.Share(fit.Part(cfg.Progress, 0, meetShare))); err != nil {
		return nil, nil, err
	}
	equal := len(joins)
	p := newPace(len(first), fit.Share(fit.Part(cfg.Progress, meetShare, 1)))
	if joins, err = w.rounds(ctx, joins, p); err != nil {
		return nil, nil, err
	}
	for i, j := range joins[equal:] {
		joins[equal+i] = join{first[j.a], first[j.b], math.Sqrt(j.height)}
	}
	return joins, order, nil
}

// meetShare is the share of the work that it is to find the nearest of each row.
const meetShare = 0.4

// newWards makes clusters of rows of some sizes, in the order of their values, which it overwrites.
// Equal rows are one cluster; joins are what it takes, and first has the first row of each cluster.
func newWards(rows, sizes []float64, d, threads int) (w *wards, joins []join, first []int32) {
	n := len(sizes)
	w = &wards{d: d, threads: threads}
	joins = make([]join, 0, n-1)
	for i := range n {
		row := rows[i*d : (i+1)*d]
		m := len(first)
		if m > 0 && slices.Equal(rows[(m-1)*d:m*d], row) {
			w.size[m-1] += sizes[i]
			joins = append(joins, join{first[m-1], int32(i), 0})
			continue
		}
		copy(rows[m*d:], row)
		first, w.size = append(first, int32(i)), append(w.size, sizes[i])
	}
	m := len(first)
	w.centres = rows[:m*d]
	w.joins, w.made, w.up = make([]int32, m), make([]float64, m), disjoint.Singletons(m)
	w.live, w.least = disjoint.Singletons(m), slices.Min(w.size)
	w.near = slices.Repeat([]candidate{{math.Inf(1), -1, 0}}, m*listed)
	w.bound = make([]float64, m)
	w.centre()
	return w, joins, first
}

// centre finds the mean of the centres, to which bounds are relative.
func (w *wards) centre() {
	m := len(w.size)
	if simd.NewPairs(1) == nil {
		return
	}
	mean := make([]float64, w.d)
	for i := range m {
		for j, v := range w.row(int32(i)) {
			mean[j] += v / float64(m)
		}
	}
	for i := range m {
		if !(simd.SquaredDistance(mean, w.row(int32(i))) < 0x1p100) {
			return
		}
	}
	w.mean = mean
}

func (w *wards) row(a int32) []float64 { return w.centres[int(a)*w.d:][:w.d] }

// list returns the list of a cluster.
func (w *wards) list(a int32) []candidate { return w.near[int(a)*listed:][:listed] }

// current reports whether a candidate is as far as its list says.
func (w *wards) current(c candidate) bool { return c.to >= 0 && w.joins[c.to] == c.at }

// square returns the squared distance of two centres, the same whichever comes first.
func (w *wards) square(a, b int32) float64 {
	x, y := w.row(a), w.row(b)
	if w.d >= byColumns {
		return simd.SquaredDistance(x, y)
	}
	s := 0.0
	for j, v := range x {
		t := v - y[j]
		s = math.FMA(t, t, s)
	}
	return s
}

// far returns the measure of two clusters.
func (w *wards) far(a, b int32) float64 { return ward(w.square(a, b), w.size[a], w.size[b]) }

// ward weighs the squared distance of two centres by the sizes of their clusters.
func ward(square, a, b float64) float64 { return square * (2 * a * b / (a + b)) }

// rounds adds to joins until one cluster is left: in each round all pairs of clusters that are
// nearest to each other are joined. Heights are measures.
func (w *wards) rounds(ctx context.Context, joins []join, p *pace) ([]join, error) {
	m := len(w.size)
	taken, with := make([]bool, m), slices.Repeat([]int32{-1}, m)
	for len(w.live) > 1 {
		began := len(joins)
		for _, a := range w.live {
			if b := w.partner(a, taken); b >= 0 {
				taken[a], taken[b] = true, true
				far := max(w.list(a)[0].far, w.made[a], w.made[b])
				joins = append(joins, join{min(a, b), max(a, b), far})
			}
		}
		for _, j := range joins[began:] {
			w.join(j.a, j.b, j.height)
			with[j.a] = j.b
			taken[j.a], taken[j.b] = false, false
		}
		w.live = slices.DeleteFunc(w.live, func(a int32) bool { return w.joins[a] < 0 })
		p.left(len(w.live))
		if len(w.live) == 1 {
			break
		}
		if err := w.settle(ctx, with); err != nil {
			return nil, err
		}
		for _, j := range joins[began:] {
			with[j.a] = -1
		}
	}
	return joins, nil
}

// partner returns a cluster that is nearest to a and to which a is nearest; −1 where there is none
// or it is taken. Among equals the lowest comes first.
func (w *wards) partner(a int32, taken []bool) int32 {
	if taken[a] {
		return -1
	}
	list := w.list(a)
	for _, c := range list {
		if c.far != list[0].far {
			break
		}
		if w.current(c) && !taken[c.to] && w.list(c.to)[0].far >= c.far {
			return c.to
		}
	}
	return -1
}

// join makes b part of a, the lower of the two.
func (w *wards) join(a, b int32, far float64) {
	x, y := w.row(a), w.row(b)
	wa, wb := w.size[a], w.size[b]
	for j, v := range y {
		x[j] = (float64(wa*x[j]) + float64(wb*v)) / (wa + wb)
	}
	w.size[a] = wa + wb
	w.joins[a]++
	w.joins[b], w.up[b], w.made[a] = -1, a, far
}

// settle finds the nearest of every cluster whose nearest has been joined to another, or that has
// been joined itself: with has what to, or −1.
func (w *wards) settle(ctx context.Context, with []int32) error {
	var stale []int32
	w.least = math.Inf(1)
	for _, a := range w.live {
		w.least = min(w.least, w.size[a])
		b := with[a]
		if b < 0 && w.current(w.list(a)[0]) {
			continue
		}
		stale = append(stale, a)
		w.trace(w.list(a))
		if b >= 0 {
			w.trace(w.list(b))
		}
	}
	open := make([]bool, len(stale))
	err := parallel.Blocks(ctx, len(stale), 64, w.threads, func(_, lo, hi int) {
		for t := lo; t < hi && ctx.Err() == nil; t++ {
			open[t] = !w.renew(stale[t], with[stale[t]])
		}
	})
	if err != nil {
		return err
	}
	asking := stale[:0]
	for t, a := range stale {
		if open[t] {
			asking = append(asking, a)
		}
	}
	return w.ask(ctx, asking)
}

// trace makes the candidates of a list the clusters that they are part of.
func (w *wards) trace(list []candidate) {
	for t, c := range list {
		if c.to >= 0 && w.joins[c.to] < 0 {
			list[t].to, list[t].at = w.up.Root(c.to), -1
		}
	}
}

// renew brings the list of a cluster up to date, which has been joined to b, or to nothing where
// that is −1, and reports whether the nearest is on it.
func (w *wards) renew(a, b int32) bool {
	var room [2 * listed]candidate
	found := room[:0]
	gather := func(list []candidate) {
		for _, c := range list {
			if c.to < 0 || c.to == a ||
				slices.ContainsFunc(found, func(e candidate) bool { return e.to == c.to }) {
				continue
			}
			if b >= 0 || !w.current(c) {
				c.far, c.at = w.far(a, c.to), w.joins[c.to]
			}
			found = append(found, c)
		}
	}
	gather(w.list(a))
	if b >= 0 {
		gather(w.list(b))
		w.bound[a] = w.joinedBound(a, b)
	}
	slices.SortFunc(found, candidate.compare)
	if len(found) > listed {
		w.bound[a] = min(w.bound[a], found[listed].far)
		found = found[:listed]
	}
	list := w.list(a)
	for t := copy(list, found); t < listed; t++ {
		list[t] = candidate{math.Inf(1), -1, 0}
	}
	return len(found) == len(w.live)-1 || list[0].far <= w.bound[a]
}

// joinedBound returns the bound of a cluster that a, which has been joined, and b have become. By
// the formula of Lance and Williams it rises with the size of what is compared.
func (w *wards) joinedBound(a, b int32) float64 {
	nb := w.size[b]
	na, n := w.size[a]-nb, w.least
	far := (na+n)*w.bound[a] + (nb+n)*w.bound[b] - n*w.made[a]
	if far = far / (na + nb + n); far-far != 0 {
		return min(w.bound[a], w.bound[b])
	}
	return far * (1 - 1e-12)
}
