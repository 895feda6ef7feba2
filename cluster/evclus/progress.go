package evclus

import "github.com/kindred-go/kindred/fit"

// teller passes progress on. The share of the work is a guess that never falls.
type teller struct {
	to   func(fit.Progress)
	last fit.Progress
}

func (t *teller) tell() {
	if t.to != nil {
		t.to(t.last)
	}
}

// prepared tells of work before the first sweep.
func (t *teller) prepared(share float64) {
	t.last.Share = max(t.last.Share, share)
	t.tell()
}

func (t *teller) start(s, of int) {
	t.last.Start, t.last.Starts, t.last.Iteration, t.last.Change = s, of, 0, 0
	t.tell()
}

// sweep tells of a sweep done. Half of what is left of a start is thought to take ten sweeps more.
func (t *teller) sweep(sweep int, change, objective float64) {
	t.last.Iteration, t.last.Change, t.last.Objective = sweep, change, objective
	within := float64(sweep) / float64(sweep+10)
	share := 0.3 + 0.7*(float64(t.last.Start)+within)/float64(max(1, t.last.Starts))
	t.last.Share = max(t.last.Share, share)
	t.tell()
}
