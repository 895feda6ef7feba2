package competitive

import (
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
	return &memory{d: d, room: max(0, cfg.Remember), most: cfg.MostLinked,
		policy: cfg.Contradictions,
		gone:   map[int64]struct{}{}, named: map[int64]*linked{}}
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
		m.ring = append(m.ring,
			make([]float64, min(max(need, 2*len(m.ring)), m.room*m.d)-len(m.ring))...)
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

// recent reports whether the ring is to hold a row.
func (m *memory) recent(number int64) bool {
	return number > m.total-int64(m.room) && number <= m.total
}

// find returns the values of a row that is held.
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
