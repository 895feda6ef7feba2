package dataset

import (
	"math"
	"time"
)

// momentKind is what the values of a column of type Time are.
type momentKind int

// The kinds of moments.
const (
	dates  momentKind = iota // days: midnight
	stamps                   // days with a time of day
	clocks                   // times of day without a day: seconds since midnight
)

// String returns "dates", "dates and times" or "times of day".
func (k momentKind) String() string {
	return [...]string{"dates", "dates and times", "times of day"}[k]
}

// moments describes the values of a column of type Time.
//
// Values lie in the numeric block as float64 seconds since 1970-01-01 00:00 UTC, times of day as
// seconds since midnight; NaN is missing. A time without a zone is taken as UTC. Since a float32
// holds seconds of today only to two minutes, a block with such a column is never single.
//
// A reader of a text format sets sampled.typ to Time, sampled.moments, and sampled.read to what
// turns a cell into seconds. A reader of a binary format leaves sampled.read nil; it writes the
// seconds into the slot of a column that is kept asNumber, and the text that appendText returns of
// them into one that is kept asText.
type moments struct {
	kind momentKind
	// seconds east of UTC in which the values are shown and their parts are those of a day, a week
	// or a year
	zone int
	// the values name a zone; they are shown with it
	zoned bool
}

// appendText appends a value in ISO 8601, with the fraction of a second that it has.
func (m moments) appendText(dst []byte, seconds float64) []byte {
	if math.IsNaN(seconds) {
		return dst
	}
	whole := math.Floor(seconds)
	nanos := math.Round((seconds - whole) * 1e6) // microseconds: all that 2⁵³ leaves today
	at := time.Unix(int64(whole), int64(nanos)*1000).UTC()
	if m.zoned && m.zone != 0 {
		at = at.In(time.FixedZone("", m.zone))
	}
	layout := "2006-01-02"
	switch {
	case m.kind == clocks:
		layout = "15:04:05.999999"
	case m.kind == stamps:
		layout = "2006-01-02T15:04:05.999999"
	}
	if m.zoned && m.kind != dates {
		layout += "Z07:00"
	}
	return at.AppendFormat(dst, layout)
}

// text returns a value as appendText does.
func (m moments) text(seconds float64) string { return string(m.appendText(nil, seconds)) }
