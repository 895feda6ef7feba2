package cobra

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// Run is one session of questions, which its [ask.Session] holds: each is about the closest two
// medoids whose relation is not yet known. The answer [link.Unknown] puts a pair aside: it is not
// asked again, and at most two further pairs of the same two clusters are. Links that
// super-instances cannot honour may entail the opposite of an answer: that is a
// [*link.Contradiction], and changes nothing. An answer that the run would not ask for counts as a
// given link. It is not safe for concurrent use.
type Run struct {
	*ask.Session
	chooser *chooser
}

// chooser chooses the questions of a run.
type chooser struct {
	si      *SuperInstances
	data    dataset.Matrix
	allowed []bool // Config.Askable

	at      ask.Mark        // the answers that state holds
	begun   bool            // state holds the given links
	doubted map[[2]int]bool // pairs whose "unknown" is counted in state
	state   *clusters
	carried int // links in state that are not between representatives
	walk    *walk
	unmet   []link.Link // links that cannot hold between super-instances

	excluded []int        // rows left out as bad data, as stands has it
	stands   []int        // row that stands for each super-instance now; −1: none is left
	idle     int          // super-instances that no row stands for
	likeness ask.Likeness // by the distances of stands
}

var _ ask.Guesser = (*chooser)(nil)

// New builds the super-instances of the data and starts a run on them.
// Given links that contradict each other are a [*link.Contradiction], unless cfg keeps them.
func New(ctx context.Context, data dataset.Matrix, cfg Config) (*Run, error) {
	si, err := Build(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	return Start(si, data, cfg)
}

// Start starts a run on super-instances that [Build] made from the same data and configuration, at
// most MaxSuperInstances.
func Start(si *SuperInstances, data dataset.Matrix, cfg Config) (*Run, error) {
	if len(si.Of) != data.Rows {
		return nil, fmt.Errorf("cobra: super-instances of %d rows for data of %d", len(si.Of),
			data.Rows)
	}
	if err := checkCount(si.Len()); err != nil {
		return nil, err
	}
	c := &chooser{si: si, data: data, allowed: cfg.Askable, stands: si.Medoids,
		doubted: make(map[[2]int]bool)}
	// nothing that takes time happens between questions
	s, err := ask.Begin(context.Background(), data.Rows, cfg.Links, cfg.Contradictions, c)
	if err != nil {
		return nil, err
	}
	c.walk = newWalk(widen(data.Subset(si.Medoids)), walkWindow, c.askable)
	return &Run{s, c}, nil
}

// SuperInstances returns the over-clustering the run asks about.
func (r *Run) SuperInstances() *SuperInstances { return r.chooser.si }

// Questions returns the question about the closest two medoids whose relation is not yet known, and
// those of [chooser.queue].
func (c *chooser) Questions(_ context.Context, known *ask.Ledger, most int) ([]ask.Prompt,
	error) {
	c.take(known)
	p, ok := c.seek(known)
	switch {
	case !ok:
		return nil, nil
	case most > 1:
		return c.queue(known, most), nil
	}
	return []ask.Prompt{c.prompt(p)}, nil
}

func (c *chooser) prompt(p pair) ask.Prompt {
	why := "these two stand for the nearest groups that no answer compares yet"
	if c.state.doubts(p.A, p.B) > 0 {
		why = "the next closest pair of two groups that you were not sure about"
	}
	return ask.Prompt{Question: link.Question{A: c.stands[p.A], B: c.stands[p.B], Why: why}}
}

// seek moves the walk to the pair to ask next. Pairs it passes never become askable again, as
// answers only add to what is known.
func (c *chooser) seek(known *ask.Ledger) (pair, bool) {
	for c.state.open > 0 {
		p, ok := c.walk.peek()
		if !ok {
			break
		}
		if c.open(known, p) {
			return p, true
		}
		c.walk.step()
	}
	return pair{}, false
}

// open reports whether a pair may be asked about.
func (c *chooser) open(known *ask.Ledger, p pair) bool {
	if !c.askable(p.A, p.B) {
		return false
	}
	_, answered := known.Answered(c.stands[p.A], c.stands[p.B])
	return !answered
}

// askable reports whether two super-instances may be asked about, if they were not. What may not be
// is so until answers change or rows are left out.
func (c *chooser) askable(a, b int32) bool {
	return c.state.askable(a, b) && c.stands[a] >= 0 && c.stands[b] >= 0
}

// take brings the state to what is known.
func (c *chooser) take(known *ask.Ledger) {
	stood := c.leave(known)
	kept, fresh := known.Since(c.at)
	if !c.begun || !stood || kept < c.at.Answers {
		c.replay(known)
	} else {
		for _, l := range fresh {
			if !c.record(l) {
				c.replay(known)
				break
			}
		}
	}
	c.at, c.begun = known.Mark(), true
}

// record takes one more answer into the state; ok is false where it should have come before others
// that the state holds.
func (c *chooser) record(l link.Link) (ok bool) {
	broken := len(c.unmet)
	c.apply(l)
	if !c.certain(l) {
		c.carried++
		return true
	}
	return len(c.unmet) == broken || c.carried == 0
}

// replay computes the state from the links and answers alone.
func (c *chooser) replay(known *ask.Ledger) {
	c.state, c.unmet, c.carried = newClusters(c.si.Len()), nil, 0
	c.walk.rewind()
	clear(c.doubted)
	// Links between representatives are certain; others are carried over to the super-instances of
	// their rows, and must not stand in the way of those.
	facts := known.Facts()
	for _, certain := range []bool{true, false} {
		for _, l := range facts {
			if c.certain(l) == certain {
				c.apply(l)
				if !certain {
					c.carried++
				}
			}
		}
	}
}

// certain reports whether a link is between rows that represent their super-instances, or did
// before one was left out.
func (c *chooser) certain(l link.Link) bool { return c.represents(l.A) && c.represents(l.B) }

func (c *chooser) represents(row int) bool {
	s := c.si.Of[row]
	return c.si.Medoids[s] == row || c.stands[s] == row
}

// apply adds a link between two rows to what is known of their super-instances.
func (c *chooser) apply(l link.Link) {
	a, b := c.si.Of[l.A], c.si.Of[l.B]
	switch {
	case l.Kind == link.MustLink && c.state.joined(a, b),
		l.Kind == link.CannotLink && c.state.differs(a, b):
	case l.Kind == link.MustLink && c.state.differs(a, b),
		l.Kind == link.CannotLink && c.state.joined(a, b):
		c.unmet = append(c.unmet, l)
	case l.Kind == link.MustLink:
		c.state.join(a, b)
	case l.Kind == link.CannotLink:
		c.state.separate(a, b)
	case !c.state.joined(a, b) && !c.doubted[l.Pair()]:
		c.doubted[l.Pair()] = true
		c.state.doubt(a, b)
	}
}
