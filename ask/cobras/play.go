package cobras

import (
	"context"
	"errors"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// errAgain means that there is an answer that was not asked for, which comes first.
var errAgain = errors.New("cobras: something was told meanwhile")

// maxAhead is the largest super-instance, in rows, that is split to see which questions come after
// the next one.
const maxAhead = 20_000

// maxDepth bounds the number of super-instances that one is split into, to 64. The paper has no
// bound; with more, hundreds of answers would be needed before the clustering is whole again.
const maxDepth = 6

// play is one run through the script, from the first question on.
type play struct {
	ctx      context.Context
	tree     *tree
	ask      ask.Answerer
	doubt    *belief             // what is known
	answered func(a, b int) bool // reports whether a pair was asked about
	// takes in the next answer that was not asked for; false: there is none
	told   func() bool
	said   func(link.Link) // takes in an answer that was asked for
	alone  bool            // there is nobody to ask: only what links call for is split
	ahead  func() bool     // reports whether a question was passed over already; nil: none is
	groups *groups
	parts  []*part // all super-instances, in the order they were made
	whole  map[*part]bool
	lacks  bool // rows are left out
	anew   bool // nothing is kept up to date, to test what is

	held   map[*part][]int32 // nodes of rows that links nobody was asked for name, each once
	home   []*part           // super-instance that has each of these; nil: none, or it is no such node
	taken  int               // such links that are in held and home
	stray  []int32           // such links about rows that are left out
	seen   int               // such links that were looked at for them
	broken map[*part]bool    // super-instances found to hold rows that are known to be different
	merger *merger           // the merge under way; nil: none

	merged  [][]*part // the last fully merged clustering; nil: there is none
	asked   int       // answers so far
	settled int       // how many it were when the clustering was last fully merged
	changed int       // and when it last changed by that
	leaning bool      // the first split is under way, and groups are its halves

	x, y []float64 // scratch of apart
}

// run plays the script to its end, or to the first error.
func (p *play) run() error {
	p.groups, p.parts, p.whole = newGroups(p.tree.root), []*part{p.tree.root}, make(map[*part]bool)
	p.hold()
	if err := p.correct(); err != nil {
		return err
	}
	for {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		s, broken := p.next()
		if s == nil {
			if p.merged == nil {
				p.merged = p.groups.copy()
			}
			return nil
		}
		k := 2
		if !broken {
			var err error
			if k, err = p.level(s); err != nil {
				return err
			}
		}
		fresh, err := p.split(s, k)
		if err != nil {
			return err
		}
		if len(fresh) < 2 {
			p.whole[s] = true
			continue
		}
		var before []*part
		if p.merged != nil {
			before = slices.Clone(p.groups.of[s].parts)
		}
		p.replace(s, fresh)
		if err := p.settle(fresh); err != nil {
			return err
		}
		if !p.kept(before, fresh) {
			p.changed = p.asked
		}
		p.merged, p.settled = p.groups.copy(), p.asked
	}
}

// kept reports whether a cluster has the rows it had before a super-instance of it was split.
func (p *play) kept(before, fresh []*part) bool {
	if p.merged == nil {
		return false
	}
	now := p.groups.of[fresh[0]].parts
	for _, s := range slices.Concat(before, fresh) {
		if g := p.groups.of[s]; g != nil && g != p.groups.of[fresh[0]] {
			return false
		}
	}
	return len(now) == len(before)-1+len(fresh)
}

// split is tree.split, but where a play looks ahead it ends before much work.
func (p *play) split(s *part, k int) ([]*part, error) {
	if p.ahead != nil && p.ahead() && len(s.rows) > maxAhead {
		return nil, ask.ErrWaiting
	}
	return p.tree.split(p.ctx, s, k)
}

// next returns the super-instance to split: the largest that holds two rows known to be different
// (ours), else the largest; nil where none can be. The earlier one counts on a tie.
func (p *play) next() (s *part, broken bool) {
	for _, q := range p.parts {
		if p.whole[q] || len(q.rows) < 2 || s != nil && len(q.rows) <= len(s.rows) &&
			len(p.held) == 0 || len(p.tree.standing(q)) < 2 {
			continue
		}
		bad := p.breaks(q)
		if s == nil || bad && !broken || bad == broken && len(q.rows) > len(s.rows) {
			s, broken = q, bad
		}
	}
	if p.alone && !broken {
		return nil, false
	}
	return s, broken
}

// breaks reports whether a super-instance holds rows of links that are known to be different. Where
// answers do not err, it stays so.
func (p *play) breaks(s *part) bool {
	bad := p.broken[s] || p.doubt.broken(p.held[s])
	if bad && p.doubt.rate == 0 && !p.anew {
		p.broken[s] = true
	}
	return bad
}

// hold finds out which rows of links each super-instance has. What a link is taken for may change,
// and another may replace it, but its rows stay.
func (p *play) hold() {
	b := p.doubt
	if p.home == nil || p.anew {
		p.held, p.broken = make(map[*part][]int32), make(map[*part]bool)
		p.home, p.taken = []*part{}, 0
	}
	for ; p.taken < len(b.told); p.taken++ {
		i := b.told[p.taken]
		l := &b.said[i]
		if b.kind(i, nil) == link.Unknown {
			continue
		}
		p.home = append(p.home, make([]*part, max(0, len(b.rows)-len(p.home)))...)
		for _, v := range [2]int32{l.a, l.b} {
			if s := p.find(b.rows[v]); p.home[v] == nil && s != nil {
				p.home[v] = s
				p.held[s] = append(p.held[s], v)
			}
		}
	}
}

func (p *play) find(row int) *part {
	for _, s := range p.parts {
		if s.holds(row) {
			return s
		}
	}
	return nil
}

// replace puts what a super-instance was split into in its place. Each is a cluster of its own at
// first.
func (p *play) replace(s *part, fresh []*part) {
	if p.leaning {
		p.groups, p.leaning = newGroups(s), false
	}
	p.groups.remove(s)
	p.parts = slices.DeleteFunc(p.parts, func(q *part) bool { return q == s })
	for _, f := range fresh {
		p.groups.add(f)
		p.parts = append(p.parts, f)
		for _, v := range p.held[s] {
			if f.holds(p.doubt.rows[v]) {
				p.held[f] = append(p.held[f], v)
				p.home[v] = f
			}
		}
	}
	delete(p.held, s)
}

// level asks into how many a super-instance is to be split: it goes down 2-means halves, into the
// smaller one, until two halves are of one cluster; k is 2 to the number of times that they were
// not, at least 2. Where that cannot be known it ends, too, and after maxDepth times.
func (p *play) level(s *part) (k int, err error) {
	depth, at := 0, s
	for {
		halves, err := p.split(at, 2)
		if err != nil {
			return 0, err
		}
		if len(halves) != 2 {
			break
		}
		kind, err := p.without(halves[0], halves[1]), error(nil)
		if kind == link.Unknown {
			kind, err = p.compare(halves[0], halves[1],
				"the largest group that seems alike is looked into: these two stand for its halves")
		}
		if err == errAgain {
			if err := p.again(); err != nil {
				return 0, err
			}
			continue
		}
		if err != nil {
			return 0, err
		}
		if kind != link.CannotLink {
			break
		}
		depth++
		p.lean(at, halves)
		at = smaller(p.tree, halves)
		if at == nil || depth == maxDepth {
			break
		}
	}
	return min(1<<max(1, depth), len(s.rows)), nil
}

// without returns what was answered about rows of two super-instances of which one is left out by
// now: it still counts, so that nothing falls apart when the row that stood for one of them turns
// out to be bad data.
func (p *play) without(s, t *part) link.Kind {
	b := p.doubt
	if !p.lacks {
		return link.Unknown
	}
	if p.anew {
		p.stray, p.seen = nil, 0
	}
	for ; p.seen < len(b.told); p.seen++ {
		l := &b.said[b.told[p.seen]]
		if p.tree.out(b.rows[l.a]) || p.tree.out(b.rows[l.b]) {
			p.stray = append(p.stray, b.told[p.seen])
		}
	}
	for _, i := range p.stray {
		x, y, kind := b.rows[b.said[i].a], b.rows[b.said[i].b], b.kind(i, nil)
		if kind != link.Unknown && (s.holds(x) && t.holds(y) || s.holds(y) && t.holds(x)) {
			return kind
		}
	}
	return link.Unknown
}

// lean keeps the halves of the first split, which are the clustering as long as there is no other.
func (p *play) lean(at *part, halves []*part) {
	if p.merged != nil {
		return
	}
	if !p.leaning {
		p.groups, p.leaning = newGroups(p.parts...), true
	}
	p.groups.remove(at)
	p.groups.add(halves[0])
	p.groups.add(halves[1])
}

// smaller returns the smaller of two parts that can be asked about further; nil where none can.
func smaller(t *tree, halves []*part) *part {
	var least *part
	for _, h := range halves {
		if len(h.rows) >= 2 && len(t.standing(h)) >= 2 &&
			(least == nil || len(h.rows) < len(least.rows)) {
			least = h
		}
	}
	return least
}

// compare asks whether two super-instances are of one cluster. Where nobody knows of their
// representatives, the members second and third nearest their means are asked about in their stead
// (ours).
func (p *play) compare(s, t *part, why string) (link.Kind, error) {
	a, b := p.tree.standing(s), p.tree.standing(t)
	for try := range substitutes {
		if try > 0 && try >= max(len(a), len(b)) {
			break
		}
		x, y := int(a[min(try, len(a)-1)]), int(b[min(try, len(b)-1)])
		kind := p.doubt.relation(x, y)
		if kind == link.Unknown {
			var err error
			if kind, err = p.question(link.Question{A: x, B: y, Why: why}); err != nil {
				return kind, err
			}
		}
		if kind != link.Unknown {
			return kind, nil
		}
		why = "you were not sure about a pair like this one"
	}
	return link.Unknown, nil
}

// question asks, and returns what is believed then. Where somebody has to be waited for, answers
// that were not asked for come first.
func (p *play) question(q link.Question) (link.Kind, error) {
	q.A, q.B = min(q.A, q.B), max(q.A, q.B)
	if !p.answered(q.A, q.B) && p.told() {
		return link.Unknown, errAgain
	}
	kind, err := p.ask(q)
	if err != nil {
		return kind, err
	}
	p.asked++
	p.said(link.Link{A: q.A, B: q.B, Kind: kind})
	return p.doubt.relation(q.A, q.B), nil
}

// again takes in an answer that was not asked for.
func (p *play) again() error {
	p.hold()
	return p.correct()
}

// settle merges super-instances that are new with those there are.
func (p *play) settle(fresh []*part) error {
	for {
		err := p.confirm(fresh)
		if err != errAgain {
			p.merger = nil
			return err
		}
		if err := p.again(); err != nil {
			return err
		}
	}
}

// merger merges super-instances that are new with those there are. An answer that was not asked for
// begins the merge again; what is done of it is not done twice.
type merger struct {
	fresh []*part
	new   map[*part]bool
	pairs []couple // of a new one and another, by the distance of who stands for them

	view   *view   // what is known; another one where links were judged anew; nil: nothing is done
	groups *groups // that it works on
	told   int     // links that nobody was asked for that are carried over
	at     int     // pairs up to here are not open,
	joined int     // if no more groups were joined than that
}

// merging returns the merge of new super-instances that is under way, or a new one.
func (p *play) merging(fresh []*part) *merger {
	if m := p.merger; m != nil && slices.Equal(m.fresh, fresh) && !p.anew {
		return m
	}
	m := &merger{fresh: slices.Clone(fresh), new: make(map[*part]bool, len(fresh))}
	for _, f := range fresh {
		m.new[f] = true
	}
	x, y := make([]float64, 0, p.tree.data.Cols), make([]float64, 0, p.tree.data.Cols)
	for _, f := range fresh {
		x = p.tree.data.AppendRow(x[:0], int(p.tree.standing(f)[0]))
		for _, q := range p.parts {
			if q == f {
				break // what comes later is new, too, and looks back at this one
			}
			y = p.tree.data.AppendRow(y[:0], int(p.tree.standing(q)[0]))
			m.pairs = append(m.pairs, couple{linalg.SquaredDistance(x, y), f, q, len(m.pairs)})
		}
	}
	slices.SortFunc(m.pairs, couple.compare)
	p.merger = m
	return m
}

// merge is COBRA's: what is known first, then questions about pairs of representatives, the nearest
// first, of clusters that are not known to be one or different. What the older super-instances are
// to one another is known already.
func (p *play) merge(fresh []*part) error {
	m := p.merging(fresh)
	if m.view == nil || m.view != p.doubt.view || m.groups != p.groups {
		p.mark()
		m.view, m.groups, m.told, m.at = p.doubt.view, p.groups, 0, 0
		m.view.moved = true
	}
	if m.view.moved {
		m.view.moved = false
		for _, want := range []link.Kind{link.MustLink, link.CannotLink} {
			for _, c := range m.pairs {
				if p.relation(c.p, c.q) == want {
					p.groups.apply(c.p, c.q, want)
				}
			}
		}
	}
	p.carry(m)
	if p.groups.joined != m.joined {
		m.at, m.joined = 0, p.groups.joined // a group that joins another is open to those set aside
	}
	for ; m.at < len(m.pairs); m.at++ {
		c := m.pairs[m.at]
		if !p.groups.open(c.p, c.q) {
			continue
		}
		kind, err := p.compare(c.p, c.q,
			"these two stand for the nearest groups that no answer compares yet")
		if err != nil {
			return err
		}
		p.groups.apply(c.p, c.q, kind)
		if a, b := p.groups.of[c.p], p.groups.of[c.q]; kind == link.Unknown {
			if a.aside == nil {
				a.aside = make(map[*group]bool)
			}
			a.aside[b] = true
		}
	}
	return nil
}

// mark watches what becomes known of the representatives of super-instances.
func (p *play) mark() {
	rows := make([]int, len(p.parts))
	for i, s := range p.parts {
		rows[i] = int(p.tree.standing(s)[0])
	}
	p.doubt.mark(rows)
}

// relation returns what is known of the representatives of two super-instances.
func (p *play) relation(s, t *part) link.Kind {
	return p.doubt.relation(int(p.tree.standing(s)[0]), int(p.tree.standing(t)[0]))
}

// carry applies links between other rows to the super-instances of those, where they do not
// contradict what is known of them.
func (p *play) carry(m *merger) {
	b := p.doubt
	if m.told == 0 { // of the first ones, few may be about the new
		var about []int32
		for _, f := range m.fresh {
			for _, v := range p.held[f] {
				for i := range b.edges(v) {
					if b.said[i].told {
						about = append(about, i)
					}
				}
			}
		}
		slices.Sort(about)
		for _, i := range slices.Compact(about) {
			p.carryOne(m, i)
		}
		m.told = p.taken
	}
	for _, i := range b.told[m.told:] {
		p.carryOne(m, i)
	}
	m.told = p.taken // what the others are about is not settled
}

func (p *play) carryOne(m *merger, i int32) {
	l := &p.doubt.said[i]
	if int(max(l.a, l.b)) >= len(p.home) {
		return
	}
	if a, b := p.home[l.a], p.home[l.b]; a != nil && b != nil && a != b && (m.new[a] || m.new[b]) {
		p.groups.apply(a, b, p.doubt.kind(i, nil))
	}
}
