package store

import (
	"fmt"

	"github.com/kindred-go/kindred/internal/words"
)

// Tally counts answers as a person gives them: the links of one step, such as the moving of a
// thousand objects, are one answer. The zero value counts none.
type Tally struct {
	Answers int
	Links   int // that these state; more than Answers where a step has several

	steps map[int64]int // links of the steps of several, by their first event
}

// Tally counts the answers in effect.
func (h *History) Tally() (t Tally) {
	for _, r := range h.counted {
		t.Add(r.Event)
	}
	return t
}

// Add counts an event that is an answer.
func (t *Tally) Add(e Event) {
	if t.Links++; e.Batch > 0 {
		if t.steps == nil {
			t.steps = make(map[int64]int)
		}
		if t.steps[e.Batch]++; t.steps[e.Batch] > 1 {
			return
		}
	}
	t.Answers++
}

// Remove takes out an event that was counted.
func (t *Tally) Remove(e Event) {
	if t.Links--; e.Batch > 0 {
		if t.steps[e.Batch]--; t.steps[e.Batch] > 0 {
			return
		}
		delete(t.steps, e.Batch)
	}
	t.Answers--
}

// Plus returns the count of both, which are of different people.
func (t Tally) Plus(other Tally) Tally {
	return Tally{Answers: t.Answers + other.Answers, Links: t.Links + other.Links}
}

// String writes the count, as in: 2 answers (1015 links).
func (t Tally) String() string {
	said := words.Count(t.Answers, "answer")
	if t.Links > t.Answers {
		said += fmt.Sprintf(" (%s)", words.Count(t.Links, "link"))
	}
	return said
}
