package project

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/keywords"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// How much of a group is shown at once.
const (
	shownMembers = 12
	shownTraits  = 3
	shownWords   = 5
	mostMasses   = 6
)

// doubtful is the certainty below which an object counts as doubtful.
const doubtful = 0.5

// Clusters describes the groups as they stand, the largest first, and returns the revision that
// they are of.
func (d *Project) Clusters(ctx context.Context) ([]Cluster, int64, error) {
	clusters, _, revision, err := d.ClustersWith(ctx, nil)
	return clusters, revision, err
}

// ClustersWith is Clusters, and returns the numbers of the groups that some rows are in; 0 for those
// of none. ErrNotFound when there is no such row.
func (d *Project) ClustersWith(ctx context.Context, some []int) (clusters []Cluster, of []int,
	revision int64, err error) {
	r := d.shown()
	of = make([]int, len(some))
	for i, row := range some {
		if row < 0 || row >= d.data.N() {
			return nil, nil, 0, fmt.Errorf("%w: there is no row %d", ErrNotFound, row)
		}
		of[i] = r.out.Labels[row]
	}
	ranked, err := d.ranked(ctx, r)
	if err != nil {
		return nil, nil, 0, err
	}
	traits, err := d.traits(ctx, r)
	if err != nil {
		return nil, nil, 0, err
	}
	names, suggested := d.names(r), keywords.Names(r.keywords)
	out := make([]Cluster, 0, r.out.Clusters)
	for k := 1; k <= r.out.Clusters; k++ {
		rows := ranked[k]
		c := Cluster{Cluster: k, Hue: r.hue(k), Names: names[k], Size: len(rows),
			Suggested: suggested[k], Traits: []Trait{}}
		if c.Names == nil {
			c.Names = []string{}
		}
		c.Doubtful = len(rows) - sureOf(rows, r.sure)
		c.Traits = append(c.Traits, traits[k]...)
		if len(rows) > 0 {
			c.Medoid = d.data.Card(int(rows[0]))
		}
		c.Members = []input.Card{}
		for _, row := range rows[:min(len(rows), shownMembers)] {
			c.Members = append(c.Members, d.data.Card(int(row)))
		}
		out = append(out, c)
	}
	return out, of, r.revision.Load(), nil
}

// sureOf counts the rows at the front that are not doubtful.
func sureOf(ranked []int32, certainty []float32) int {
	n, _ := slices.BinarySearchFunc(ranked, float32(doubtful), func(row int32, limit float32) int {
		if certainty[row] >= limit {
			return -1
		}
		return 1
	})
	return n
}

// names returns the names that people gave to groups, by cluster.
func (d *Project) names(r *result) map[int][]string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	out := make(map[int][]string)
	latest := make(map[int]string) // of a row's own name
	var order []int
	for _, n := range d.history.Names() {
		row, ok := d.data.Row(n.A)
		if !ok || row >= len(r.out.Labels) {
			continue
		}
		if _, again := latest[row]; !again {
			order = append(order, row)
		}
		latest[row] = n.Text
	}
	for _, row := range order {
		k, name := r.out.Labels[row], latest[row]
		if k > 0 && name != "" && !slices.Contains(out[k], name) {
			out[k] = append(out[k], name)
		}
	}
	return out
}

// Placed is where an object is, and how certainly.
type Placed struct {
	Cluster   int    // from 1; 0: none
	Name      string // of the cluster: by people, or from the keywords of texts; "": it has none
	Certainty float32
}

// Placed returns the place of each object.
func (d *Project) Placed(ctx context.Context) ([]Placed, error) {
	r := d.shown()
	if _, err := d.certainty(ctx, r); err != nil {
		return nil, err
	}
	if _, err := d.traits(ctx, r); err != nil { // finds the keywords
		return nil, err
	}
	names, suggested := d.names(r), keywords.Names(r.keywords)
	out := make([]Placed, len(r.out.Labels))
	for row, k := range r.out.Labels {
		out[row] = Placed{k, cmp.Or(strings.Join(names[k], " + "), suggested[k]), r.sure[row]}
	}
	return out, nil
}

// Certainty returns how certain each object is of its group, in [0, 1], as [Placed] has it.
func (d *Project) Certainty(ctx context.Context) ([]float32, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := d.certainty(ctx, r); err != nil {
		return nil, err
	}
	return slices.Clone(r.sure), nil
}

// Orders of members.
const (
	Typical  = "typical"  // the most certain first, of equals those in the middle of the group
	Doubtful = "doubtful" // the least certain first
)

// Members returns members of a cluster from offset on, at most limit, and how many there are.
// ErrNotFound when there is no such cluster.
func (d *Project) Members(ctx context.Context, cluster int, order string, offset,
	limit int) ([]Member, int, error) {
	r := d.shown()
	if cluster < 0 || cluster > r.out.Clusters {
		return nil, 0, fmt.Errorf("%w: there is no group %d", ErrNotFound, cluster)
	}
	return d.members(ctx, r, cluster, order, offset, limit)
}

// MembersWith is Members of the cluster that a row is in, which it returns: the numbers of clusters
// change with each fit. Cluster 0 are the rows of none. ErrNotFound when there is no such row.
func (d *Project) MembersWith(ctx context.Context, row int, order string, offset,
	limit int) (members []Member, cluster, total int, err error) {
	r := d.shown()
	if row < 0 || row >= d.data.N() {
		return nil, 0, 0, fmt.Errorf("%w: there is no row %d", ErrNotFound, row)
	}
	cluster = r.out.Labels[row]
	members, total, err = d.members(ctx, r, cluster, order, offset, limit)
	return members, cluster, total, err
}

func (d *Project) members(ctx context.Context, r *result, cluster int, order string, offset,
	limit int) ([]Member, int, error) {
	ranked, err := d.ranked(ctx, r)
	if err != nil {
		return nil, 0, err
	}
	rows := ranked[cluster]
	return d.page(r, len(rows), offset, limit, func(i int) int32 {
		if order == Doubtful {
			return rows[len(rows)-1-i]
		}
		return rows[i]
	}), len(rows), nil
}

// Doubts returns the doubtful objects, the least certain first, from offset on and at most limit,
// and how many there are.
func (d *Project) Doubts(ctx context.Context, offset, limit int) ([]Member, int, error) {
	return d.unsure(ctx, offset, limit, false)
}

// LeastCertain is Doubts where there are doubtful objects. Where there are none, it returns all
// that are less than certain, with a certainty below 1, in the same order.
func (d *Project) LeastCertain(ctx context.Context, offset, limit int) ([]Member, int, error) {
	return d.unsure(ctx, offset, limit, true)
}

func (d *Project) unsure(ctx context.Context, offset, limit int, least bool) ([]Member, int,
	error) {
	r := d.shown()
	if _, err := d.certainty(ctx, r); err != nil {
		return nil, 0, err
	}
	r.doubted.Do(func() { r.byDoubt = d.below(r, doubtful) })
	rows := r.byDoubt
	if least && len(rows) == 0 {
		r.lacked.Do(func() { r.byLack = d.below(r, 1) })
		rows = r.byLack
	}
	return d.page(r, len(rows), offset, limit, func(i int) int32 { return rows[i] }), len(rows), nil
}

// below returns the rows with a certainty below a limit, the least certain first, without bad data.
func (d *Project) below(r *result, limit float32) (rows []int32) {
	d.mu.RLock()
	bad := d.facts.bad
	d.mu.RUnlock()
	for i, sure := range r.sure {
		if _, out := slices.BinarySearch(bad, i); sure < limit && !out {
			rows = append(rows, int32(i))
		}
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.sure[a], r.sure[b]), cmp.Compare(a, b))
	})
	return rows
}

// page returns members offset to offset+limit of n.
func (d *Project) page(r *result, n, offset, limit int, row func(i int) int32) []Member {
	out := []Member{}
	for i := max(0, offset); i < n && len(out) < limit; i++ {
		out = append(out, d.member(r, int(row(i))))
	}
	return out
}

// Objects returns rows with their places in the groups. ErrNotFound when one is not among the data.
func (d *Project) Objects(ctx context.Context, rows []int) ([]Member, error) {
	r := d.shown()
	if _, err := d.certainty(ctx, r); err != nil {
		return nil, err
	}
	out := make([]Member, 0, len(rows))
	for _, row := range rows {
		if row < 0 || row >= d.data.N() {
			return nil, fmt.Errorf("%w: there is no row %d", ErrNotFound, row)
		}
		out = append(out, d.member(r, row))
	}
	return out, nil
}

// Object returns a row with its place in the groups, and the answers about it.
func (d *Project) Object(ctx context.Context, row int) (Member, error) {
	all, err := d.Objects(ctx, []int{row})
	if err != nil {
		return Member{}, err
	}
	m := all[0]
	d.mu.RLock()
	defer d.mu.RUnlock()
	for pair, said := range d.facts.voices {
		if pair[0] != row && pair[1] != row {
			continue
		}
		for _, v := range said {
			m.Answers = append(m.Answers, d.event(v.Event))
		}
	}
	slices.SortFunc(m.Answers, func(a, b Event) int { return cmp.Compare(a.Seq, b.Seq) })
	return m, nil
}

// member shows a row; the certainty of the result is known.
func (d *Project) member(r *result, row int) Member {
	c := r.doubt
	m := Member{Card: d.data.Card(row), Cluster: r.out.Labels[row], Certainty: float64(r.sure[row]),
		Why: c.Words(row)}
	d.mu.RLock()
	m.Bad = d.facts.isBad[row]
	d.mu.RUnlock()
	if m.Bad {
		m.Why = "left out as bad data"
		return m
	}
	if other := int(c.Other[row]); other > 0 {
		m.Others = append(m.Others, other)
	}
	if p := r.out.Credal; p != nil {
		if may := c.May[row]; may.Len() > 1 {
			for k := range p.Clusters {
				if may.Has(k) && k+1 != m.Cluster && !slices.Contains(m.Others, k+1) {
					m.Others = append(m.Others, k+1)
				}
			}
		}
		m.Outlier = r.outliers()[row]
		m.Masses = masses(r.out, row)
	}
	return m
}

// masses returns the largest masses of a row.
func masses(out *method.Outcome, row int) []Mass {
	p := out.Credal
	var all []Mass
	for j, mass := range p.Row(row) {
		if mass >= 0.0005 {
			all = append(all, Mass{Clusters: append([]int{}, p.Focal[j].Clusters()...), Mass: mass,
				Words: setWords(p.Focal[j], p.Clusters)})
		}
	}
	slices.SortStableFunc(all, func(a, b Mass) int { return cmp.Compare(b.Mass, a.Mass) })
	return all[:min(len(all), mostMasses)]
}

// setWords writes a set of clusters.
func setWords(s belief.Set, clusters int) string {
	switch {
	case s == 0:
		return "no group"
	case s == belief.Omega(clusters) && clusters > 1:
		return "any group"
	}
	return "group " + method.Either(s)
}

// Guess returns what the groups so far imply of a pair.
func (d *Project) Guess(ctx context.Context, a, b int) (Guess, error) {
	d.mu.RLock()
	err := d.rows(a, b)
	known := link.Unknown
	if err == nil {
		known = d.facts.known.Relation(a, b)
	}
	d.mu.RUnlock()
	switch {
	case err != nil:
		return Guess{}, err
	case known == link.MustLink:
		return Guess{Same: 1, Words: "same: that follows from the answers so far"}, nil
	case known == link.CannotLink:
		return Guess{Same: 0, Words: "different: that follows from the answers so far"}, nil
	}
	var g Guess
	err = d.fit.use(ctx, func() error {
		g.Same, g.Words = d.fit.run.Guess(a, b)
		return nil
	})
	return g, err
}
