package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// What a [Regroup] does.
const (
	Merge = "merge" // the groups of two rows are one
	Split = "split" // two rows of a group belong apart
	Move  = "move"  // rows belong to the group of another row
)

// Regroup is how a person wants the groups to be. Groups are named by a row of them, as numbers
// change with each fit.
type Regroup struct {
	Do   string `json:"do" enum:"merge,split,move" doc:"make the groups of two rows one, part two rows of a group, or move rows to the group of another row"`
	Rows []int  `json:"rows" nullable:"false" minItems:"1" maxItems:"10000" doc:"of merge and split: two; of move: what is moved"`
	To   int    `json:"to,omitempty" minimum:"0" doc:"of move: a row of the group that they are moved to"`
}

// Plan is what a [Regroup] comes to: links that [Project.Links] takes as one step. Nothing is
// stated yet.
type Plan struct {
	Regroup Regroup `json:"regroup"`
	Words   string  `json:"words" doc:"what is to become of how many objects, in a sentence"`
	Groups  []int   `json:"groups" doc:"numbers of the groups that it is about, that which the others come to or that comes apart first"`
	Objects int     `json:"objects" doc:"that are to change group"`
	Pairs   []Pair  `json:"pairs" doc:"the links to state, in one step"`
	Same    int     `json:"same" doc:"must-links among them"`
	Apart   int     `json:"apart" doc:"cannot-links among them"`

	Contradictions int      `json:"contradictions" doc:"links that others contradict: they are refused, or kept as doubts"`
	Clash          *Clash   `json:"clash,omitempty" doc:"the first of them"`
	Notes          []string `json:"notes" doc:"what is to be known of it, in sentences"`
	Revision       int64    `json:"revision" doc:"that it was made at"`
}

// How many links a plan states of two groups that are to be one: of methods that are fitted anew,
// each link moves little more than its rows.
const (
	stands    = 3  // rows that stand for a group
	manyStand = 20 // where links count by their number
)

// Plan returns what a regrouping comes to; it changes nothing. It fails with a [*fault.Input] where
// the method takes no links, or the rows are not as [Regroup] says.
func (d *Project) Plan(ctx context.Context, who string, g Regroup) (Plan, error) {
	r := d.shown()
	if !d.method.Links {
		return Plan{}, fault.Inputf("choose a method that takes links", "%s takes no links",
			d.method.Name)
	}
	ranked, err := d.ranked(r)
	if err != nil {
		return Plan{}, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	p := &planner{Project: d, who: who, r: r, ranked: ranked,
		Plan: Plan{Regroup: g, Pairs: []Pair{}, Notes: []string{}, Revision: d.facts.revision}}
	switch g.Do {
	case Merge:
		err = p.merge()
	case Split:
		err = p.split()
	case Move:
		err = p.move(ctx)
	default:
		err = fault.Inputf("give merge, split or move", "%q is no regrouping", g.Do)
	}
	if err == nil {
		err = p.check()
	}
	return p.Plan, err
}

var Most, Inner = 3, false

// planner is a plan under way.
type planner struct {
	*Project
	Plan
	who     string
	r       *result
	ranked  [][]int32
	known   map[int][]int // see heard
	blocked int           // pairs that the person answered otherwise
}

func (p *planner) label(row int) int { return p.r.out.Labels[row] }

// group writes a group and its size.
func (p *planner) group(k int) string {
	return fmt.Sprintf("group %d (%s)", k, words.Count(p.r.sizes[k], "object"))
}

// two checks that a plan is about two rows.
func (p *planner) two() (a, b int, err error) {
	if len(p.Regroup.Rows) != 2 {
		return 0, 0, fault.Inputf("give two rows", "%s is about two rows, and %d are given",
			p.Regroup.Do, len(p.Regroup.Rows))
	}
	a, b = p.Regroup.Rows[0], p.Regroup.Rows[1]
	return a, b, p.rows(a, b)
}

func (p *planner) merge() error {
	a, b, err := p.two()
	if err != nil {
		return err
	}
	one, two := p.label(a), p.label(b)
	switch {
	case one == two:
		return fault.Inputf("choose rows of two groups", "the two are of one group")
	case min(one, two) == 0:
		return fault.Inputf("move it to a group", "one of the two is of no group")
	}
	if p.r.sizes[one] < p.r.sizes[two] {
		one, two = two, one
	}
	p.Groups, p.Plan.Objects = []int{one, two}, p.r.sizes[two]
	p.Words = fmt.Sprintf("Merge %s into %s.", p.group(two), p.group(one))
	most := Most
	heads, others := p.stand(one, most), p.stand(two, most)
	for i := range max(len(heads), len(others)) {
		p.state(heads[i%len(heads)], others[i%len(others)], link.MustLink)
	}
	if Inner {
		for _, side := range [][]int{heads, others} {
			for _, row := range side[1:] {
				p.state(side[0], row, link.MustLink)
			}
		}
	}
	return nil
}

func (p *planner) split() error {
	a, b, err := p.two()
	if err != nil {
		return err
	}
	if p.label(a) != p.label(b) {
		return fault.Inputf("choose two of one group", "the two are of different groups")
	}
	p.state(a, b, link.CannotLink)
	return nil
}

func (p *planner) move(ctx context.Context) error { return nil }

// stand returns rows that stand for a group, at most so many: those that were asked about first, as
// methods know most of them, then those that are about to be, and then members evenly by how
// certain they are.
func (p *planner) stand(k, most int) []int {
	var rows []int
	taken := make(map[int]bool)
	add := func(row int) {
		if !taken[row] && p.label(row) == k && !p.facts.isBad[row] && len(rows) < most {
			taken[row] = true
			rows = append(rows, row)
		}
	}
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
	members := p.ranked[k]
	for i := range most {
		add(int(members[i*len(members)/most]))
	}
	return rows
}

// state adds a link, unless that follows from what is known.
func (p *planner) state(a, b int, kind link.Kind) bool {
	if p.facts.known.Relation(a, b) == kind || len(p.facts.by(link.Link{A: a, B: b}.Pair(), p.who)) > 0 {
		return false
	}
	p.Pairs = append(p.Pairs, Pair{A: a, B: b, Link: kind.String()})
	return true
}

// check looks at what others contradict.
func (p *planner) check() error {
	var events []store.Event
	var links []link.Link
	for _, pair := range p.Pairs {
		e, l, err := p.statement(p.who, pair, 0)
		if err != nil {
			return err
		}
		if l.Kind == link.MustLink {
			p.Same++
		} else {
			p.Apart++
		}
		events, links = append(events, e), append(links, l)
	}
	if err := p.together(events, links, true); err != nil {
		return err
	}
	for _, e := range events {
		if e.Doubt {
			p.Contradictions++
		}
	}
	if c, ok := errors.AsType[*Contradiction](p.together(events, links, false)); ok {
		p.Clash = &c.Clash
	}
	return nil
}
