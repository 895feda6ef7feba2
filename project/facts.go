package project

import (
	"maps"
	"slices"

	"github.com/kindred-go/kindred/internal/shared"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/store"
)

// facts are what the answers in effect amount to. They are guarded by Project.mu; links and bad may
// be read beyond it, as what is in them never changes once there.
type facts struct {
	gen      int64       // grows whenever what a fit depends on changes
	revision int64       // last event
	given    []link.Link // with the data
	keep     bool        // the method counts answers that contradict others, too
	clusters int         // groups to find; 0: the method finds that itself
	putOff   int         // questions that people put off: so many more are kept ready

	voices  map[[2]int][]voice // answers in effect about a pair, in order
	links   []link.Link        // what the method gets, in the order of the answers
	known   *link.Set          // closure of given and links
	clashes []clash            // answers that the closure leaves out
	dispute []link.Dispute
	bad     []int // rows left out, rising
	isBad   map[int]bool
	gone    int // answers about rows that are not among the data now
	doubts  int // answers kept as doubts
	refuted int // of these, those that others contradict
	tallies map[string]*tally
}

// voice is an answer with its rows.
type voice struct {
	store.Event
	link link.Link
}

// clash is an answer that contradicts others.
type clash struct {
	answer voice // the latest of that kind
	link   link.Link
}

// resolver finds the row of an id.
type resolver func(id string) (row int, ok bool)

// newFacts works out what a history comes to. reliability is as in [link.Agree]; keep means that
// the method counts answers that contradict others, too.
func newFacts(n int, given []link.Link, h *store.History, row resolver,
	reliability func(string) float64, keep bool) *facts {
	f := &facts{revision: h.Last(), given: given, keep: keep, voices: make(map[[2]int][]voice),
		isBad: make(map[int]bool)}
	for _, id := range h.Bad() {
		if at, ok := row(id); ok && !f.isBad[at] {
			f.isBad[at] = true
			f.bad = append(f.bad, at)
		}
	}
	slices.Sort(f.bad)
	var said []link.Link
	var doubtful []voice
	for _, a := range h.Answers() {
		v, ok := place(a, row)
		if !ok {
			f.gone++
			continue
		}
		f.voices[v.link.Pair()] = append(f.voices[v.link.Pair()], v)
		if a.Doubt && !keep {
			doubtful = append(doubtful, v)
		} else {
			said = append(said, v.link)
		}
	}
	f.known = link.NewSet(n)
	for _, l := range given {
		f.known.Add(l) // a given link that clashes was kept by choice: the method counts it
	}
	var agreed []link.Link
	agreed, f.dispute = link.Agree(said, reliability)
	for _, l := range agreed {
		f.take(l)
	}
	f.doubts = len(doubtful)
	f.reconsider(said, doubtful, reliability)
	f.tallies = count(f.voices)
	return f
}

// reconsider takes up doubts, after all else: each counts as soon as nothing contradicts it any
// more, as one voice among those about its pair.
func (f *facts) reconsider(said []link.Link, doubtful []voice, reliability func(string) float64) {
	if len(doubtful) == 0 {
		return
	}
	beside := make(map[[2]int][]link.Link) // voices of the pairs of doubts
	for _, v := range doubtful {
		beside[v.link.Pair()] = nil
	}
	for _, l := range said {
		if about, ok := beside[l.Pair()]; ok {
			beside[l.Pair()] = append(about, l)
		}
	}
	at := make(map[[2]int]int)
	for i, l := range f.links {
		at[l.Pair()] = i
	}
	for _, v := range doubtful {
		pair := v.link.Pair()
		agreed, disputes := link.Agree(append(beside[pair], v.link), reliability)
		if contrary(v.link.Kind, f.known.Relation(pair[0], pair[1])) ||
			f.known.Add(agreed[0]) != nil {
			f.refuted++
			if !slices.ContainsFunc(f.clashes,
				func(c clash) bool { return c.link.Pair() == pair && c.link.Kind == v.link.Kind }) {
				f.clashes = append(f.clashes, clash{v, v.link})
			}
			continue
		}
		beside[pair] = append(beside[pair], v.link)
		for i := range f.dispute {
			if f.dispute[i].Pair == pair {
				f.dispute[i] = disputes[0]
			}
		}
		if i, known := at[pair]; known {
			f.links[i] = agreed[0]
			continue
		}
		at[pair] = len(f.links)
		f.links = append(f.links, agreed[0])
	}
}

// gather works the facts out anew. Where no fit depends on what changed, as on the name of a group,
// the groups found before are those of now. Its user holds mu, or is alone.
func (d *Project) gather() {
	before := d.facts
	d.facts = d.factsOf(d.history)
	switch {
	case before == nil:
		d.facts.gen = 1
	case !d.facts.fitsAs(before):
		d.facts.gen = before.gen + 1
	default:
		d.facts.gen = before.gen
		d.keepUp()
	}
}

// keepUp makes the groups those of the last event, where they are of the facts as they stand. Its
// user holds mu, or is alone.
func (d *Project) keepUp() {
	if d.result != nil && d.result.gen == d.facts.gen {
		d.result.revision.Store(d.facts.revision)
	}
}

// fitsAs reports whether a fit of the facts is one of others, too.
func (f *facts) fitsAs(others *facts) bool {
	return f.clusters == others.clusters && f.putOff == others.putOff &&
		len(f.clashes) == len(others.clashes) && slices.Equal(f.links, others.links) &&
		slices.Equal(f.bad, others.bad)
}

// factsOf works out what a history comes to. Its user holds mu, or is alone.
func (d *Project) factsOf(h *store.History) *facts {
	f := newFacts(d.data.N(), d.problem.Links, h, d.data.Row, d.reliability(), d.keep)
	f.clusters, f.putOff = d.clusters(h), h.PutOff()
	return f
}

// contrary reports whether one kind is the opposite of another.
func contrary(a, b link.Kind) bool { return a != b && a != link.Unknown && b != link.Unknown }

// place returns an answer with its rows; ok is false where they are not two of the data.
func place(e store.Event, row resolver) (v voice, ok bool) {
	a, okA := row(e.A)
	b, okB := row(e.B)
	l := link.Link{A: a, B: b, Kind: e.Step.Kind(), Source: e.Who, Time: e.At}
	return voice{e, l}, okA && okB && a != b
}

// take takes a link, or lists it where it clashes: its opposite follows then, so the pair is not
// asked about.
func (f *facts) take(l link.Link) {
	clashes := f.known.Add(l) != nil
	if !clashes || f.keep {
		f.links = append(f.links, l)
	}
	if !clashes {
		return
	}
	c := clash{link: l}
	for _, v := range f.voices[l.Pair()] {
		if v.link.Kind == l.Kind {
			c.answer = v
		}
	}
	f.clashes = append(f.clashes, c)
}

// extend takes a further answer where that only adds to the facts; ok is false where they must be
// worked out anew. A doubt that others contradict is contradicted all the more.
func (f *facts) extend(v voice, revision int64, discounted bool) (ok bool) {
	if !f.plain(v, discounted) || f.doubts > f.refuted || len(f.voices[v.link.Pair()]) > 0 {
		return false
	}
	clashes := contrary(v.link.Kind, f.known.Relation(v.link.A, v.link.B))
	if clashes && !f.keep || !clashes && f.known.Add(v.link) != nil {
		return false
	}
	f.voices[v.link.Pair()] = append(f.voices[v.link.Pair()], v)
	f.links = shared.Append(f.links, v.link)
	if clashes {
		f.clashes = append(f.clashes, clash{v, v.link})
	}
	if f.tallies[v.Who] == nil {
		f.tallies[v.Who] = &tally{}
	}
	f.tallies[v.Who].Add(v.Event)
	f.revision = revision
	f.gen++
	return true
}

// retract takes the last answer back where nothing else follows from that; ok is false where the
// facts must be worked out anew.
func (f *facts) retract(v voice, revision int64, discounted bool) (ok bool) {
	pair, last, entailing := v.link.Pair(), len(f.links)-1, f.known.Given()
	if !f.plain(v, discounted) || f.doubts > 0 || len(f.voices[pair]) != 1 || last < 0 ||
		f.links[last].Pair() != pair {
		return false
	}
	if at := len(f.clashes) - 1; at >= 0 && f.clashes[at].answer.Seq == v.Seq {
		f.clashes = f.clashes[:at]
	} else if entailing[len(entailing)-1] != f.links[last] {
		return false
	} else {
		f.known.Undo()
	}
	f.links = f.links[:last] // others read what was there
	delete(f.voices, pair)
	if f.tallies[v.Who].Remove(v.Event); f.tallies[v.Who].Links == 0 {
		delete(f.tallies, v.Who)
	}
	f.revision = revision
	f.gen++
	return true
}

// plain reports whether an answer counts by itself alone.
func (f *facts) plain(v voice, discounted bool) bool {
	return !v.Repeat && !discounted && (f.keep || !v.Doubt)
}

// with returns what the pair of a further answer would count as, beside the answers there are.
func (f *facts) with(l link.Link, replaced int64, reliability func(string) float64) link.Link {
	agreed, _ := link.Agree(append(f.stated(l.Pair(), replaced), l), reliability)
	return agreed[0]
}

// stated returns the answers about a pair that have a voice, but for events that are replaced.
func (f *facts) stated(pair [2]int, replaced ...int64) (said []link.Link) {
	for _, v := range f.voices[pair] {
		if (f.keep || !v.Doubt) && !slices.Contains(replaced, v.Seq) {
			said = append(said, v.link)
		}
	}
	return said
}

// without returns the closure of all that is known but for the answers about some pairs.
func (f *facts) without(n int, pairs map[[2]int]bool) *link.Set {
	s := link.NewSet(n)
	for _, l := range f.given {
		s.Add(l)
	}
	for _, l := range f.links {
		if !pairs[l.Pair()] {
			s.Add(l)
		}
	}
	return s
}

// by returns the answers in effect about a pair that one person gave.
func (f *facts) by(pair [2]int, who string) (mine []voice) {
	for _, v := range f.voices[pair] {
		if v.Who == who {
			mine = append(mine, v)
		}
	}
	return mine
}

// open reports whether a pair is worth a question: nobody answered it and nothing follows about it.
func (f *facts) open(a, b int) bool {
	return f.free(a, b) && f.known.Relation(a, b) == link.Unknown
}

// free reports whether nobody answered a pair, and both are among the data that count.
func (f *facts) free(a, b int) bool {
	return len(f.voices[link.Link{A: a, B: b}.Pair()]) == 0 && !f.isBad[a] && !f.isBad[b]
}

// count counts the answers in effect.
func (f *facts) count() (sum store.Tally) {
	for _, t := range f.tallies {
		sum = sum.Plus(t.Tally)
	}
	return sum
}

// pairs lists the pairs that were answered, in order of the first answer.
func (f *facts) pairs() [][2]int {
	return slices.SortedFunc(maps.Keys(f.voices), func(a, b [2]int) int {
		return int(f.voices[a][0].Seq - f.voices[b][0].Seq)
	})
}
