package cobra

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// ErrNothingAsked is returned by [Run.Answer] when no question is left.
var ErrNothingAsked = errors.New("cobra: there is no question to answer")

// Run is one session of questions. It is not safe for concurrent use.
type Run struct {
	si      *SuperInstances
	data    dataset.Matrix
	allowed []bool // Config.Askable
	policy  link.Policy
	given   []link.Link
	answers []link.Link // in the order they were given
	taken   []link.Link // answers taken back, for Redo; the last one taken back is last

	known    *link.Set     // closure of the links and answers between rows; nil until it is needed
	answered map[rows]bool // pairs not to be asked about again
	doubted  map[rows]bool // pairs whose "unknown" is counted in state
	state    *clusters
	carried  int // links in state that are not between representatives
	walk     *walk
	unmet    []link.Link // links that cannot hold between super-instances

	excluded []bool // rows left out as bad data; nil: none
	stands   []int  // row that stands for each super-instance now; −1: none is left
	idle     int    // super-instances that no row stands for
}

// rows is a pair of rows, the lower one first.
type rows [2]int

func pairOf(l link.Link) rows { return l.Pair() }

// New builds the super-instances of the data and starts a run on them.
// Given links that contradict each other are a [*link.Contradiction], unless cfg keeps them.
func New(ctx context.Context, data dataset.Matrix, cfg Config) (*Run, error) {
	si, err := Build(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	return Start(si, data, cfg)
}

// Start starts a run on super-instances that [Build] made from the same data and configuration.
func Start(si *SuperInstances, data dataset.Matrix, cfg Config) (*Run, error) {
	if len(si.Of) != data.Rows {
		return nil, fmt.Errorf("cobra: super-instances of %d rows for data of %d", len(si.Of),
			data.Rows)
	}
	known, _, err := link.Build(data.Rows, cfg.Given, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	r := &Run{
		si:       si,
		data:     data,
		allowed:  cfg.Askable,
		known:    known,
		stands:   si.Medoids,
		policy:   cfg.Contradictions,
		given:    slices.Clone(cfg.Given),
		answered: make(map[rows]bool),
		doubted:  make(map[rows]bool),
	}
	r.walk = newWalk(widen(data.Subset(si.Medoids)), walkWindow, r.askable)
	r.replay()
	return r, nil
}

// SuperInstances returns the over-clustering the run asks about.
func (r *Run) SuperInstances() *SuperInstances { return r.si }

// Answers returns the effective answers in the order they were given.
func (r *Run) Answers() []link.Link { return slices.Clone(r.answers) }

// Next returns the question to ask now: the closest two medoids whose relation is not yet known.
// It returns the same question until it is answered; ok is false when nothing is left to ask.
func (r *Run) Next() (q link.Question, ok bool) {
	p, ok := r.seek()
	if !ok {
		return link.Question{}, false
	}
	return r.question(p, len(r.answers)+1), true
}

func (r *Run) question(p pair, number int) link.Question {
	why := "these two stand for the nearest groups that no answer compares yet"
	if r.state.doubts(p.a, p.b) > 0 {
		why = "the next closest pair of two groups that you were not sure about"
	}
	return link.Question{A: r.stands[p.a], B: r.stands[p.b], Number: number, Why: why}
}

// seek moves the walk to the pair to ask next. Pairs it passes never become askable again, as
// answers only add to what is known.
func (r *Run) seek() (pair, bool) {
	for r.state.open > 0 {
		p, ok := r.walk.peek()
		if !ok {
			break
		}
		if r.open(p) {
			return p, true
		}
		r.walk.step()
	}
	return pair{}, false
}

// open reports whether a pair may be asked about.
func (r *Run) open(p pair) bool {
	a, b := r.stands[p.a], r.stands[p.b]
	return r.askable(p.a, p.b) && !r.answered[rows{min(a, b), max(a, b)}]
}

// askable reports whether two super-instances may be asked about, if they were not. What may not be
// is so until answers change or rows are left out.
func (r *Run) askable(a, b int32) bool {
	return r.state.askable(a, b) && r.stands[a] >= 0 && r.stands[b] >= 0
}

// Answer takes the answer to the question that Next gives. [link.Unknown] puts the pair aside: it
// is not asked again, and at most two further pairs of the same two clusters are. Links that
// super-instances cannot honour may entail the opposite: that is a [*link.Contradiction], and
// changes nothing.
func (r *Run) Answer(kind link.Kind) error {
	if kind > link.CannotLink {
		return fmt.Errorf("cobra: %d is no kind of link", kind)
	}
	q, ok := r.Next()
	if !ok {
		return ErrNothingAsked
	}
	return r.Tell(link.Link{A: q.A, B: q.B, Kind: kind})
}

// record takes one more answer, which is in the closure, into the state.
func (r *Run) record(l link.Link) {
	r.answers = append(r.answers, l)
	r.answered[pairOf(l)] = true
	broken := len(r.unmet)
	r.apply(l)
	switch {
	case !r.certain(l):
		r.carried++
	case len(r.unmet) > broken && r.carried > 0:
		r.replay() // it comes before links that are carried over
	}
}

// Undo takes the last answer back and returns it; ok is false when there is none.
func (r *Run) Undo() (answer link.Link, ok bool) {
	if len(r.answers) == 0 {
		return link.Link{}, false
	}
	last := r.answers[len(r.answers)-1]
	r.answers = r.answers[:len(r.answers)-1]
	r.taken, r.known = append(r.taken, last), nil
	r.replay()
	return last, true
}

// Redo returns the answer that was taken back last once more. A new answer forgets what was taken
// back. ok is false when there is none, or when it contradicts what is known by now; it is
// forgotten then.
func (r *Run) Redo() (answer link.Link, ok bool) {
	if len(r.taken) == 0 {
		return link.Link{}, false
	}
	last := r.taken[len(r.taken)-1]
	r.taken = r.taken[:len(r.taken)-1]
	if r.learn(last) != nil {
		return link.Link{}, false
	}
	r.record(last)
	return last, true
}

// Edit changes the earlier answer about rows a and b. The other answers stay: those that would no
// longer be asked for count as given links. A change that contradicts them is a
// [*link.Contradiction] and leaves the run as it was, unless contradictions are kept.
func (r *Run) Edit(a, b int, kind link.Kind) error {
	at := slices.IndexFunc(r.answers,
		func(l link.Link) bool { return pairOf(l) == pairOf(link.Link{A: a, B: b}) })
	if at < 0 || kind > link.CannotLink {
		return fmt.Errorf("cobra: there is no answer about rows %d and %d to change", a, b)
	}
	edited := slices.Clone(r.answers)
	edited[at].Kind = kind
	return r.adopt(edited)
}

// Restore returns a run the answers of an earlier session, in order, and those that were taken back
// then, the one to redo first being last. Answers are facts about pairs: one that this run would
// not ask for counts as a given link, and a pair answered twice keeps its last answer. It replaces
// what the run had, and fails as [Run.Edit] does.
func (r *Run) Restore(answers, taken []link.Link) error {
	for _, l := range slices.Concat(answers, taken) {
		if min(l.A, l.B) < 0 || max(l.A, l.B) >= len(r.si.Of) {
			return fmt.Errorf("cobra: an answer about rows %d and %d does not fit %d rows", l.A,
				l.B, len(r.si.Of))
		}
	}
	if err := r.adopt(link.Latest(answers)); err != nil {
		return err
	}
	r.taken = slices.Clone(taken)
	return nil
}

// adopt makes answers the answers of the run.
func (r *Run) adopt(answers []link.Link) error {
	known, _, err := link.Build(len(r.si.Of), slices.Concat(r.given, answers), r.policy)
	if err != nil {
		return err
	}
	r.known, r.answers, r.taken = known, answers, nil
	r.replay()
	return nil
}

// replay computes the state from the links and answers alone.
func (r *Run) replay() {
	r.state, r.unmet, r.carried = newClusters(r.si.Len()), nil, 0
	r.walk.rewind()
	clear(r.answered)
	clear(r.doubted)
	// Links between representatives are certain; others are carried over to the super-instances of
	// their rows, and must not stand in the way of those.
	facts := slices.Concat(r.given, r.answers)
	for _, l := range facts {
		r.answered[pairOf(l)] = true
	}
	for _, certain := range []bool{true, false} {
		for _, l := range facts {
			if r.certain(l) == certain {
				r.apply(l)
				if !certain {
					r.carried++
				}
			}
		}
	}
}

// certain reports whether a link is between rows that represent their super-instances, or did
// before one was left out.
func (r *Run) certain(l link.Link) bool { return r.represents(l.A) && r.represents(l.B) }

func (r *Run) represents(row int) bool {
	s := r.si.Of[row]
	return r.si.Medoids[s] == row || r.stands[s] == row
}

// apply adds a link between two rows to what is known of their super-instances.
func (r *Run) apply(l link.Link) {
	a, b := r.si.Of[l.A], r.si.Of[l.B]
	switch {
	case l.Kind == link.MustLink && r.state.joined(a, b), l.Kind == link.CannotLink &&
		r.state.differs(a, b):
	case l.Kind == link.MustLink && r.state.differs(a, b), l.Kind == link.CannotLink &&
		r.state.joined(a, b):
		r.unmet = append(r.unmet, l)
	case l.Kind == link.MustLink:
		r.state.join(a, b)
	case l.Kind == link.CannotLink:
		r.state.separate(a, b)
	case !r.state.joined(a, b) && !r.doubted[pairOf(l)]:
		r.doubted[pairOf(l)] = true
		r.state.doubt(a, b)
	}
}
