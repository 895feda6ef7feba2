package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/kindred-go/kindred/desk"
)

// The states of a project.
const (
	stateClosed  = "closed"
	stateOpening = "opening"
	stateOpen    = "open"
	stateFailed  = "failed"
)

// project is one that is open, was, or is being opened.
type project struct {
	id     string
	begun  string  // what it was begun with, to know the same request again; "" when it was not begun here
	served bool    // its file lies in the folder served
	moved  *signal // fires at each change of the project's state
	listed *signal // fires with it: the list of projects changed

	mu     sync.Mutex // guards what follows
	cfg    desk.Config
	desk   *desk.Desk // nil unless state is open
	state  string
	what   string // while it is opened
	share  float64
	err    error // why it failed
	data   string
	method string
	users  int // requests under way
	idle   chan struct{}
	used   time.Time
	feeds  map[string]*feed // by person
	cancel context.CancelFunc
}

// signal tells any number of goroutines that something changed.
type signal struct {
	mu sync.Mutex
	ch chan struct{}
}

func newSignal() *signal { return &signal{ch: make(chan struct{})} }

// wait gives a channel that is closed at the next change.
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

// change changes what mu guards, and tells.
func (p *project) change(do func()) {
	p.mu.Lock()
	do()
	p.mu.Unlock()
	p.moved.fire()
	p.listed.fire()
}

// enter gives the desk to a request, which calls leave when it is done with it.
func (p *project) enter() (d *desk.Desk, leave func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.state {
	case stateOpening:
		return nil, nil, kindOpening.says("the project is being opened: "+p.what, "ask again in a moment")
	case stateClosed:
		return nil, nil, kindClosed.says("the project is closed", "open it first")
	case stateFailed:
		said := kindClosed.says("the project could not be opened", "open it again")
		if cause := asProblem(p.err); cause.Status != 500 {
			said.Detail += ": " + cause.Detail
			said.Mend = cause.Mend
		}
		return nil, nil, said
	}
	p.users++
	p.used = time.Now()
	return p.desk, p.leave, nil
}

func (p *project) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.users--; p.users == 0 && p.idle != nil {
		close(p.idle)
		p.idle = nil
	}
}

// begins puts the config in force that the project is opened with next. The caller holds mu.
func (p *project) begins(cfg desk.Config) {
	p.cfg = cfg
	p.data = cmp.Or(cfg.Data, p.data)
	if cfg.Recipe != nil { // while it is opened nobody else may look at the recipe
		p.method = cmp.Or(cfg.Recipe.MethodName, p.method)
	}
}

// open opens the desk. It is called once the state is opening, and ends with open or failed.
func (p *project) open(ctx context.Context) (err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fmt.Errorf("opening panicked: %v\n%s", failed, debug.Stack())
			p.change(func() { p.state, p.err = stateFailed, err })
		}
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.mu.Lock()
	cfg := p.cfg
	p.cancel = cancel
	p.mu.Unlock()
	told, heard := time.Time{}, cfg.Progress
	cfg.Progress = func(what string, share float64) {
		if heard != nil {
			heard(what, share)
		}
		p.mu.Lock()
		fresh := what != p.what
		p.what, p.share = what, share
		p.mu.Unlock()
		if now := time.Now(); fresh || now.Sub(told) > 100*time.Millisecond {
			told = now
			p.moved.fire()
			p.listed.fire()
		}
	}
	d, err := desk.Open(ctx, cfg)
	p.change(func() {
		if err == nil {
			state := d.State("")
			p.data, p.method = state.Data, state.Method
		}
		p.cancel = nil
		p.desk, p.err, p.what, p.share = d, err, "", 0
		p.state, p.used = stateOpen, time.Now()
		if err != nil {
			p.desk, p.state = nil, stateFailed
		}
	})
	return err
}

// release takes the desk away from requests and leaves the project in the given state. The function that it gives waits a
// moment for requests under way, and closes the desk.
func (p *project) release(state string) (finish func() error) {
	var d *desk.Desk
	var idle chan struct{}
	p.change(func() {
		d, p.desk, p.state, p.what, p.share, p.err = p.desk, nil, state, "closing", 0, nil
		if p.cancel != nil {
			p.cancel()
		}
		if p.users > 0 {
			idle = make(chan struct{})
			p.idle = idle
		}
	})
	return func() error {
		if d == nil {
			return nil
		}
		if idle != nil {
			select {
			case <-idle:
			case <-time.After(leaveTime):
			}
		}
		return d.Close()
	}
}

// leaveTime is how long a desk waits for requests under way before it is closed.
const leaveTime = 300 * time.Millisecond

// reopen opens the project with other settings, once release has given finish. Where that fails, it is opened as it
// was, and the list of projects tells the error.
func (p *project) reopen(ctx context.Context, cfg desk.Config, finish func() error) error {
	err := finish()
	if err != nil {
		p.change(func() { p.state, p.err = stateFailed, err })
		return err
	}
	p.mu.Lock()
	before := p.cfg
	p.begins(cfg)
	p.mu.Unlock()
	if err = p.open(ctx); err == nil || ctx.Err() != nil {
		return err
	}
	p.change(func() { p.cfg, p.state, p.err = before, stateOpening, nil })
	if again := p.open(ctx); again != nil {
		return errors.Join(err, again)
	}
	p.change(func() { p.err = err })
	return err
}
