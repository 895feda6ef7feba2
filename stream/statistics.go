package stream

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
)

// recentRows is how many rows the means of statistics look back on.
const recentRows = 10_000

// showEvery is how often a [Monitor] gets new statistics.
const showEvery = 100 * time.Millisecond

// Statistics counts what a run has met. Counts go on over the runs that a state file joins; times
// do not.
type Statistics struct {
	Rows int64 `json:"rows"` // rows labelled and learnt
	Bad  int64 `json:"bad"`  // rows, and lines, that could not be read
	// of them, rows that lack a value; those that --missing drop passes over are not bad
	Lacking int64   `json:"lacking"`
	Sizes   []int64 `json:"sizes"` // rows labelled with each cluster
	// mean distance to the nearest prototype, of about the latest 10 000 rows
	Distance float64 `json:"distance"`
	Margin   float64 `json:"margin"` // mean margin of them

	// links that were stated and did not have to wait, those taken back included
	Links int64 `json:"links"`
	// of them, those that could not count: too late, contradictory, never matched
	Lost int64 `json:"links_lost"`
	Held int   `json:"links_held"` // links that wait for their rows

	Learner competitive.Statistics `json:"learner"`

	Seconds float64   `json:"seconds"`  // of this run
	RunRows int64     `json:"run_rows"` // rows of this run
	Saved   time.Time `json:"saved"`    // when the state was last saved; zero: not yet
}

// Monitor shows the statistics of a run to other goroutines. The zero value is ready.
type Monitor struct{ latest atomic.Pointer[Statistics] }

// Statistics returns the latest statistics, zero before the run begins.
func (m *Monitor) Statistics() Statistics {
	if s := m.latest.Load(); s != nil {
		return *s
	}
	return Statistics{}
}

// statistics returns what the run has counted so far.
func (r *runner) statistics() Statistics {
	s := r.count
	s.Sizes = slices.Clone(s.Sizes)
	s.Held = r.held.queue.Len()
	s.Learner = r.learner.Statistics()
	s.Seconds = time.Since(r.began).Seconds()
	s.Saved = r.saver.last()
	if from := r.cfg.From; from != nil {
		s.RunRows = s.Rows - from.Counted.Rows
	} else {
		s.RunRows = s.Rows
	}
	return s
}

// show lets the monitor see them.
func (r *runner) show() {
	if r.cfg.Monitor != nil {
		s := r.statistics()
		r.cfg.Monitor.latest.Store(&s)
	}
}
