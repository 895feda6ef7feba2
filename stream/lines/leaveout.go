package lines

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// without returns the records but those that have the fault that reading them met.
func without(ctx context.Context, name string, records [][]byte, in *fault.Input,
	w WarmUp) [][]byte {
	jsonl := objects(name, records[0], w.Read.Format)
	faulty := in.Row // the header has position 0
	switch {
	case in.Line > 0:
		faulty = recordAt(records, in.Line)
		if faulty == 0 && !jsonl {
			return records // the header itself: nothing can be left out
		}
	case jsonl:
		faulty--
	}
	c := &cells{d: &Decoder{}, jsonl: true}
	if !jsonl {
		c = newCells(ctx, name, records, faulty, w)
	}
	if c == nil { // nothing is known yet
		return except(records, faulty)
	}
	left := c.keep(records, c.straight)
	if len(left) == len(records) && in.Column != "" {
		seen := make(map[string]bool)
		left = c.keep(records, func(r []byte) bool {
			value, ok := c.value(r, in.Column)
			if in.Line > 0 {
				return !ok || missing(value) || finite(value)
			}
			again := seen[string(value)]
			seen[string(value)] = true
			return len(value) > 0 && !again
		})
	}
	if len(left) == len(records) {
		return except(records, faulty)
	}
	return left
}

// objects reports whether package dataset takes records for JSON objects.
func objects(name string, first []byte, asked dataset.Format) bool {
	if asked != "" {
		return asked == dataset.FormatJSONL
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".jsonl", ".ndjson":
		return true
	case ".csv", ".tsv", ".tab":
		return false
	}
	return bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(first, []byte(byteOrderMark)),
		" \t\r\n"), []byte("{"))
}

// except leaves one record out.
func except(records [][]byte, i int) [][]byte {
	if i >= len(records) {
		return records
	}
	return slices.Concat(records[:i], records[i+1:])
}

// recordAt returns the position of the record with a line, from 1.
func recordAt(records [][]byte, line int) int {
	for i, r := range records {
		r = bytes.TrimRight(r, "\r\n")
		if line -= 1 + bytes.Count(r, []byte{'\n'}); line <= 0 {
			return i
		}
	}
	return len(records) - 1
}

// cells reads the values of records.
type cells struct {
	d      *Decoder
	jsonl  bool
	header bool
	place  map[string]int
}

// newCells finds out what separates the values of lines of CSV, from the records before the faulty
// one; nil when that cannot be known.
func newCells(ctx context.Context, name string, records [][]byte, faulty int, w WarmUp) *cells {
	good := records
	if faulty < len(records) {
		good = records[:faulty]
	}
	t, err := dataset.ReadStream(ctx, bytes.NewReader(join(good)), name,
		dataset.ReadOptions{Format: w.Read.Format, Plain: true, Decimal: w.Read.Decimal})
	if err != nil {
		return nil
	}
	c := &cells{place: make(map[string]int)}
	var names []string
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
		c.place[names[i]] = i
	}
	sep, header, ok := separatorOf(good[0], names, t.Format)
	if !ok {
		return nil
	}
	c.header = header
	c.d = &Decoder{sep: sep, columns: make([]column, len(names))}
	return c
}

// keep returns the header and the records that are good.
func (c *cells) keep(records [][]byte, good func([]byte) bool) [][]byte {
	var left [][]byte
	for i, r := range records {
		if i == 0 && c.header || good(ended(r)) {
			left = append(left, r)
		}
	}
	return left
}

// ended returns a record with a line end.
func ended(r []byte) []byte {
	r = bytes.TrimRight(r, "\r\n")
	return append(r[:len(r):len(r)], '\n')
}

// straight reports whether a record is a whole one, with as many values as there are columns.
func (c *cells) straight(r []byte) bool {
	if c.d.dirty(r) {
		return false
	}
	if c.jsonl {
		_, problem := (&Decoder{}).objectRow(r, 0, nil, &stream.Block{})
		return problem == nil
	}
	fields, _, problem := c.d.split(r, c.d.skipBlank(r, 0))
	return problem == nil && len(fields) == len(c.d.columns)
}

// value returns the value of a record in a column; ok is false where it has none.
func (c *cells) value(r []byte, name string) (value []byte, ok bool) {
	if c.jsonl {
		// As an id a value stays the text that it is.
		d := &Decoder{columns: []column{{name: name, quoted: []byte(strconv.Quote(name)),
			use: asID}}, byName: map[string]int{name: 0}, seen: make([]uint32, 1)}
		b := &stream.Block{}
		if _, problem := d.objectRow(r, 0, nil, b); problem != nil {
			return nil, problem.Column == name // which is empty
		}
		return b.IDText, true
	}
	fields, _, problem := c.d.split(r, c.d.skipBlank(r, 0))
	i, known := c.place[name]
	if problem != nil || !known || i >= len(fields) {
		return nil, false
	}
	return []byte(fields[i]), true
}

// finite reports whether s is a number that can be used.
func finite(s []byte) bool {
	v, next, ok := dataset.ScanNumber(append(bytes.Clone(s), 0), 0)
	return ok && next == len(s) && !math.IsInf(v, 0)
}
