package project

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Where a question comes from.
const (
	fromMethod  = "method"
	fromSkipped = "skipped"
	fromOverlap = "overlap"
	fromRepeat  = "repeat"
)

// ahead is how many questions are given beside the one to answer: enough for a second of ten
// answers before the reply to the first one brings more.
const ahead = 12

// reserved is how many of them others get last: a page shows them before it hears of others.
const reserved = 2

// repeatAfter is how many answers of a person lie between a question and its repetition, at least.
const repeatAfter = 5

// Turn returns the question that a person is to answer now. It is the same until it is answered, or
// something else answers it; one that a page has on the screen ([Project.Show]) is the same until
// the page goes on from it. Two people never get the same one, unless Sharing allows it.
func (d *Project) Turn(ctx context.Context, who string) (Turn, error) {
	if err := d.ctx.Err(); err != nil {
		return Turn{}, ErrClosed
	}
	d.wait(ctx, who)
	if err := ctx.Err(); err != nil && d.alone {
		return Turn{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turn(who), nil
}

// wait waits for a fit under way: a moment, or until it is done where one person is alone. A page
// that has a question on the screen need not wait for the next one.
func (d *Project) wait(ctx context.Context, who string) {
	d.mu.RLock()
	p := d.people[who]
	held := p != nil && p.held
	d.mu.RUnlock()
	if held {
		return
	}
	if !d.alone {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, patience)
		defer cancel()
	}
	d.catchUp(ctx)
}

// turn chooses what a person is asked. Its user holds mu.
func (d *Project) turn(who string) Turn {
	p := d.at(who)
	p.off = make(map[[2]int]bool)
	for _, pair := range d.skipped(who) {
		p.off[pair] = true
	}
	picked := d.pick(who, p)
	p.next = nil
	if picked == nil {
		p.lease = nil
		return Turn{Ahead: []Question{}, Done: d.done()}
	}
	if p.lease == nil || !picked.about(p.lease.a, p.lease.b) {
		d.yield(who, *picked)
	}
	p.lease = picked.lease()
	p.give(p.lease)
	number := d.mine(who) + 1
	t := Turn{Ahead: []Question{}}
	q := d.question(*picked, number)
	q.Moot = d.moot(who, p)
	t.Question = &q
	if d.alone { // nothing is loaded ahead
		return t
	}
	for _, next := range d.queue(who, p, ahead+1) {
		if len(t.Ahead) < ahead && !next.about(picked.A, picked.B) {
			follows := d.question(next, number+len(t.Ahead)+1)
			follows.SettledBy = d.settledBy(next, *picked)
			t.Ahead = append(t.Ahead, follows)
			l := next.lease()
			p.give(l)
			if len(t.Ahead) <= reserved {
				p.next = append(p.next, l)
			}
		}
	}
	return t
}

// settledBy returns the answers to a question that entail the relation of another pair. Its user
// holds mu.
func (d *Project) settledBy(p, asked prompt) (answers []string) {
	known := d.facts.known
	var same, different bool
	for _, q := range [][2]int{{asked.A, asked.B}, {asked.B, asked.A}} {
		for _, pair := range [][2]int{{p.A, p.B}, {p.B, p.A}} {
			if known.Relation(pair[0], q[0]) == link.MustLink {
				other := known.Relation(pair[1], q[1])
				same = same || other != link.Unknown
				different = different || other == link.MustLink
			}
		}
	}
	if same {
		answers = append(answers, link.MustLink.String())
	}
	if different {
		answers = append(answers, link.CannotLink.String())
	}
	return answers
}

// yield takes a question from those whose lease of it has run out, as someone else has it now.
func (d *Project) yield(who string, p prompt) {
	if p.source == fromOverlap || p.source == fromRepeat {
		return
	}
	for name, other := range d.people {
		if name != who && other.lease != nil && p.about(other.lease.a, other.lease.b) {
			other.lease = nil
		}
	}
}

// prompt is a question before it is made ready to be shown.
type prompt struct {
	ask.Prompt
	A, B   int
	source string
}

func (p prompt) about(a, b int) bool {
	return link.Link{A: p.A, B: p.B}.Pair() == link.Link{A: a, B: b}.Pair()
}

func (p prompt) lease() *lease {
	return &lease{a: p.A, b: p.B, source: p.source, prompt: p.Prompt, at: time.Now()}
}

// pick finds the pair to ask a person about; nil when there is none.
func (d *Project) pick(who string, p *person) *prompt {
	if p.lease != nil && (p.held || d.moot(who, p) == nil) {
		return d.leased(p.lease)
	}
	switch d.sharing.due(d.mine(who)) {
	case fromRepeat:
		if l, ok := d.again(who, p); ok {
			return d.promptAbout(l.A, l.B, fromRepeat)
		}
	case fromOverlap:
		if l, ok := d.others(who, p); ok {
			return d.promptAbout(l.A, l.B, fromOverlap)
		}
	}
	if q := d.queue(who, p, 1); len(q) > 0 {
		return &q[0]
	}
	for _, pair := range d.skipped(who) {
		if d.facts.open(pair[0], pair[1]) && !d.taken(who, pair[0], pair[1]) {
			return d.promptAbout(pair[0], pair[1], fromSkipped)
		}
	}
	return nil
}

// moot returns why the question of a person's lease is no longer worth an answer; nil where it is.
func (d *Project) moot(who string, p *person) *Moot {
	l := p.lease
	pair := link.Link{A: l.a, B: l.b}.Pair()
	said, mine := d.facts.voices[pair], d.facts.by(pair, who)
	for _, row := range []int{l.a, l.b} {
		if d.facts.isBad[row] {
			return &Moot{Closed: true, Words: d.data.ID(row) + " was left out as bad data, so that " +
				"an answer about it cannot count."}
		}
	}
	switch known := d.facts.known.Relation(l.a, l.b); {
	case l.source == fromRepeat && len(mine) == 1 && !p.off[pair]:
		return nil
	case len(mine) > 0:
		return &Moot{Closed: true, Words: d.already("You", mine[len(mine)-1], "already") +
			" Change that answer in the history."}
	case p.off[pair] && l.source != fromSkipped:
		return &Moot{Words: "You put this pair off already."}
	case l.source == fromRepeat || l.source == fromOverlap && len(said) == 0:
		return &Moot{Words: "The answer that yours was to be compared with was taken back."}
	case l.source == fromOverlap:
		return nil
	case len(said) > 0:
		last := said[len(said)-1]
		return &Moot{Words: d.already(cmp.Or(last.Who, "Somebody else"), last, "meanwhile")}
	case known != link.Unknown && (l.source != fromMethod || !d.asks(l)):
		return &Moot{Words: "By now other answers entail that the two are " + known.String() + "."}
	case l.source == fromMethod && d.finished():
		return &Moot{Words: "By now the groups do not depend on this pair."}
	}
	return nil
}

// asks reports whether the method, as it knows all answers, asks about the pair of a lease: it may
// ask again, in other words, about what others entail.
func (d *Project) asks(l *lease) bool {
	return d.look.gen == d.facts.gen && slices.ContainsFunc(d.look.queue,
		func(p ask.Prompt) bool { return l.about(p.Question.A, p.Question.B) })
}

// already returns a sentence about who answered a pair.
func (d *Project) already(who string, v voice, when string) string {
	in := ""
	if first, last := d.history.Step(v.Seq); d.among(v) {
		in = fmt.Sprintf(", in a step of %d", last-first+1)
	}
	return fmt.Sprintf("%s %s this pair %s%s: %s.", who, d.verb(v), when, in, v.link.Kind)
}

// verb returns what a person did to say something of a pair: answered a question, or stated several
// links in one step.
func (d *Project) verb(v voice) string {
	if d.among(v) {
		return "stated"
	}
	return "answered"
}

// among reports whether an answer is one of several links of a step.
func (d *Project) among(v voice) bool {
	first, last := d.history.Step(v.Seq)
	return last > first && v.Question == 0
}

// due returns where the question after so many others is to come from. Where both shares are due at
// once, the other one's turn comes with the next question.
func (s Sharing) due(asked int) (source string) {
	const whole = 1 - 1e-9
	repeat, overlap := 0.0, 0.0
	for range asked + 1 {
		repeat, overlap, source = repeat+s.Repeat, overlap+s.Overlap, fromMethod
		switch {
		case repeat >= whole:
			repeat, source = repeat-1, fromRepeat
		case overlap >= whole:
			overlap, source = overlap-1, fromOverlap
		}
	}
	return source
}

// queue returns the method's next questions for a person: those that nobody answered, nobody else
// has on the screen, and that the person did not put off. Those that others have next come last.
// What follows from answers that the method
// has not seen yet is passed over; of what follows from others, the method may have its reasons to
// ask.
func (d *Project) queue(who string, p *person, most int) (out []prompt) {
	worth := d.facts.open
	if d.look.gen == d.facts.gen {
		worth = d.facts.free
	}
	var last []prompt
	for _, next := range d.look.queue {
		a, b := next.Question.A, next.Question.B
		if len(out) == most {
			break
		}
		if !worth(a, b) || p.off[link.Link{A: a, B: b}.Pair()] || d.taken(who, a, b) {
			continue
		}
		one := prompt{Prompt: next, A: a, B: b, source: fromMethod}
		if d.anybody(who, func(p *person) bool { return hasPair(p.next, a, b) }) {
			last = append(last, one)
		} else {
			out = append(out, one)
		}
	}
	return append(out, last[:min(len(last), most-len(out))]...)
}

// taken reports whether someone else has a pair on the screen.
func (d *Project) taken(who string, a, b int) bool {
	return d.anybody(who, func(p *person) bool { return p.lease.about(a, b) })
}

// anybody reports whether something holds of someone else who is at a question.
func (d *Project) anybody(who string, holds func(p *person) bool) bool {
	for name, p := range d.people {
		here := p.lease != nil && (p.pages > 0 || time.Since(p.lease.at) <= leaseTime)
		if name != who && here && holds(p) {
			return true
		}
	}
	return false
}

// hasPair reports whether one of leases is of a pair.
func hasPair(leases []*lease, a, b int) bool {
	return slices.ContainsFunc(leases, func(l *lease) bool { return l.about(a, b) })
}

// again finds the earliest answer of a person that is old enough, not repeated yet, and not put
// off.
func (d *Project) again(who string, p *person) (link.Link, bool) {
	var own []voice
	for _, a := range d.history.Answers() {
		if v, ok := place(a, d.data.Row); ok && a.Who == who {
			own = append(own, v)
		}
	}
	for _, v := range own[:max(0, len(own)-repeatAfter)] {
		if pair := v.link.Pair(); len(d.facts.by(pair, who)) == 1 && !p.off[pair] && !v.Doubt &&
			v.Question > 0 && !d.facts.isBad[v.link.A] && !d.facts.isBad[v.link.B] {
			return v.link, true
		}
	}
	return link.Link{}, false
}

// others finds the pair that fewest others answered, the earliest first, and the person did not.
func (d *Project) others(who string, p *person) (best link.Link, ok bool) {
	fewest := 0
	for _, pair := range d.facts.pairs() {
		said := d.facts.voices[pair]
		if len(d.facts.by(pair, who)) > 0 || d.facts.isBad[pair[0]] || d.facts.isBad[pair[1]] ||
			p.off[pair] || said[0].Question == 0 {
			continue
		}
		if !ok || len(said) < fewest {
			best, fewest, ok = said[0].link, len(said), true
		}
	}
	return best, ok
}

// skipped returns the pairs that a person put off, the earliest first.
func (d *Project) skipped(who string) (pairs [][2]int) {
	for _, ids := range d.history.Skipped(who) {
		a, okA := d.data.Row(ids[0])
		b, okB := d.data.Row(ids[1])
		if okA && okB {
			pairs = append(pairs, link.Link{A: a, B: b}.Pair())
		}
	}
	return pairs
}

// mine counts a person's answers in effect.
func (d *Project) mine(who string) int {
	if t := d.facts.tallies[who]; t != nil {
		return t.Answers
	}
	return 0
}

// leased returns a question that is on a screen: as the method sees it now, or else as it was when
// it was put there.
func (d *Project) leased(l *lease) *prompt {
	now := d.promptAbout(l.a, l.b, l.source)
	if now.Group == nil && now.Question.Why == "" {
		now.Prompt = l.prompt
	}
	return now
}

// promptAbout finds the method's own prompt about a pair, or makes one.
func (d *Project) promptAbout(a, b int, source string) *prompt {
	out := prompt{A: a, B: b, source: source}
	for _, p := range d.look.queue {
		if out.about(p.Question.A, p.Question.B) {
			out.Prompt, out.A, out.B = p, p.Question.A, p.Question.B
			break
		}
		// another reference of the object
		if p.Group != nil && p.Group.Object == a && source == fromMethod {
			for i, ref := range p.Group.References {
				if ref.Object == b {
					g := *p.Group
					g.Ask = i
					out.Prompt = ask.Prompt{Question: link.Question{A: a, B: b}, Group: &g}
				}
			}
		}
	}
	return &out
}

// question makes of a prompt what a person is shown.
func (d *Project) question(p prompt, number int) Question {
	q := Question{
		Number: number, A: d.data.Card(p.A), B: d.data.Card(p.B), Fields: d.data.Compare(p.A, p.B),
		Why: p.Question.Why, Source: p.source,
	}
	if p.Group != nil {
		g := *p.Group
		if !d.alone { // else the numbers of the fit stay, as the groups are not to be seen
			g = d.numbered(g)
		}
		q.Candidates = d.candidates(g)
		q.Why = ask.Why(g.Question(), d.called)
	}
	switch p.source {
	case fromSkipped:
		q.Why = "you put this pair off before"
	case fromOverlap:
		q.Why = "others answered this pair; your own answer shows how far you agree"
	case fromRepeat:
		q.Why = "you answered this pair before; asked again, it shows how consistent your " +
			"answers are"
	}
	if q.Why == "" {
		q.Why = "this pair is open"
	}
	return q
}

// numbered returns a group with the numbers that its clusters have in the groups as they are shown.
func (d *Project) numbered(g ask.Group) ask.Group {
	is := make(map[int]int)
	for k, was := range d.result.out.Was {
		is[was] = k
	}
	var may belief.Set
	for was, k := range is {
		if g.May.Has(was) {
			may |= belief.Singleton(k)
		}
	}
	refs := slices.Clone(g.References)
	for i, ref := range refs {
		refs[i].Cluster = is[ref.Cluster]
	}
	g.References, g.May = refs, may
	return g
}

// candidates makes of a numbered group what a person is shown.
func (d *Project) candidates(g ask.Group) *Candidates {
	out := &Candidates{May: []int{}, Outlier: g.Outlier, Ask: g.Ask}
	for k := range d.result.out.Clusters {
		if g.May.Has(k) {
			out.May = append(out.May, k+1)
		}
	}
	for _, ref := range g.References {
		r := Reference{Card: d.data.Card(ref.Object), Cluster: ref.Cluster + 1,
			Dissimilarity: float64(ref.Dissimilarity), Fields: d.data.Compare(g.Object, ref.Object)}
		pair := link.Link{A: g.Object, B: ref.Object}
		if said := d.facts.voices[pair.Pair()]; len(said) > 0 {
			r.Answered = said[len(said)-1].link.Kind.String()
		} else if known := d.facts.known.Relation(g.Object, ref.Object); known != link.Unknown {
			r.Answered = known.String()
		}
		out.References = append(out.References, r)
	}
	return out
}

// done returns why there is no question.
func (d *Project) done() string {
	switch {
	case d.failed != nil:
		return "The fit failed: " + d.failed.Error()
	case d.look.gen < d.facts.gen:
		return "The groups are being worked out; the next question comes in a moment."
	case len(d.look.queue) > 0 && len(d.people) > 1:
		return "The questions that are left are on other people's screens, or put off."
	}
	return "Every question is answered: " + words.Count(d.result.out.Clusters, "group") + "."
}
