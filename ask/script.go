package ask

import (
	"context"
	"errors"

	"github.com/kindred-go/kindred/link"
)

// ErrWaiting is what an [Answerer] returns at the first pair that is not answered. A script returns
// it, wrapped or not.
var ErrWaiting = errors.New("ask: the next question waits for its answer")

// Answerer answers the questions of a script: it returns at once what is known, and [ErrWaiting]
// where that is nothing. Rows that are left out are not asked about: the answer is Unknown, unless
// more is known. A row and itself are the same.
type Answerer func(q link.Question) (link.Kind, error)

// Script is a program that asks, and whose questions follow from the data and the answers alone. It
// is played from its beginning after every answer, so what costs time in it, and depends on the
// data alone, is best kept by its owner. It ends with nil when it has nothing left to ask, and
// passes on the errors of ask and of ctx.
type Script func(ctx context.Context, ask Answerer) error

// Scripted chooses questions by playing a script, up to the first pair that nobody has answered: no
// goroutine waits in between, and nothing but the answers is kept.
type Scripted struct {
	// Script asks.
	Script Script
	// Ahead is played instead to see which questions are likely to follow the next one, as a Script
	// that keeps what it comes to must keep nothing then; nil: Script.
	Ahead Script
	// Entailed answers a script not only by the links and answers about a pair, but also by what
	// they entail.
	Entailed bool
	// Guess returns how plausible it is that two rows are the same, to see which questions follow
	// the likelier answer; nil: the answer is unknown.
	Guess func(a, b int) (same float64, words string)
}

// Questions plays the script up to its next question; beyond that one come those that the script
// would ask next if every question were answered as Guess has it. None is its end; the error is one
// that it ended with.
func (s Scripted) Questions(ctx context.Context, known *Ledger, most int) ([]Prompt, error) {
	script := s.Script
	supposed := supposition{Ledger: known}
	if most > 1 {
		supposed.answers = make(map[[2]int]link.Kind)
		if s.Ahead != nil {
			script = s.Ahead
		}
	}
	var questions []Prompt
	err := script(ctx, func(q link.Question) (link.Kind, error) {
		if kind, ok := s.known(&supposed, q); ok {
			return kind, nil
		}
		questions = append(questions, Prompt{Question: q})
		if len(questions) >= most {
			return link.Unknown, ErrWaiting
		}
		answer := link.Link{A: q.A, B: q.B, Kind: s.likely(known, q)}
		supposed.tell(answer)
		return answer.Kind, nil
	})
	if errors.Is(err, ErrWaiting) {
		err = nil
	}
	return questions, err
}

// known returns the answer to a script where it is known.
func (s Scripted) known(l *supposition, q link.Question) (kind link.Kind, ok bool) {
	if q.A == q.B {
		return link.MustLink, true
	}
	kind, ok = l.answered(q.A, q.B)
	if s.Entailed && kind == link.Unknown {
		kind = l.closure().Relation(q.A, q.B)
		ok = ok || kind != link.Unknown
	}
	return kind, ok || l.Out(q.A) || l.Out(q.B)
}

// supposition is what is known and answers that are supposed beside it.
type supposition struct {
	*Ledger
	answers map[[2]int]link.Kind
	said    []link.Link // the answers, in order
	set     *link.Set   // closure of all but contradictions; nil: not worked out, or as the ledger's
}

// tell supposes an answer about a pair without one.
func (s *supposition) tell(answer link.Link) {
	s.answers[answer.Pair()] = answer.Kind
	s.said = append(s.said, answer)
	if s.set != nil {
		_ = s.set.Add(answer) // a contradiction is left out
	}
}

func (s *supposition) answered(a, b int) (kind link.Kind, ok bool) {
	if kind, ok = s.answers[[2]int{min(a, b), max(a, b)}]; ok {
		return kind, true
	}
	return s.Answered(a, b)
}

// closure returns what all of it entails. Copying a closure is left until it is needed.
func (s *supposition) closure() *link.Set {
	if len(s.said) > 0 && s.set == nil {
		s.set = s.Set().Clone()
		for _, answer := range s.said {
			_ = s.set.Add(answer)
		}
	}
	if s.set != nil {
		return s.set
	}
	return s.Set()
}

// likely returns the answer to suppose.
func (s Scripted) likely(known *Ledger, q link.Question) link.Kind {
	if s.Guess == nil {
		return link.Unknown
	}
	same, _, entailed := known.Entailed(q.A, q.B)
	if !entailed {
		same, _ = s.Guess(q.A, q.B)
	}
	switch {
	case same > 0.5:
		return link.MustLink
	case same < 0.5:
		return link.CannotLink
	}
	return link.Unknown
}
