package pages

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kindred-go/kindred/internal/memory"
)

// scanner walks the pages of a column chunk, header by header. It is made to be used again, for
// a file may have very many small chunks.
type scanner struct {
	in     io.ReaderAt
	size   int64 // of the file
	codec  format.CompressionCodec
	header format.PageHeader
	body   int64 // where the bytes of the page begin
	place  int64 // where the next header begins
	end    int64 // of the chunk

	head    []byte // of the page
	bytes   thrift.BytesReader
	decoder *thrift.Decoder

	inflater      inflater
	packed, plain []byte
}

func newScanner(in io.ReaderAt, size int64) *scanner {
	protocol := thrift.CompactProtocol{}
	s := &scanner{in: in, size: size, bytes: protocol.NewReaderFromBytes(nil)}
	s.decoder = thrift.NewDecoder(s.bytes)
	return s
}

// start goes to the first page of a chunk, which must lie within the file.
func (s *scanner) start(c *format.ColumnMetaData) error {
	start, size := chunkStart(c), c.TotalCompressedSize
	if start < 4 || size < 0 || start > s.size-size || c.NumValues < 0 {
		return errors.New("it lies beyond the end of the file")
	}
	s.codec, s.place, s.end = c.Codec, start, start+size
	return nil
}

// chunkStart returns where the first page of a chunk begins.
func chunkStart(c *format.ColumnMetaData) int64 {
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < c.DataPageOffset {
		return c.DictionaryPageOffset
	}
	return c.DataPageOffset
}

// maxPage is the most bytes that a page may have once inflated. Writers make pages of about 1 MiB.
const maxPage = 512 << 20

// A page of so many bytes is held against the memory that is free; a value takes so many beside the
// page: its level, its place in the dictionary, and itself.
const (
	heavyPage  = 64 << 20
	valueBytes = 16
)

// next reads the header of the next page, whose sizes it compares with the bytes that are there.
// It returns io.EOF at the end of the chunk.
func (s *scanner) next() error {
	if s.place >= s.end {
		return io.EOF
	}
	size, err := s.readHead()
	if err != nil {
		return err
	}
	s.header = format.PageHeader{}
	s.bytes.ResetBytes(s.head[:size])
	if err := s.decoder.Decode(&s.header); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	s.body = s.place + int64(size)
	h := &s.header
	packed, plain := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
	v1, v2 := h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues
	dictionary := h.DictionaryPageHeader.V.NumValues
	switch {
	case packed < 0 || plain < 0 || packed > s.end-s.body || min(v1, v2, dictionary) < 0:
		return errors.New("a page is longer than its column")
	case plain > maxPage:
		return errors.New("a page has more than 512 MiB; write it with pages of 1 MiB")
	case max(v1, v2, dictionary) > maxPage/8:
		return errors.New("a page has more than 67 108 864 values; write it with pages of 1 MiB")
	case plain > mostInflated(s.codec, packed):
		return fmt.Errorf("a page states %d bytes, more than its %d bytes of %s can hold",
			plain, packed, s.codec)
	}
	s.place = s.body + int64(s.header.CompressedPageSize)
	if takes := packed + plain + valueBytes*int64(max(v1, v2, dictionary)); takes > heavyPage {
		return memory.Check(float64(takes), "the values of a page",
			"write the file with pages of 1 MiB")
	}
	return nil
}

// A page's header is looked for in so many bytes, and in more where it has long texts.
const (
	usualHead = 512
	maxHead   = 64 << 20
)

// readHead reads the header of the page that comes, and returns its size in bytes. What it states
// is held against the bytes that are there, so that decoding it allocates no more.
func (s *scanner) readHead() (size int, err error) {
	for most := int64(usualHead); ; most *= 8 {
		most = min(most, s.end-s.place)
		s.head = slices.Grow(s.head[:0], int(most))[:most]
		if err := s.readAt(s.head, s.place); err != nil {
			return 0, err
		}
		w := thriftWalker{data: s.head}
		err := w.record(deepestThrift, nil)
		if err != io.ErrUnexpectedEOF || most == s.end-s.place {
			return w.at, err
		}
		if most > maxHead {
			return 0, errors.New("the header of a page is longer than 64 MiB")
		}
	}
}

// dataPage returns the values of the page, missing ones too, and how they are written; ok is false
// for a dictionary or an index.
func (s *scanner) dataPage() (values int32, encoding format.Encoding, ok bool) {
	switch h := &s.header; h.Type {
	case format.DataPage:
		return h.DataPageHeader.V.NumValues, h.DataPageHeader.V.Encoding, true
	case format.DataPageV2:
		return h.DataPageHeaderV2.V.NumValues, h.DataPageHeaderV2.V.Encoding, true
	}
	return 0, 0, false
}

// readDictionary returns the bytes of the dictionary that the page is, and how many values it has.
func (s *scanner) readDictionary() (values []byte, n int, err error) {
	h := &s.header.DictionaryPageHeader.V
	if h.Encoding != format.Plain && h.Encoding != plainDictionary {
		return nil, 0, fmt.Errorf("a dictionary is written as %s", h.Encoding)
	}
	_, values, err = s.read(0, true)
	return values, int(h.NumValues), err
}

// readAt fills p with the bytes of the file at a position.
func (s *scanner) readAt(p []byte, at int64) error {
	n, err := s.in.ReadAt(p, at)
	if n == len(p) {
		return nil
	}
	if err == nil || err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// read returns the bytes of the page, of which all but the first levels are unpacked; they last
// until the next call.
func (s *scanner) read(levels int, compressed bool) (head, values []byte, err error) {
	s.packed = slices.Grow(s.packed[:0],
		int(s.header.CompressedPageSize))[:s.header.CompressedPageSize]
	if err := s.readAt(s.packed, s.body); err != nil {
		return nil, nil, err
	}
	if s.header.CRC != 0 && uint32(s.header.CRC) != crc32.ChecksumIEEE(s.packed) {
		return nil, nil, errSum
	}
	if levels < 0 || levels > len(s.packed) || levels > int(s.header.UncompressedPageSize) {
		return nil, nil, errLevels
	}
	head, values = s.packed[:levels], s.packed[levels:]
	if s.codec == format.Uncompressed || !compressed || len(values) == 0 {
		return head, values, nil
	}
	size := int(s.header.UncompressedPageSize) - levels
	s.plain, err = s.inflater.inflate(s.plain, s.codec, values, size)
	return head, s.plain, err
}

var (
	errLevels    = errors.New("the levels of a page are longer than the page")
	errOldLevels = errors.New("the levels of a page are written in a way out of use since 2013")
	errSum       = errors.New("the check sum of a page is wrong")
	errMissing   = errors.New("a dictionary is not there")
)
