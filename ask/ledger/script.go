package ledger

import (
	"context"
	"errors"

	"github.com/kindred-go/kindred/link"
)

// ErrWaiting is what [Ask] gives at the first pair that is not answered. A script returns it,
// wrapped or not.
var ErrWaiting = errors.New("ledger: the next question waits for its answer")

// Ask asks about a pair: it returns at once what is known, and [ErrWaiting] where that is nothing.
// Rows that are left out are not asked about: the answer is Unknown, unless more is known. A row
// and itself are the same.
type Ask func(q link.Question) (link.Kind, error)

// Script is a program that asks, and whose questions follow from the data and the answers alone. It
// is played from its beginning after every answer, so what costs time in it, and depends on the
// data alone, is best kept by its owner. It ends with nil when it has nothing left to ask, and
// passes on the errors of ask and of ctx.
type Script func(ctx context.Context, ask Ask) error

// Knowledge is what is known of pairs of rows. A [Ledger] is.
type Knowledge interface {
	N() int             // rows
	Given() []link.Link // links known before
	Set() *link.Set     // what links and answers entail
	// what was said about this very pair, unknown included
	Answered(a, b int) (kind link.Kind, ok bool)
	Facts() []link.Link // given links, then answers
	Out(row int) bool   // a row that is not to be asked about
}

// Config reports how a script is played.
type Config struct {
	// Script asks.
	Script Script
	// Ahead is played instead to see which questions are likely to follow the next one, as a Script
	// that keeps what it comes to must keep nothing then; nil: Script.
	Ahead Script
	// Entailed returns a script not only what was said about a pair, but also what links and
	// answers entail.
	Entailed bool
	// Guess says which answer is likelier, to see which questions follow it; nil: unknown.
	Guess func(a, b int) link.Kind
}

// Questions plays the script up to its next question; beyond that one come those that the script
// would ask next if every question were answered as Guess has it. None is its end; the error is one
// that it ended with.
func (c Config) Questions(ctx context.Context, k Knowledge, most int) ([]link.Question, error) {
	if most > 1 {
		return c.ahead(ctx, k, most)
	}
	var next []link.Question
	err := c.Script(ctx, func(q link.Question) (link.Kind, error) {
		if kind, ok := c.known(k, q); ok {
			return kind, nil
		}
		next = []link.Question{q}
		return link.Unknown, ErrWaiting
	})
	if errors.Is(err, ErrWaiting) {
		err = nil
	}
	return next, err
}

// known returns what a script is told at once.
func (c Config) known(k Knowledge, q link.Question) (kind link.Kind, ok bool) {
	if q.A == q.B {
		return link.MustLink, true
	}
	if c.Entailed {
		kind, ok = Known(k, q.A, q.B)
	} else {
		kind, ok = k.Answered(q.A, q.B)
	}
	return kind, ok || k.Out(q.A) || k.Out(q.B)
}

// Known returns what was said about a pair, or else what links and answers entail. A pair of
// unknown relation is known where that was said of it.
func Known(k Knowledge, a, b int) (kind link.Kind, ok bool) {
	kind, ok = k.Answered(a, b)
	if kind != link.Unknown {
		return kind, true
	}
	entailed := k.Set().Relation(a, b)
	return entailed, ok || entailed != link.Unknown
}

func (c Config) ahead(ctx context.Context, k Knowledge, most int) (questions []link.Question,
	err error) {
	script := c.Ahead
	if script == nil {
		script = c.Script
	}
	supposed := &fork{Knowledge: k, said: make(map[[2]int]link.Kind)}
	err = script(ctx, func(q link.Question) (link.Kind, error) {
		if kind, ok := c.known(supposed, q); ok {
			return kind, nil
		}
		questions = append(questions, q)
		if len(questions) >= most {
			return link.Unknown, ErrWaiting
		}
		kind := link.Unknown
		if c.Guess != nil {
			kind = c.Guess(q.A, q.B)
		}
		supposed.suppose(link.Link{A: q.A, B: q.B, Kind: kind})
		return kind, nil
	})
	if errors.Is(err, ErrWaiting) {
		err = nil
	}
	return questions, err
}

// fork is what would be known if questions had been answered.
type fork struct {
	Knowledge
	said map[[2]int]link.Kind
	set  *link.Set // nil: that of the knowledge
}

func (f *fork) Answered(a, b int) (link.Kind, bool) {
	if kind, ok := f.said[[2]int{min(a, b), max(a, b)}]; ok {
		return kind, true
	}
	return f.Knowledge.Answered(a, b)
}

func (f *fork) Set() *link.Set {
	if f.set != nil {
		return f.set
	}
	return f.Knowledge.Set()
}

// suppose takes an answer that was not given. One that contradicts stays out of the closure.
func (f *fork) suppose(l link.Link) {
	if f.set == nil {
		f.set, _, _ = link.Build(f.N(), f.Facts(), link.Keep)
	}
	_ = f.set.Add(l)
	f.said[l.Pair()] = l.Kind
}
