// Package ours recognises the files that kindred writes by their first bytes, and says what to do
// with one that is given in the place of another.
package ours

import (
	"bytes"
	"encoding/binary"
	"regexp"

	"github.com/kindred-go/kindred/fault"
)

// Kind is what a file is.
type Kind int

// The kinds of files. Data is what no other kind is: a table, say.
const (
	Data Kind = iota
	Project
	Model
	State     // of a stream
	Partition // as --out writes it, which is a table, too
)

// HeadBytes is how many of the first bytes of a file [Of] looks at.
const HeadBytes = 100

// What files are recognised by.
const (
	SQLite      = "SQLite format 3\x00"  // begins a database of SQLite, as a project is one
	ProjectID   = 0x6b696e64             // is the application id of a project: "kind" in ASCII
	ModelFormat = "kindred model"        // is the format that a model names
	StateFormat = "kindred stream state" // begins the state of a stream
)

// kinds are the kinds by number: what a file is, what is done with it, and how a model is come by
// where it is given in the place of one.
var kinds = [...]struct{ is, use, model string }{
	Data: {is: "data"},
	Project: {"a project of kindred", "open it with kindred serve or kindred ask --project",
		"write its model by kindred ask PROJECT --model FILE, and give that"},
	Model: {"a model", "place rows with it by kindred predict MODEL DATA", ""},
	State: {"the state of a stream", "go on with it by kindred stream --state",
		"write the model of the stream by kindred stream --model FILE, and give that"},
	Partition: {"a partition", "draw it by kindred plot, or judge it by kindred score",
		"write a model with the groups by kindred cluster DATA --model FILE, and give that"},
}

// partition is the beginning of the files that --out writes as text.
var partition = regexp.MustCompile(`^(id,cluster(,|\r?\n|$)|\{"id":"(?:[^"\\]|\\.)*","cluster":)`)

// Of returns the kind of a file by its first bytes.
func Of(head []byte) Kind {
	switch {
	case len(head) >= HeadBytes && bytes.HasPrefix(head, []byte(SQLite)) &&
		binary.BigEndian.Uint32(head[68:]) == ProjectID:
		return Project
	case bytes.HasPrefix(head, []byte(`{"format":"`+ModelFormat+`"`)):
		return Model
	case bytes.HasPrefix(head, []byte(StateFormat)):
		return State
	case partition.Match(head):
		return Partition
	}
	return Data
}

// Instead returns the error of a file that begins so, given where another kind is wanted; nil where
// it may be of that kind.
func Instead(head []byte, wanted Kind) *fault.Input {
	kind := Of(head)
	if kind == wanted || kind == Data || kind == Partition && wanted == Data {
		return nil
	}
	fix := "name another file"
	switch wanted {
	case Data:
		fix = kinds[kind].use + ", or give the data that it was made from"
	case Model:
		fix = kinds[kind].model
	case Project:
		fix += " with --project"
	case State:
		fix += ": this one is left as it is"
	}
	return fault.Inputf(fix, "is %s, not %s", kinds[kind].is, kinds[wanted].is)
}
