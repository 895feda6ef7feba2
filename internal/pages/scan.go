package pages

import (
	"bufio"
	"errors"
	"hash/crc32"
	"io"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// scanner walks the pages of a column chunk, header by header. It is made to be used again, for
// a file may have very many small chunks.
type scanner struct {
	in     io.ReaderAt
	codec  format.CompressionCodec
	header format.PageHeader
	body   int64 // where the bytes of the page begin
	place  int64 // where the next header begins
	end    int64 // of the chunk

	counter  countingReader
	buffered *bufio.Reader
	decoder  *thrift.Decoder

	packed, plain []byte
}

func newScanner(in io.ReaderAt) *scanner {
	s := &scanner{in: in}
	s.buffered = bufio.NewReaderSize(&s.counter, 512)
	protocol := thrift.CompactProtocol{}
	s.decoder = thrift.NewDecoder(protocol.NewReader(s.buffered))
	return s
}

// start goes to the first page of a chunk.
func (s *scanner) start(c *format.ColumnMetaData) {
	s.codec, s.place = c.Codec, chunkStart(c)
	s.end = s.place + c.TotalCompressedSize
}

// chunkStart gives where the first page of a chunk begins.
func chunkStart(c *format.ColumnMetaData) int64 {
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < c.DataPageOffset {
		return c.DictionaryPageOffset
	}
	return c.DataPageOffset
}

// next reads the header of the next page; it gives io.EOF at the end of the chunk.
func (s *scanner) next() error {
	if s.place >= s.end {
		return io.EOF
	}
	s.counter = countingReader{from: io.NewSectionReader(s.in, s.place, s.end-s.place)}
	s.buffered.Reset(&s.counter)
	s.header = format.PageHeader{}
	if err := s.decoder.Decode(&s.header); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	s.body = s.place + s.counter.read - int64(s.buffered.Buffered())
	if h := &s.header; h.CompressedPageSize < 0 || h.UncompressedPageSize < 0 || int64(h.CompressedPageSize) > s.end-s.body ||
		h.DataPageHeader.V.NumValues < 0 || h.DataPageHeaderV2.V.NumValues < 0 || h.DictionaryPageHeader.V.NumValues < 0 {
		return errors.New("a page is longer than its column")
	}
	s.place = s.body + int64(s.header.CompressedPageSize)
	return nil
}

// read gives the bytes of the page, of which all but the first levels are unpacked; they last until
// the next call.
func (s *scanner) read(levels int, compressed bool) (head, values []byte, err error) {
	s.packed = slices.Grow(s.packed[:0], int(s.header.CompressedPageSize))[:s.header.CompressedPageSize]
	if n, err := s.in.ReadAt(s.packed, s.body); n < len(s.packed) {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
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
	s.plain = slices.Grow(s.plain[:0], size+1) // the room left over spares some codecs to grow it at the end
	s.plain, err = parquet.LookupCompressionCodec(s.codec).Decode(s.plain[:size], values)
	return head, s.plain, err
}

var (
	errLevels    = errors.New("the levels of a page are longer than the page")
	errOldLevels = errors.New("the levels of a page are written in a way out of use since 2013")
	errSum       = errors.New("the check sum of a page is wrong")
)

// countingReader counts what is read through it.
type countingReader struct {
	from io.Reader
	read int64
}

func (r *countingReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.read += int64(n)
	return n, err
}
