package engine

import (
	"errors"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// envelope is what a checkpoint holds, and without the state what passes from round to round.
type envelope struct {
	Plan  string // identity of the plan
	Round int    // that were run
	State []byte
	Done  bool
	Tally shard.Tally // of the last round
	// the data cannot be used: nothing further is done. It travels as data, since an engine would
	// try a bundle that failed again
	Fault *fault.Input
}

// bare returns the envelope without the state, which is read from its file: an engine would keep a
// copy for every round, and some take no messages that large.
func (e *envelope) bare() ([]byte, error) {
	b := *e
	b.State = nil
	return fold.Encode(&b)
}

// over reports that nothing is to be done any more.
func (e *envelope) over() bool { return e.Done || e.Fault != nil }

// report is what a group of splits reports beside its parts.
type report struct {
	First int // split that it begins with
	Tally shard.Tally
	Fault *fault.Input
	At    int // split of Fault
}

// inputFault returns the fault in an error, fit to travel, or nil.
func inputFault(err error) *fault.Input {
	var in *fault.Input
	if !errors.As(err, &in) {
		return nil
	}
	plain := *in
	plain.Err = nil // it may be of any type, and its text is in the problem where it matters
	return &plain
}
