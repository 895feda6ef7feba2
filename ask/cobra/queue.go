package cobra

import (
	"slices"

	"github.com/kindred-go/kindred/ask"
)

// lookahead is how many open pairs a queue looks at for each of its questions.
const lookahead = 4

// queue returns up to most questions as things stand, all about different pairs and the one to ask
// now first. They come in the order in which they would be asked if answers changed nothing, but
// for those about two clusters that an earlier one is about already: its answer is likely to settle
// them, so that they come last, and few are looked for. It changes nothing that can be seen.
func (c *chooser) queue(known *ask.Ledger, most int) []ask.Prompt {
	_, idle, _ := c.unasked()
	clusters := c.state.open - idle // pairs of clusters that questions can be about
	most = min(most, c.si.Len()*c.si.Len())
	w := c.walk
	w.front = slices.DeleteFunc(w.front, func(p pair) bool { return !c.open(known, p) })
	var first, later []pair
	asked := make(map[[2]int32]bool)
	for i := range lookahead * most {
		if len(first) == most || len(asked) == clusters && !w.Whole() {
			break
		}
		if i == len(w.front) && !c.extend(known) {
			break
		}
		p := w.front[i]
		if key := c.state.key(c.state.of[p.A], c.state.of[p.B]); asked[key] {
			later = append(later, p)
		} else {
			asked[key] = true
			first = append(first, p)
		}
	}
	first = append(first, later...)
	questions := make([]ask.Prompt, min(most, len(first)))
	for i := range questions {
		questions[i] = c.prompt(first[i])
	}
	return questions
}

// extend puts the next open pair of the walk in front of it; ok is false at the end.
func (c *chooser) extend(known *ask.Ledger) (ok bool) {
	for {
		p, ok := c.walk.ahead()
		if !ok {
			return false
		}
		if c.open(known, p) {
			c.walk.front = append(c.walk.front, p)
			return true
		}
	}
}
