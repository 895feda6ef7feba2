package studio

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
)

// The states of a project.
const (
	stateClosed  = "closed"
	stateOpening = "opening"
	stateOpen    = "open"
	stateFailed  = "failed"
)

// project is one that is open, was, or is being opened.
type openProject struct {
	id string
	// what it was begun with, to know the same request again; "" when it was not begun here
	begun  string
	served bool    // its file lies in the folder served
	moved  *signal // fires at each change of the project's state
	listed *signal // fires with it: the list of projects changed
	log    *slog.Logger

	mu      sync.Mutex // guards what follows
	cfg     project.Config
	project *project.Project // nil unless state is open
	state   string
	what    string // while it is opened
	share   float64
	err     error // why it failed
	data    string
	method  string
	users   int // requests under way
	idle    chan struct{}
	used    time.Time
	feeds   map[string]*feed // by person
	cancel  context.CancelFunc
	closed  chan struct{} // closed when the project before has closed the file; nil: there was none
}

// signal notifies any number of goroutines of changes.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

func newSignal() *signal { return &signal{ch: make(chan struct{})} }

// wait returns a channel that is closed at the next change.
func (s *signal) wait() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ch
}

func (s *signal) fire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.ch)
	s.ch = make(chan struct{})
}

// changed reports a change of the project to all who wait for one.
func (p *openProject) changed() {
	p.moved.fire()
	p.listed.fire()
}

// change changes what mu guards, and reports it.
func (p *openProject) change(do func()) {
	p.mu.Lock()
	do()
	p.mu.Unlock()
	p.changed()
}

// enter returns the project to a request, which calls leave when it is done with it.
func (p *openProject) enter() (d *project.Project, leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.ready(); err != nil {
		return nil, nil, err
	}
	p.users++
	p.used = time.Now()
	return p.project, p.leave, nil
}

// ready returns why the project is not open; nil when it is. The caller holds mu.
func (p *openProject) ready() error {
	switch p.state {
	case stateOpening:
		return kindOpening.problem("the project is being opened: "+cmp.Or(p.what, "it begins"),
			"ask again in a moment")
	case stateClosed:
		return kindClosed.problem("the project is closed", "open it first")
	case stateFailed:
		cause := asProblem(p.err)
		if _, troubled := fault.Of(p.err); troubled {
			return cause
		}
		said := kindClosed.problem("the project could not be opened", "open it again")
		if cause.Status != 500 {
			said.Detail += ": " + cause.Detail
			said.Fix = cause.Fix
		}
		return said
	}
	return nil
}

// current reports whether the project is open or being opened. The caller holds mu.
func (p *openProject) current() bool { return p.state == stateOpen || p.state == stateOpening }

// isCurrent is current for one who does not hold mu.
func (p *openProject) isCurrent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.current()
}

// unused reports whether the project may be closed for another. The caller holds mu.
func (p *openProject) unused() bool {
	return p.state == stateOpen && p.served && p.users == 0 && len(p.feeds) == 0
}

func (p *openProject) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// begins puts the config in force that the project is opened with next. The caller holds mu.
func (p *openProject) begins(cfg project.Config) {
	p.cfg = cfg
	p.data = cmp.Or(cfg.Data, p.data)
	if cfg.Recipe != nil { // while it is opened nobody else may look at the recipe
		p.method = cmp.Or(cfg.Recipe.MethodName, p.method)
	}
}

// open opens the project. It is called once the state is opening, and ends with open or failed.
// refused, if not nil, is an error that the list shows although the project is open: why other
// settings were not taken.
func (p *openProject) open(ctx context.Context, refused error) error {
	d, err := p.try(ctx)
	p.opened(d, err, refused)
	return err
}

// try returns the project as the config says, as soon as the one before has closed the file. The
// state stays opening.
func (p *openProject) try(ctx context.Context) (d *project.Project, err error) {
	defer func() {
		if failed := recover(); failed != nil {
			d, err = nil, fault.Recovered(failed)
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.mu.Lock()
	cfg, closed := p.cfg, p.closed
	p.cancel = cancel
	p.mu.Unlock()
	if closed != nil {
		<-closed // which takes a moment at most
	}
	reported, progress := time.Time{}, cfg.Progress
	cfg.Progress = func(what string, share float64) {
		if progress != nil {
			defer progress(what, share)
		}
		if math.IsNaN(share) {
			share = -1 // JSON has no word for it
		}
		p.mu.Lock()
		fresh := what != p.what
		p.what, p.share = what, share
		p.mu.Unlock()
		if now := time.Now(); fresh || now.Sub(reported) > 100*time.Millisecond {
			reported = now
			p.changed()
		}
	}
	cfg.Place.Thumbnails = cfg.Path + ".thumbnails" // for the page
	return project.Open(ctx, cfg)
}

// opened ends an opening, well or badly.
func (p *openProject) opened(d *project.Project, err, refused error) {
	p.change(func() {
		if err == nil {
			state := d.State("")
			p.data, p.method = state.Data, state.Method
			p.cfg.Number = false // it is kept with the project
		}
		p.cancel = nil
		p.project, p.err, p.what, p.share = d, refused, "", 0
		p.state, p.used = stateOpen, time.Now()
		if err != nil {
			p.project, p.state, p.err = nil, stateFailed, err
		}
	})
	if err == nil {
		go p.announce(d)
		// What reading and the first fit needed is not needed again.
		go debug.FreeOSMemory()
	}
}

// announce reports changes in a project to those who follow the list of projects, and fits that
// fail to the log, until it is closed.
func (p *openProject) announce(d *project.Project) {
	news, stop := d.Subscribe()
	defer stop()
	var failed error
	for range news {
		before := failed
		if failed = d.Failed(); failed != nil && failed != before {
			p.log.Error("the groups could not be found", "project", p.id, cause(failed))
		}
		p.listed.fire()
	}
}

// interrupted ends an opening, if one is under way, and waits for the next change of it; false: none
// is.
func (p *openProject) interrupted() bool {
	moved := p.moved.wait()
	p.mu.Lock()
	opening, cancel := p.state == stateOpening, p.cancel
	p.mu.Unlock()
	if !opening {
		return false
	}
	if cancel != nil {
		cancel()
	}
	<-moved
	return true
}

// release takes the project away from requests and leaves it in the given state. The function that
// it returns, which must be called, waits a moment for requests under way, and closes the project.
func (p *openProject) release(state string) (finish func() error) {
	p.mu.Lock()
	finish = p.exchange(state)
	p.mu.Unlock()
	p.changed()
	return finish
}

// exchange is release for a caller that holds mu, and reports the change afterwards.
func (p *openProject) exchange(state string) (finish func() error) {
	var idle chan struct{}
	d, closed := p.project, p.closed
	p.project, p.state, p.what, p.share, p.err = nil, state, "", 0, nil
	if state == stateOpening {
		p.what = "closing"
	}
	if p.cancel != nil {
		p.cancel()
	}
	if d != nil {
		closed = make(chan struct{})
		p.closed = closed
	}
	if p.users > 0 {
		idle = make(chan struct{})
		p.idle = idle
	}
	return func() error {
		if d == nil {
			if closed != nil {
				<-closed // by another
			}
			return nil
		}
		defer p.listed.fire() // the list reads the file from now on
		defer close(closed)
		if idle != nil {
			select {
			case <-idle:
			case <-time.After(leaveTime):
			}
		}
		return d.Close()
	}
}

// leaveTime is how long a project waits for requests under way before it is closed.
const leaveTime = 300 * time.Millisecond

// reopen opens the project with other settings, once release has given finish. Where that fails, it
// is opened as it was, and the list of projects has the error.
func (p *openProject) reopen(ctx context.Context, cfg project.Config, finish func() error) error {
	err := finish()
	if err != nil {
		p.change(func() { p.state, p.err = stateFailed, err })
		return err
	}
	p.mu.Lock()
	before := p.cfg
	p.begins(cfg)
	p.mu.Unlock()
	d, err := p.try(ctx)
	if err == nil || ctx.Err() != nil {
		p.opened(d, err, nil)
		return err
	}
	p.mu.Lock()
	p.cfg = before
	p.mu.Unlock()
	return errors.Join(err, p.open(ctx, err))
}
