package shard

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// textPiece is how many bytes of text are taken at a time.
const textPiece = 1 << 20

// countable is how many bytes before a split are read to number its lines for a sample of an
// unreadable row; beyond that, a sample names the byte at which the row begins.
const countable = 256 << 20

// csvSplit reads one split of text.
type csvSplit struct {
	ctx    context.Context
	source Source
	split  Split
	in     input
	rows   *dataset.CSVRows
	cut    bool  // text of the file follows the split
	begin  int64 // byte at which its first line begins, in the unpacked text
	line   int   // lines before that, −1 when they are not counted

	block  raw
	texts  [][]byte  // of one row
	values []float64 // of the block
	arena  [][]byte  // ids and labels of the block, end to end
	ends   [][]int
	places []int // line of each row of the block, from the split's first
	first  int64 // number in the split of the block's first row; rows that cannot be read have none
	tally  Tally
	do     func(*raw) error
}

func (f csvFormat) each(ctx context.Context, s Source, split Split, in input,
	do func(*raw) error) (Tally, error) {
	front, _, err := f.front(ctx, s, in)
	if err != nil {
		return Tally{}, err
	}
	c := &csvSplit{ctx: ctx, source: s, split: split, in: in, line: -1, do: do}
	if err := c.columns(front); err != nil {
		return Tally{}, err
	}
	to, first := in.Size(), f.packed || split.Start <= int64(front.Start)
	if first {
		c.begin, c.line = int64(front.Start), front.Line-1
	} else if c.begin, err = lineStart(in, split.Start); err != nil {
		return Tally{}, readFault(in, err)
	}
	if !f.packed {
		if to, err = lineStart(in, split.End); err != nil {
			return Tally{}, readFault(in, err)
		}
		c.cut = to < in.Size()
	}
	from, err := f.open(in, c.begin, max(to, c.begin))
	if err != nil {
		return Tally{}, err
	}
	defer from.Close()
	err = c.read(from)
	return c.tally, err
}

// columns finds the columns of the source in the file.
func (c *csvSplit) columns(front *dataset.CSVFront) error {
	at := map[string]int{}
	for i, column := range front.Columns {
		at[column.Name] = i
	}
	places := make([]dataset.CSVPlace, len(front.Columns))
	keep := func(name string, as dataset.CSVKeep, slot int) error {
		i, ok := at[name]
		if !ok {
			return &fault.Input{File: c.in.Name(), Problem: "has no column " + strconv.Quote(name),
				Fix: "every file must have the same columns"}
		}
		if as == dataset.CSVNumber && front.Columns[i].Type == dataset.Boolean {
			as = dataset.CSVBoolean
		}
		places[i] = dataset.CSVPlace{Keep: as, Slot: slot}
		return nil
	}
	for slot, name := range c.source.Columns {
		if err := keep(name, dataset.CSVNumber, slot); err != nil {
			return err
		}
	}
	for _, name := range []string{c.source.ID, c.source.Label} {
		if name != "" {
			if err := keep(name, dataset.CSVText, len(c.texts)); err != nil {
				return err
			}
			c.texts = append(c.texts, nil)
		}
	}
	c.arena, c.ends = make([][]byte, len(c.texts)), make([][]int, len(c.texts))
	c.rows = dataset.NewCSVRows(front, places, c.source.Decimal == ",")
	return nil
}

// lineStart returns the first line's beginning at or after a place.
func lineStart(in input, at int64) (int64, error) {
	size := in.Size()
	if at <= 0 || at >= size {
		return max(0, min(at, size)), nil
	}
	at-- // the byte before may end a line
	buffer := make([]byte, 64<<10)
	for at < size {
		n, err := in.ReadAt(buffer[:min(int64(len(buffer)), size-at)], at)
		if i := bytes.IndexAny(buffer[:n], "\r\n"); i >= 0 {
			end := at + int64(i) + 1
			if buffer[i] == '\r' && end < size {
				var next [1]byte
				if _, err := in.ReadAt(next[:], end); err != nil && err != io.EOF {
					return 0, err
				}
				if next[0] == '\n' {
					end++
				}
			}
			return end, nil
		}
		if at += int64(n); at < size && err != nil {
			return 0, errShrunk
		}
	}
	return size, nil
}

// read takes the text in pieces that end where a row does.
func (c *csvSplit) read(from io.Reader) error {
	text, n := make([]byte, textPiece+1), 0
	place, lines := c.begin, 0 // of the text
	for over := false; !over; {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		got, end, err := fill(from, text[n:len(text)-1])
		if err != nil {
			return readFault(c.in, err)
		}
		n, over = n+got, end
		text[n] = '\n'
		c.rows.Take(text[:n+1], over)
		if err := c.take(place, lines); err != nil {
			return err
		}
		rest, passed := c.rows.Rest()
		place, lines = place+int64(rest), lines+passed
		last := text[rest:n]
		if rest == 0 && !over {
			text = make([]byte, 2*len(text))
		}
		n = copy(text, last)
	}
	return c.flush()
}

// take reads the rows of a piece of text, which begins at a place of the file and a line of the
// split.
func (c *csvSplit) take(place int64, lines int) error {
	d := len(c.source.Columns)
	for {
		n := len(c.values)
		c.values = slices.Grow(c.values, d)
		if !c.rows.Next(c.values[n:n+d], c.texts) {
			return nil
		}
		if c.rows.Fault != nil {
			if err := c.unreadable(place, lines); err != nil {
				return err
			}
			continue
		}
		c.values = c.values[:n+d]
		for k, text := range c.texts {
			c.arena[k] = append(c.arena[k], text...)
			c.ends[k] = append(c.ends[k], len(c.arena[k]))
		}
		c.places = append(c.places, lines+c.rows.Line)
		if len(c.places) >= c.source.blockRows() {
			if err := c.flush(); err != nil {
				return err
			}
		}
	}
}

// flush hands the block on.
func (c *csvSplit) flush() error {
	if len(c.places) == 0 {
		return nil
	}
	b := &c.block
	b.Split, b.First, b.Numbers = c.split.Index, c.first, nil
	b.X = dataset.Matrix{Rows: len(c.places), Cols: len(c.source.Columns), F64: c.values}
	k := 0
	if c.source.ID != "" {
		b.IDs = c.strings(k, b.IDs)
		k++
	}
	if c.source.Label != "" {
		b.Labels = c.strings(k, b.Labels)
		for i, label := range b.Labels {
			if dataset.IsMissing(label) {
				b.Labels[i] = ""
			}
		}
	}
	b.place = func(i int) fault.Input {
		return fault.Input{File: c.in.Name(), Line: c.lineOf(c.places[i])}
	}
	err := c.do(b)
	c.first += int64(len(c.places))
	c.values, c.places = c.values[:0], c.places[:0]
	return err
}

// strings returns the texts of a column of the block, all of them in one allocation.
func (c *csvSplit) strings(k int, to []string) []string {
	to = cut(string(c.arena[k]), c.ends[k], to[:0])
	c.arena[k], c.ends[k] = c.arena[k][:0], c.ends[k][:0]
	return to
}

// unreadable counts a row that has a fault.
func (c *csvSplit) unreadable(place int64, lines int) error {
	f := c.rows.Fault
	in := fault.Input{File: c.in.Name(), Column: f.Column, Problem: f.Problem, Fix: f.Fix}
	if c.cut && f.Problem == dataset.UnclosedQuote {
		in.Problem = "a quote opens here and is not closed in this split of the file"
		in.Fix = "close it; where fields hold line ends, make splits as large as the files"
	}
	c.tally.Unreadable++
	if c.source.BadRows.none() {
		in.Line = c.lineOf(lines + f.Line)
		return &in
	}
	if len(c.tally.Samples) < maxSamples {
		if c.line >= 0 || c.begin <= countable {
			in.Line = c.lineOf(lines + f.Line)
		} else {
			in.File += ", byte " + strconv.FormatInt(place+int64(c.rows.Start)+1, 10)
		}
		in.Fix = ""
		c.tally.Samples = append(c.tally.Samples, in.Error())
	}
	if c.source.BadRows.tooMany(c.tally.Unreadable) {
		all := c.tally
		all.Rows = c.first + int64(len(c.places))
		return c.source.BadRows.refuse(all,
			"the first "+strconv.FormatInt(all.Rows+all.Unreadable, 10)+" rows of a split")
	}
	return nil
}

// lineOf returns the line in the file, from 1, of a line of the split, from 0; 0 when the lines
// before cannot be counted.
func (c *csvSplit) lineOf(line int) int {
	if c.line < 0 {
		n, err := countLines(c.ctx, c.in, c.begin)
		if err != nil {
			return 0
		}
		c.line = n
	}
	return c.line + line + 1
}

// countLines counts the lines that end before a place, where one does.
func countLines(ctx context.Context, in input, to int64) (lines int, err error) {
	buffer := make([]byte, 256<<10)
	last := byte(0)
	for at := int64(0); at < to; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := in.ReadAt(buffer[:min(int64(len(buffer)), to-at)], at)
		if n > 0 {
			text := buffer[:n]
			lines += bytes.Count(text, []byte{'\n'})
			if bytes.IndexByte(text, '\r') >= 0 {
				lines += bytes.Count(text, []byte{'\r'}) - bytes.Count(text, []byte("\r\n"))
			}
			if last == '\r' && text[0] == '\n' {
				lines--
			}
			last = text[n-1]
		}
		if at += int64(n); at < to && err != nil {
			return 0, err
		}
	}
	return lines, nil
}
