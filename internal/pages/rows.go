package pages

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// maxPage is the most bytes that a page may have once inflated. Writers make pages of about 1 MiB.
const maxPage = 512 << 20

// Rows reads numbers and booleans row by row: a block of rows of several columns of a file at a time. Of each
// column it holds no more than the page it is in, inflated, and of pages that stand as they are not even
// that. One goroutine may use it at a time.
type Rows struct {
	file    *parquet.File
	scanner *scanner
	columns []cursor
	reader  *Reader // decodes what does not stand as it is
	raw     []byte
	left    int64 // rows of the group not yet read
}

// cursor is a place in a column.
type cursor struct {
	leaf       Leaf
	place, end int64 // of the next header, and of the chunk
	codec      format.CompressionCodec
	left       int // rows not yet read of the page

	levels  []uint8 // of the rows left; nil where none is missing
	numbers []float64
	bytes   []byte // of values that stand as they are
	at      int64  // where in the file they are, when bytes is nil
	present int    // values left, of whichever kind

	crc, want  uint32 // of the bytes read so far, and of all; want 0: unknown
	dictionary []float64

	levelStore []uint8 // used again for the next page
	byteStore  []byte
}

// NewRows gives a reader of the columns, which must hold numbers or booleans.
func NewRows(f *parquet.File, in io.ReaderAt, leaves []Leaf) *Rows {
	s := newScanner(in)
	r := &Rows{file: f, scanner: s, reader: &Reader{scanner: s}, columns: make([]cursor, len(leaves))}
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
	r.left = g.NumRows - row
	for i := range r.columns {
		c := &r.columns[i]
		meta := &g.Columns[c.leaf.Index].MetaData
		if err := checkPlace(meta, r.file.Size()); err != nil {
			return err
		}
		c.codec, c.place = meta.Codec, chunkStart(meta)
		c.end = c.place + meta.TotalCompressedSize
		c.left, c.want = 0, 0
		c.dictionary = c.dictionary[:0]
		for skip := row; skip > 0; {
			if err := r.nextPage(c, skip); err != nil {
				return err
			}
			if skip -= int64(c.left); skip < 0 {
				skip += int64(c.left)
				if err := r.goOver(c, int(skip)); err != nil {
					return err
				}
				break
			}
			c.left, c.want = 0, 0
		}
	}
	return nil
}

// Left gives how many rows of the group are not yet read.
func (r *Rows) Left() int64 { return r.left }

// Read reads the next rows of the group into dst, row-major, of rows×columns values; a missing one is NaN.
// There must be as many rows left.
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
					return err
				}
				continue
			}
			n := min(c.left, rows-done)
			if err := r.fill(c, dst[done*d+i:], d, n); err != nil {
				return err
			}
			done += n
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
		h := &s.header
		if h.UncompressedPageSize > maxPage {
			return errors.New("a page has more than 512 MiB; write it with pages of 1 MiB")
		}
		switch h.Type {
		case format.DictionaryPage:
			if err := r.readDictionary(c); err != nil {
				return err
			}
		case format.DataPage:
			c.left = int(h.DataPageHeader.V.NumValues)
			if c.left == 0 || int64(c.left) <= skip {
				return nil
			}
			return r.openPage(c, h.DataPageHeader.V.Encoding)
		case format.DataPageV2:
			c.left = int(h.DataPageHeaderV2.V.NumValues)
			if c.left == 0 || int64(c.left) <= skip {
				return nil
			}
			return r.openPage(c, h.DataPageHeaderV2.V.Encoding)
		}
	}
}

func (r *Rows) readDictionary(c *cursor) error {
	s := r.scanner
	h := &s.header.DictionaryPageHeader.V
	if h.Encoding != format.Plain && h.Encoding != plainDictionary {
		return fmt.Errorf("a dictionary is written as %s", h.Encoding)
	}
	if err := r.inflates(0); err != nil {
		return err
	}
	_, values, err := s.read(0, true)
	if err != nil {
		return err
	}
	c.dictionary, err = c.leaf.appendPlain(c.dictionary[:0], values, int(h.NumValues))
	return err
}

// inflates holds what compressed bytes say of themselves against the header of the page.
func (r *Rows) inflates(levels int64) error {
	s := r.scanner
	return checkInflation(s.in, s.body+levels, int64(s.header.CompressedPageSize)-levels, int64(s.header.UncompressedPageSize)-levels, s.codec)
}

// openPage makes the values of a page ready to be filled in.
func (r *Rows) openPage(c *cursor, encoding format.Encoding) error {
	s, p := r.scanner, r.reader
	c.levels, c.bytes, c.numbers, c.present, c.want = nil, nil, c.numbers[:0], c.left, 0
	if encoding == format.Plain && c.leaf.bits() >= 32 && r.standsAsItIs() {
		return r.openWindow(c)
	}
	levels := int64(0)
	compressed := true
	if s.header.Type == format.DataPageV2 {
		v2 := &s.header.DataPageHeaderV2.V
		levels = int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
		compressed = !v2.IsCompressed.Valid || v2.IsCompressed.V
		if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 || levels > int64(min(s.header.CompressedPageSize, s.header.UncompressedPageSize)) {
			return errLevels
		}
	}
	if compressed && s.codec != format.Uncompressed {
		if err := r.inflates(levels); err != nil {
			return err
		}
	}
	p.leaf, p.dictionary, p.levels = c.leaf, c.dictionary, c.levelStore
	s.plain, c.byteStore = c.byteStore, s.plain // what is inflated stays with the column
	values, err := p.readLevels(c.left)
	s.plain, c.byteStore = c.byteStore, s.plain
	c.levelStore = p.levels
	if err != nil {
		return err
	}
	if c.leaf.Defined > 0 {
		c.setLevels()
	}
	if encoding == format.Plain && c.leaf.bits() >= 32 {
		if c.present > 8*len(values)/c.leaf.bits() {
			return ErrRows
		}
		if !compressed || s.codec == format.Uncompressed { // lies where the next page of another column will
			c.byteStore = append(c.byteStore[:0], values...)
			values = c.byteStore
		}
		c.bytes = values
		return nil
	}
	if isDictionary(encoding) && len(c.dictionary) == 0 && c.present > 0 {
		return errors.New("a dictionary is not there")
	}
	c.numbers, err = p.appendNumbers(c.numbers[:0], encoding, values, c.present)
	return err
}

// setLevels takes the levels just decoded.
func (c *cursor) setLevels() {
	present := 0
	for _, level := range c.levelStore {
		if level == c.leaf.Defined {
			present++
		}
	}
	c.present = present
	if present < c.left {
		c.levels = c.levelStore
	}
}

// standsAsItIs tells whether the bytes of the page's values can be read in place.
func (r *Rows) standsAsItIs() bool {
	h := &r.scanner.header
	plain := r.scanner.codec == format.Uncompressed
	if h.Type == format.DataPageV2 && h.DataPageHeaderV2.V.IsCompressed.Valid && !h.DataPageHeaderV2.V.IsCompressed.V {
		plain = true
	}
	return plain && h.CompressedPageSize == h.UncompressedPageSize
}

// openWindow reads the levels alone of a page that stands as it is.
func (r *Rows) openWindow(c *cursor) error {
	s := r.scanner
	size := int64(s.header.CompressedPageSize)
	c.want, c.crc, c.at = uint32(s.header.CRC), 0, s.body
	head, skip := int64(0), int64(0) // bytes before the values, and those of them that are no definition levels
	switch {
	case s.header.Type == format.DataPageV2:
		v2 := &s.header.DataPageHeaderV2.V
		if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 {
			return errLevels
		}
		skip = int64(v2.RepetitionLevelsByteLength)
		head = skip + int64(v2.DefinitionLevelsByteLength)
	case c.leaf.Defined > 0:
		if s.header.DataPageHeader.V.DefinitionLevelEncoding != format.RLE {
			return errOldLevels
		}
		word, err := r.readRaw(s.body, 4)
		if err != nil {
			return err
		}
		skip, head = 4, 4+int64(uint32(word[0])|uint32(word[1])<<8|uint32(word[2])<<16|uint32(word[3])<<24)
	}
	if head > size {
		return errLevels
	}
	if head > 0 {
		levels, err := r.readRaw(s.body, int(head))
		if err != nil {
			return err
		}
		c.crc = crc32.ChecksumIEEE(levels)
		if c.leaf.Defined > 0 {
			if c.levelStore, err = appendRuns(c.levelStore[:0], levels[skip:], uint(bits.Len8(c.leaf.Defined)), c.left); err != nil {
				return err
			}
			c.setLevels()
		}
	}
	if c.at += head; int64(c.present) > 8*(size-head)/int64(c.leaf.bits()) {
		return ErrRows
	}
	if int64(c.present)*int64(c.leaf.bits())/8 != size-head {
		c.want = 0 // bytes that are no values would be in the check sum too
	}
	return nil
}

// readRaw reads bytes of the file, which last until the next call.
func (r *Rows) readRaw(at int64, n int) ([]byte, error) {
	if cap(r.raw) < n {
		r.raw = make([]byte, n)
	}
	b := r.raw[:n]
	if got, err := r.scanner.in.ReadAt(b, at); got < n {
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}

// goOver leaves out the next n rows of the page.
func (r *Rows) goOver(c *cursor, n int) error {
	present := n
	if c.levels != nil {
		present = 0
		for _, level := range c.levels[:n] {
			if level == c.leaf.Defined {
				present++
			}
		}
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
		present = 0
		for _, level := range c.levels[:n] {
			if level == c.leaf.Defined {
				present++
			}
		}
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
				if c.crc = crc32.Update(c.crc, crc32.IEEETable, values); c.present == 0 && c.crc != c.want {
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

// makeRoom moves values that stand one after the other to the rows that have one; the others become NaN.
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
