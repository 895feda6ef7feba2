package pages

import (
	"encoding/binary"
	"hash/crc32"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"
)

// openPage makes the values of a page ready to be filled in.
func (r *Rows) openPage(c *cursor, encoding format.Encoding) error {
	s, p := r.scanner, r.reader
	c.levels, c.bytes, c.numbers, c.present, c.want = nil, nil, c.numbers[:0], c.left, 0
	if encoding == format.Plain && c.leaf.bits() >= 32 && r.standsAsItIs() {
		return r.openWindow(c)
	}
	compressed := s.codec != format.Uncompressed
	if s.header.Type == format.DataPageV2 {
		v2 := &s.header.DataPageHeaderV2.V
		compressed = compressed && (!v2.IsCompressed.Valid || v2.IsCompressed.V)
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
		if !compressed { // lies where the next page of another column will
			c.byteStore = append(c.byteStore[:0], values...)
			values = c.byteStore
		}
		c.bytes = values
		return nil
	}
	if isDictionary(encoding) && len(c.dictionary) == 0 && c.present > 0 {
		return errMissing
	}
	c.numbers, err = p.appendNumbers(c.numbers[:0], encoding, values, c.present)
	return err
}

// setLevels takes the levels just decoded.
func (c *cursor) setLevels() {
	if c.present = c.leaf.present(c.levelStore); c.present < c.left {
		c.levels = c.levelStore
	}
}

// standsAsItIs reports whether the bytes of the page's values can be read in place.
func (r *Rows) standsAsItIs() bool {
	h := &r.scanner.header
	plain := r.scanner.codec == format.Uncompressed
	if h.Type == format.DataPageV2 && h.DataPageHeaderV2.V.IsCompressed.Valid &&
		!h.DataPageHeaderV2.V.IsCompressed.V {
		plain = true
	}
	return plain && h.CompressedPageSize == h.UncompressedPageSize
}

// openWindow reads the levels alone of a page that is not encoded.
func (r *Rows) openWindow(c *cursor) error {
	s := r.scanner
	size := int64(s.header.CompressedPageSize)
	c.want, c.crc, c.at = uint32(s.header.CRC), 0, s.body
	// bytes before the values, and those of them that are no definition levels
	head, skip := int64(0), int64(0)
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
		skip, head = 4, 4+int64(binary.LittleEndian.Uint32(word))
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
			if c.levelStore, err = appendRuns(c.levelStore[:0], levels[skip:],
				uint(bits.Len8(c.leaf.Defined)), c.left); err != nil {
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
	return b, r.scanner.readAt(b, at)
}
