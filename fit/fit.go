// Package fit holds what every fit has in common: the seed, threads, starts, limits, tolerance,
// progress, the links and classes known before, and the reason why it stopped. The configuration of
// each method embeds the parts that mean something to it, so that equal ideas have equal names and
// equal rules everywhere.
package fit

import (
	"fmt"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Options are parameters of every fit. The zero value works.
type Options struct {
	// Seed chooses the random numbers. Every value, 0 included, is a seed. Methods that draw
	// nothing ignore it.
	Seed uint64

	// Threads is the number of goroutines. 0: one per processor. It never changes the result.
	Threads int

	// Progress, if set, is called as the fit goes on, by one goroutine at a time.
	Progress func(Progress)
}

// Limits are parameters of fits that start several times and iterate. A zero value is the default
// of the method, which its configuration documents.
type Limits struct {
	// Starts is the number of starts, of which the one with the lowest objective is kept, the
	// first on a tie.
	Starts int

	// MaxIterations bounds the iterations of a start.
	MaxIterations int

	// Tolerance is the change at which a start stops, in the unit that the method documents.
	Tolerance float64
}

// Knowledge is what is known before a fit.
type Knowledge struct {
	// Links are must-links, cannot-links and unknown pairs between rows from 0.
	Links []link.Link

	// Contradictions is what becomes of links that contradict each other: [link.Refuse], the
	// default, fails with a [*link.Contradiction]; [link.Keep] keeps them, as the method documents.
	Contradictions link.Policy

	// Known has the class of each row that is known, from 0, negative where it is not. nil: none
	// is.
	Known []int32
}

// Progress reports how far a fit is.
type Progress struct {
	// Share is the share of the work done, from 0 to 1. It never falls.
	Share float64

	// Start is the start under way, from 0, of Starts.
	Start, Starts int

	// Iteration counts the iterations of the start that are done, of at most MaxIterations.
	Iteration, MaxIterations int

	// Objective is the objective so far, and Change its last relative change, where the method
	// reports them.
	Objective, Change float64
}

// Part returns a progress function for the part of the work from lo to hi, two shares of it; nil
// for nil.
func Part(report func(Progress), lo, hi float64) func(Progress) {
	if report == nil {
		return nil
	}
	return func(p Progress) {
		p.Share = lo + p.Share*(hi-lo)
		report(p)
	}
}

// Share returns a function that reports a share of the work alone; nil for nil.
func Share(report func(Progress)) func(share float64) {
	if report == nil {
		return nil
	}
	return func(share float64) { report(Progress{Share: share}) }
}

// Step calls the progress function, if there is one, after an iteration of a start, from 0, that
// has done so many: the share is that of all starts, were each to take all its iterations. The
// limits have no zeros.
func Step(o Options, l Limits, start, iteration int, objective float64) {
	if o.Progress == nil {
		return
	}
	iteration = min(iteration, l.MaxIterations)
	o.Progress(Progress{
		Share: (float64(start) + float64(iteration)/float64(l.MaxIterations)) / float64(l.Starts),
		Start: start, Starts: l.Starts,
		Iteration: iteration, MaxIterations: l.MaxIterations,
		Objective: objective,
	})
}

// InStart names the package and the start, from 0, in an error that can only be the context's;
// input faults pass.
func InStart(err error, pkg string, start int) error {
	if err == nil || fault.IsInput(err) {
		return err
	}
	return fmt.Errorf("%s: interrupted in start %d: %w", pkg, start+1, err)
}

// Reason is why a fit stopped.
type Reason int

const (
	Converged      Reason = iota // what it iterates came to rest, or there was nothing to iterate
	Tolerance                    // what changed was within the tolerance
	IterationLimit               // it reached MaxIterations
	Interrupted                  // its context ended
)

var reasons = words.Enum[Reason]{Type: "Reason",
	Words: []string{"converged", "tolerance", "iteration limit", "interrupted"}}

// String returns the reason in words.
func (r Reason) String() string { return reasons.Name(r) }
