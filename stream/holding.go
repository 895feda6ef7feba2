package stream

import (
	"container/list"

	"github.com/kindred-go/kindred/link"
)

// Said is a link by the ids of its rows. Unknown takes the link between the two back.
type Said struct {
	A          string    `json:"a"`
	B          string    `json:"b"`
	Kind       link.Kind `json:"link"`
	Confidence float64   `json:"p,omitempty"` // in (0, 1]; 0 means 1
}

// DefaultHold is how many links wait for rows not yet seen, at most, when nothing else is said.
const DefaultHold = 10_000

// holding keeps links until their rows come. When there are too many the oldest goes.
type holding struct {
	most  int
	queue list.List // of *held, the oldest first
	waits map[string][]*held
}

type held struct {
	said Said
	row  string // whose coming it waits for
	at   *list.Element
}

// newHolding has room for most links (0: DefaultHold), or for those known before where there are
// more.
func newHolding(most, before int) *holding {
	if most <= 0 {
		most = DefaultHold
	}
	return &holding{most: max(most, before), waits: make(map[string][]*held)}
}

// add makes a link wait for a row. dropped is the one that had to go for it.
func (h *holding) add(s Said, row string) (dropped *held) {
	if h.queue.Len() >= h.most {
		dropped = h.drop()
	}
	w := &held{said: s, row: row}
	w.at = h.queue.PushBack(w)
	h.waits[row] = append(h.waits[row], w)
	return dropped
}

// drop lets go of the oldest, which is also the oldest of its row.
func (h *holding) drop() *held {
	w := h.queue.Remove(h.queue.Front()).(*held)
	others := h.waits[w.row]
	others[0] = nil
	if h.waits[w.row] = others[1:]; len(others) == 1 {
		delete(h.waits, w.row)
	}
	return w
}

// any reports whether links wait at all.
func (h *holding) any() bool { return len(h.waits) > 0 }

// waited reports whether links wait for a row.
func (h *holding) waited(id []byte) bool {
	_, ok := h.waits[string(id)]
	return ok
}

// take returns the links that wait for a row, in the order in which they were said; they wait no
// more.
func (h *holding) take(row string) []Said {
	var out []Said
	for _, w := range h.waits[row] {
		h.queue.Remove(w.at)
		out = append(out, w.said)
	}
	delete(h.waits, row)
	return out
}

// heldState is a link that waits, in a state file.
type heldState struct {
	Said
	Row string `json:"for"`
}

func (h *holding) state() []heldState {
	var out []heldState
	for e := h.queue.Front(); e != nil; e = e.Next() {
		w := e.Value.(*held)
		out = append(out, heldState{Said: w.said, Row: w.row})
	}
	return out
}
