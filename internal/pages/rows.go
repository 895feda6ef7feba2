package pages

import (
	"hash/crc32"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Rows reads numbers and booleans row by row: a block of rows of several columns of a file at a
// time. Of each column it holds no more than the page it is in, inflated, and of pages that are
// neither encoded nor compressed not even that. One goroutine may use it at a time.
type Rows struct {
	file    *parquet.File
	scanner *scanner
	columns []cursor
	reader  *Reader // decodes what is encoded
	raw     []byte
	group   int
	left    int64 // rows of the group not yet read
}

// cursor is a position in a column.
type cursor struct {
	leaf       Leaf
	place, end int64 // of the next header, and of the chunk
	codec      format.CompressionCodec
	left       int   // rows not yet read of the page
	rest       int64 // rows of the group in the pages to come

	levels  []uint8 // of the rows left; nil where none is missing
	numbers []float64
	bytes   []byte // of values that are not encoded
	at      int64  // where in the file they are, when bytes is nil
	present int    // values left, of whichever kind

	crc, want  uint32 // of the bytes read so far, and of all; want 0: unknown
	dictionary []float64

	levelStore []uint8 // used again for the next page
	byteStore  []byte
}

// NewRows returns a reader of the columns, which must hold numbers or booleans.
func NewRows(f *parquet.File, in io.ReaderAt, leaves []Leaf) *Rows {
	p := NewReader(f, in)
	r := &Rows{file: f, scanner: p.scanner, reader: p, columns: make([]cursor, len(leaves))}
	for i, l := range leaves {
		r.columns[i].leaf = l
	}
	return r
}

// Seek goes to a row of a row group, both from 0.
func (r *Rows) Seek(group int, row int64) error {
	g := &r.file.Metadata().RowGroups[group]
	if row < 0 || row > g.NumRows {
		return ErrRows
	}
	r.left, r.group = g.NumRows-row, group
	for i := range r.columns {
		c := &r.columns[i]
		if err := r.seek(c, g, row); err != nil {
			return c.leaf.in(group, err)
		}
	}
	return nil
}

// seek goes to a row of a column.
func (r *Rows) seek(c *cursor, g *format.RowGroup, row int64) error {
	if err := r.scanner.start(&g.Columns[c.leaf.Index].MetaData); err != nil {
		return err
	}
	c.codec, c.place, c.end = r.scanner.codec, r.scanner.place, r.scanner.end
	c.left, c.want, c.rest = 0, 0, g.NumRows
	c.dictionary = c.dictionary[:0]
	for skip := row; skip > 0; {
		if err := r.nextPage(c, skip); err != nil {
			return err
		}
		if skip -= int64(c.left); skip < 0 {
			skip += int64(c.left)
			return r.goOver(c, int(skip))
		}
		c.left, c.want = 0, 0
	}
	return nil
}

// Read reads the next rows of the group into dst, row-major, of rows×columns values; a missing one
// is NaN, and durations are in seconds. There must be as many rows left.
func (r *Rows) Read(dst []float64, rows int) error {
	d := len(r.columns)
	if int64(rows) > r.left || len(dst) < rows*d {
		return ErrRows
	}
	for i := range r.columns {
		c := &r.columns[i]
		for done := 0; done < rows; {
			if c.left == 0 {
				if err := r.nextPage(c, 0); err != nil {
					return c.leaf.in(r.group, err)
				}
				continue
			}
			n := min(c.left, rows-done)
			if err := r.fill(c, dst[done*d+i:], d, n); err != nil {
				return c.leaf.in(r.group, err)
			}
			done += n
		}
		if c.leaf.IsDuration() {
			for at := i; at < rows*d; at += d {
				if v := dst[at]; !math.IsNaN(v) {
					dst[at] = c.leaf.seconds(int64(v))
				}
			}
		}
	}
	r.left -= int64(rows)
	return nil
}

// nextPage goes to the next page of values; one of no more than skip rows is not looked into.
func (r *Rows) nextPage(c *cursor, skip int64) error {
	s := r.scanner
	s.place, s.end, s.codec = c.place, c.end, c.codec
	defer func() { c.place = s.place }()
	for {
		if err := s.next(); err == io.EOF {
			return ErrRows
		} else if err != nil {
			return err
		}
		if s.header.Type == format.DictionaryPage {
			var err error
			if c.dictionary, err = s.appendDictionary(c.dictionary[:0], c.leaf); err != nil {
				return err
			}
		} else if n, encoding, ok := s.dataPage(); ok {
			return r.enterPage(c, n, encoding, skip)
		}
	}
}

// enterPage takes a page of so many rows. Runs encode a great many values in a few bytes, so
// what is claimed is held against the row group first.
func (r *Rows) enterPage(c *cursor, rows int32, encoding format.Encoding, skip int64) error {
	if c.rest -= int64(rows); c.rest < 0 {
		return ErrRows
	}
	c.left = int(rows)
	if rows == 0 || int64(rows) <= skip {
		return nil
	}
	return r.openPage(c, encoding)
}

// goOver leaves out the next n rows of the page.
func (r *Rows) goOver(c *cursor, n int) error {
	present := n
	if c.levels != nil {
		present = c.leaf.present(c.levels[:n])
		c.levels = c.levels[n:]
	}
	c.left -= n
	c.present -= present
	c.want = 0
	width := c.leaf.bits() / 8 * present
	switch {
	case len(c.numbers) > 0:
		c.numbers = c.numbers[present:]
	case c.bytes != nil:
		c.bytes = c.bytes[width:]
	default:
		c.at += int64(width)
	}
	return nil
}

// fill writes the next n rows of the page to dst, every step-th value of it.
func (r *Rows) fill(c *cursor, dst []float64, step, n int) error {
	present := n
	if c.levels != nil {
		present = c.leaf.present(c.levels[:n])
	}
	if present > c.present {
		return ErrRows
	}
	c.left -= n
	c.present -= present
	switch {
	case len(c.numbers) >= present && present > 0:
		spread(dst, step, c.numbers[:present])
		c.numbers = c.numbers[present:]
	case present > 0:
		size := c.leaf.bits() / 8 * present
		values := c.bytes
		if values == nil {
			var err error
			if values, err = r.readRaw(c.at, size); err != nil {
				return err
			}
			if c.at += int64(size); c.want != 0 {
				if c.crc = crc32.Update(c.crc, crc32.IEEETable, values); c.present == 0 &&
					c.crc != c.want {
					return errSum
				}
			}
		} else {
			c.bytes = values[size:]
		}
		c.leaf.spreadPlain(dst, step, values[:size])
	}
	if c.levels != nil {
		makeRoom(dst, step, c.levels[:n], c.leaf.Defined, present)
		c.levels = c.levels[n:]
	}
	return nil
}

// makeRoom moves values that follow one another to the rows that have one; the others become
// NaN.
func makeRoom(dst []float64, step int, levels []uint8, defined uint8, present int) {
	for i := len(levels) - 1; i >= 0; i-- {
		if levels[i] == defined {
			present--
			dst[i*step] = dst[present*step]
		} else {
			dst[i*step] = math.NaN()
		}
	}
}
