package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// What a [Regroup] does.
const (
	Merge = "merge" // two groups become one
	Split = "split" // two rows of a group come apart
	Move  = "move"  // rows go to a group
)

// Regroup is how a person wants the groups to be. A group is named by any row of it, as the numbers
// of groups change with each fit.
type Regroup struct {
	Do   string `json:"do" enum:"merge,split,move" doc:"make the groups of two rows one, part two rows of a group, or move rows to the group of another row"`
	Rows []int  `json:"rows" nullable:"false" minItems:"1" maxItems:"10000" doc:"of merge and split: two; of move: what is moved"`
	To   *int   `json:"to,omitempty" minimum:"0" doc:"of move: a row of the group that they go to"`

	Back bool `json:"back,omitempty" doc:"the person's own answers that stand against it are taken back in the same step"`
}

// Plan is what a [Regroup] comes to: links for [Project.Links] to take in one step.
type Plan struct {
	Regroup Regroup `json:"regroup"`
	Words   string  `json:"words" doc:"what becomes of which groups, in a sentence"`
	Objects int     `json:"objects" doc:"that are to change group: the smaller group of a merge, what is moved, or 1 of a split"`
	Groups  []int   `json:"groups" doc:"numbers of the groups that it is about: the larger one of a merge or the target of a move comes first"`
	Pairs   []Pair  `json:"pairs" doc:"the links, to be stated in one step; none where they all follow from what is known"`
	Against []Event `json:"against" doc:"the person's own answers that stand against it; under back they are taken back: their seq are for stateLinks"`
	Blocked bool    `json:"blocked,omitempty" doc:"nothing of it comes about as long as these stand"`
	Same    int     `json:"same" doc:"must-links among them"`
	Apart   int     `json:"apart" doc:"cannot-links among them"`

	Contradictions int    `json:"contradictions" doc:"links that others contradict: stateLinks refuses the step, or keeps them"`
	Clash          *Clash `json:"clash,omitempty" doc:"the first of these"`

	Clusters int      `json:"clusters,omitempty" doc:"where a group goes and the method finds a fixed number: the number to find from then on, for stateLinks"`
	Notes    []string `json:"notes" doc:"what else is to be known of it, in sentences"`
	Revision int64    `json:"revision" doc:"of the project, when it was made"`
	Fitted   int64    `json:"fitted" doc:"revision that the groups are of, which it is about"`
}

// How many rows stand for a group that is merged. The links between the groups must outweigh what
// the method takes the groups for, most of all where their number is fixed.
const (
	standing      = 10
	standingFixed = 100
)

// Plan returns what a regrouping comes to, for a person to look at; nothing is stated yet. It fails
// with a [*fault.Input] where the method takes no links, or the rows are not as [Regroup] says.
func (d *Project) Plan(ctx context.Context, who string, g Regroup) (Plan, error) {
	r := d.shown()
	if !d.method.Links {
		return Plan{}, fault.Inputf("choose a method that takes links, such as kin",
			"%s takes no links", d.method.Name)
	}
	ranked, err := d.ranked(ctx, r)
	if err != nil {
		return Plan{}, err
	}
	if err := ctx.Err(); err != nil {
		return Plan{}, err
	}
	p := &planner{Project: d, who: who, r: r, ranked: ranked, names: d.names(r),
		reps: make(map[int][]int), moving: make(map[int]bool), listed: make(map[[2]int]bool),
		plan: Plan{Regroup: g, Groups: []int{}, Pairs: []Pair{}, Against: []Event{},
			Notes: []string{}, Fitted: r.revision.Load()}}
	d.mu.Lock()
	defer d.mu.Unlock()
	p.plan.Revision, p.known = d.facts.revision, d.facts.known
	switch g.Do {
	case Merge:
		err = p.merge()
	case Split:
		err = p.split()
	case Move:
		err = p.move()
	default:
		err = fault.Inputf("give merge, split or move", "%.20q is no regrouping", g.Do)
	}
	if err == nil {
		err = p.check()
	}
	if err != nil {
		return Plan{}, err
	}
	return p.plan, nil
}

// planner is a plan under way.
type planner struct {
	*Project
	who    string
	r      *result
	ranked [][]int32
	names  map[int][]string
	reps   map[int][]int // see stand
	moving map[int]bool  // rows that leave their groups; they stand for none
	plan   Plan
	known  *link.Set       // without what is taken back
	back   []int64         // answers that are
	stated int             // links that follow from what is known, and are left out
	listed map[[2]int]bool // pairs of the links of the plan
	denied []Pair          // links whose pairs the person answered otherwise, and are left out
}

// fixed returns the number of groups that the method is to find; 0 where it finds that itself, or
// answers lead to others.
func (p *planner) fixed() int {
	if p.method.Expects {
		return 0
	}
	return p.facts.clusters
}

// group writes a group with its name and size.
func (p *planner) group(k int) string {
	name := strings.Join(p.names[k], " + ")
	if name != "" {
		name = ", " + name
	}
	return fmt.Sprintf("group %d (%s%s)", k, words.Count(p.r.sizes[k], "object"), name)
}

// two returns the two rows that a plan is about, with their groups.
func (p *planner) two() (rows, groups [2]int, err error) {
	given := p.plan.Regroup.Rows
	if len(given) != 2 {
		return rows, groups, fault.Inputf("give two rows", "a %s is about two rows, and %d are given",
			p.plan.Regroup.Do, len(given))
	}
	rows = [2]int(given)
	if p.plan.Regroup.To != nil {
		return rows, groups, fault.Inputf("leave it out", "a %s goes to no row", p.plan.Regroup.Do)
	}
	if err := p.rows(rows[0], rows[1]); err != nil {
		return rows, groups, err
	}
	for i, row := range rows {
		if groups[i] = p.r.out.Labels[row]; groups[i] == 0 {
			return rows, groups, fault.Inputf("move it to a group",
				"%s is of no group", p.data.ID(row))
		}
	}
	return rows, groups, nil
}

func (p *planner) merge() error {
	_, groups, err := p.two()
	if err != nil {
		return err
	}
	to, from := groups[0], groups[1]
	if to == from {
		return fault.Inputf("choose rows of two groups", "both are of group %d", to)
	}
	if p.r.sizes[to] < p.r.sizes[from] {
		to, from = from, to
	}
	p.plan.Groups, p.plan.Objects = []int{to, from}, p.r.sizes[from]
	p.plan.Words = fmt.Sprintf("Merge %s into %s.", p.group(from), p.group(to))
	if p.fixed() > 0 && p.r.sizes[to] > standingFixed {
		p.note("%d objects of each group are linked. Where %s moves linked objects alone, others may "+
			"go elsewhere: look at the groups then, and undo takes it back in one step.",
			standingFixed, p.method.Name)
	}
	p.fewer(1)
	p.against(func(l link.Link) bool {
		a, b := p.r.out.Labels[l.A], p.r.out.Labels[l.B]
		return l.Kind == link.CannotLink && min(a, b) == min(to, from) && max(a, b) == max(to, from)
	})
	heads, others := p.stand(to), p.stand(from)
	if err := p.stands(to, from); err != nil {
		return err
	}
	for i := range max(len(heads), len(others)) {
		p.state(heads[i%len(heads)], others[i%len(others)], link.MustLink)
	}
	p.bind(to, from)
	p.plan.Blocked = p.stopped() && p.fixed() == 0 && len(p.denied) > 0
	return nil
}

// bind states that all rows which represent super-instances of some groups belong together, where the
// method has such: what other rows are said to be tells it little of their super-instances.
func (p *planner) bind(groups ...int) {
	var all []int
	for _, k := range groups {
		for _, row := range p.r.out.Medoids {
			if p.r.out.Labels[row] == k && !p.facts.isBad[row] {
				all = append(all, row)
			}
		}
	}
	for i := 1; i < len(all) && len(p.plan.Pairs) < mostLinks; i++ {
		if p.known.Relation(all[i-1], all[i]) != link.CannotLink {
			p.state(all[i-1], all[i], link.MustLink)
		}
	}
}

func (p *planner) split() error {
	rows, groups, err := p.two()
	if err != nil {
		return err
	}
	if groups[0] != groups[1] {
		return fault.Inputf("choose two objects of one group", "the two are of groups %d and %d",
			groups[0], groups[1])
	}
	p.plan.Groups, p.plan.Objects = groups[:1], 1
	p.plan.Words = p.parting(rows, groups[0])
	pair := link.Link{A: rows[0], B: rows[1]}.Pair()
	p.against(func(l link.Link) bool { return l.Pair() == pair && l.Kind != link.CannotLink })
	p.plan.Blocked = p.stopped()
	p.state(rows[0], rows[1], link.CannotLink)
	return nil
}

// parting returns what comes of two rows of a group that are to be parted.
func (p *planner) parting(rows [2]int, group int) string {
	a, b := p.data.ID(rows[0]), p.data.ID(rows[1])
	if p.deny(rows[0], rows[1], link.CannotLink) {
		return fmt.Sprintf("%s and %s stay together, as long as your answer about them stands.", a, b)
	}
	return fmt.Sprintf("Part %s and %s of %s. Questions then find out where its other objects belong.",
		a, b, p.group(group))
}

func (p *planner) move() error {
	g, n := p.plan.Regroup, p.data.N()
	if g.To == nil {
		return fault.Inputf("give it as to", "a move needs a row of the group that it goes to")
	}
	target := *g.To
	if target < 0 || target >= n {
		return fmt.Errorf("%w: there is no row %d", ErrNotFound, target)
	}
	to := p.r.out.Labels[target]
	if to == 0 {
		return fault.Inputf("choose a row of a group", "%s is of no group", p.data.ID(target))
	}
	var moved []int
	left, seen := make(map[int]int), make(map[int]bool)
	there, bad := 0, 0
	for _, row := range g.Rows {
		switch {
		case row < 0 || row >= n:
			return fmt.Errorf("%w: there is no row %d", ErrNotFound, row)
		case seen[row]:
		case p.facts.isBad[row]:
			bad++
		case p.r.out.Labels[row] == to:
			there++
		default:
			moved = append(moved, row)
			left[p.r.out.Labels[row]]++
			p.moving[row] = true
		}
		seen[row] = true
	}
	if err := p.stands(to); err != nil {
		return err
	}
	if len(moved) == 0 {
		return fault.Inputf("choose objects of other groups", "none of the objects can be moved: "+
			"they are in group %d, or left out as bad data", to)
	}
	if most := mostLinks - len(left) - standingFixed; len(moved) > most {
		return fault.Inputf(fmt.Sprintf("move up to %d at once", most),
			"%d objects are to be moved at once", len(moved))
	}
	from := slices.SortedFunc(maps.Keys(left), func(a, b int) int {
		return cmp.Or(cmp.Compare(left[b], left[a]), cmp.Compare(a, b))
	})
	p.plan.Groups, p.plan.Objects = append([]int{to}, from...), len(moved)
	p.plan.Groups = slices.DeleteFunc(p.plan.Groups, func(k int) bool { return k == 0 })
	p.plan.Words = fmt.Sprintf("Move %s to %s: %s.", words.Count(len(moved), "object"), p.group(to),
		p.leaving(from, left))
	if there > 0 {
		p.note("%s of that group already.", method.Are(there, "object"))
	}
	if bad > 0 {
		p.note("%s left out as bad data, and stay so.", method.Are(bad, "object"))
	}
	whole := 0
	for k, rows := range left {
		if k > 0 && rows == p.r.sizes[k] {
			whole++
		}
	}
	p.fewer(whole)
	p.againstMove(to, moved)
	p.links(to, moved, from, left)
	return nil
}

// hold states that rows which stand for a group belong together, up to as many as come or go, so
// that it stays whole: their links are with one of its rows, which they would take along.
func (p *planner) hold(k, most int) {
	heads := p.stand(k)
	for i, row := range heads {
		if i > 0 && i < most && p.known.Relation(heads[0], row) != link.CannotLink {
			p.state(heads[0], row, link.MustLink)
		}
	}
}

// links states that rows are of a group, and not of those they leave, from: each row, where there
// may be so many links, else one of each group.
func (p *planner) links(to int, moved, from []int, left map[int]int) {
	for _, row := range moved {
		p.state(row, p.with(row, to, link.MustLink), link.MustLink)
	}
	p.hold(to, len(moved))
	each, apart := 2*len(moved)+standingFixed*(1+len(from)) <= mostLinks, make(map[int]bool)
	if !each {
		p.note("One object of each group is stated not to belong there, as a step has %d links at "+
			"most.", mostLinks)
	}
	for _, k := range from {
		if each && k > 0 && left[k] < p.r.sizes[k] {
			p.hold(k, left[k])
		}
	}
	for _, row := range moved {
		k := p.r.out.Labels[row]
		if k == 0 || p.r.sizes[k] == left[k] || !each && apart[k] { // no group, or all of it goes
			continue
		}
		if other := p.with(row, k, link.CannotLink); other >= 0 {
			apart[k] = true
			p.state(row, other, link.CannotLink)
		}
	}
}

// leaving writes how many objects leave which groups.
func (p *planner) leaving(from []int, left map[int]int) string {
	var parts []string
	for i, k := range from {
		const most = 4
		if i == most {
			parts = append(parts, words.Count(len(from)-most, "other group"))
			break
		}
		of := fmt.Sprintf("group %d", k)
		if k == 0 {
			of = "no group"
		}
		parts = append(parts, fmt.Sprintf("%d of %s", left[k], of))
	}
	return words.List(parts, "and")
}

func (p *planner) note(format string, args ...any) {
	p.plan.Notes = append(p.plan.Notes, fmt.Sprintf(format, args...))
}

// stand returns rows that stand for a group, the best first. Methods that find the number of groups
// themselves know most of what was asked about of late, and what is about to be; then come members
// at even steps of certainty, those that are doubtful only where there are too few others. Rows
// that leave the group, or are left out as bad data, do not stand for it.
func (p *planner) stand(k int) []int {
	if rows, known := p.reps[k]; known {
		return rows
	}
	var rows []int
	most, taken := standing, make(map[int]bool)
	out := func(row int) bool { return p.moving[row] || p.facts.isBad[row] }
	add := func(row int) {
		if len(rows) < most && !taken[row] && p.r.out.Labels[row] == k && !out(row) {
			taken[row] = true
			rows = append(rows, row)
		}
	}
	if p.fixed() > 0 {
		most = standingFixed
	} else {
		for _, l := range slices.Backward(p.facts.links) {
			if l.Kind != link.Unknown {
				add(l.A)
				add(l.B)
			}
		}
		for _, q := range p.look.queue {
			add(q.Question.A)
			add(q.Question.B)
		}
	}
	members := slices.DeleteFunc(slices.Clone(p.ranked[k]),
		func(row int32) bool { return out(int(row)) })
	// Members from all over the group stand for it better than those of its middle.
	slices.SortFunc(members, func(a, b int32) int {
		return cmp.Or(cmp.Compare(p.r.sure[b], p.r.sure[a]), cmp.Compare(a, b))
	})
	if sure := sureOf(members, p.r.sure); sure >= most {
		members = members[:sure]
	}
	for i := range min(most, len(members)) {
		add(int(members[i*len(members)/min(most, len(members))]))
	}
	p.reps[k] = rows
	return rows
}

// stands returns the error where nothing stands for one of some groups.
func (p *planner) stands(groups ...int) error {
	for _, k := range groups {
		if len(p.stand(k)) == 0 {
			return fault.Inputf("take one of them back first",
				"the objects of group %d are left out as bad data", k)
		}
	}
	return nil
}

// with returns the row of a group that a link with another row is stated with: the first of those
// that stand for the group that the person did not answer otherwise about; −1 where none does.
func (p *planner) with(row, k int, kind link.Kind) int {
	best := -1
	for _, head := range p.stand(k) {
		if best < 0 {
			best = head
		}
		if !p.deny(row, head, kind) {
			return head
		}
	}
	return best
}

// deny reports whether the person answered a pair otherwise.
func (p *planner) deny(a, b int, kind link.Kind) bool {
	return slices.ContainsFunc(p.facts.by(link.Link{A: a, B: b}.Pair(), p.who),
		func(v voice) bool { return v.link.Kind != kind && !slices.Contains(p.back, v.Seq) })
}

// state adds a link, unless it follows from what is known or the person answered the pair
// otherwise.
func (p *planner) state(a, b int, kind link.Kind) {
	switch {
	case p.listed[link.Link{A: a, B: b}.Pair()]:
	case p.known.Relation(a, b) == kind:
		p.stated++
	case p.deny(a, b, kind):
		p.denied = append(p.denied, Pair{A: a, B: b, Link: kind.String()})
	default:
		p.plan.Pairs = append(p.plan.Pairs, Pair{A: a, B: b, Link: kind.String()})
		p.listed[link.Link{A: a, B: b}.Pair()] = true
	}
}

// check counts the links, and looks for those that others contradict.
func (p *planner) check() error {
	events, links, err := p.statements(p.who, Several{Pairs: p.plan.Pairs, Back: p.back})
	if err != nil {
		return err
	}
	for _, pair := range p.plan.Pairs {
		if pair.Link == link.MustLink.String() {
			p.plan.Same++
		} else {
			p.plan.Apart++
		}
	}
	if err := p.together(events, links, true, p.back); err != nil {
		return err
	}
	for _, e := range events {
		if e.Doubt {
			p.plan.Contradictions++
		}
	}
	if p.plan.Contradictions > 0 {
		if c, ok := errors.AsType[*Contradiction](p.together(events, links, false, p.back)); ok {
			p.plan.Clash = &c.Clash
		}
	}
	switch {
	case len(p.plan.Against) > 0 && !p.plan.Regroup.Back || len(p.denied) > 0:
		p.refused()
	case len(p.plan.Pairs) == 0:
		p.note("All of it follows from what is known already.")
	}
	return nil
}
