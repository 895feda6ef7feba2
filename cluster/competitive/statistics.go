package competitive

import "github.com/kindred-go/kindred/link"

// Statistics counts what a learner has met and holds.
type Statistics struct {
	Rows int64 `json:"rows"` // rows learnt
	// links taken, repeated ones and those taken back included
	Links  int64 `json:"links"`
	Must   int   `json:"must"`   // must-links held
	Cannot int   `json:"cannot"` // cannot-links held
	// of those held, that the present labels of the rows meet
	Met          int   `json:"met"`
	Violated     int   `json:"violated"`     // and that they do not
	Contradicted int64 `json:"contradicted"` // links that contradicted others, refused or kept
	Evicted      int64 `json:"evicted"`      // linked rows that left to make room
	Forgotten    int64 `json:"forgotten"`    // rows that left by Forget
	Rehearsed    int64 `json:"rehearsed"`    // linked rows presented again in turn
	Remembered   int   `json:"remembered"`   // latest rows that can be linked
	Linked       int   `json:"linked"`       // rows held since links name them
	Clusters     int   `json:"clusters"`     // active prototypes
}

// Statistics counts what the learner has met and holds. It labels all linked rows, so it takes the
// time of learning as many.
func (l *Learner) Statistics() Statistics {
	m := l.memory
	s := Statistics{Rows: l.core.rows, Must: m.count[link.MustLink],
		Cannot: m.count[link.CannotLink],
		Links:  l.counted.Links, Contradicted: l.counted.Contradicted, Evicted: l.counted.Evicted,
		Forgotten: l.counted.Forgotten, Rehearsed: l.counted.Rehearsed, Linked: len(m.order)}
	for number := range m.gone {
		if m.recent(number) {
			s.Remembered--
		}
	}
	s.Remembered += int(min(m.total, int64(m.room)))
	labels := make([]int32, len(m.order))
	for i, row := range m.order {
		labels[i] = l.core.nearestTo(row.row)
	}
	for t := range m.each() {
		if (labels[t.a.place] == labels[t.b.place]) == (t.kind == link.MustLink) {
			s.Met++
		} else {
			s.Violated++
		}
	}
	s.Clusters = countActive(l.core.active())
	return s
}
