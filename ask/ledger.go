package ask

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/internal/shared"
	"github.com/kindred-go/kindred/link"
)

// Ledger is what is known of pairs of n rows: links given before, answers in the order they were
// given, and what both entail. It is not safe for concurrent use.
type Ledger struct {
	n       int
	policy  link.Policy
	given   []link.Link
	answers []link.Link
	taken   []link.Link // answers taken back, for Redo; the last one taken back is last

	set      *link.Set            // closure of the links that do not contradict
	told     map[[2]int]link.Kind // given links by pair; of several the last but for Unknown
	at       map[[2]int]int       // place of the answer about each pair
	excluded []int                // rows left out as bad data, rising
	out      []bool               // the same by row; nil: none
	silent   []bool               // rows not asked about though they are not left out; nil: none
	restored int                  // the first answers, as many as a Restore brought
	revision int                  // counts changes
	cuts     []cut                // what became of earlier answers, the shortest first
}

// cut is a revision that left only so many of the first answers as they were.
type cut struct{ revision, kept int }

// NewLedger starts a ledger of n rows. Given links that contradict each other are a
// [*link.Contradiction], unless the policy keeps them; one that is no link among n rows is a
// [*fault.Input].
func NewLedger(n int, given []link.Link, policy link.Policy) (*Ledger, error) {
	l := &Ledger{n: n, policy: policy, given: slices.Clone(given),
		told: make(map[[2]int]link.Kind, len(given))}
	for _, fact := range given {
		if _, again := l.told[fact.Pair()]; !again || fact.Kind != link.Unknown {
			l.told[fact.Pair()] = fact.Kind
		}
	}
	return l, l.adopt(nil)
}

// N returns the number of rows.
func (l *Ledger) N() int { return l.n }

// Keeps reports whether links and answers that contradict each other are kept.
func (l *Ledger) Keeps() bool { return l.policy == link.Keep }

// Given lists the links that were there before. The caller must not change it.
func (l *Ledger) Given() []link.Link { return slices.Clip(l.given) }

// Answers returns the effective answers in the order they were given.
func (l *Ledger) Answers() []link.Link { return slices.Clone(l.answers) }

// Facts returns the given links and then the answers.
func (l *Ledger) Facts() []link.Link { return slices.Concat(l.given, l.answers) }

// Set returns what links and answers entail. Where contradictions are kept, a link that contradicts
// earlier ones is left out. The caller must not change it; it changes with the ledger.
func (l *Ledger) Set() *link.Set { return l.set }

// Entailed returns what is certain of two rows, for a guess in words: 1 or 0 where the set
// implies same or different, ½ of rows that are not there. Else ok is false.
func (l *Ledger) Entailed(a, b int) (same float64, words string, ok bool) {
	if min(a, b) < 0 || max(a, b) >= l.n {
		return 0.5, "nothing is known of rows that are not there", true
	}
	switch l.Set().Relation(a, b) {
	case link.MustLink:
		return 1, "the same, as the answers so far entail", true
	case link.CannotLink:
		return 0, "different, as the answers so far entail", true
	}
	return 0, "", false
}

// Answered returns the given link or the answer about this very pair. Of several the last one
// counts, and Unknown only where there is no other.
func (l *Ledger) Answered(a, b int) (kind link.Kind, ok bool) {
	pair := [2]int{min(a, b), max(a, b)}
	kind, ok = l.told[pair]
	if at, said := l.at[pair]; said && (!ok || l.answers[at].Kind != link.Unknown) {
		return l.answers[at].Kind, true
	}
	return kind, ok
}

// Answer returns the answer about this very pair.
func (l *Ledger) Answer(a, b int) (answer link.Link, ok bool) {
	at := l.find(a, b)
	if at < 0 {
		return link.Link{}, false
	}
	return l.answers[at], true
}

// Known returns the given link or the answer about a pair, or else what links and answers entail. A
// pair of unknown relation is known where that was the answer.
func (l *Ledger) Known(a, b int) (kind link.Kind, ok bool) {
	kind, ok = l.Answered(a, b)
	if kind != link.Unknown {
		return kind, true
	}
	entailed := l.set.Relation(a, b)
	return entailed, ok || entailed != link.Unknown
}

// Tell takes an answer about any pair of rows as if it had been asked now, its plausibility and
// source with it; what was taken back is forgotten. An answer about a pair that was answered
// already replaces that answer, in its place. A contradiction with what is known is a
// [*link.Contradiction], unless contradictions are kept, and a link that is none a [*fault.Input];
// nothing changes then.
func (l *Ledger) Tell(answer link.Link) error {
	if at := l.find(answer.A, answer.B); at >= 0 {
		again := slices.Clone(l.answers)
		again[at] = answer
		return l.adopt(again)
	}
	if err := l.learn(answer); err != nil {
		return err
	}
	l.taken = nil
	return nil
}

// learn takes one more answer, about a pair without one.
func (l *Ledger) learn(answer link.Link) error {
	var clash *link.Contradiction
	if err := l.set.Add(answer); err != nil &&
		!(l.policy == link.Keep && errors.As(err, &clash)) {
		return err
	}
	l.at[answer.Pair()] = len(l.answers)
	l.answers = shared.Append(l.answers, answer)
	l.revision++
	return nil
}

// Undo takes the last answer back and returns it; ok is false when there is none.
func (l *Ledger) Undo() (answer link.Link, ok bool) {
	if len(l.answers) == 0 {
		return link.Link{}, false
	}
	last := l.answers[len(l.answers)-1]
	l.answers = l.answers[:len(l.answers)-1]
	l.taken, l.restored = append(l.taken, last), 0
	delete(l.at, last.Pair())
	// an answer that contradicts earlier ones is not in the closure
	if in := l.set.Given(); len(in) > 0 && in[len(in)-1] == last {
		l.set.Undo()
	}
	l.change(len(l.answers))
	return last, true
}

// Redo returns the answer that was taken back last once more; a new answer forgets what was taken
// back. ok is false when there is none, or when it contradicts what is known by now, or the pair
// was answered since; it is forgotten then.
func (l *Ledger) Redo() (answer link.Link, ok bool) {
	if len(l.taken) == 0 {
		return link.Link{}, false
	}
	last := l.taken[len(l.taken)-1]
	l.taken = l.taken[:len(l.taken)-1]
	if l.find(last.A, last.B) >= 0 || l.learn(last) != nil {
		return link.Link{}, false
	}
	return last, true
}

// Edit changes the earlier answer about rows a and b. The other answers stay. A change that
// contradicts them is a [*link.Contradiction] and leaves the ledger as it was, unless
// contradictions are kept. What was taken back is forgotten.
func (l *Ledger) Edit(a, b int, kind link.Kind) error {
	at := l.find(a, b)
	if at < 0 || kind > link.CannotLink {
		return fmt.Errorf("ask: there is no answer about rows %d and %d to change", a, b)
	}
	edited := slices.Clone(l.answers)
	edited[at].Kind = kind
	return l.adopt(edited)
}

// Restore returns the answers of an earlier session, in order, and those that were taken back then,
// the one to redo first being last, in place of what the ledger had. A pair answered twice keeps
// its last answer. It fails as [Ledger.Tell] does, and nothing changes then.
func (l *Ledger) Restore(answers, taken []link.Link) error {
	for _, t := range taken {
		if min(t.A, t.B) < 0 || max(t.A, t.B) >= l.n {
			return fmt.Errorf("ask: an answer about rows %d and %d does not fit %d rows", t.A,
				t.B, l.n)
		}
	}
	if err := l.adopt(link.Latest(answers)); err != nil {
		return err
	}
	l.taken, l.restored = slices.Clone(taken), len(l.answers)
	return nil
}

// Exclude leaves rows out as bad data, in place of those of earlier calls. They are not asked
// about; links and answers about them still count. Rows that are not there mean nothing.
func (l *Ledger) Exclude(rows []int) {
	l.excluded, l.out = nil, nil
	for _, row := range rows {
		if row >= 0 && row < l.n {
			l.excluded = append(l.excluded, row)
		}
	}
	if l.excluded != nil {
		slices.Sort(l.excluded)
		l.excluded = slices.Clip(slices.Compact(l.excluded))
		l.out = make([]bool, l.n)
		for _, row := range l.excluded {
			l.out[row] = true
		}
	}
	l.revision++
}

// Excluded returns the rows that are left out, rising.
func (l *Ledger) Excluded() []int { return slices.Clone(l.excluded) }

// Out reports whether a row is left out.
func (l *Ledger) Out(row int) bool { return l.out != nil && l.out[row] }

// AskOnly leaves the rows that are not marked, one entry a row, out of the questions, in place of
// those of earlier calls; nil: none. Unlike those of [Ledger.Exclude] they are clustered like all
// others.
func (l *Ledger) AskOnly(rows []bool) error {
	if rows != nil && len(rows) != l.n {
		return fmt.Errorf("ask: %d marks of rows to ask about for %d rows", len(rows), l.n)
	}
	l.silent = nil
	if slices.Contains(rows, false) {
		l.silent = make([]bool, l.n)
		for row, may := range rows {
			l.silent[row] = !may
		}
	}
	l.revision++
	return nil
}

// Askable reports whether a row may be asked about: it is not left out, nor by [Ledger.AskOnly].
func (l *Ledger) Askable(row int) bool {
	return !l.Out(row) && (l.silent == nil || !l.silent[row])
}

// Mark is a moment in the history of a ledger, after so many answers. The zero value is the moment
// before the first.
type Mark struct {
	Answers  int
	revision int
}

// Mark returns the moment that is now. One with fewer Answers is of the first of them.
func (l *Ledger) Mark() Mark { return Mark{len(l.answers), l.revision} }

// Since returns how many of the first answers of an earlier moment are still as they were, and the
// answers after those. The caller must not change them.
func (l *Ledger) Since(m Mark) (kept int, fresh []link.Link) {
	kept = m.Answers
	at, _ := slices.BinarySearchFunc(l.cuts, m.revision+1,
		func(c cut, revision int) int { return cmp.Compare(c.revision, revision) })
	if at < len(l.cuts) {
		kept = min(kept, l.cuts[at].kept)
	}
	return kept, slices.Clip(l.answers[kept:])
}

// Restored returns how many of the first answers the last [Ledger.Restore] brought, if nothing but
// further answers came after it; else 0.
func (l *Ledger) Restored() int { return l.restored }

// change counts a change that left so many of the first answers as they were.
func (l *Ledger) change(kept int) {
	l.revision++
	for len(l.cuts) > 0 && l.cuts[len(l.cuts)-1].kept >= kept {
		l.cuts = l.cuts[:len(l.cuts)-1]
	}
	l.cuts = append(l.cuts, cut{l.revision, kept})
}

// find returns the place of the answer about a pair, or −1.
func (l *Ledger) find(a, b int) int {
	if at, said := l.at[[2]int{min(a, b), max(a, b)}]; said {
		return at
	}
	return -1
}

// adopt makes answers the answers of the ledger.
func (l *Ledger) adopt(answers []link.Link) error {
	set, _, err := link.Build(l.n, slices.Concat(l.given, answers), l.policy)
	if err != nil {
		return err
	}
	kept := 0
	for kept < min(len(answers), len(l.answers)) && answers[kept] == l.answers[kept] {
		kept++
	}
	l.answers, l.taken, l.restored = slices.Clip(answers), nil, 0
	l.set, l.at = set, make(map[[2]int]int, len(answers))
	for i, answer := range answers {
		l.at[answer.Pair()] = i
	}
	l.change(kept)
	return nil
}
