package project

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// person is someone who answers, as far as this run of the program knows.
type person struct {
	lease *lease
	held  bool            // the page has the question of the lease on the screen now
	given []*lease        // questions given to the page of late, the latest last
	next  []*lease        // of these, the ones that the page shows as soon as the lease is answered
	pages int             // open now
	off   map[[2]int]bool // pairs put off, while a turn is chosen
}

// lease is the question that a person has on the screen.
type lease struct {
	a, b   int
	source string
	prompt ask.Prompt // as it was asked
	at     time.Time
}

// mostGiven bounds the questions that are remembered as given to a page: those of some turns, as a
// person may answer several before the first reply comes.
const mostGiven = 8 * (ahead + 1)

// give remembers a question that a page gets.
func (p *person) give(l *lease) {
	p.given = slices.DeleteFunc(p.given, func(old *lease) bool { return old.about(l.a, l.b) })
	p.given = append(p.given, l)
	p.given = p.given[max(0, len(p.given)-mostGiven):]
}

// asked returns the question about a pair that a person was given; nil when none was.
func (p *person) asked(a, b int) *lease {
	if p.lease != nil && p.lease.about(a, b) {
		return p.lease
	}
	for _, l := range slices.Backward(p.given) {
		if l.about(a, b) {
			return l
		}
	}
	return nil
}

// about reports whether a lease is of a pair.
func (l *lease) about(a, b int) bool {
	return link.Link{A: l.a, B: l.b}.Pair() == link.Link{A: a, B: b}.Pair()
}

// Show notes which pair a person's page has on the screen: [Project.Turn] and the replies to steps
// keep to it, and say in Question.Moot why its answer is no longer needed, until Show is called
// again. nil means that there is none, so that a question whose answer is not needed is replaced.
// A pair of rows that are not there is none.
func (d *Project) Show(who string, pair *[2]int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.at(who)
	n := d.data.N()
	p.held = pair != nil && min(pair[0], pair[1]) >= 0 && max(pair[0], pair[1]) < n &&
		pair[0] != pair[1]
	if !p.held {
		return
	}
	l := p.asked(pair[0], pair[1])
	if l == nil {
		l = &lease{a: pair[0], b: pair[1], source: fromMethod}
	}
	l.at = time.Now()
	p.lease = l
}

// leaseTime is how long a question stays with a person whose page is closed.
const leaseTime = 2 * time.Minute

// at returns what is known of a person. Its user holds mu.
func (d *Project) at(who string) *person {
	p := d.people[who]
	if p == nil {
		p = &person{}
		d.people[who] = p
	}
	return p
}

// Present marks a person's page as open until the function that it returns is called.
func (d *Project) Present(who string) (leave func()) {
	d.mu.Lock()
	d.at(who).pages++
	d.mu.Unlock()
	d.notify()
	return sync.OnceFunc(func() {
		d.mu.Lock()
		d.at(who).pages--
		d.mu.Unlock()
		d.notify()
	})
}

// reliability returns the discounting of [link.Agree]; nil for none. Its user holds mu, or is
// alone.
func (d *Project) reliability() func(string) float64 {
	if !d.sharing.Discount {
		return nil
	}
	trust := maps.Clone(d.trust)
	return func(who string) float64 {
		if r, ok := trust[who]; ok {
			return r
		}
		return 1
	}
}

// longestWho bounds the name of a person, in bytes.
const longestWho = 256

// Reliability sets how far the answers of a person are to be believed, in (0, 1], also before the
// first. It counts where Sharing.Discount is set.
func (d *Project) Reliability(ctx context.Context, name string, value float64) error {
	if !(value > 0 && value <= 1) {
		return fault.Inputf("give 1 for someone who is to be believed in all",
			"a reliability is above 0 and at most 1")
	}
	if name == "" || len(name) > longestWho {
		return ErrNotFound
	}
	return d.arrange(ctx, trustSetting, func() (any, error) {
		trust := maps.Clone(d.trust)
		if trust[name] = value; value == 1 {
			delete(trust, name)
		}
		return trust, nil
	}, func(v any) { d.trust = v.(map[string]float64) })
}

// SetSharing sets how questions are spread over people, and whether reliabilities count.
func (d *Project) SetSharing(ctx context.Context, s Sharing) error {
	if !(s.Overlap >= 0 && s.Repeat >= 0 && s.Overlap+s.Repeat <= 1) {
		return fault.Inputf("give shares such as 0.1",
			"the shares of overlap and of repeats are at least 0, and at most 1 together")
	}
	return d.arrange(ctx, sharingSetting, func() (any, error) { return s, nil },
		func(v any) { d.sharing = v.(Sharing) })
}

// arrange keeps a small setting in the file, then lets it count.
func (d *Project) arrange(ctx context.Context, name string, make func() (any, error),
	set func(any)) error {
	d.steps.Lock()
	defer d.steps.Unlock()
	if err := d.ctx.Err(); err != nil {
		return ErrClosed
	}
	d.mu.RLock()
	value, err := make()
	d.mu.RUnlock()
	if err != nil {
		return err
	}
	if err := d.file.SetSetting(context.WithoutCancel(ctx), name, value); err != nil {
		return err
	}
	d.mu.Lock()
	set(value)
	d.gather()
	d.mu.Unlock()
	d.refit()
	d.notify()
	return nil
}

// tally counts what a person answered.
type tally struct {
	store.Tally
	shared, agreed, repeated, consistent int
}

// count works out the tallies of all voices.
func count(voices map[[2]int][]voice) map[string]*tally {
	out := make(map[string]*tally)
	of := func(who string) *tally {
		t := out[who]
		if t == nil {
			t = &tally{}
			out[who] = t
		}
		return t
	}
	for _, said := range voices {
		last := make(map[string]voice)
		for _, v := range said {
			t := of(v.Who)
			t.Add(v.Event)
			if before, again := last[v.Who]; again {
				t.repeated++
				if before.link.Kind == v.link.Kind {
					t.consistent++
				}
			}
			last[v.Who] = v
		}
		if len(last) < 2 {
			continue
		}
		for who, v := range last {
			t := of(who)
			t.shared++
			alike := true
			for _, other := range last {
				alike = alike && other.link.Kind == v.link.Kind
			}
			if alike {
				t.agreed++
			}
		}
	}
	return out
}

// persons lists who answered or has the page open, the busiest first. Its user holds mu.
func (d *Project) persons() []Person {
	names := make(map[string]bool)
	for who := range d.facts.tallies {
		names[who] = true
	}
	for who, p := range d.people {
		if p.pages > 0 {
			names[who] = true
		}
	}
	out := make([]Person, 0, len(names))
	for who := range names {
		p := Person{Name: who, Reliability: 1}
		if r, ok := d.trust[who]; ok {
			p.Reliability = r
		}
		if t := d.facts.tallies[who]; t != nil {
			p.Answers, p.Stated = t.Answers, t.Links
			p.Shared, p.Repeated = t.shared, t.repeated
			p.Agreement, p.Consistency = share(t.agreed, t.shared), share(t.consistent, t.repeated)
		}
		if at := d.people[who]; at != nil {
			p.Active = at.pages > 0
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Person) int {
		return cmp.Or(cmp.Compare(b.Answers, a.Answers), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// share is a part of a whole; nil of nothing.
func share(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	s := float64(part) / float64(whole)
	return &s
}
