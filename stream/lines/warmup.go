package lines

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/stream"
)

// DefaultWarmUp is the default number of rows that decide the layout.
const DefaultWarmUp = 1000

// mostFirst bounds the text of the first rows, in bytes.
const mostFirst = 64 << 20

// WarmUp reports how the first rows make the layout. The zero value finds everything and scales to
// [0, 1].
type WarmUp struct {
	Rows    int // 0: DefaultWarmUp
	Read    dataset.ReadOptions
	Prepare dataset.Preparation
	Skip    bool // rows that cannot be read are left out; false: they are an error
}

// First is what the first rows show.
type First struct {
	Layout stream.Layout
	// of the first rows, prepared; bad ones and those with missing values left out
	X     dataset.Matrix
	Of    int      // first rows, those that were left out included
	Notes []string // what was chosen, a sentence each
}

// WarmUp gathers the text of the first rows, or of all where there are fewer, and makes the layout.
// The source is then at the first row: Fill returns the rows of the warm-up like all others. What
// cannot be used is a *fault.Input.
func (s *Source) WarmUp(ctx context.Context, w WarmUp) (*First, error) {
	if w.Rows <= 0 {
		w.Rows = DefaultWarmUp
	}
	if _, _, err := dataset.FindEncoding(nil, true, w.Read.Encoding); err != nil {
		return nil, err
	}
	s.reader = newReader(s.name, s.from, 0, s.stop, w.Read.Encoding)
	name := strings.TrimSuffix(strings.TrimSuffix(s.name, ".gz"), ".zst")
	g := firstRecords{jsonl: w.Read.Format == dataset.FormatJSONL}
	for s.more(ctx) {
		if g.take(s.text, s.whole && !s.unfinished(), w.Rows) || s.whole ||
			len(s.text) > mostFirst {
			break
		}
	}
	switch {
	case s.failed != nil:
		return nil, s.failed
	case s.stopped():
		return nil, context.Canceled
	case len(bytes.TrimSpace(s.text)) == 0:
		return nil, fault.Inputf("give rows, with a header where they are CSV",
			"is empty").In(s.name)
	}
	if s.unfinished() && len(g.spans) == 0 {
		return nil, fault.Inputf("give rows, a line each, with a header where they are CSV",
			"has no line end yet").In(s.name)
	}
	first, err := makeLayout(ctx, name, g.records(s.text), w)
	if err != nil {
		var in *fault.Input
		if errors.As(err, &in) && s.unfinished() && len(g.spans) == 1 {
			in.Problem += " (its last line has no line end yet)"
		}
		if errors.As(err, &in) && in.File == name {
			in.File = s.name
		}
		return nil, err
	}
	if charset := s.reader.charset; charset != "" {
		first.Layout.Charset = charset
		first.Notes = append(first.Notes, "the text is read as "+charset)
	}
	if s.decoder, err = NewDecoder(s.name, first.Layout, 0); err != nil {
		return nil, err
	}
	s.decoder.expectFront()
	s.asked = false
	return first, nil
}

// firstRecords finds the records of the first rows, the header among them; directives between them
// are left out.
type firstRecords struct {
	spans [][2]int // begin and end in the text
	jsonl bool
	at    int // where the next record begins
}

// take goes on with text, which is longer than before, up to a number of rows; enough reports that
// there are so many.
func (g *firstRecords) take(text []byte, whole bool, rows int) (enough bool) {
	if g.at == 0 {
		front := bytes.TrimPrefix(text, []byte(byteOrderMark))
		g.at = len(text) - len(front)
		front = bytes.TrimLeft(front, " \t\r\n")
		g.jsonl = g.jsonl || bytes.HasPrefix(front, []byte("{"))
	}
	most := rows
	if !g.jsonl {
		most++ // the header
	}
	for g.at < len(text) && len(g.spans) < most {
		end := recordEnd(text[g.at:], !g.jsonl)
		if end < 0 {
			if !whole {
				return false
			}
			end = len(text) - g.at
		}
		record := text[g.at : g.at+end]
		if front := bytes.TrimLeft(record, " \t\r\n"); len(front) > 0 && !g.isDirective(front) {
			g.spans = append(g.spans, [2]int{g.at, g.at + end})
		}
		g.at += end
	}
	return len(g.spans) == most
}

// isDirective reports whether a record is a link or a row to forget.
func (g *firstRecords) isDirective(record []byte) bool {
	for _, word := range []string{"@link", "@forget"} {
		if bytes.HasPrefix(record, []byte(word)) || g.jsonl &&
			bytes.Contains(record, []byte(`"`+word+`"`)) {
			return true
		}
	}
	return false
}

func (g *firstRecords) records(text []byte) [][]byte {
	records := make([][]byte, len(g.spans))
	for i, s := range g.spans {
		records[i] = text[s[0]:s[1]:s[1]]
	}
	return records
}

// recordEnd returns the position behind the record at the front of text; -1 when it may go on.
// Quotes count where a field may begin, whatever the separator; a record with quotes that is too
// long ends with its first line.
func recordEnd(text []byte, quotes bool) int {
	line := nextLine(text, 0)
	if !quotes || line >= 0 && bytes.IndexByte(text[:line], '"') < 0 {
		return line
	}
	inside, begins := false, true
	for i, c := range text[:min(len(text), MaxLine)] {
		switch {
		case inside:
			inside = c != '"'
		case c == '"':
			inside = begins || i > 0 && text[i-1] == '"'
			begins = false
		case c == '\n' || c == '\r':
			return i + 1
		case c == ',' || c == ';' || c == '\t' || c == ' ' && begins:
			begins = true
		default:
			begins = false
		}
	}
	if len(text) > MaxLine {
		return line
	}
	return -1
}

// makeLayout finds the layout that package dataset finds in the records. If w.Skip is set,
// records that it cannot read are left out, as many at once as can be distinguished, and so are
// those that no learner takes.
func makeLayout(ctx context.Context, name string, records [][]byte, w WarmUp) (*First, error) {
	all := records
	var bad *fault.Input // what was wrong at first
	read := w.Read
	read.Plain = true // as what follows is read
	read.Roles = true // but what columns are for does not depend on how
	if objects(name, records[0], read.Format) {
		read.Decimal = ""
	} else if read.Decimal == "" {
		read.Decimal = dataset.FindDecimal(join(records), cmp.Or(read.Format,
			dataset.FormatOf(name)))
	}
	w.Read.Decimal = read.Decimal
	for {
		var first *First
		t, err := dataset.ReadStream(ctx, bytes.NewReader(join(records)), name, read)
		if err == nil {
			if first, err = prepare(ctx, t, records, w); err != nil {
				return nil, err
			}
			first.Of = t.Rows + len(all) - len(records)
			if learnable(first.X) {
				return first, nil
			}
		}
		var left [][]byte
		var in *fault.Input
		switch {
		case first != nil:
			if left, in, err = withoutFar(name, records, first.Layout); err != nil {
				return nil, err
			}
			if !w.Skip && in != nil {
				return nil, in
			}
			if len(left) == len(records) {
				return first, nil // the learner reports it
			}
		case !errors.As(err, &in) || !w.Skip:
			return nil, err
		case in.Line == 0 && in.Row == 0:
			if bad != nil && len(records) == 1 {
				return nil, noneGood(bad, all, true) // the header is left
			}
			return nil, err
		default:
			if left = without(ctx, name, records, in, w); len(left) == len(records) {
				return nil, err
			}
		}
		if bad == nil {
			bad = in
		}
		if len(left) == 0 {
			return nil, noneGood(bad, all, false)
		}
		records = left
	}
}

// noneGood reports that all records but a header are bad; in is what was wrong with one of them.
func noneGood(in *fault.Input, records [][]byte, header bool) *fault.Input {
	one, rows := *in, len(records)
	if header {
		rows--
	}
	if in.Line > 0 {
		one.Line, one.Row = 0, recordAt(records, in.Line)+1-(len(records)-rows)
	}
	if rows > 1 {
		one.Problem += fmt.Sprintf(" (none of the first %d rows could be used)", rows)
	}
	return &one
}

// learnable reports whether a learner takes all the values.
func learnable(x dataset.Matrix) bool {
	for i := range x.Rows {
		for j := range x.Cols {
			if !(math.Abs(x.At(i, j)) <= competitive.MostValue) {
				return false
			}
		}
	}
	return true
}

// withoutFar returns the records that the decoder takes by a layout that was found from them, and
// what is wrong with the first of the others; nil when there are none.
func withoutFar(name string, records [][]byte, layout stream.Layout) (left [][]byte,
	wrong *fault.Input, err error) {
	d, err := NewDecoder(name, layout, 0)
	if err != nil {
		return nil, nil, err
	}
	d.expectFront()
	for _, r := range records {
		b := &stream.Block{}
		d.Decode(ended(r), false, b, 1)
		switch {
		case len(b.Notes) == 0:
			left = append(left, r)
		case wrong == nil:
			wrong = b.Notes[0].Problem
		}
	}
	return left, wrong, nil
}

// join puts records one below the other, each with a line end.
func join(records [][]byte) []byte {
	var text []byte
	for _, r := range records {
		text = append(append(text, bytes.TrimRight(r, "\r\n")...), '\n')
	}
	return text
}

// lackingNote describes the rows that get no label since nothing says what to do about missing
// values.
func lackingNote(t *dataset.Table, rows int) string {
	var names []string
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Role == dataset.Feature && c.Missing > 0 {
			names = append(names, fmt.Sprintf("%s %d", words.Short(c.Name), c.Missing))
		}
	}
	return fmt.Sprintf("rows without a value (%d of the first %d: %s) get no label: --missing "+
		"keep labels them", rows, t.Rows, words.UpTo(names, 8))
}

// prepare turns the table of the first rows into a matrix, and makes the layout.
func prepare(ctx context.Context, t *dataset.Table, records [][]byte, w WarmUp) (*First, error) {
	how := w.Prepare
	if w.Skip && how.Missing == dataset.MissingRefuse {
		how.Missing = dataset.MissingDrop // such rows are bad, like others
	}
	ready, err := t.Prepare(ctx, how)
	if err != nil {
		return nil, err
	}
	notes := ready.Notes
	if how.Missing != w.Prepare.Missing && ready.Dropped > 0 {
		notes = append(slices.DeleteFunc(slices.Clone(notes), func(note string) bool {
			return note == dataset.DroppedNote(ready.Dropped)
		}), lackingNote(t, ready.Dropped))
	}
	first := &First{X: ready.X, Notes: append(t.Notes, notes...),
		Layout: stream.Layout{Format: t.Format, Encoding: ready.Encoding}}
	l := &first.Layout
	l.Encoding.Missing = w.Prepare.Missing
	for _, c := range t.Columns {
		l.Columns = append(l.Columns, c.Name)
		switch c.Role {
		case dataset.ID:
			l.ID = c.Name
		case dataset.Label:
			l.Label = c.Name
		}
	}
	switch t.Format {
	case dataset.FormatJSONL:
		l.Columns = nil
	case dataset.FormatCSV, dataset.FormatTSV:
		sep, _, ok := separatorOf(records[0], l.Columns, t.Format)
		if !ok {
			return nil, &fault.Input{File: t.Name, Line: 1,
				Problem: "has a first line that is neither a header nor a row",
				Fix:     "give the columns' names in the first line"}
		}
		if t.Format == dataset.FormatCSV && sep != ',' {
			l.Separator = string(sep)
		}
		if w.Read.Decimal == "," {
			l.Decimal = ","
			first.Notes = append(first.Notes, "numbers are read with a decimal comma")
		}
	default:
		return nil, fault.Inputf("turn it into CSV first, with kindred data convert",
			"is %s, which does not come by lines", t.Format).In(t.Name)
	}
	return first, nil
}
