package session

// Named is the name of a group, as one of its objects carries it.
type Named struct {
	Seq  int64
	A    string // id of the object
	Text string
	Who  string
}

// History is what a sequence of events amounts to.
type History struct{ events []Event }

// NewHistory folds events.
func NewHistory(events []Event) *History {
	h := &History{}
	for _, e := range events {
		h.Add(e)
	}
	return h
}

// Add takes in the next event.
func (h *History) Add(e Event) { h.events = append(h.events, e) }

// All gives all events, those taken back included.
func (h *History) All() []Event { return h.events }

// Event finds an event by its number.
func (h *History) Event(seq int64) (Event, bool) { return Event{}, false }

// Last is the number of the last event, 0 when there is none.
func (h *History) Last() int64 { return 0 }

// Answers gives the answers in effect, in order; an edit has the place of what it replaced.
func (h *History) Answers() []Answer { return nil }

// Taken gives the answers that redo would bring back for a person, the next one last.
func (h *History) Taken(who string) []Answer { return nil }

// Bad gives the ids of the objects left out as bad data.
func (h *History) Bad() []string { return nil }

// Names gives the names of groups.
func (h *History) Names() []Named { return nil }

// Skipped gives the pairs that a person put off and has not answered since, the longest waiting first.
func (h *History) Skipped(who string) [][2]string { return nil }

// InEffect tells whether an event counts: it is not taken back, dropped or replaced.
func (h *History) InEffect(seq int64) bool { return false }

// UndoTarget gives the last step of a person that is in effect.
func (h *History) UndoTarget(who string) (seq int64, ok bool) { return 0, false }

// RedoTarget gives the step that a person took back last.
func (h *History) RedoTarget(who string) (seq int64, ok bool) { return 0, false }
