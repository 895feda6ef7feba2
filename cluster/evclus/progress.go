package evclus

import "github.com/kindred-go/kindred/fit"

// reporter passes progress on. The share of the work is a guess that never falls.
type reporter struct {
	to   func(fit.Progress)
	last fit.Progress
}

func (t *reporter) send() {
	if t.to != nil {
		t.to(t.last)
	}
}

// prepared reports work before the first sweep.
func (t *reporter) prepared(share float64) {
	t.last.Share = max(t.last.Share, share)
	t.send()
}

func (t *reporter) start(s, of int) {
	t.last.Start, t.last.Starts, t.last.Iteration, t.last.Change = s, of, 0, 0
	t.send()
}

// sweep reports a sweep. Half of what is left of a start is thought to take ten sweeps more.
func (t *reporter) sweep(sweep int, change, objective float64) {
	t.last.Iteration, t.last.Change, t.last.Objective = sweep, change, objective
	within := float64(sweep) / float64(sweep+10)
	share := 0.3 + 0.7*(float64(t.last.Start)+within)/float64(max(1, t.last.Starts))
	t.last.Share = max(t.last.Share, share)
	t.send()
}
