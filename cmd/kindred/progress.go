package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/kindred-go/kindred/internal/safe"
)

// patience is how long work may take before a bar is shown.
const patience = time.Second

// bar shows how far work is, on a terminal only, once it has taken longer than patience.
type bar struct {
	app   *app
	what  string
	began time.Time
	mu    sync.Mutex
	last  time.Time
	shown bool
}

// bar starts a bar; its update may be called from any goroutine.
func (a *app) bar(what string) *bar {
	return &bar{app: a, what: safe.Line(what), began: time.Now()}
}

// watch shows bars for one work after another.
type watch struct {
	app  *app
	mu   sync.Mutex
	bar  *bar
	over bool
}

// watch shows nothing yet.
func (a *app) watch() *watch { return &watch{app: a} }

// update is an [input.Progress].
func (w *watch) update(what string, share float64) {
	w.mu.Lock()
	if w.over { // a session also works between questions, where a bar would be in the way
		w.mu.Unlock()
		return
	}
	if what = safe.Line(what); w.bar == nil || w.bar.what != what {
		if w.bar != nil {
			w.bar.done()
		}
		w.bar = w.app.bar(what)
	}
	b := w.bar
	w.mu.Unlock()
	if share < 0 {
		b.bytes(int64(-share))
	} else {
		b.update(share)
	}
}

// done wipes the last bar; there are no more.
func (w *watch) done() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	if w.bar != nil {
		w.bar.done()
	}
}

// update shows the share done, from 0 to 1.
func (b *bar) update(share float64) {
	const cells = 30
	done := min(cells, max(0, int(share*cells)))
	b.show(fmt.Sprintf("%.*s%.*s %3.0f %%", done, blocks, cells-done, shades, 100*share))
}

// read shows how much of an input is read; total is 0 when nobody knows it.
func (b *bar) read(done, total int64) {
	if total > 0 {
		b.update(float64(done) / float64(total))
	} else {
		b.bytes(done)
	}
}

// bytes shows how much is done of what nobody knows the end of.
func (b *bar) bytes(done int64) { b.show(fmt.Sprintf("%d MB", done/1e6)) }

func (b *bar) show(state string) {
	if _, ok := terminal(b.app.err); !ok {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if now.Sub(b.began) < patience || now.Sub(b.last) < 100*time.Millisecond {
		return
	}
	b.last, b.shown = now, true
	fmt.Fprintf(b.app.err, "\r%s %s", b.what, state)
}

// done wipes the bar.
func (b *bar) done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		fmt.Fprint(b.app.err, "\r\x1b[K")
	}
}

const (
	blocks = "██████████████████████████████"
	shades = "░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░"
)
