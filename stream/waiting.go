package stream

import (
	"container/list"

	"github.com/kindred-go/kindred/link"
)

// NamedLink is a link by the ids of its rows. Unknown takes the link between the two back.
type NamedLink struct {
	A          string    `json:"a"`
	B          string    `json:"b"`
	Kind       link.Kind `json:"link"`
	Confidence float64   `json:"p,omitempty"` // in (0, 1]; 0 means 1
}

// DefaultHold is the default limit of links that wait for rows not yet seen.
const DefaultHold = 10_000

// waiting keeps links until their rows come. When there are too many the oldest goes.
type waiting struct {
	most  int
	queue list.List // of *held, the oldest first
	waits map[string][]*held
}

type held struct {
	link NamedLink
	row  string // whose coming it waits for
	at   *list.Element
}

// newWaiting holds at most most links (0: DefaultHold), or for those known before where there are
// more.
func newWaiting(most, before int) *waiting {
	if most <= 0 {
		most = DefaultHold
	}
	return &waiting{most: max(most, before), waits: make(map[string][]*held)}
}

// add makes a link wait for a row. dropped is the one that had to go for it.
func (h *waiting) add(s NamedLink, row string) (dropped *held) {
	if h.queue.Len() >= h.most {
		dropped = h.drop()
	}
	w := &held{link: s, row: row}
	w.at = h.queue.PushBack(w)
	h.waits[row] = append(h.waits[row], w)
	return dropped
}

// drop lets go of the oldest, which is also the oldest of its row.
func (h *waiting) drop() *held {
	w := h.queue.Remove(h.queue.Front()).(*held)
	others := h.waits[w.row]
	others[0] = nil
	if h.waits[w.row] = others[1:]; len(others) == 1 {
		delete(h.waits, w.row)
	}
	return w
}

// any reports whether links wait at all.
func (h *waiting) any() bool { return len(h.waits) > 0 }

// waited reports whether links wait for a row.
func (h *waiting) waited(id []byte) bool {
	_, ok := h.waits[string(id)]
	return ok
}

// take returns the links that wait for a row, in the order in which they were stated; they wait no
// more.
func (h *waiting) take(row string) []NamedLink {
	var out []NamedLink
	for _, w := range h.waits[row] {
		h.queue.Remove(w.at)
		out = append(out, w.link)
	}
	delete(h.waits, row)
	return out
}

// heldState is a link that waits, in a state file.
type heldState struct {
	NamedLink
	Row string `json:"for"`
}

func (h *waiting) state() []heldState {
	var out []heldState
	for e := h.queue.Front(); e != nil; e = e.Next() {
		w := e.Value.(*held)
		out = append(out, heldState{NamedLink: w.link, Row: w.row})
	}
	return out
}
