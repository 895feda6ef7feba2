package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// frontBytes is how much of a file decides on its columns; it is doubled while that ends before the
// first row.
const frontBytes = 1 << 20

// csvFormat is comma-, semicolon- or tab-separated text, judged and read as dataset does with
// ReadOptions.Plain: the same dialect, and the same bits.
//
// A file is cut at bytes; a split has the lines that begin between its two. So a line end within
// quotes might be taken for the end of a row. That is never done unseen: a file whose front has
// such fields is not cut at all, and in another one the split before such a cut ends within quotes,
// which is a fault of its last row.
type csvFormat struct {
	tsv    bool
	packed bool // by gzip or Zstandard
}

// dataset returns the format's name there.
func (f csvFormat) dataset() dataset.Format {
	if f.tsv {
		return dataset.FormatTSV
	}
	return dataset.FormatCSV
}

func (f csvFormat) look(ctx context.Context, s Source, in input) (*looked, error) {
	front, head, err := f.front(ctx, s, in)
	if err != nil {
		return nil, err
	}
	out := &looked{source: s}
	out.source.Delimiter = string(front.Separator)
	if s.Decimal == "" {
		out.source.Decimal = "."
	}
	for _, c := range front.Columns {
		column := column{name: c.Name, numeric: c.Type == dataset.Number ||
			c.Type == dataset.Boolean, boolean: c.Type == dataset.Boolean, text: true,
			typ: c.Type.String()}
		switch c.Type {
		case dataset.Category:
			column.why = "holds words"
		case dataset.Text:
			column.why = "holds text"
		}
		out.columns = append(out.columns, column)
	}
	whole := len(head) < frontBytes
	if whole && len(bytes.TrimSpace(head[front.Start:])) == 0 {
		return out, nil
	}
	if f.packed {
		out.splits = []Split{{Rows: -1, First: -1}}
		return out, nil
	}
	mean, uncut := measure(front, head, int64(len(head)) == in.Size())
	start, size := int64(front.Start), in.Size()
	pieces := int64(1)
	if step := int64(mean * float64(s.splitRows())); !uncut && step > 0 {
		pieces = max(1, (size-start+step/2)/step)
	}
	for k := range pieces {
		out.splits = append(out.splits, Split{Rows: -1, First: -1,
			Start: start + (size-start)/pieces*k, End: start + (size-start)/pieces*(k+1)})
	}
	out.splits[pieces-1].End = size
	return out, nil
}

// measure reports how many bytes a row of a front has on average, and whether a field of it holds a
// line end. It returns 0 bytes when there are no rows.
func measure(front *dataset.CSVFront, head []byte, whole bool) (bytes float64, broken bool) {
	rows := dataset.NewCSVRows(front, make([]dataset.CSVPlace, len(front.Columns)), false)
	text := append(head[front.Start:len(head):len(head)], '\n')
	rows.Take(text, whole)
	n := 0
	for rows.Next(nil, nil) {
		end, line := rows.Rest()
		broken = broken || rows.Fault == nil && line > rows.Line+1
		bytes = float64(end)
		n++
	}
	return bytes / float64(max(n, 1)), broken
}

// front looks at the front of a file, which it returns as well.
func (f csvFormat) front(ctx context.Context, s Source, in input) (*dataset.CSVFront, []byte,
	error) {
	separator, err := s.dialect()
	if err != nil {
		return nil, nil, err
	}
	for size := frontBytes; ; size *= 2 {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		from, err := f.open(in, 0, in.Size())
		if err != nil {
			return nil, nil, err
		}
		head := make([]byte, size)
		n, whole, err := fill(from, head)
		from.Close()
		if err != nil {
			return nil, nil, readFault(in, err)
		}
		head = head[:n]
		front, err := dataset.ReadCSVFront(in.Name(), head, whole, f.dataset(), separator)
		if err != nil {
			return nil, nil, err
		}
		if front != nil {
			if s.Decimal == "," && front.Separator == ',' {
				return nil, nil, &fault.Input{File: in.Name(),
					Problem: "has commas between its columns, so they cannot be in numbers as well",
					Fix:     "give another delimiter, or numbers with a decimal point"}
			}
			return front, head, nil
		}
		if size > dataset.MaxCSVRow {
			return nil, nil, &fault.Input{File: in.Name(), Line: 1,
				Problem: "the first lines are longer than 64 MiB",
				Fix:     "check that this is a text table and that every quote is closed"}
		}
	}
}

// dialect returns the separator that was asked for, 0 for none.
func (s Source) dialect() (separator byte, err error) {
	if s.Decimal != "" && s.Decimal != "." && s.Decimal != "," {
		return 0, fault.Inputf(`give "." or ","`, "the decimal mark %q is not known", s.Decimal)
	}
	if s.Delimiter == "" {
		return 0, nil
	}
	c := s.Delimiter[0]
	if letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'; len(s.Delimiter) > 1 ||
		c >= 0x80 || c < ' ' && c != '\t' || letter ||
		c == '"' || c == '.' || c == '-' || c == '+' {
		return 0, fault.Inputf("give a comma, a semicolon, a tab or another sign",
			"columns cannot be separated by %q", s.Delimiter)
	}
	return c, nil
}

// open returns the text of a file from one byte to another; of a packed one, counted unpacked, all
// behind the first.
func (f csvFormat) open(in input, from, to int64) (io.ReadCloser, error) {
	if !f.packed {
		return io.NopCloser(&exact{io.NewSectionReader(in, from, to-from), to - from}), nil
	}
	text, err := unpack(in)
	if err != nil {
		return nil, readFault(in, err)
	}
	if _, err := io.CopyN(io.Discard, text, from); err != nil {
		text.Close()
		return nil, readFault(in, err)
	}
	return text, nil
}

// unpack recognises gzip and Zstandard by the first bytes.
func unpack(in input) (io.ReadCloser, error) {
	var magic [4]byte
	if _, err := in.ReadAt(magic[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	raw := io.NewSectionReader(in, 0, in.Size())
	if magic == [4]byte{0x28, 0xb5, 0x2f, 0xfd} {
		z, err := zstd.NewReader(raw, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}
	return gzip.NewReader(raw)
}

// exact refuses a reader that ends before its time.
type exact struct {
	from io.Reader
	left int64
}

var errShrunk = errors.New("the file became shorter while it was read")

func (r *exact) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.left -= int64(n)
	if err == io.EOF && r.left > 0 {
		err = errShrunk
	}
	return n, err
}

// fill reads until text is full; over reports that there is no more.
func fill(from io.Reader, text []byte) (n int, over bool, err error) {
	for n < len(text) {
		got, err := from.Read(text[n:])
		n += got
		if err == io.EOF {
			return n, true, nil
		}
		if err != nil {
			return n, false, err
		}
	}
	return n, false, nil
}

// readFault names the file in an error of reading it. Damaged files are distinguished from
// storage that fails.
func readFault(in input, err error) error {
	var corrupt flate.CorruptInputError
	damaged := errors.As(err, &corrupt) || err == io.EOF || err == io.ErrUnexpectedEOF
	for _, known := range []error{gzip.ErrHeader, gzip.ErrChecksum, zstd.ErrMagicMismatch,
		zstd.ErrCRCMismatch, zstd.ErrReservedBlockType,
		zstd.ErrCompressedSizeTooBig, zstd.ErrBlockTooSmall, zstd.ErrUnexpectedBlockSize,
		zstd.ErrWindowSizeExceeded, zstd.ErrDecoderSizeExceeded} {
		damaged = damaged || errors.Is(err, known)
	}
	if damaged {
		return &fault.Input{File: in.Name(),
			Problem: "its packed data are damaged or cut short: " + err.Error(),
			Fix:     "write the file anew, or leave it out", Err: err}
	}
	return fmt.Errorf("reading %s: %w", in.Name(), err)
}
