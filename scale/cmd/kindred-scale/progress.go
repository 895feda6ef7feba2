package main

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/kindred-go/kindred/scale/engine"
)

// How long work may take before anything is said of how far it is, and how often lines follow where no terminal shows them.
const (
	patience = 2 * time.Second
	pace     = 30 * time.Second
)

// progress says how far work is.
type progress struct {
	app   *app
	lock  sync.Mutex
	last  time.Time // a line was written
	shown bool      // a line is on the terminal
}

// update takes what an engine says.
func (p *progress) update(now engine.Progress) {
	if p.app.quiet || now.Since < patience {
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	line := describe(now)
	if p.app.terminal() {
		fmt.Fprintf(p.app.err, "\r\x1b[K%s", line)
		p.shown = true
	} else if time.Since(p.last) >= pace {
		p.last = time.Now()
		p.app.say("%s", line)
	}
}

// describe says how far work is in a line.
func describe(p engine.Progress) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: round %d", p.Plan, p.Round)
	if p.Rounds > 1 {
		fmt.Fprintf(&b, " of at most %d", p.Rounds)
	}
	if p.Rows > 0 {
		fmt.Fprintf(&b, ", %.3g", float64(p.Rows))
		if p.Of > 0 {
			fmt.Fprintf(&b, " of %.3g", float64(p.Of))
		}
		fmt.Fprintf(&b, " rows, %.3g rows/s", float64(p.Rows)/p.Since.Seconds())
	} else {
		fmt.Fprintf(&b, ", %.0f s, on the engine as %s", p.Since.Seconds(), p.Job)
	}
	return b.String()
}

// wipe takes the line off the terminal.
func (p *progress) wipe() {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.shown {
		fmt.Fprint(p.app.err, "\r\x1b[K")
		p.shown = false
	}
}
