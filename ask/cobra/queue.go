package cobra

import (
	"slices"

	"github.com/kindred-go/kindred/link"
)

// lookahead is how many open pairs a queue looks at for each of its questions.
const lookahead = 4

// Queue returns up to most questions as things stand, all about different pairs and the one of
// [Run.Next] first. They come in the order in which they would be asked if answers changed nothing,
// but for those about two clusters that an earlier one is about already: its answer is likely to
// settle them, so that they come last, and few are looked for. It changes nothing that can be seen.
func (r *Run) Queue(most int) []link.Question {
	if _, ok := r.seek(); !ok || most < 1 {
		return nil
	}
	_, idle, _ := r.unasked()
	clusters := r.state.open - idle // pairs of clusters that questions can be about
	most = min(most, r.si.Len()*r.si.Len())
	w := r.walk
	w.front = slices.DeleteFunc(w.front, func(p pair) bool { return !r.open(p) })
	var first, later []pair
	asked := make(map[[2]int32]bool)
	for i := range lookahead * most {
		if len(first) == most || len(asked) == clusters && !w.whole() {
			break
		}
		if i == len(w.front) && !r.extend() {
			break
		}
		p := w.front[i]
		if key := r.state.key(r.state.of[p.a], r.state.of[p.b]); asked[key] {
			later = append(later, p)
		} else {
			asked[key] = true
			first = append(first, p)
		}
	}
	first = append(first, later...)
	questions := make([]link.Question, min(most, len(first)))
	for i := range questions {
		questions[i] = r.question(first[i], len(r.answers)+1+i)
	}
	return questions
}

// extend puts the next open pair of the walk in front of it; ok is false at the end.
func (r *Run) extend() (ok bool) {
	for {
		p, ok := r.walk.ahead()
		if !ok {
			return false
		}
		if r.open(p) {
			r.walk.front = append(r.walk.front, p)
			return true
		}
	}
}
