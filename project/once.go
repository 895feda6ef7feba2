package project

import (
	"context"
	"sync"
)

// once is work that is done once, by whoever needs it first: others wait for it. What a context
// ended counts for nothing, and the next one begins anew.
type once struct {
	mu      sync.Mutex
	running chan struct{} // closed when the work under way ends; nil: none is
	done    bool
	err     error // of the work done
}

// do does the work, unless it is done, and returns its error, or that of ctx. The end of also ends
// the work, too.
func (o *once) do(ctx, also context.Context, work func(ctx context.Context) error) error {
	for {
		o.mu.Lock()
		if o.done {
			defer o.mu.Unlock()
			return o.err
		}
		if o.running == nil {
			break
		}
		running := o.running
		o.mu.Unlock()
		select {
		case <-running:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	o.running = make(chan struct{})
	o.mu.Unlock()
	both, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(also, cancel)
	defer func() { stop(); cancel() }()
	var err error
	ended := false // else it panicked
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.done, o.err = ended && (err == nil || both.Err() == nil), err
		close(o.running)
		o.running = nil
	}()
	err = work(both)
	ended = true
	return err
}
