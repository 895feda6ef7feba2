package fault

import (
	"errors"
	"io/fs"
	"syscall"
)

// Kind is a kind of trouble with a file that is kept, which is nobody's wrong input: the disk is
// full, or the file is open elsewhere. It is a cause of every [*Storage]: errors.Is(err, Full).
type Kind string

// The kinds of trouble with files that are kept.
const (
	Full       Kind = "disk-full"
	Unwritable Kind = "unwritable"
	Moved      Kind = "moved"
	Failing    Kind = "disk-failed"
	InUse      Kind = "in-use"
	Damaged    Kind = "damaged"
)

// Error returns what is the matter, as a clause.
func (k Kind) Error() string { return k.Class().Problem }

// Class is what a kind of trouble means, in words, to a client of the HTTP API and to a script.
type Class struct {
	Kind    Kind
	Title   string // a few words
	Problem string // as in Input
	Fix     string // as in Input
	Meaning string // for those who write clients, in sentences
	Status  int    // of HTTP
	Exit    int    // of the command
}

// classes are all kinds, in the order of the documentation.
var classes = []Class{
	{Full, "The disk is full", "the disk is full, so nothing more can be kept",
		"free some space, then try again",
		"Nothing of the request was kept. Send it again, with the same id, once there is room.",
		507, 1},
	{Unwritable, "The file cannot be written", "it cannot be written",
		"see that it and its folder may be written, or name another file",
		"The project, or its folder or disk, may only be read. Nothing of the request was kept. " +
			"Send it again, with the same id, once the file may be written.", 409, 1},
	{Moved, "The file was moved",
		"it was moved or removed while it was open, so nothing more can be kept",
		"put it back, or close it and open it again",
		"What would be written to a file that has lost its name would be lost with it, so nothing " +
			"of the request was kept. Send it again, with the same id, once the file is back.",
		409, 1},
	{Failing, "The disk failed", "the disk failed",
		"see what the system says of the disk, and copy the file to another one",
		"The system could not read or write the file. Nothing of the request was kept. Send it " +
			"again, with the same id, once the disk works.", 500, 1},
	{InUse, "The project is open elsewhere", "the project is open in another kindred",
		"close that one first by Ctrl-C, or keep another project with --project",
		"Another kindred has the project file open. Close it there, then open the project by POST " +
			"/api/v1/projects/{p}/open.", 423, 1},
	{Damaged, "The project file is damaged",
		"the project file is damaged, or is no project file",
		"restore it from a copy, or see by kindred check what can be kept; it was left as it is",
		"What is in the file is not as it was written; the detail has what that affects. Put a " +
			"copy in its place, or repair it by kindred check --repair, then open the project by " +
			"POST /api/v1/projects/{p}/open.", 500, 3},
}

// Classes returns the classes of all kinds.
func Classes() []Class { return append([]Class(nil), classes...) }

// Class returns the class of k.
func (k Kind) Class() Class {
	for _, c := range classes {
		if c.Kind == k {
			return c
		}
	}
	return Class{Kind: k, Title: string(k), Problem: string(k), Status: 500, Exit: 1}
}

// Storage reports a file that is kept, and cannot be written or read. Of the kind [Damaged] it is
// an [*Input], too, as the file may be one that a person gave.
type Storage struct {
	Kind Kind
	File string // as the person named it; "" when there is none
	Kept string // what is safe all the same, as a clause; "" for nothing
	Lost string // of a damaged file: what is damaged, and what that affects, as clauses
	Err  error  // the cause
}

// Error returns one sentence: where, what, what is safe, and the fix.
func (e *Storage) Error() string { return e.input().Error() }

// input is e as wrong input is reported.
func (e *Storage) input() *Input {
	c := e.Kind.Class()
	in := &Input{File: e.File, Problem: c.Problem, Fix: c.Fix, Err: e.Err}
	if why := reason(e.Err); e.Kind == Unwritable && why != nil {
		in.Problem += " (" + why.Error() + ")"
	}
	if e.Lost != "" {
		in.Problem = "the file is damaged: " + e.Lost
	}
	if e.Kept != "" {
		in.Problem += "; " + e.Kept
	}
	return in
}

// reason returns what the system, or a check of a path, says is the matter; nil: they say nothing.
func reason(err error) error {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number
	}
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		return about.Err
	}
	return nil
}

// Unwrap returns the kind and the cause.
func (e *Storage) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// As sets a target of type **Input if the file is damaged.
func (e *Storage) As(target any) bool {
	in, ok := target.(**Input)
	if !ok || e.Kind != Damaged {
		return false
	}
	*in = e.input()
	return true
}

// Of returns the class of the trouble with a file that err reports, if it does.
func Of(err error) (Class, bool) {
	var kind Kind
	if !errors.As(err, &kind) {
		return Class{}, false
	}
	return kind.Class(), true
}

// Reading returns err, an error of the system in opening the file at path for reading, as an
// [*Input] that wraps it, where there is no such file or it may not be read. Other errors are
// returned as they are.
func Reading(path string, err error) error {
	switch {
	case IsInput(err):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &Input{File: path, Problem: "there is no such file",
			Fix: "check the name and the folder", Err: err}
	case errors.Is(err, fs.ErrPermission):
		return &Input{File: path, Problem: "may not be read",
			Fix: "give yourself leave to read it and its folder, or name another file", Err: err}
	}
	return err
}

// Writing returns err, an error of the system in writing the file at path, as a [*Storage] that
// wraps it: [Full], [Unwritable] or [Failing]. Other errors are returned as they are.
func Writing(path string, err error) error {
	if _, known := Of(err); err == nil || known {
		return err
	}
	for _, x := range []struct {
		kind Kind
		is   []error
	}{
		{Full, full}, {Unwritable, append(unwritable, fs.ErrPermission)}, {Failing, failing},
	} {
		for _, is := range x.is {
			if errors.Is(err, is) {
				return &Storage{Kind: x.kind, File: path, Err: err}
			}
		}
	}
	return err
}
