package strategy

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
)

// tour takes one object after the other and finds its neighbourhood, a set of objects known to be
// of one cluster: it is compared with a member of each, the nearest first, until a must-link. An
// object that is in none starts another.
//
// Explore (Basu, Banerjee and Mooney 2004) takes objects farthest first until there are K
// neighbourhoods; then Consolidate takes the others at random, and MinMax (Mallapragada, Jin and
// Jain 2008) the one whose greatest similarity exp(−d²/2σ²) to the objects before it is least. As
// that falls with d alone, whatever σ is, it goes on farthest first. With K neighbourhoods, an
// object that is not in K−1 of them is in the last, which is not asked ([Implier]). The strategy
// farthest-first explores to the end, and so needs no K.
//
// Ours: members are compared that are nearest to the object, which is easiest to judge, and
// neighbourhoods come in that order, too, where Basu et al. go by the distance to their means.
// Must-links known before make the first neighbourhoods.
type tour struct {
	distances
	order    order
	clusters int   // K; 0: not known
	rest     []int // rows at random, which come once there are K neighbourhoods; nil: in order

	start []int     // rows that it starts from
	parts [][]int32 // the objects of each
	out   []bool    // the rows left out that these are of
	kept  *visit    // as far as answers decide; nil: nothing is kept
	mark  ask.Mark  // the answers that it is of
}

// order is the order in which a tour takes objects.
type order interface {
	// begin returns to the first place. The rows of start come first; rows with out are left out.
	begin(start []int, out []bool)
	// at returns the row at a place; ok is false at the end.
	at(ctx context.Context, place int) (row int, ok bool, err error)
	// why returns why the next row is asked about, as a clause about "the first".
	why() string
}

func newFarthestFirst(cfg Config) (ask.Chooser, error) {
	return &tour{distances: distances{cfg: cfg}, order: newFarthest(cfg)}, nil
}

func newMinMax(cfg Config) (ask.Chooser, error) {
	return &tour{distances: distances{cfg: cfg}, order: newFarthest(cfg), clusters: cfg.Clusters},
		nil
}

func newExploreConsolidate(cfg Config) (ask.Chooser, error) {
	return &tour{distances: distances{cfg: cfg}, order: newFarthest(cfg), clusters: cfg.Clusters,
		rest: rand.New(rand.NewPCG(cfg.Seed, 0x636f6e736f6c)).Perm(cfg.n())}, nil // "consol"
}

// visit is one go through the objects.
type visit struct {
	*tour
	known   *ask.Ledger
	ask     ask.Answerer
	groups  [][]int32
	seen    []bool
	implied []link.Link
	i, j    int // the next places in the order, and among the rest

	keeps   bool     // what is placed is kept
	placed  []placed // in order; of a visit that keeps
	unsure  []doubt  // what must stay as it is for all of it to hold
	pending []doubt  // those of the placing under way
}

// placed is where objects that are known to be of one cluster went.
type placed struct {
	objects []int32
	group   int  // −1: none
	first   bool // they made the group
	implied bool
	i, j    int // the places of the visit before
	answers int // when it was decided
}

// doubt is what a placing depends on that further answers may change.
type doubt struct {
	at      int  // place among those placed
	a, b    int  // rows
	implied bool // nothing is known of them that says that they differ; else nothing is known
}

func (t *tour) Questions(ctx context.Context, known *ask.Ledger, most int) ([]ask.Prompt, error) {
	if t.clusters == 1 {
		return nil, nil // all are of one neighbourhood
	}
	script := t.script(known, most == 1, func(*visit) {})
	return ask.Scripted{Script: script, Entailed: true}.Questions(ctx, known, most)
}

// Implied returns the must-links of objects whose neighbourhood is the last that is left.
func (t *tour) Implied(ctx context.Context, known *ask.Ledger) ([]link.Link, error) {
	if t.clusters <= 1 {
		return nil, nil
	}
	var all []link.Link
	script := t.script(known, true, func(v *visit) { all = v.implied })
	if _, err := (ask.Scripted{Script: script, Entailed: true}).Questions(ctx, known,
		1); err != nil {
		return nil, err
	}
	set, _, err := link.Build(known.N(), known.Facts(), link.Keep)
	if err != nil {
		return nil, err
	}
	var kept []link.Link
	for _, l := range all {
		if set.Add(l) == nil {
			kept = append(kept, l)
		}
	}
	return kept, nil
}

// script goes through the objects, from where what is kept ends, and calls end with where it came
// to. It keeps what it comes to where no answer is supposed.
func (t *tour) script(known *ask.Ledger, keeps bool, end func(*visit)) ask.Script {
	return func(ctx context.Context, answer ask.Answerer) error {
		v := t.resume(known)
		if v.ask, v.keeps = answer, keeps; !keeps {
			copied := *v
			v = &copied
			v.groups, v.seen = slices.Clone(v.groups), slices.Clone(v.seen)
			for g, members := range v.groups {
				v.groups[g] = slices.Clip(members)
			}
			v.implied = slices.Clip(v.implied)
		}
		defer func() { end(v) }()
		t.order.begin(t.start, t.out)
		for t.rest == nil || len(v.groups) < t.clusters {
			row, ok, err := t.order.at(ctx, v.i)
			if err != nil || !ok {
				return err
			}
			group := []int32{int32(row)}
			if v.i < len(t.start) {
				group = t.parts[v.i]
			} else if v.seen[row] {
				v.i++
				continue
			}
			if err := v.place(group); err != nil {
				return err
			}
			v.i++
		}
		return v.consolidate(ctx)
	}
}

// resume returns the visit that is kept, as far as it holds under what is known, or a new one.
func (t *tour) resume(known *ask.Ledger) *visit {
	out := make([]bool, known.N())
	for row := range out {
		out[row] = !known.Askable(row)
	}
	if !slices.Equal(out, t.out) || t.out == nil {
		t.out, t.kept = out, nil
		t.start, t.parts = starts(known, out)
	}
	v := t.kept
	kept, fresh := known.Since(t.mark)
	// Of an answer that contradicts others it is not known what it would have changed.
	if v == nil || slices.ContainsFunc(fresh, func(l link.Link) bool {
		is := known.Set().Relation(l.A, l.B)
		return l.Kind != link.Unknown && is != l.Kind
	}) {
		v = &visit{tour: t, known: known, seen: make([]bool, known.N())}
	}
	t.kept, t.mark = v, known.Mark()
	v.pending = nil
	for len(v.placed) > 0 && v.placed[len(v.placed)-1].answers > kept {
		v.back()
	}
	for i, d := range v.unsure {
		kind, ok := known.Known(d.a, d.b)
		if d.implied && ok && kind != link.MustLink || !d.implied && kind != link.Unknown {
			for len(v.placed) > d.at {
				v.back()
			}
			v.unsure = v.unsure[:min(i, len(v.unsure))]
			break
		}
	}
	return v
}

// back takes the last placing back.
func (v *visit) back() {
	last := len(v.placed) - 1
	p := v.placed[last]
	v.placed = v.placed[:last]
	v.i, v.j = p.i, p.j
	for _, row := range p.objects {
		v.seen[row] = false
	}
	switch {
	case p.first:
		v.groups = v.groups[:p.group]
	case p.group >= 0:
		members := v.groups[p.group]
		v.groups[p.group] = members[:len(members)-len(p.objects)]
	}
	if p.implied {
		v.implied = v.implied[:len(v.implied)-1]
	}
	for n := len(v.unsure); n > 0 && v.unsure[n-1].at == last; n-- {
		v.unsure = v.unsure[:n-1]
	}
}

// put puts objects into a group, which they make where first is set; −1: into none.
func (v *visit) put(objects []int32, group int, first, implied bool) {
	switch {
	case first:
		v.groups = append(v.groups, slices.Clip(objects))
	case group >= 0:
		v.groups[group] = append(v.groups[group], objects...)
	}
	if v.keeps {
		v.placed = append(v.placed, placed{objects, group, first, implied, v.i, v.j,
			v.known.Mark().Answers})
		v.unsure = append(v.unsure, v.pending...)
	}
	v.pending = v.pending[:0]
}

// starts returns the components of must-links known before, the largest first, and for each a row
// that may be asked about.
func starts(known *ask.Ledger, out []bool) (rows []int, parts [][]int32) {
	// they were in a closure before
	given, _, _ := link.Build(known.N(), known.Given(), link.Keep)
	for members := range given.Components() {
		part := make([]int32, len(members))
		for i, row := range members {
			part[i] = int32(row)
		}
		if slices.ContainsFunc(members, func(row int) bool { return !out[row] }) {
			parts = append(parts, part)
		}
	}
	slices.SortStableFunc(parts, func(a, b []int32) int { return cmp.Compare(len(b), len(a)) })
	for _, part := range parts {
		at := slices.IndexFunc(part, func(row int32) bool { return !out[row] })
		rows = append(rows, int(part[at]))
	}
	return rows, parts
}

func (v *visit) consolidate(ctx context.Context) error {
	for ; v.j < len(v.rest); v.j++ {
		if v.j%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := v.rest[v.j]
		if v.seen[row] || v.out[row] {
			continue
		}
		if err := v.place([]int32{int32(row)}); err != nil {
			return err
		}
	}
	return nil
}

// place finds the neighbourhood of objects that are known to be of one cluster.
func (v *visit) place(objects []int32) error {
	row := v.speaker(objects)
	order, nearest := v.near(row)
	unknown := 0
	at := -1
	var implied bool
	for i, g := range order {
		other := int(nearest[g])
		if i == len(order)-1 && len(order) == v.clusters && unknown == 0 && len(order) > 1 {
			if kind, ok := v.known.Known(row, other); !ok || kind == link.MustLink {
				v.implied = append(v.implied,
					link.Link{A: row, B: other, Kind: link.MustLink, Source: "implied"})
				v.pending = append(v.pending, doubt{len(v.placed), row, other, true})
				at, implied = g, true
				break
			}
		}
		kind, err := v.ask(link.Question{A: row, B: other, Why: v.why(i)})
		if err != nil {
			return err
		}
		if kind == link.MustLink {
			at = g
			break
		}
		if kind == link.Unknown {
			v.pending = append(v.pending, doubt{len(v.placed), row, other, false})
			if unknown++; unknown == 2 {
				break
			}
		}
	}
	for _, row := range objects {
		v.seen[row] = true
	}
	if first := at < 0 && unknown == 0; first {
		v.put(objects, len(v.groups), true, false)
	} else {
		v.put(objects, at, false, implied)
	}
	return nil
}

func (v *visit) why(i int) string {
	switch {
	case i > 0:
		return "the second stands for the next nearest group of those you have named so far"
	case v.rest != nil && len(v.groups) >= v.clusters:
		return "no answer says to which group the first belongs; the second stands for the nearest"
	}
	return v.order.why() + "; the second stands for the nearest group"
}

// speaker returns the first of the objects that may be asked about, else the first.
func (v *visit) speaker(objects []int32) int {
	for _, row := range objects {
		if v.known.Askable(int(row)) {
			return int(row)
		}
	}
	return int(objects[0])
}

// near returns the neighbourhoods, the one with the nearest member first, and that member of each,
// of those that may be asked about where there are any.
func (v *visit) near(row int) (order []int, nearest []int32) {
	order, nearest = make([]int, len(v.groups)), make([]int32, len(v.groups))
	least := make([]float64, len(v.groups))
	for g, members := range v.groups {
		order[g], nearest[g] = g, -1
		for i, d := range v.among(row, members) {
			switch best := nearest[g]; {
			case best < 0, !v.known.Askable(int(best)) && v.known.Askable(int(members[i])),
				d < least[g] && v.known.Askable(int(best)) == v.known.Askable(int(members[i])):
				nearest[g], least[g] = members[i], d
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(least[a], least[b]) })
	return order, nearest
}

// Remaining counts the objects of which nothing is known: an answer each, and at most one for each
// neighbourhood but the last. Without K each of them may begin a neighbourhood, and one that was
// compared with some may be compared with the rest.
func (t *tour) Remaining(known *ask.Ledger) (likely, most int) {
	linked := make(map[int]bool)
	set := known.Set()
	for row := range set.Linked() {
		linked[set.Component(row)] = true
	}
	for row := range known.N() {
		if !linked[set.Component(row)] && known.Askable(row) {
			likely++
		}
	}
	begun := 0 // what is left of the questions about an object that was compared with one
	if len(linked) > 0 {
		begun = max(0, cmp.Or(t.clusters, len(linked))-2)
	}
	if t.clusters == 0 {
		return left(likely, likely*len(linked)+likely*(likely-1)/2+begun)
	}
	return left(likely, likely*max(1, t.clusters-1)+begun)
}
