package kin

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Result is the clustering that the answers so far amount to: each row is in the most plausible
// group of its super-instance, or where links and answers have it.
type Result struct {
	cobra.Result // Undecided are the pairs of groups that nobody could compare

	// masses on single clusters, the rest on all of them; nil with more clusters than masses can
	// have
	Credal *credal.Partition
}

// Result returns the clustering so far, for as long as ctx lasts.
func (r *Run) Result(ctx context.Context) (*Result, error) {
	if err := r.Look(ctx); err != nil {
		return nil, err
	}
	f, _, more, err := r.chooser.look(ctx, r.Ledger)
	if err != nil {
		return nil, err
	}
	res := r.result(f.play)
	res.Complete = !more
	return res, nil
}

// believed returns what is known of a node: its masses, or what answers came to that do not suffice
// yet.
func (p *play) believed(f []float64, i int) []float64 {
	if q := p.now; q != nil && q.node == i && q.asked > 0 {
		return q.chance
	}
	return f[i*p.size : (i+1)*p.size]
}

// groups returns the most plausible group of each node; that of the nearest known node where no
// walk ends.
func (p *play) groups(f []float64) []int {
	live := p.live()
	out := make([]int, p.m)
	for i := range out {
		row := p.believed(f, i)
		best := 0.0
		out[i] = -1
		for _, g := range live {
			if row[g] > best {
				best, out[i] = row[g], g
			}
		}
		if out[i] >= 0 {
			continue
		}
		far := math.Inf(1)
		for l, end := range p.ends {
			if d := p.plain.apart[i*p.m+end]; d < far {
				far, out[i] = d, p.group[l]
			}
		}
	}
	return out
}

// ruled returns the group of each row: that of its node, unless links and answers imply another.
// Larger components come first, and one goes where most of its rows are, or else where no other is
// that it must differ from.
func (r *Run) ruled(p *play, node []int) []int {
	out := make([]int, p.n)
	for row, s := range p.of {
		out[row] = node[s]
	}
	if p.cfg.ErrorRate > 0 {
		return out
	}
	set, fresh := r.Set(), p.size
	placed := make(map[int]int) // group of a component, by its lowest row
	for _, rows := range set.Groups() {
		taken, votes := make(map[int]bool), make(map[int]int)
		for other := range set.Separated(rows[0]) {
			if g, ok := placed[other]; ok {
				taken[g] = true
			}
		}
		best := -1
		for _, row := range rows {
			g := out[row]
			votes[g]++
			if !taken[g] && (best < 0 || votes[g] > votes[best]) {
				best = g
			}
		}
		if best < 0 {
			best = fresh
			fresh++
		}
		placed[rows[0]] = best
		for _, row := range rows {
			out[row] = best
		}
	}
	return out
}

func (r *Run) result(p *play) *Result {
	n, f := p.n, p.masses()
	node, live := p.groups(f), p.live()
	group := r.ruled(p, node)
	kept := make([]int32, n) // group of each row that is not left out, or −1
	for row, g := range group {
		if kept[row] = int32(g); r.Out(row) {
			kept[row] = -1
		}
	}
	numbered := method.ByLabels(kept)
	number := make([]int, max(p.size, slices.Max(group)+1)) // of each group; 0: no row is in it
	res := &Result{Result: cobra.Result{
		Labels: numbered.Labels, Clusters: numbered.Clusters, Of: slices.Clone(p.of),
		Answers:   r.Answers(),
		Means:     dataset.Matrix{Rows: p.m, Cols: p.d, F64: slices.Clone(p.means)},
		ClusterOf: make([]int, p.m),
	}}
	inside := make([]bool, p.m)
	for row, g := range group {
		if !r.Out(row) {
			number[g], inside[p.of[row]] = res.Labels[row], true
		}
	}
	for i, g := range node {
		if row := p.standing[i]; row >= 0 {
			res.Medoids = append(res.Medoids, row)
		} else {
			res.Medoids = append(res.Medoids, p.medoids[i])
		}
		if inside[i] {
			if res.ClusterOf[i] = number[g]; number[g] == 0 { // answers put its rows elsewhere
				res.ClusterOf[i] = res.Labels[res.Medoids[i]]
			}
		}
	}
	for i, g := range live {
		for _, h := range live[:i] {
			if p.aside[g][h] && !p.apart[g][h] && number[g] > 0 && number[h] > 0 {
				res.Undecided++
			}
		}
	}
	res.Unmet = link.Violated(res.Labels, r.Facts())
	res.Credal = r.credal(p, f, node, number, group, res)
	return res
}

// credal returns each row the masses of its super-instance, and all mass on the cluster where
// answers have it elsewhere. Most rows of one whose group is known were not asked about: a tenth of
// their mass is where it would be if nobody had been.
func (r *Run) credal(p *play, f []float64, node, number, group []int,
	res *Result) *credal.Partition {
	c := max(1, res.Clusters)
	focal, err := belief.Simple(c)
	if err != nil {
		return nil
	}
	all := slices.Index(focal, belief.Omega(c))
	place := []int{slices.Index(focal, 0)} // of ∅, and of each cluster's singleton
	for k := range c {
		place = append(place, slices.Index(focal, belief.Singleton(k)))
	}
	w := len(focal)
	masses := make([]float64, p.m*w)
	for i := range p.m {
		row := masses[i*w : (i+1)*w]
		left, on := 1.0, slices.Clone(p.believed(f, i))
		if l := p.at[i]; l >= 0 && p.rows[i] > 1 {
			for g, v := range p.beside(p.walk, l) {
				on[g] = float64(Certainty*on[g]) + float64((1-Certainty)*v)
			}
		}
		for g, v := range on {
			if number[g] > 0 {
				v = max(0, min(v, left))
				row[place[number[g]]] += v
				left -= v
			}
		}
		row[all] += max(0, left)
	}
	out := &credal.Partition{Clusters: c, Focal: focal, Mass: make([]float64, len(group)*w)}
	for row, label := range res.Labels {
		to := out.Row(row)
		switch s := int(p.of[row]); {
		case label == 0 || group[row] != node[s]:
			to[place[label]] = 1
		default:
			copy(to, masses[s*w:(s+1)*w])
		}
	}
	return out
}
