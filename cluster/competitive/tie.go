package competitive

import (
	"cmp"
	"iter"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// tie returns the link between two rows; nil when there is none.
func (m *memory) tie(a, b int64) *tie {
	from := m.named[a]
	if from == nil {
		return nil
	}
	for _, t := range from.ties {
		if t.other(from).number == b {
			return t
		}
	}
	return nil
}

// join adds a link between rows that are held, or changes old, the link that they have. What
// clashes with other links is refused as a *link.Contradiction, without any change, or kept, as the
// policy has it; clash reports it. Rows that had to make room are counted.
func (m *memory) join(a, b int64, kind link.Kind, confidence float64, old *tie) (clash bool,
	evicted int, err error) {
	var rows [2][]float64
	for i, number := range [2]int64{a, b} {
		if rows[i], err = m.find(number); err != nil {
			return false, 0, err
		}
	}
	from, to := m.admit(a, rows[0]), m.admit(b, rows[1])
	if old != nil && old.kind == kind { // nothing new is entailed
		m.clock++
		old.confidence, from.latest, to.latest = confidence, m.clock, m.clock
		return m.clashes(old), 0, nil
	}
	set := m.closure(old)
	// Rows that were not linked until now cannot clash, so that whoever is refused was held before.
	if err := set.Add(link.Link{A: from.place, B: to.place, Kind: kind}); err != nil {
		if clash = true; m.policy == link.Refuse {
			return true, 0, m.renamed(err)
		}
	}
	if old != nil {
		m.count[old.kind]--
		from.remove(old)
		to.remove(old)
	}
	m.set = set
	m.clock++
	t := &tie{a: from, b: to, kind: kind, confidence: confidence, since: m.clock}
	from.ties, to.ties = append(from.ties, t), append(to.ties, t)
	m.count[kind]++
	from.latest, to.latest = m.clock, m.clock
	return clash, m.evict(), nil
}

// clashes reports whether a link that is held contradicts others.
func (m *memory) clashes(t *tie) bool {
	if m.policy == link.Refuse {
		return false // it would not be held
	}
	m.set = m.closure(nil)
	return m.set.Relation(t.a.place, t.b.place) != t.kind
}

// admit returns a row that links name, which it becomes if it was not.
func (m *memory) admit(number int64, row []float64) *linked {
	l := m.named[number]
	if l == nil {
		l = &linked{number: number, row: slices.Clone(row), place: len(m.order)}
		m.order = append(m.order, l)
		m.named[number] = l
	}
	return l
}

// ties lists the links held, by when they were made.
func (m *memory) ties() []*tie {
	return slices.SortedFunc(m.each(), func(s, t *tie) int { return cmp.Compare(s.since, t.since) })
}

// each returns the links held, in no order of their own.
func (m *memory) each() iter.Seq[*tie] {
	return func(yield func(*tie) bool) {
		for _, l := range m.order {
			for _, t := range l.ties {
				if t.a == l && !yield(t) {
					return
				}
			}
		}
	}
}

// closure returns the closure of the links but one, with a place for every linked row.
func (m *memory) closure(but *tie) *link.Set {
	if but == nil && m.set != nil && m.set.N() >= len(m.order) {
		return m.set
	}
	set := link.NewSet(2*len(m.order) + 64)
	for _, t := range m.ties() {
		if t != but {
			// Those that clash were kept knowingly, and entail nothing.
			_ = set.Add(link.Link{A: t.a.place, B: t.b.place, Kind: t.kind})
		}
	}
	return set
}

// renamed returns a contradiction of places as one of rows, counted from 0.
func (m *memory) renamed(err error) error {
	c, ok := err.(*link.Contradiction)
	if !ok {
		return err
	}
	row := func(l link.Link) link.Link {
		l.A, l.B = int(m.order[l.A].number-1), int(m.order[l.B].number-1)
		return l
	}
	c.Link = row(c.Link)
	for i, l := range c.Chain {
		c.Chain[i] = row(l)
	}
	return c
}

// loosen takes a link away, and rows that no link names any more.
func (m *memory) loosen(t *tie) {
	m.count[t.kind]--
	m.set = nil
	for _, l := range [2]*linked{t.a, t.b} {
		l.remove(t)
		if len(l.ties) == 0 {
			m.order = slices.Delete(m.order, l.place, l.place+1)
			for i := l.place; i < len(m.order); i++ {
				m.order[i].place = i
			}
			delete(m.named, l.number)
			if l.place < m.turn {
				m.turn--
			}
		}
	}
}

// release takes away all links of a row.
func (m *memory) release(l *linked) {
	for len(l.ties) > 0 {
		m.loosen(l.ties[len(l.ties)-1])
	}
}

// evict makes room for the rows that were linked last, a sixteenth of it at a time, as closures are
// built anew then. It returns the number of rows that had to leave.
func (m *memory) evict() (left int) {
	if len(m.order) <= m.most {
		return 0
	}
	oldest := slices.Clone(m.order)
	slices.SortStableFunc(oldest, func(a, b *linked) int { return cmp.Compare(a.latest, b.latest) })
	for _, l := range oldest {
		if len(m.order) <= m.most-m.most/16 || l.latest == m.clock {
			break
		}
		// it may have left with its last partner
		if l.place < len(m.order) && m.order[l.place] == l {
			m.release(l)
			left++
		}
	}
	return left
}

// forget makes a row leave with its links.
func (m *memory) forget(number int64) error {
	if _, err := m.find(number); err != nil {
		return err
	}
	if l := m.named[number]; l != nil {
		m.release(l)
	}
	if m.recent(number) {
		m.gone[number] = struct{}{}
	}
	return nil
}

// next returns the linked row whose turn it is; nil when there is none.
func (m *memory) next() *linked {
	if len(m.order) == 0 {
		return nil
	}
	if m.turn >= len(m.order) {
		m.turn = 0
	}
	m.turn++
	return m.order[m.turn-1]
}

// partners lists the other ends of a row's links, in the order in which they were made.
func (l *linked) partners(to []partner) []partner {
	for _, t := range l.ties {
		to = append(to, partner{t.other(l).row, t.kind, t.confidence})
	}
	return to
}
