package cobras

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// Result is the clustering that the answers so far amount to: the last one that was fully merged.
// Before the first is, it is what is known of the first super-instances: halves that answers
// separate, or those that no answer joined, are clusters of their own; before the first answer all
// rows are one cluster, unless given links imply more.
type Result struct {
	cobra.Result // Undecided are counted at the end of the questions

	Mistakes []link.Link // links and answers that are taken for mistakes
	Merged   bool        // the first super-instances are merged
	// a super-instance is being split, and links wait for the end of that to hold
	Splitting bool
}

// Result returns the clustering so far, for as long as ctx lasts.
func (r *Run) Result(ctx context.Context) (*Result, error) {
	if err := r.Look(ctx); err != nil {
		return nil, err
	}
	_, more := r.Next()
	last := r.chooser.last
	res := r.result(last)
	res.Complete = !more
	res.Splitting = more && res.Merged && last.asked > last.settled && len(res.Unmet) > 0
	if res.Complete {
		res.Undecided = last.groups.undecided()
	}
	return res, nil
}

// alone returns what the given links and the answers amount to where there is nobody to ask more:
// super-instances are split in two as long as they hold rows that are known to be different, and
// each that no link is about goes with the nearest that one is about. This is ours.
func (r *Run) alone(ctx context.Context) (*Result, error) {
	p := r.chooser.play(ctx, r.Ledger, func(q link.Question) (link.Kind, error) {
		if kind, ok := r.Answered(q.A, q.B); ok {
			return kind, nil
		}
		return link.Unknown, ask.ErrWaiting
	})
	for p.told() {
	}
	ask := p.ask
	p.alone, p.ask = true, func(q link.Question) (link.Kind, error) {
		kind, err := ask(q)
		if err != nil {
			return link.Unknown, nil
		}
		return kind, nil
	}
	if err := p.run(); err != nil {
		return nil, err
	}
	p.gather()
	res := r.result(p)
	res.Undecided = p.unlinked()
	return res, nil
}

// linked reports whether super-instances hold a row of a link.
func (p *play) linked(parts []*part) bool {
	return slices.ContainsFunc(parts, func(s *part) bool { return len(p.held[s]) > 0 })
}

// unlinked counts the pairs of clusters with rows of links that no link separates: the others
// were put with them.
func (p *play) unlinked() int {
	n := 0
	for i, one := range p.groups.list {
		for _, other := range p.groups.list[:i] {
			if p.linked(one.parts) && p.linked(other.parts) && !one.differ[other] {
				n++
			}
		}
	}
	return n
}

// gather puts each cluster that holds no row of a link with the nearest that does.
func (p *play) gather() {
	var out [][]*part
	for _, g := range p.merged {
		if p.linked(g) {
			out = append(out, slices.Clone(g))
		}
	}
	if len(out) == 0 {
		return
	}
	known := len(out)
	hosts := make([][]*part, known)
	for i := range out {
		hosts[i] = slices.Clip(out[i])
	}
	for _, g := range p.merged {
		if p.linked(g) {
			continue
		}
		best, at := math.Inf(1), 0
		for i, host := range hosts {
			for _, s := range host {
				for _, q := range g {
					if d := linalg.SquaredDistance(s.mean, q.mean); d < best {
						best, at = d, i
					}
				}
			}
		}
		out[at] = append(out[at], g...)
	}
	p.merged = out
}

func (r *Run) result(p *play) *Result {
	clusters := p.merged
	if clusters == nil {
		clusters = p.groups.copy()
	}
	n := r.N()
	res := &Result{Merged: p.merged != nil, Result: cobra.Result{
		Labels: make([]int, n), Of: make([]int32, n), Answers: r.Answers(),
	}}
	type numbered struct {
		parts       []*part
		rows, first int
	}
	var order []numbered
	for _, parts := range clusters {
		one := numbered{parts: parts, first: n}
		for _, s := range parts {
			one.first = min(one.first, int(s.rows[0]))
			for _, row := range s.rows {
				if !r.Out(int(row)) {
					one.rows++
				}
			}
		}
		order = append(order, one)
	}
	slices.SortFunc(order,
		func(a, b numbered) int {
			return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.first, b.first))
		})
	var means []float64
	for _, one := range order {
		if one.rows > 0 {
			res.Clusters++
		}
		for _, s := range one.parts {
			inside, stand := false, int(s.rows[0])
			if all := r.chooser.tree.standing(s); len(all) > 0 {
				stand = int(all[0])
			}
			res.Medoids = append(res.Medoids, stand)
			for _, row := range s.rows {
				res.Of[row] = int32(len(res.Medoids) - 1)
				if !r.Out(int(row)) {
					res.Labels[row], inside = res.Clusters, true
				}
			}
			means = append(means, s.mean...)
			if res.ClusterOf = append(res.ClusterOf, 0); inside {
				res.ClusterOf[len(res.ClusterOf)-1] = res.Clusters
			}
		}
	}
	res.Means = dataset.Matrix{Rows: len(res.ClusterOf), Cols: r.chooser.data.Cols, F64: means}
	wrong := p.doubt.mistakes()
	for _, l := range r.Facts() {
		if wrong[l.Pair()] && l.Kind != link.Unknown {
			res.Mistakes = append(res.Mistakes, l)
		}
	}
	res.Unmet = link.Violated(res.Labels, r.Facts())
	return res
}
