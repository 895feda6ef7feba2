package broker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// How long to wait before trying again: the first time, and at most.
const (
	firstWait = 50 * time.Millisecond
	mostWait  = 5 * time.Second
)

// answerWait is how long a broker may take for an answer before it counts as away.
const answerWait = 5 * time.Second

// lastWait is how long it may take once the client's context is done.
const lastWait = 500 * time.Millisecond

// closeWait is how long the end of a source or a sink waits for it.
const closeWait = 100 * time.Millisecond

// line is one connection to the broker, made again when it breaks. One goroutine uses it.
type line struct {
	c        *Client
	name     string
	nc       *nats.Conn // nil: down
	js       jetstream.JetStream
	gone     chan struct{}         // closed when the connection broke
	away     time.Time             // when it went; zero: it has not
	reported bool                  // the loss has been reported
	bad      atomic.Pointer[error] // what the broker does not permit
	wait     time.Duration         // before the next attempt
}

func (c *Client) line(name string) *line { return &line{c: c, name: name} }

// do runs f on a connection that is up, again and again until it returns nil or an error that will
// not pass. f may run more than once, with a context of its own.
func (l *line) do(ctx context.Context, f func(context.Context) error) error {
	for {
		err := l.up(ctx)
		if err == nil {
			short, cancel := context.WithTimeout(ctx, answerWait)
			stop := context.AfterFunc(l.c.ctx, func() { time.AfterFunc(lastWait, cancel) })
			err = f(short)
			stop()
			cancel()
			if err == nil {
				l.fine()
				return nil
			}
		}
		if err := l.failed(ctx, err); err != nil {
			return err
		}
	}
}

// fine notes that the broker answers.
func (l *line) fine() {
	l.wait, l.away = 0, time.Time{}
	if l.reported {
		l.reported = false
		l.c.come()
	}
}

// failed takes an error: one that will not pass is given back, else the connection is dropped, and
// it waits a while. An error means that there is nothing to wait for.
func (l *line) failed(ctx context.Context, err error) error {
	if over := cmp.Or(ctx.Err(), l.c.ctx.Err()); over != nil {
		return over
	}
	if bad := l.bad.Load(); bad != nil {
		err = *bad
	}
	if !l.c.passing(err) {
		return l.c.explain(err)
	}
	l.drop()
	switch {
	case l.away.IsZero(): // perhaps it is back already
		l.away = time.Now()
	case !l.reported:
		l.reported = true
		l.c.leave(err)
	}
	if most := l.c.cfg.Timeout; most > 0 && time.Since(l.away) >= most {
		return fmt.Errorf("the broker %s has been away for %s: %w", l.c.host, most, err)
	}
	l.wait = min(max(firstWait, 2*l.wait), mostWait)
	return l.pause(ctx, l.wait)
}

// pause waits. An error means that there is nothing to wait for.
func (l *line) pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-l.c.ctx.Done():
		return l.c.ctx.Err()
	}
}

// up makes the connection where it is down.
func (l *line) up(ctx context.Context) error {
	if l.nc != nil && l.nc.IsConnected() {
		return nil
	}
	l.drop()
	type answer struct {
		nc  *nats.Conn
		err error
	}
	gone := make(chan struct{})
	opts := append([]nats.Option{
		nats.Name(l.name), nats.ClosedHandler(func(*nats.Conn) { close(gone) }),
		nats.ErrorHandler(func(nc *nats.Conn, _ *nats.Subscription, err error) {
			if errors.Is(err, nats.ErrPermissionViolation) { // else nobody would answer
				l.bad.Store(&err)
				nc.Close()
			}
		}),
	}, l.c.opts...)
	dialled := make(chan answer, 1)
	go func() {
		nc, err := nats.Connect(l.c.cfg.URL, opts...)
		dialled <- answer{nc, err}
	}()
	leave := func(err error) error {
		go func() {
			if a := <-dialled; a.nc != nil {
				a.nc.Close()
			}
		}()
		return err
	}
	select {
	case a := <-dialled:
		if a.err != nil {
			return a.err
		}
		js, err := jetstream.New(a.nc)
		if err != nil {
			a.nc.Close()
			return err
		}
		l.nc, l.js, l.gone = a.nc, js, gone
		return nil
	case <-ctx.Done():
		return leave(ctx.Err())
	case <-l.c.ctx.Done():
		return leave(l.c.ctx.Err())
	}
}

// drop lets go of the connection.
func (l *line) drop() {
	if l.nc != nil {
		l.nc.Close()
		l.nc, l.js, l.gone = nil, nil, nil
	}
}

// close ends the line for good.
func (l *line) close() {
	l.drop()
	l.fine()
}
