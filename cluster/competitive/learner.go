package competitive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Errors of [Learner.Link] and [Learner.Forget], wrapped in ones that name the row.
var (
	ErrUnseen    = errors.New("not seen yet")
	ErrForgotten = errors.New("no longer remembered")
)

// Learner learns rows, numbered from 1, as they come, and links between them. One goroutine at a
// time may call its methods, save for [Learner.Label] and [Learner.Snapshot], which any number may
// call at any time.
//
// What it learns is a function of the configuration, the sample of [New], and the rows and links in
// their order; nothing else.
type Learner struct {
	core      *core
	memory    *memory
	counted   counts
	published atomic.Pointer[Snapshot]
	partners  []partner // scratch
}

// counts is what a learner has met.
type counts struct {
	Links        int64 `json:"links"`
	Contradicted int64 `json:"contradicted"`
	Evicted      int64 `json:"evicted"`
	Forgotten    int64 `json:"forgotten"`
	Rehearsed    int64 `json:"rehearsed"`
}

// every is the number of rows after which [Learner.Observe] publishes a snapshot.
const every = 64

// New places the starting prototypes by a sample of rows, which it neither learns nor changes. More
// clusters than there are distinct rows, values that are not finite or beyond ±10¹²⁰ and a
// configuration that cannot be are a [*fault.Input].
func New(cfg Config, warm dataset.Matrix) (*Learner, error) {
	cfg = cfg.withDefaults()
	if err := cfg.Check(warm.Cols); err != nil {
		return nil, err
	}
	core, err := begin(context.Background(), cfg, warm, 0, nil)
	if err != nil {
		return nil, err
	}
	return newLearner(core), nil
}

func newLearner(c *core) *Learner {
	l := &Learner{core: c, memory: newMemory(c.cfg, c.d)}
	l.Publish()
	return l
}

// Config returns the configuration, defaults filled in.
func (l *Learner) Config() Config { return l.core.cfg }

// Cols returns the number of values in a row.
func (l *Learner) Cols() int { return l.core.d }

// Rows returns the number of rows learnt, which is the number of the latest.
func (l *Learner) Rows() int64 { return l.core.rows }

// Observe learns one row and labels it by where the prototypes were before. Rows are numbered from
// 1. A row of another width, or with a value that is not finite or beyond ±10¹²⁰, is a
// [*fault.Input]; nothing is learnt then, and no number used.
func (l *Learner) Observe(row []float64) (number int64, label Label, err error) {
	if err := check(row, l.core.d); err != nil {
		return 0, Label{}, err
	}
	label = l.core.learn(row).label()
	l.memory.add(row)
	l.rehearse()
	if l.core.rows%every == 0 {
		l.Publish()
	}
	return l.core.rows, label, nil
}

// ObserveRows learns rows, row-major, as [Learner.Observe] does one by one, but faster, and
// publishes a snapshot at the end. Label i goes to labels[i]; a nil labels labels nothing. The
// first row has the number first. All rows are looked at before any is learnt, and when one is
// unfit none is; the [*fault.Input] then has its number among the rows, from 1.
//
// When ctx is done, the rows up to then have been learnt, and [Learner.Rows] returns how many.
func (l *Learner) ObserveRows(ctx context.Context, rows []float64, labels []Label) (first int64,
	err error) {
	first = l.core.rows + 1
	n := len(rows) / l.core.d
	if labels != nil && len(labels) != n {
		return first, fmt.Errorf("competitive: %d labels for %d rows", len(labels), n)
	}
	if len(rows) == 0 {
		return first, ctx.Err()
	}
	if err := checkAll(rows, l.core.d); err != nil {
		return first, err
	}
	chunk := between(int(l.core.cfg.cells(l.core.d)), 128)
	for lo := 0; lo < n && err == nil; lo += chunk {
		if err = ctx.Err(); err == nil {
			hi := min(n, lo+chunk)
			var to []Label
			if labels != nil {
				to = labels[lo:hi]
			}
			l.observe(rows[lo*l.core.d:hi*l.core.d], to)
		}
	}
	l.Publish()
	return first, err
}

// observe learns rows that are fit.
func (l *Learner) observe(rows []float64, labels []Label) {
	d := l.core.d
	for i := range len(rows) / d {
		near := l.core.learn(rows[i*d : (i+1)*d])
		if labels != nil {
			labels[i] = near.label()
		}
		l.rehearse()
	}
	l.memory.add(rows)
}

// rehearse presents a linked row again when it is time.
func (l *Learner) rehearse() {
	every := int64(l.core.cfg.Rehearse)
	if every == 0 || l.core.rows%every != 0 || !l.core.cfg.Rule.links() {
		return
	}
	if row := l.memory.next(); row != nil {
		l.present(row)
		l.counted.Rehearsed++
	}
}

// present presents a linked row again, with its partners.
func (l *Learner) present(row *linked) ranks {
	l.partners = row.partners(l.partners[:0])
	return l.core.present(row.row, l.partners)
}

// LinkResult reports what a link did.
type LinkResult struct {
	Replaced bool // the pair had a link, which this one replaces or takes back
	Clash    bool // it contradicts others, and is kept all the same as the policy has it
	// the two rows now meet the link; true when a link was taken back
	Met     bool
	Evicted int // rows that left, with their links, to make room
}

// Link states that rows a and b are of one cluster or of different ones, with a confidence in (0,
// 1], 0 meaning 1. It replaces the link that the pair has; the kind Unknown takes that back. Under
// crpcl and olcvqe both rows then present themselves again with all their partners, so that the
// link takes effect at once; the other rules only count it.
//
// It fails with [ErrUnseen] for a row that has not come yet; with [ErrForgotten] for one that has
// left the memory; with a [*link.Contradiction] (rows counted from 0 there) for a link that clashes
// with others, unless the policy keeps those; and with a [*fault.Input] for what is no link at all.
// Nothing changes then.
func (l *Learner) Link(a, b int64, kind link.Kind, confidence float64) (LinkResult, error) {
	if err := checkLink(a, b, kind, confidence); err != nil {
		return LinkResult{}, err
	}
	for _, number := range [2]int64{a, b} {
		if _, err := l.memory.find(number); err != nil {
			return LinkResult{}, err
		}
	}
	confidence = cmp.Or(confidence, 1)
	old := l.memory.tie(a, b)
	result := LinkResult{Replaced: old != nil, Met: true}
	if kind == link.Unknown {
		if old != nil {
			l.memory.loosen(old)
		}
		l.counted.Links++
		return result, nil
	}
	clash, evicted, err := l.memory.join(a, b, kind, confidence, old)
	if clash {
		l.counted.Contradicted++
	}
	if err != nil {
		return LinkResult{}, err
	}
	l.counted.Links++
	l.counted.Evicted += int64(evicted)
	result.Clash, result.Evicted = clash, evicted
	from, to := l.memory.named[a], l.memory.named[b]
	if l.core.cfg.Rule.links() {
		l.present(from)
		l.present(to)
	}
	result.Met = l.meets(from, to, kind)
	l.Publish()
	return result, nil
}

func checkLink(a, b int64, kind link.Kind, confidence float64) error {
	switch {
	case a < 1 || b < 1:
		return fault.Inputf("rows are numbered from 1", "a link names row %d", min(a, b))
	case a == b:
		return fault.Inputf("link two different rows", "row %d is linked to itself", a)
	case kind > link.CannotLink:
		return fault.Inputf("give same, different or unknown", "%v is not a kind of link", kind)
	case !(confidence >= 0 && confidence <= 1):
		return fault.Inputf("give how sure the stated link is, up to 1",
			"the confidence %v of a link is not in (0, 1]", confidence)
	}
	return nil
}

// meets reports whether two rows meet a link between them.
func (l *Learner) meets(a, b *linked, kind link.Kind) bool {
	return (l.core.nearestTo(a.row) == l.core.nearestTo(b.row)) == (kind == link.MustLink)
}

// nearestTo returns the prototype that is nearest to x.
func (c *core) nearestTo(x []float64) int32 {
	c.distances(c.other, x)
	return lowest(c.other[:c.k]).first
}

// Forget makes a row leave the memory, with its links. What the prototypes learnt from it stays.
// The errors are those of [Learner.Link].
func (l *Learner) Forget(number int64) error {
	if err := l.memory.forget(number); err != nil {
		return err
	}
	l.counted.Forgotten++
	return nil
}

// Remembers reports whether row number can be linked: it is one of the latest, or links name it.
func (l *Learner) Remembers(number int64) bool {
	_, err := l.memory.find(number)
	return err == nil
}

// Label returns where a row belongs, by the last published snapshot, without learning it. It never
// waits.
func (l *Learner) Label(row []float64) (Label, error) { return l.Snapshot().Label(row) }

// Snapshot returns the last published snapshot: of New, or of the latest 64th row, ObserveRows,
// Link or Publish.
func (l *Learner) Snapshot() *Snapshot { return l.published.Load() }

// Publish publishes a snapshot of the present state, and returns it.
func (l *Learner) Publish() *Snapshot {
	s := l.core.snapshot()
	l.published.Store(s)
	return s
}
