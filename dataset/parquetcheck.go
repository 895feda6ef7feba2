package dataset

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// parquetValues are the values of a page.
type parquetValues = encoding.Values

// check walks the headers of all pages before any is decoded, so that the sizes a damaged or hostile
// file claims are held against the bytes it has.
func (r *parquetReader) check() error {
	rows := int64(0)
	for _, g := range r.file.Metadata().RowGroups {
		if g.NumRows < 0 || g.NumRows > 1<<40 {
			return parquetFault(r.name, errRowCount)
		}
		rows += g.NumRows
		for i := range g.Columns {
			if err := r.checkChunk(&g.Columns[i].MetaData); err != nil {
				return parquetFault(r.name, err)
			}
		}
	}
	if rows != r.file.NumRows() || rows > 1<<40 {
		return parquetFault(r.name, errRowCount)
	}
	return nil
}

// checkChunk walks the pages of a column chunk.
func (r *parquetReader) checkChunk(c *format.ColumnMetaData) error {
	start := c.DataPageOffset
	if c.DictionaryPageOffset > 0 && c.DictionaryPageOffset < start {
		start = c.DictionaryPageOffset
	}
	if start < 4 || c.TotalCompressedSize < 0 || start > r.size-c.TotalCompressedSize || c.NumValues < 0 {
		return errors.New("a column lies beyond its end")
	}
	section := io.NewSectionReader(r.in, start, c.TotalCompressedSize)
	total := int64(0)
	values := int64(0)
	counter := &countingReader{}
	buffered := bufio.NewReaderSize(counter, 4096)
	for place := int64(0); place < c.TotalCompressedSize; {
		counter.from, counter.read = io.NewSectionReader(section, place, c.TotalCompressedSize-place), 0
		buffered.Reset(counter)
		var header format.PageHeader
		protocol := thrift.CompactProtocol{}
		if err := thrift.NewDecoder(protocol.NewReader(buffered)).Decode(&header); err != nil {
			return err
		}
		place += counter.read - int64(buffered.Buffered())
		packed, plain := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
		if packed < 0 || plain < 0 || packed > c.TotalCompressedSize-place {
			return errors.New("a page is longer than its column")
		}
		codec, levels := c.Codec, int64(0)
		switch header.Type {
		case format.DataPage:
			values += int64(header.DataPageHeader.V.NumValues)
		case format.DataPageV2:
			v2 := &header.DataPageHeaderV2.V
			values += int64(v2.NumValues)
			levels = int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
			if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 || levels > min(packed, plain) {
				return errors.New("the levels of a page are longer than the page")
			}
			if v2.IsCompressed.Valid && !v2.IsCompressed.V {
				codec = format.Uncompressed
			}
		case format.DictionaryPage:
			// A dictionary's values are stored one by one, each a byte or more unless all are empty.
			if n := int64(header.DictionaryPageHeader.V.NumValues); n < 0 || n > plain {
				return errors.New("a dictionary claims more values than it has bytes")
			}
		}
		if total += plain; total > r.limit {
			return errors.New("its pages claim to inflate to more than the limit of " + strconv.FormatInt(r.limit, 10) + " bytes")
		}
		if err := checkInflation(section, place+levels, packed-levels, plain-levels, codec); err != nil {
			return err
		}
		place += packed
	}
	if values > c.NumValues {
		return errRowCount
	}
	return nil
}

// checkInflation holds what the compressed bytes themselves say they inflate to against the page's
// header, where the codec says so up front.
func checkInflation(in io.ReaderAt, place, packed, plain int64, codec format.CompressionCodec) error {
	head := make([]byte, min(packed, zstd.HeaderMaxSize))
	if _, err := in.ReadAt(head, place); err != nil && err != io.EOF {
		return err
	}
	claimed := uint64(0)
	switch codec {
	case format.Snappy:
		claimed, _ = binary.Uvarint(head)
	case format.Zstd:
		var h zstd.Header
		if h.Decode(head) == nil && h.HasFCS {
			claimed = h.FrameContentSize
			break
		}
		n, err := inflatedSize(io.NewSectionReader(in, place, packed), plain)
		if err != nil {
			return err
		}
		claimed = uint64(n)
	case format.Uncompressed:
		claimed = uint64(packed)
	}
	if claimed > uint64(plain) {
		return errors.New("a page inflates to more than it claims")
	}
	return nil
}

// inflatedSize counts what zstd data inflates to, up to one byte more than limit.
func inflatedSize(in io.Reader, limit int64) (int64, error) {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return 0, err
	}
	defer z.Close()
	return io.Copy(io.Discard, io.LimitReader(z, limit+1))
}

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
