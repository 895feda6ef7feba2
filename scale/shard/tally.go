package shard

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// maxSamples is how many unreadable rows are shown.
const maxSamples = 5

// Bad reports how many unreadable rows are borne: rows with too few or too many fields, with
// something that is no number where one belongs, with bytes that are not UTF-8, or with a quote
// that is never closed. The zero value bears none. A file that cannot be read at all is never
// borne.
type Bad struct {
	Most int64 // rows; a table with more fails. 0: as many as Share bears
	// of all rows, in [0, 1]; a table with a larger share fails. 0: as many as Most bears
	Share float64
}

// none reports whether the first unreadable row is one too many.
func (b Bad) none() bool { return b.Most <= 0 && b.Share <= 0 }

// tooMany reports whether a split has so many unreadable rows that the whole table fails, whatever
// the other splits hold.
func (b Bad) tooMany(unreadable int64) bool {
	return unreadable > 0 && b.none() || b.Most > 0 && unreadable > b.Most
}

// Check refuses a table with more unreadable rows than are borne.
func (b Bad) Check(t Tally) error {
	all := t.Rows + t.Unreadable
	if !b.tooMany(t.Unreadable) && !(b.Share > 0 && float64(t.Unreadable) > b.Share*float64(all)) {
		return nil
	}
	return b.refuse(t, fmt.Sprintf("%d rows", all))
}

// refuse returns the error of too many rows that cannot be read.
func (b Bad) refuse(t Tally, of string) error {
	var borne []string
	if b.Most > 0 {
		borne = append(borne, strconv.FormatInt(b.Most, 10))
	}
	if b.Share > 0 {
		borne = append(borne, percent(b.Share)+" of all")
	}
	if b.none() {
		borne = []string{"0"}
	}
	problem := fmt.Sprintf("%d of %s (%s) cannot be read, where at most %s are borne", t.Unreadable,
		of,
		percent(float64(t.Unreadable)/float64(t.Rows+t.Unreadable)), strings.Join(borne, " and "))
	if len(t.Samples) > 0 {
		problem += ": " + strings.Join(t.Samples, " | ")
	}
	return fault.Inputf("fix these rows, or bear more of them", "%s", problem)
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'g', 3, 64) + "%" }

// Tally counts the rows of a split, or of many.
type Tally struct {
	Rows       int64    // readable
	Unreadable int64    // left out, for they could not be read
	Dropped    int64    // of the readable ones, left out for missing values
	Samples    []string // at most 5 of those unreadable: file, line, and what is wrong
}

// Add takes the rows of a later split into t.
func (t *Tally) Add(o Tally) {
	t.Rows += o.Rows
	t.Unreadable += o.Unreadable
	t.Dropped += o.Dropped
	// Tallies are values that get copied, so their samples must not be shared.
	t.Samples = append(t.Samples[:len(t.Samples):len(t.Samples)],
		o.Samples[:min(len(o.Samples), maxSamples-len(t.Samples))]...)
}
