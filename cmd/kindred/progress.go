package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/project/input"
)

// patience is how long work may take before a bar is shown.
const patience = time.Second

// bar shows how far work is, on a terminal only, once it has taken longer than patience. Its
// methods may be called from any goroutine.
type bar struct {
	app   *app
	mu    sync.Mutex
	what  string
	began time.Time
	last  time.Time
	shown bool
	over  bool
}

// bar starts a bar.
func (a *app) bar(what string) *bar {
	return &bar{app: a, what: safe.Line(what), began: time.Now()}
}

// watched does work that reports its progress, and shows it.
func watched[T any](a *app, work func(input.Progress) (T, error)) (T, error) {
	b := a.bar("")
	defer b.done()
	return work(b.progress)
}

// progress is an [input.Progress]: the bar starts again for each piece of work.
func (b *bar) progress(what string, share float64) {
	b.mu.Lock()
	if what = safe.Line(what); what != b.what {
		b.wipe()
		b.what, b.began, b.last = what, time.Now(), time.Time{}
	}
	b.mu.Unlock()
	if share < 0 {
		b.bytes(int64(-share))
	} else {
		b.update(share)
	}
}

// update shows the share done, from 0 to 1.
func (b *bar) update(share float64) {
	const cells = 30
	done := min(cells, max(0, int(share*cells)))
	b.show(fmt.Sprintf("%s%s %3.0f %%", strings.Repeat("█", done), strings.Repeat("░", cells-done),
		100*share))
}

// read shows how much of an input is read; total is 0 where it is not known.
func (b *bar) read(done, total int64) {
	if total > 0 {
		b.update(float64(done) / float64(total))
	} else {
		b.bytes(done)
	}
}

// bytes shows how much is done where the whole is not known.
func (b *bar) bytes(done int64) { b.show(fmt.Sprintf("%d MB", done/1e6)) }

func (b *bar) show(state string) {
	if _, ok := terminal(b.app.err); !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	// A session also works between questions, where a bar would be in the way.
	if b.over || now.Sub(b.began) < patience || now.Sub(b.last) < 100*time.Millisecond {
		return
	}
	b.last, b.shown = now, true
	fmt.Fprintf(b.app.err, "\r%s %s", b.what, state)
}

// done wipes the bar for good.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wipe()
	b.over = true
}

// wipe wipes the bar. The caller holds mu.
func (b *bar) wipe() {
	if b.shown {
		fmt.Fprint(b.app.err, "\r\x1b[K")
	}
	b.shown = false
}
