// Package fault holds the errors that state a fix: for wrong input, for an invalid setting, and for
// files that cannot be kept. One table, [Classes], says what trouble with files means to people,
// scripts and clients.
//
// Every package that reads something a person wrote returns an [*Input], so that the command,
// the page and a program can all show the same sentence and distinguish bad input from a failure.
package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Input reports input that a person can put right.
type Input struct {
	File string // as the person named it; "" when there is none
	Line int    // line of a text file, from 1, the header included; 0 when not known
	// data row, from 1; used where there are no lines (Parquet, NPY); 0 when not known
	Row     int
	Column  string // column name; "" when the fault is not in a column
	Problem string // what is wrong, as a clause without a full stop
	Fix     string // what to do about it, as a clause without a full stop; "" when nothing helps
	Err     error  // the cause, if another error has more detail
}

// Inputf returns an [*Input] with a fix and a formatted problem.
func Inputf(fix, problem string, args ...any) *Input {
	return &Input{Problem: fmt.Sprintf(problem, args...), Fix: fix}
}

// In sets the file that e is about, and returns e.
func (e *Input) In(file string) *Input {
	e.File = file
	return e
}

// Because sets the cause of e, and returns e.
func (e *Input) Because(err error) *Input {
	e.Err = err
	return e
}

// Error returns one sentence: where, what, and the fix.
func (e *Input) Error() string {
	var where []string
	if e.File != "" {
		where = append(where, e.File)
	}
	switch {
	case e.Line > 0:
		where = append(where, "line "+strconv.Itoa(e.Line))
	case e.Row > 0:
		where = append(where, "row "+strconv.Itoa(e.Row))
	}
	if e.Column != "" {
		where = append(where, "column "+e.Column)
	}
	var b strings.Builder
	if len(where) > 0 {
		b.WriteString(strings.Join(where, ", "))
		b.WriteString(": ")
	}
	b.WriteString(e.Problem)
	if e.Fix != "" {
		b.WriteString("; ")
		b.WriteString(e.Fix)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Input) Unwrap() error { return e.Err }

// IsInput reports whether err, or an error it wraps, is an [*Input], or a [*Storage] of a damaged
// file.
func IsInput(err error) bool {
	var in *Input
	return errors.As(err, &in)
}
