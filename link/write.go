package link

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
)

// Write writes links as CSV that [Read] reads back: the columns a, b and link, and those of p,
// source and time that any link has. name returns the id of a row; nil numbers rows from 1.
//
// So that no spreadsheet runs an id or a source as a formula, one that begins with = + - @, their
// full-width forms, a tab or a line end gets an apostrophe in front, which Read takes off again. It
// fails with a [*fault.Input] on text that CSV would not preserve: invalid UTF-8, NUL, and a
// carriage return before a line feed.
func Write(w io.Writer, links []Link, name func(row int) string) error {
	if name == nil {
		name = number
	}
	header := append([]string(nil), columns[:needed]...)
	var p, source, moment bool
	for _, l := range links {
		p = p || l.Plausibility != 0
		source = source || l.Source != ""
		moment = moment || !l.Time.IsZero()
	}
	for i, present := range [...]bool{p, source, moment} {
		if present {
			header = append(header, columns[needed+i])
		}
	}
	c := csv.NewWriter(w)
	if err := c.Write(header); err != nil {
		return err
	}
	record := make([]string, 0, len(columns))
	for i, l := range links {
		when, err := checkLink(l, name, i)
		if err != nil {
			return err
		}
		record = append(record[:0], safe.Guard(name(l.A)), safe.Guard(name(l.B)), l.Kind.String())
		if p {
			record = append(record, plausibility(l))
		}
		if source {
			record = append(record, safe.Guard(l.Source))
		}
		if moment {
			record = append(record, when)
		}
		for k, cell := range record {
			if strings.Contains(cell, "\r\n") {
				return &fault.Input{Row: i + 1, Column: header[k],
					Problem: quote(cell) +
						" has a carriage return before a line feed, which CSV loses",
					Fix: "write JSON lines instead"}
			}
		}
		if err := c.Write(record); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// WriteJSONL writes links as JSON lines that [ReadJSONL] reads back, ids as strings. name is as in
// [Write].
func WriteJSONL(w io.Writer, links []Link, name func(row int) string) error {
	if name == nil {
		name = number
	}
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for i, l := range links {
		when, err := checkLink(l, name, i)
		if err != nil {
			return err
		}
		err = enc.Encode(struct {
			A      string  `json:"a"`
			B      string  `json:"b"`
			Link   Kind    `json:"link"`
			P      float64 `json:"p,omitempty"`
			Source string  `json:"source,omitempty"`
			Time   string  `json:"time,omitempty"`
		}{name(l.A), name(l.B), l.Kind, l.Plausibility, l.Source, when})
		if err != nil {
			return err
		}
	}
	return out.Flush()
}

func plausibility(l Link) string {
	if l.Plausibility == 0 {
		return ""
	}
	return strconv.FormatFloat(l.Plausibility, 'g', -1, 64)
}

// checkLink refuses to write what could not be read again, and returns the time as text, "" for
// none.
func checkLink(l Link, name func(int) string, i int) (when string, err error) {
	if l.Kind > CannotLink || l.Plausibility != 0 && !validPlausibility(l.Plausibility) {
		return "", &fault.Input{Row: i + 1,
			Problem: fmt.Sprintf("the link %v with confidence %v cannot be written", l.Kind,
				l.Plausibility)}
	}
	for k, text := range [...]string{name(l.A), name(l.B), l.Source} {
		if err := checkText(text); err != nil {
			return "", &fault.Input{Row: i + 1, Column: [...]string{"a", "b", "source"}[k],
				Problem: quote(text) + " cannot be written", Err: err}
		}
	}
	if l.Time.IsZero() {
		return "", nil
	}
	when = l.Time.Format(time.RFC3339Nano)
	if back, err := time.Parse(time.RFC3339, when); err != nil || !back.Equal(l.Time) {
		return "", &fault.Input{Row: i + 1, Column: "time",
			Problem: fmt.Sprintf("the time %v cannot be written", l.Time)}
	}
	return when, nil
}
