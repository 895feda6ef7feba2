package competitive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// memory holds the rows that links can name: the latest ones in a ring, and those that links name.
type memory struct {
	d, room int   // room is the number of latest rows held
	total   int64 // rows seen
	ring    []float64
	gone    map[int64]struct{} // rows of the ring that were forgotten

	most  int       // linked rows held
	order []*linked // by when they were first linked
	named map[int64]*linked
	clock int64 // rises with every link
	turn  int   // of order, who is presented again next

	policy link.Policy
	set    *link.Set // the closure of the links, over places in order; nil: to be built
	count  [3]int    // links held, by kind
}

// linked is a row that links name.
type linked struct {
	number int64
	row    []float64
	latest int64  // clock when it was last linked
	place  int    // in order
	ties   []*tie // by when they were made
}

func (l *linked) remove(t *tie) {
	l.ties = slices.DeleteFunc(l.ties, func(s *tie) bool { return s == t })
}

// tie is a link held.
type tie struct {
	a, b       *linked
	kind       link.Kind
	confidence float64
	since      int64 // clock when it was made
}

func (t *tie) other(than *linked) *linked {
	if t.a == than {
		return t.b
	}
	return t.a
}

func newMemory(cfg Config, d int) *memory {
	return &memory{d: d, room: max(0, cfg.Remember), most: cfg.MostLinked, policy: cfg.Contradictions,
		gone: map[int64]struct{}{}, named: map[int64]*linked{}}
}

// add holds more rows, the latest.
func (m *memory) add(rows []float64) {
	n := len(rows) / m.d
	m.total += int64(n)
	if m.room == 0 {
		return
	}
	if n > m.room {
		rows = rows[(n-m.room)*m.d:]
		n = m.room
	}
	if need := int(min(m.total, int64(m.room))) * m.d; need > len(m.ring) {
		m.ring = append(m.ring, make([]float64, min(max(need, 2*len(m.ring)), m.room*m.d)-len(m.ring))...)
	}
	for len(rows) > 0 {
		at := int((m.total-int64(n))%int64(m.room)) * m.d
		copied := copy(m.ring[at:], rows)
		rows = rows[copied:]
		n -= copied / m.d
	}
	if len(m.gone) > 2*m.room {
		maps.DeleteFunc(m.gone, func(number int64, _ struct{}) bool { return !m.recent(number) })
	}
}

// recent tells whether the ring is to hold a row.
func (m *memory) recent(number int64) bool {
	return number > m.total-int64(m.room) && number <= m.total
}

// find gives the values of a row that is held.
func (m *memory) find(number int64) ([]float64, error) {
	if number > m.total {
		return nil, fmt.Errorf("competitive: row %d of %d: %w", number, m.total, ErrUnseen)
	}
	if l := m.named[number]; l != nil {
		return l.row, nil
	}
	if _, left := m.gone[number]; left || number < 1 || !m.recent(number) {
		return nil, fmt.Errorf("competitive: row %d: %w", number, ErrForgotten)
	}
	at := int((number-1)%int64(m.room)) * m.d
	return m.ring[at : at+m.d], nil
}

// tie gives the link between two rows; nil when there is none.
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

// join adds a link between rows that are held, or changes old, the link that they have. What clashes with other links is refused
// as a *link.Contradiction, without any change, or kept, as the policy has it; clash tells. Rows that had to make room are counted.
func (m *memory) join(a, b int64, kind link.Kind, confidence float64, old *tie) (clash bool, evicted int, err error) {
	var rows [2][]float64
	for i, number := range [2]int64{a, b} {
		if rows[i], err = m.find(number); err != nil {
			return false, 0, err
		}
	}
	from, to := m.admit(a, rows[0]), m.admit(b, rows[1])
	set := m.closure(old)
	// Rows that were not linked until now cannot clash, so that whoever is refused was held before.
	if err := set.Add(link.Link{A: from.place, B: to.place, Kind: kind}); err != nil {
		if clash = true; m.policy == link.Refuse {
			return true, 0, m.renamed(err)
		}
	}
	m.set = set
	m.clock++
	if old != nil {
		m.count[old.kind]--
		from.remove(old)
		to.remove(old)
	}
	t := &tie{a: from, b: to, kind: kind, confidence: confidence, since: m.clock}
	from.ties, to.ties = append(from.ties, t), append(to.ties, t)
	m.count[kind]++
	from.latest, to.latest = m.clock, m.clock
	return clash, m.evict(), nil
}

// admit gives a row that links name, which it becomes if it was not.
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
	var all []*tie
	for _, l := range m.order {
		for _, t := range l.ties {
			if t.a == l {
				all = append(all, t)
			}
		}
	}
	slices.SortFunc(all, func(s, t *tie) int { return cmp.Compare(s.since, t.since) })
	return all
}

// closure gives the closure of the links but one, with a place for every linked row.
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

// renamed gives a contradiction of places as one of rows, counted from 0.
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

// evict makes room for the rows that were linked last, a sixteenth of it at a time, as closures are built anew then. It gives the
// number of rows that had to leave.
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
		if l.place < len(m.order) && m.order[l.place] == l { // it may have left with its last partner
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

// next gives the linked row whose turn it is; nil when there is none.
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
