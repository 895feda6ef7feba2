package store

import (
	"context"
	"maps"
	"slices"
	"time"
)

// quiet is for how long nothing may be added before the log is folded into the file.
const quiet = 50 * time.Millisecond

// request is something to be written in the next transaction.
type request struct {
	events []Event // none for a setting
	write  func(ctx context.Context, b *batch) error
	done   chan struct{} // closed when err is settled
	err    error
}

func (r *request) wait() error {
	<-r.done
	return r.err
}

// enqueue hands a request to the writer. The caller holds the lock.
func (p *File) enqueue(r *request) error {
	switch {
	case p.reading:
		return errReading
	case p.closing:
		return errClosed
	}
	p.queue = append(p.queue, r)
	p.wakeWriter()
	return nil
}

// wakeWriter makes the writer look at the queue.
func (p *File) wakeWriter() {
	select {
	case p.wake <- struct{}{}:
	default: // it is about to look
	}
}

// pending finds the request with an event that is not on disk yet, nil for none. The caller holds
// the lock.
func (p *File) pending(seq int64) *request {
	for _, r := range slices.Concat(p.flying, p.queue) {
		if n := len(r.events); n > 0 && r.events[0].Seq <= seq && seq <= r.events[n-1].Seq {
			return r
		}
	}
	return nil
}

// writer writes what is in the queue, all of it in one transaction: while the disk is busy with
// one, what comes in waits for the next. When nothing has come for a while it folds the log into
// the file.
func (p *File) writer() {
	defer close(p.stopped)
	idle := time.NewTimer(quiet)
	folded := false
	for {
		select {
		case <-p.wake:
		case <-idle.C:
			if !folded {
				// The events are safe in the log; if this fails, Close tries again and reports it.
				_, err := p.db.Exec("PRAGMA wal_checkpoint(PASSIVE)")
				folded = err == nil
			}
			continue
		}
		p.mu.Lock()
		taken, closing := p.queue, p.closing
		p.flying, p.queue = taken, nil
		if len(taken) > 0 {
			p.found = nil
		}
		p.mu.Unlock()
		if len(taken) > 0 {
			p.settle(p.commit(taken))
			folded = false
			idle.Reset(quiet)
		}
		if closing {
			idle.Stop()
			return
		}
	}
}

// settle ends the waits for what was written, well or badly. After a failure all that was submitted
// since is void, too: it was made in the belief that what failed is there.
func (p *File) settle(err error) {
	p.mu.Lock()
	settled := p.flying
	p.flying = nil
	if err != nil {
		settled = append(settled, p.queue...)
		p.queue = nil
		for _, r := range slices.Backward(settled) {
			for _, e := range r.events {
				delete(p.ids, e.ID)
			}
			if len(r.events) > 0 {
				p.last = r.events[0].Seq - 1
			}
		}
	}
	p.mu.Unlock()
	for _, r := range settled {
		r.err = err
		close(r.done)
	}
}

// commit writes requests in one transaction. It is not cancelled: it takes milliseconds, and ends
// with all on disk or nothing.
func (p *File) commit(requests []*request) error {
	if err := p.there(); err != nil {
		return err
	}
	ctx := context.Background()
	conn, err := p.db.Conn(ctx)
	if err != nil {
		return p.explain(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return p.explain(err)
	}
	b := &batch{db: conn, tallies: p.tallies, settings: make(map[string]string)}
	for _, r := range requests {
		if err = r.write(ctx, b); err != nil {
			break
		}
	}
	if err == nil {
		err = b.tally(ctx, &p.tallies)
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// A full disk may have ended the transaction already, which makes this fail and is as good.
		conn.ExecContext(ctx, "ROLLBACK")
		return p.explain(err)
	}
	p.tallies = b.tallies
	p.bare.Store(b.tallies.events.count == 0)
	p.mu.Lock()
	maps.Copy(p.settings, b.settings)
	p.mu.Unlock()
	return nil
}
