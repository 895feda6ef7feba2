package kin

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Result is the clustering that the answers so far amount to: each row is in the most plausible
// group of its super-instance, or where links and answers have it.
type Result struct {
	cobra.Result // Undecided are the pairs of groups that nobody could compare

	// Fewest and Most bound how many clusters there are likely to be: as many as if what is not very
	// unlikely to be one were joined, and as if only what is very likely were.
	Fewest, Most int
	// ErrorRate is the share of the answers that is likely to be wrong, where it is inferred and they
	// contradict each other; otherwise 0.
	ErrorRate float64
	// Strength is how probable it is that each row is of its cluster, where there are more clusters
	// than masses can have; otherwise nil.
	Strength []float64
	// Credal has masses on single clusters, and the rest on all of them, or with one cluster on ∅, up
	// to a half: a row may be of a cluster not found yet. It is nil with more clusters than masses
	// can have.
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
	res, err := r.result(ctx, f.play)
	if err != nil {
		return nil, err
	}
	res.Complete = !more
	return res, nil
}

// believed returns what is known of a node: its masses on parts, or what answers came to that do
// not suffice yet.
func (p *play) believed(view *parts, f [][]entry, i int) []entry {
	if q := p.now; q != nil && q.node == i && q.asked > 0 {
		return gather([][]entry{sparse(q.chance)}, view.of, nil, len(view.of), 1, nil).out[0]
	}
	return f[i]
}

// groups returns the most plausible part of each node, by masses on parts; that of the nearest
// known node where no walk ends.
func (p *play) groups(view *parts, f [][]entry) []int {
	out := make([]int, p.m)
	for i := range out {
		best := 0.0
		out[i] = -1
		for _, e := range p.believed(view, f, i) {
			if e.v > best {
				best, out[i] = e.v, int(e.at)
			}
		}
		if out[i] >= 0 {
			continue
		}
		far := math.Inf(1)
		for l, end := range p.ends {
			if d := p.square(i, end); d < far {
				far, out[i] = d, view.of[p.group[l]]
			}
		}
	}
	return out
}

// ruled returns the part of each row, unless links and answers imply another, or one that is none
// of the parts: fresh and those after it; and the row whose masses each has, or −1 where the answers
// have it apart from all parts. Larger components come first, and one goes where most of the mass of
// its rows is that stand for nodes of known groups, or of all its rows if none does, or else where no
// other is that it must differ from. It has the masses of its row that is surest of that part. Of
// answers that contradict each other those count that hold anyway, and none that are outvoted.
func (r *Run) ruled(p *play, own []int, mass []float64, fresh int) (out, like []int) {
	out, like = slices.Clone(own), make([]int, len(own))
	for row := range like {
		like[row] = row
	}
	if p.doubtful() {
		return out, like
	}
	set, outvoted := r.Set(), p.outvoted()
	if p.against > 0 || len(outvoted) > 0 {
		// of those that contradict each other the ones that hold anyway count
		links := without(r.Facts(), outvoted)
		slices.SortStableFunc(links, func(k, l link.Link) int {
			holds := func(l link.Link) int {
				if (own[l.A] == own[l.B]) == (l.Kind == link.MustLink) {
					return 0
				}
				return 1
			}
			return holds(k) - holds(l)
		})
		set, _, _ = link.Build(len(own), links, link.Keep)
	}
	placed := make(map[int]int) // group of a component, by its lowest row
	for _, rows := range set.Groups() {
		taken, votes := make(map[int]bool), make(map[int]float64)
		for other := range set.Separated(rows[0]) {
			if g, ok := placed[other]; ok {
				taken[g] = true
			}
		}
		best, surest := -1, -1
		known := slices.DeleteFunc(slices.Clone(rows), func(row int) bool {
			l := p.at[p.of[row]]
			return !p.speaks(row) || l < 0 || !p.sure[l]
		})
		for _, voters := range [][]int{known, rows} {
			for _, row := range voters {
				g := own[row]
				votes[g] += mass[row]
				if !taken[g] && (best < 0 || votes[g] > votes[best]) {
					best = g
				}
			}
			if best >= 0 {
				break
			}
		}
		if best < 0 {
			best = fresh
			fresh++
		}
		for _, row := range rows {
			if own[row] == best && (surest < 0 || mass[row] > mass[surest]) {
				surest = row
			}
		}
		placed[rows[0]] = best
		for _, row := range rows {
			out[row], like[row] = best, surest
		}
	}
	return out, like
}

func (r *Run) result(ctx context.Context, p *play) (*Result, error) {
	n, view := p.n, p.seen()
	node := p.groups(view, view.on)
	masses := p.nodeMasses(view, view.on)
	rows := &rows{play: p, data: r.chooser.data, out: r.Out, masses: masses, view: view,
		doubted: float64(unstableShare*compact(p.expected)) * (1 - max(0, p.stability))}
	rows.meet()
	if view.count == 1 { // else a row that is not of one tentative group may be of another part
		rows.join()
	}
	own, mass, err := rows.likeliest(ctx, node)
	if err != nil {
		return nil, err
	}
	group, like := r.ruled(p, own, mass, p.size)
	kept := make([]int32, n) // group of each row that is not left out, or −1
	for row, g := range group {
		if kept[row] = int32(g); r.Out(row) {
			kept[row] = -1
		}
	}
	numbered := method.ByLabels(kept)
	number := make([]int, max(p.size, slices.Max(group)+1)) // of each part; 0: no row is in it
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
	for g, of := range p.aside {
		for h := range of {
			if h < g && view.of[g] >= 0 && view.of[h] >= 0 &&
				view.of[g] != view.of[h] && !p.apart.has(g, h) &&
				number[view.of[g]] > 0 && number[view.of[h]] > 0 {
				res.Undecided++
			}
		}
	}
	res.Unmet = link.Violated(res.Labels, r.Facts())
	if res.Clusters > 0 {
		res.Fewest, res.Most = min(p.fewest(view), res.Clusters), max(view.most, res.Clusters)
	}
	if p.cfg.infers() && p.doubtful() {
		res.ErrorRate = p.rate
	}
	if res.Credal, err = r.credal(ctx, rows, like, number, res); err != nil {
		return nil, err
	}
	if res.Credal == nil {
		res.Strength = make([]float64, n)
		for row, label := range res.Labels {
			switch {
			case label == 0:
			case like[row] < 0:
				res.Strength[row] = 1
			default:
				res.Strength[row] = min(1, mass[like[row]])
			}
		}
	}
	return res, nil
}

// nodeMasses returns the masses of the nodes on parts. A tenth of the mass of one whose group is
// known is where it would be if nobody had been asked, unless an answer put its only row there.
func (p *play) nodeMasses(view *parts, f [][]entry) [][]entry {
	sums, out, together := newScatter(p.size), make([][]entry, p.m), p.together()
	for i := range out {
		out[i] = p.believed(view, f, i)
		if l := p.at[i]; l >= 0 && (p.rows[i] > 1 || !together[l]) {
			for _, e := range out[i] {
				sums.add(e.at, float64(Certainty*e.v))
			}
			p.surroundings(l, func(other int, v float64) {
				if part := view.of[p.group[other]]; part >= 0 {
					sums.add(int32(part), float64((1-Certainty)*v))
				}
			})
			out[i] = sums.take(nil, 0)
		}
	}
	return out
}

// together reports of each of ends whether answers put it with others, or apart from all groups.
func (p *play) together() []bool {
	members, out := make([]int, p.size), make([]bool, len(p.group))
	for l, g := range p.group {
		if p.sure[l] {
			members[g]++
		}
	}
	for l, g := range p.group {
		out[l] = p.sure[l] && (!p.tentative[l] || members[g] > 1)
	}
	return out
}

// credal returns each row the masses of the nodes around the one that it is like, and all mass on its
// cluster where the answers have it apart; nil where there are more clusters than masses can have.
// What is left is on all clusters, or on ∅ and the cluster where there is one alone: then nothing
// would say that a row may be of no cluster found so far. Half is on ∅ at most, which makes no
// outliers.
func (r *Run) credal(ctx context.Context, rows *rows, like, number []int, res *Result) (
	*credal.Partition, error) {
	c := max(1, res.Clusters)
	focal, err := belief.Simple(c)
	if err != nil { // there are too many
		return nil, nil
	}
	all := slices.Index(focal, belief.Omega(c))
	place := []int{slices.Index(focal, 0)} // of ∅, and of each cluster's singleton
	for k := range c {
		place = append(place, slices.Index(focal, belief.Singleton(k)))
	}
	w := len(focal)
	out := &credal.Partition{Clusters: c, Focal: focal, Mass: make([]float64, len(like)*w)}
	err = parallel.Blocks(ctx, len(like), 1024, rows.cfg.Threads, func(_, lo, hi int) {
		sums := newRowSums(rows.size)
		for row := lo; row < hi; row++ {
			to, label := out.Row(row), res.Labels[row]
			if label == 0 || like[row] < 0 {
				to[place[label]] = 1
				continue
			}
			left := 1.0
			for _, e := range rows.on(sums, like[row]) {
				if of := number[e.at]; of > 0 {
					v := max(0, min(e.v, left))
					to[place[of]] += v
					left -= v
				}
			}
			if c == 1 { // a row that is not of the only group is of none that was found
				none := min(0.5, max(0, left))
				to[place[0]], to[place[1]] = none, 1-none
				continue
			}
			to[all] += max(0, left)
		}
	})
	return out, err
}
