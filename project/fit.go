package project

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// queued is how many questions are kept ready.
const queued = 64

// most is how many questions to keep ready, so that one is left beside those that a person put off
// and those that are answered otherwise than the method knows. Its user holds mu, or is alone.
func (d *Project) most() int {
	ready := queued
	if d.alone { // the next one
		ready = 1
		if !d.keep {
			ready += len(d.facts.clashes)
		}
	}
	return ready + d.history.PutOff()
}

// mostLooks is how many looks in a row may go without groups because answers keep coming.
const mostLooks = 5

// look is what the method makes of facts. It never changes once made.
type look struct {
	gen          int64 // of the facts
	queue        []ask.Prompt
	likely, most int
	estimated    bool
	settled      bool
}

// fitter brings the method to where the facts are. One goroutine runs it; guesses look at the run
// between its fits.
type fitter struct {
	run   *method.Session
	name  func(row int) string // by which questions call rows
	taken []link.Link          // links that run has, in order
	lost  bool                 // what run has is not known: nothing yet, or something failed
	bad   []int                // rows that run leaves out
	free  chan struct{}        // holds a token while nobody uses run

	runs     int                                         // that were begun
	clusters int                                         // groups that run finds; 0: itself says
	begin    func(clusters int) (*method.Session, error) // another run

	gen, revision int64 // of the facts that run was brought to
}

// use returns the run to one goroutine at a time.
func (f *fitter) use(ctx context.Context, do func() error) error {
	select {
	case <-f.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { f.free <- struct{}{} }()
	return do()
}

// newFitter returns the fitter of a run to which nothing was told yet.
func newFitter(run *method.Session, name func(row int) string) *fitter {
	f := &fitter{run: run, runs: 1, name: name, lost: true, free: make(chan struct{}, 1)}
	f.free <- struct{}{}
	return f
}

// update brings the run to facts: their number of groups, their links and the rows left out.
func (f *fitter) update(facts *facts) error {
	links, bad := facts.links, facts.bad
	known := !f.lost && f.clusters == facts.clusters
	f.lost = true
	if f.clusters != facts.clusters {
		run, err := f.begin(facts.clusters)
		if err != nil {
			return err
		}
		f.run, f.clusters, f.runs = run, facts.clusters, f.runs+1
	}
	if !known || !slices.Equal(bad, f.bad) {
		f.bad = slices.Clone(bad)
		f.run.Exclude(f.bad)
	}
	same := 0
	for same < min(len(links), len(f.taken)) && links[same] == f.taken[same] {
		same++
	}
	// Answers taken back one by one are cheaper than all others told again.
	const few = 64
	if gone := len(f.taken) - same; known && gone <= few {
		for range gone {
			f.run.Undo()
		}
		for _, l := range links[same:] {
			if err := f.run.Tell(l); err != nil {
				return err
			}
		}
	} else if err := f.run.Restore(links, nil); err != nil {
		return err
	}
	f.taken, f.lost = slices.Clip(links), false
	f.gen, f.revision = facts.gen, facts.revision
	return nil
}

// look fits the run.
func (f *fitter) look(ctx context.Context, gen int64, most int) (*look, error) {
	if err := f.run.Look(ctx); err != nil {
		return nil, err
	}
	l := &look{gen: gen, queue: f.run.Queue(most)}
	for i := range l.queue {
		q := &l.queue[i].Question
		q.Why = ask.Why(*q, f.name)
	}
	l.likely, l.most = f.run.Remaining()
	l.estimated, l.settled = f.run.Settles(), f.run.Settled()
	return l, nil
}

// work fits whenever the facts have moved on, until ctx is done. Answers that come during a fit
// wait for the next one.
func (d *Project) work(ctx context.Context) {
	defer close(d.worked)
	for {
		select {
		case <-ctx.Done():
			return
		case <-d.wake:
		}
		for d.behind() && ctx.Err() == nil {
			d.round(ctx)
		}
	}
}

// behind reports whether there is more to fit.
func (d *Project) behind() bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.failed == nil && d.fitted() < d.facts.gen
}

// fitted is of which facts the groups are, or the questions where nobody looks at the groups. Its
// user holds mu.
func (d *Project) fitted() int64 {
	if d.alone {
		return d.look.gen
	}
	return d.result.gen
}

// round looks once at the facts as they stand, and at the groups unless further answers came
// meanwhile, time and again.
func (d *Project) round(ctx context.Context) {
	d.mu.RLock()
	facts := *d.facts // what is looked at beyond mu never changes
	gen, revision := facts.gen, facts.revision
	most := d.most()
	d.mu.RUnlock()
	var l *look
	var out *method.Outcome
	err := d.fit.use(ctx, func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				d.fit.lost = true
				err = fmt.Errorf("project: the fit failed: %w", fault.Recovered(p))
			}
		}()
		if err = d.fit.update(&facts); err != nil {
			return err
		}
		if l, err = d.fit.look(ctx, gen, most); err != nil {
			return err
		}
		if d.looks++; (d.publish(l) || d.looks >= mostLooks) && !d.alone {
			d.looks = 0
			out, err = d.fit.run.Outcome(ctx)
		}
		return err
	})
	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		return
	case err != nil:
		d.mu.Lock()
		if d.facts.gen == gen { // else the facts of now may fit
			d.failed = err
		}
		d.looked.broadcast()
		d.mu.Unlock()
	case out != nil:
		d.settle(gen, revision, out)
	}
	d.notify()
}

// Failed returns why the groups could not be found, nil where they could, or where what is known
// has moved on since. The error of a panic has a [*fault.Panic] among its causes.
func (d *Project) Failed() error {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.failed
}

// publish makes a look the one that questions come from; latest is false when facts have moved on,
// as then the groups are hardly worth working out.
func (d *Project) publish(l *look) (latest bool) {
	d.mu.Lock()
	d.look = l
	latest = d.facts.gen == l.gen
	d.looked.broadcast()
	d.mu.Unlock()
	d.notify()
	return latest
}

// settle makes an outcome the groups.
func (d *Project) settle(gen, revision int64, out *method.Outcome) {
	d.mu.RLock()
	before, last := d.result, d.lastAnswer(revision)
	d.mu.RUnlock()
	r := newResult(gen, revision, out, before, last)
	d.mu.Lock()
	d.result = r
	d.keepUp() // as a group may have got a name meanwhile
	d.looked.broadcast()
	d.mu.Unlock()
}

// lastAnswer returns the answer that an event is; nil of others. Its user holds mu.
func (d *Project) lastAnswer(seq int64) *answered {
	e, ok := d.history.Event(seq)
	if !ok || !e.Step.IsAnswer() {
		return nil
	}
	v, ok := place(e, d.data.Row)
	if !ok {
		return nil
	}
	last, links := &answered{Link: v.link}, 0
	for i := e.Batch; i > 0 && i <= seq; i++ {
		of, ok := d.history.Event(i)
		if v, placed := place(of, d.data.Row); ok && placed && of.Step.IsAnswer() {
			last.step = append(last.step, v.link.A, v.link.B)
			links++
		}
	}
	if links < 2 {
		last.step = nil
	}
	return last
}

// catchUp waits until the fit is of the facts as they stand now, or of later ones, or ctx is done,
// or the fit failed, or the project is closed. It returns the generation of those facts.
func (d *Project) catchUp(ctx context.Context) (gen int64) {
	d.mu.RLock()
	gen = d.facts.gen
	d.mu.RUnlock()
	for {
		d.mu.RLock()
		done := d.failed != nil || d.fitted() >= gen
		changed := d.looked.wait()
		d.mu.RUnlock()
		if done {
			return gen
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return gen
		case <-d.ctx.Done():
			return gen
		}
	}
}

// signal wakes all who wait for something to change. Its user holds a lock.
type signal struct{ ch chan struct{} }

func (s *signal) wait() <-chan struct{} { return s.ch }

func (s *signal) broadcast() {
	close(s.ch)
	s.ch = make(chan struct{})
}
