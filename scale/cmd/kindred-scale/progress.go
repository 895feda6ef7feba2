package main

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/engine"
)

// How long work may take before its progress is shown, and how often lines follow where
// no terminal shows them.
const (
	patience = 2 * time.Second
	pace     = 30 * time.Second
)

// progress reports how far work is.
type progress struct {
	app   *app
	lock  sync.Mutex
	last  time.Time // a line was written
	shown bool      // a line is on the terminal
}

// update takes what an engine reports.
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
		p.app.logf("%s", line)
	}
}

// describe reports how far work is in a line. Several rounds may be one job, in which rows are
// counted on.
func describe(p engine.Progress) string {
	var b strings.Builder
	round, rows := p.Round, p.Rows
	if p.Of > 0 && rows > p.Of {
		round, rows = round+int((rows-1)/p.Of), 1+(rows-1)%p.Of
	}
	fmt.Fprintf(&b, "%s: round %d", p.Plan, round)
	if p.Rows == 0 {
		fmt.Fprintf(&b, ", %.0f s, on the engine as %s", p.Since.Seconds(), p.Job)
		return b.String()
	}
	fmt.Fprintf(&b, ", %s", words.Count(int(rows), "row"))
	if p.Of > 0 {
		fmt.Fprintf(&b, " of %d", p.Of)
	}
	fmt.Fprintf(&b, ", %s rows/s", words.Round(math.Round(float64(p.Rows)/p.Since.Seconds())))
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
