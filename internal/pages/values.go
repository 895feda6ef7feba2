package pages

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Values reads a column of a row group value by value, as bytes: a boolean is a byte, and numbers
// have the lowest byte first.
type Values struct {
	reader *Reader
	leaf   Leaf
	group  int
	rest   int64 // values of the group in the pages to come, missing ones too
	left   int   // values of the page, missing ones too

	levels        []uint8 // of the values left; nil where none can be missing
	page          cells
	dictionary    cells
	hasDictionary bool
	// of the values present in the dictionary; nil where they are in the page
	indices []uint32
	next    int // among the values present
}

// Values returns the values of a column of a row group, both counted from 0, from a row on. The
// column must not hold lists. Its values last until the reader is used for something else.
func (p *Reader) Values(group int, l Leaf, row int64) (*Values, error) {
	g := &p.file.Metadata().RowGroups[group]
	if row < 0 || row > g.NumRows {
		return nil, ErrRows
	}
	v := &p.values
	v.reader, v.leaf, v.group, v.rest, v.left, v.hasDictionary = p, l, group, g.NumRows, 0, false
	p.leaf = l
	if p.place, p.end = 0, 0; g.NumRows == 0 {
		return v, nil // without pages, whose positions mean nothing
	}
	if err := p.start(&g.Columns[l.Index].MetaData); err != nil {
		return nil, l.in(group, err)
	}
	for skip := row; skip > 0; {
		over, err := v.nextPage(skip)
		if err == io.EOF {
			err = ErrRows
		}
		if err != nil {
			return nil, l.in(group, err)
		}
		skip -= over
	}
	return v, nil
}

// Next returns the next value, which lasts until the next call, and whether there is one in its
// row. After the last row of the group it returns io.EOF.
func (v *Values) Next() (value []byte, ok bool, err error) {
	for v.left == 0 {
		if _, err := v.nextPage(0); err == io.EOF {
			return nil, false, err
		} else if err != nil {
			return nil, false, v.leaf.in(v.group, err)
		}
	}
	v.left--
	if v.levels != nil {
		level := v.levels[0]
		if v.levels = v.levels[1:]; level != v.leaf.Defined {
			return nil, false, nil
		}
	}
	at := v.next
	v.next++
	if v.indices != nil {
		return v.dictionary.at(int(v.indices[at])), true, nil
	}
	return v.page.at(at), true, nil
}

// nextPage goes to the next page of values, and over at most skip of them; it returns over how
// many. A page that is gone over as a whole is not decoded.
func (v *Values) nextPage(skip int64) (over int64, err error) {
	p := v.reader
	for {
		if err := p.next(); err == io.EOF && v.rest > 0 {
			return 0, ErrRows
		} else if err != nil {
			return 0, err
		}
		if p.header.Type == format.DictionaryPage {
			if err := v.readDictionary(); err != nil {
				return 0, err
			}
		}
		n, encoding, ok := p.dataPage()
		if !ok {
			continue
		}
		if v.rest -= int64(n); v.rest < 0 {
			return 0, ErrRows
		}
		if n == 0 || int64(n) <= skip {
			return int64(n), nil
		}
		return skip, v.open(int(n), int(skip), encoding)
	}
}

func (v *Values) readDictionary() error {
	values, n, err := v.reader.readDictionary()
	if err != nil {
		return err
	}
	v.hasDictionary = true
	d := &v.dictionary
	if err := d.plain(v.leaf, values, n); err != nil {
		return err
	}
	d.store = append(d.store[:0], d.bytes...) // the next page reuses its memory
	d.bytes = d.store
	return nil
}

// open decodes a page of n values, of which the first skip are gone over.
func (v *Values) open(n, skip int, encoding format.Encoding) error {
	p := v.reader
	values, err := p.readLevels(n)
	if err != nil {
		return err
	}
	present, over := n, skip
	if v.levels = nil; v.leaf.Defined > 0 {
		present, over = v.leaf.present(p.levels), v.leaf.present(p.levels[:skip])
		v.levels = p.levels[skip:]
	}
	v.left, v.next, v.indices = n-skip, over, nil
	if present == 0 {
		return nil
	}
	if !isDictionary(encoding) {
		return v.page.decode(p, encoding, values, present)
	}
	if !v.hasDictionary {
		return errMissing
	}
	v.indices, err = p.readIndices(values, present, v.dictionary.n)
	return err
}

// cells are values as bytes, one after the other: of one width, or up to ends.
type cells struct {
	bytes []byte
	n     int
	width int      // of each value; 0 where they have ends
	ends  []uint32 // of each value
	gap   int      // bytes before each value that has an end

	store []byte
}

func (c *cells) at(i int) []byte {
	if c.width > 0 {
		return c.bytes[i*c.width : (i+1)*c.width]
	}
	from := uint32(0)
	if i > 0 {
		from = c.ends[i-1]
	}
	return c.bytes[from+uint32(c.gap) : c.ends[i]]
}

// width returns the bytes of a value as [Values] has it; 0 where they differ.
func (l Leaf) width() int {
	switch l.Kind {
	case parquet.Boolean:
		return 1
	case parquet.Int96:
		return 12
	case parquet.FixedLenByteArray:
		return l.Length
	}
	return l.bits() / 8
}

// plain takes n values that are not encoded; all but booleans stay in src.
func (c *cells) plain(l Leaf, src []byte, n int) error {
	c.bytes, c.n, c.width, c.ends, c.gap = src, n, l.width(), c.ends[:0], 0
	switch {
	case l.Kind == parquet.Boolean:
		if n > 8*len(src) {
			return ErrRows
		}
		c.store = c.store[:0]
		for i := range n {
			c.store = append(c.store, src[i/8]>>(i%8)&1)
		}
		c.bytes = c.store
	case c.width > 0:
		if n > len(src)/c.width {
			return ErrRows
		}
		c.bytes = src[:n*c.width]
	default:
		c.gap = 4
		for at := 0; len(c.ends) < n; {
			if len(src)-at < 4 {
				return ErrRows
			}
			size := binary.LittleEndian.Uint32(src[at:])
			if at += 4; uint64(size) > uint64(len(src)-at) {
				return errors.New("a text is longer than its page")
			}
			at += int(size)
			c.ends = append(c.ends, uint32(at))
		}
	}
	return nil
}

// decode takes the n values of a page.
func (c *cells) decode(p *Reader, encoding format.Encoding, src []byte, n int) error {
	l := p.leaf
	if encoding == format.Plain {
		return c.plain(l, src, n)
	}
	c.bytes, c.n, c.width, c.ends, c.gap, c.store = nil, n, l.width(), c.ends[:0], 0, c.store[:0]
	var err error
	switch {
	case encoding == format.RLE && l.Kind == parquet.Boolean:
		c.store, err = appendBooleans(c.store, src, n)
	case encoding == format.ByteStreamSplit && c.width > 1:
		if n*c.width != len(src) {
			return ErrRows
		}
		for i := range n {
			for k := range c.width {
				c.store = append(c.store, src[k*n+i])
			}
		}
	case encoding == format.DeltaBinaryPacked && l.Kind == parquet.Int32:
		if p.i32, _, err = deltas(p.i32, src, n); err == nil {
			for _, x := range p.i32 {
				c.store = binary.LittleEndian.AppendUint32(c.store, uint32(x))
			}
		}
	case encoding == format.DeltaBinaryPacked && l.Kind == parquet.Int64:
		if !claimsAtMost(src, n) {
			return ErrRows
		}
		p.i64, err = parquet.DeltaBinaryPacked.DecodeInt64(p.i64[:0], src)
		if err == nil && len(p.i64) != n {
			return ErrRows
		}
		for _, x := range p.i64 {
			c.store = binary.LittleEndian.AppendUint64(c.store, uint64(x))
		}
	case encoding == format.DeltaLengthByteArray && l.Kind == parquet.ByteArray:
		return c.decodeLengths(p, src, n)
	case encoding == format.DeltaByteArray && l.bits() == 0 && l.Kind != parquet.Int96:
		return c.decodePrefixes(p, src, n)
	default:
		return fmt.Errorf("a page of type %s is written as %s", l.Kind, encoding)
	}
	c.bytes = c.store
	return err
}

// decodeLengths takes n texts whose lengths come first.
func (c *cells) decodeLengths(p *Reader, src []byte, n int) (err error) {
	if p.i32, src, err = deltas(p.i32, src, n); err != nil {
		return err
	}
	end := 0
	for _, size := range p.i32 {
		if size < 0 || int(size) > len(src)-end {
			return errors.New("a text is longer than its page")
		}
		end += int(size)
		c.ends = append(c.ends, uint32(end))
	}
	c.bytes = src
	return nil
}

// decodePrefixes takes n texts, each of which begins as the one before it, for a length that comes
// first; so do the lengths of what follows.
func (c *cells) decodePrefixes(p *Reader, src []byte, n int) (err error) {
	if p.i32, src, err = deltas(p.i32, src, n); err != nil {
		return err
	}
	if p.suffixes, src, err = deltas(p.suffixes, src, n); err != nil {
		return err
	}
	fixed := c.width
	begin := 0 // of the text before
	for i, prefix := range p.i32 {
		suffix, end := p.suffixes[i], len(c.store)
		if prefix < 0 || int(prefix) > end-begin || suffix < 0 || int(suffix) > len(src) {
			return errors.New("a text is longer than its page")
		}
		if end+int(prefix)+int(suffix) > maxPage {
			return errors.New("a page has more than 512 MiB; write it with pages of 1 MiB")
		}
		c.store = append(c.store, c.store[begin:begin+int(prefix)]...)
		c.store = append(c.store, src[:suffix]...)
		src, begin = src[suffix:], end
		if fixed > 0 && len(c.store) != (i+1)*fixed {
			return errors.New("a value is not of the length of its column")
		}
		c.ends = append(c.ends, uint32(len(c.store)))
	}
	c.bytes = c.store
	return nil
}

// deltas decodes n numbers of 32 bits that are written as differences, and returns the bytes after
// them.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#DELTAENC
func deltas(dst []int32, src []byte, n int) (_ []int32, rest []byte, err error) {
	var head [4]uint64 // values of a block, parts of a block, values of all, the first value
	rest = src
	for i := range head {
		size := 0
		if head[i], size = binary.Uvarint(rest); size <= 0 {
			return dst, nil, ErrRows
		}
		rest = rest[size:]
	}
	if head[1] == 0 || head[0] > maxPage || head[0]%head[1] != 0 || head[2] != uint64(n) {
		return dst, nil, ErrRows
	}
	part := int(head[0] / head[1]) // the values of a part of a block, as many bits each
	for left := n - 1; left > 0; {
		_, size := binary.Uvarint(rest) // the least difference
		if size <= 0 || part == 0 || uint64(len(rest)-size) < head[1] {
			return dst, nil, ErrRows
		}
		widths := rest[size : size+int(head[1])]
		rest = rest[size+int(head[1]):]
		for _, width := range widths {
			if left <= 0 {
				break
			}
			rest = rest[min(part*int(width)/8, len(rest)):]
			left -= part
		}
	}
	dst, err = parquet.DeltaBinaryPacked.DecodeInt32(dst[:0], src[:len(src)-len(rest)])
	if err == nil && len(dst) != n {
		err = ErrRows
	}
	return dst, rest, err
}
