package method

import (
	"errors"
	"io"
	"io/fs"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/method/param"
)

// Focal declares the focal sets of a credal partition: p has its Default or Auto. The sets that the
// value names are those of [Problem.FocalSets].
func Focal(set *param.Set, v *string, p param.Param) {
	p.Name, p.Choices = "focal", []string{"simple", "pairs", "full"}
	p.Help = "focal sets: the empty set, clusters and the frame, with pairs, or all sets; or a " +
		"file with one set per line, as in 1+2"
	set.File(v, p)
}

// FocalSets returns the focal sets on c clusters that a value names: simple, pairs, full, or those
// of a file; nil for "". Errors are a [*fault.Input].
func (p Problem) FocalSets(value string, c int) ([]belief.Set, error) {
	switch value {
	case "":
		return nil, nil
	case "simple":
		return belief.Simple(c)
	case "pairs":
		return belief.Pairs(c)
	case "full":
		return belief.Full(c)
	}
	open := p.Open
	if open == nil {
		open = func(path string) (io.ReadCloser, error) {
			return infile.Open(path, "a file of focal sets")
		}
	}
	unreadable := func(err error) error {
		in := &fault.Input{File: value, Problem: "the focal sets cannot be read",
			Fix: "give simple, pairs, full, or a file with one set per line", Err: err}
		switch {
		case errors.Is(err, fs.ErrNotExist):
			in.Problem = "there is no such file of focal sets"
		case errors.Is(err, fs.ErrPermission):
			return fault.Reading(value, err)
		}
		return in
	}
	f, err := open(value)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	sets, err := belief.ParseSets(f, value, c)
	if err != nil && !fault.IsInput(err) {
		return nil, unreadable(err)
	}
	return sets, err
}
