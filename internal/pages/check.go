package pages

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Check walks the headers of all pages of a file before any is decoded, so that the sizes a damaged or
// hostile file claims are held against its bytes: they may inflate to no more than limit a column chunk.
func Check(f *parquet.File, in io.ReaderAt, limit int64) error {
	s, rows := newScanner(in), int64(0)
	for _, g := range f.Metadata().RowGroups {
		if g.NumRows < 0 || g.NumRows > 1<<40 {
			return ErrRows
		}
		rows += g.NumRows
		if g.NumRows == 0 {
			continue // without pages, whose places mean nothing
		}
		for i := range g.Columns {
			if err := s.check(&g.Columns[i].MetaData, f.Size(), limit); err != nil {
				return err
			}
		}
	}
	if rows != f.NumRows() || rows > 1<<40 {
		return ErrRows
	}
	return nil
}

// check walks the pages of a column chunk of a file of so many bytes.
func (s *scanner) check(c *format.ColumnMetaData, size, limit int64) error {
	if err := checkPlace(c, size); err != nil {
		return err
	}
	total, values := int64(0), int64(0)
	for s.start(c); ; {
		err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		packed, plain := int64(s.header.CompressedPageSize), int64(s.header.UncompressedPageSize)
		codec, levels := c.Codec, int64(0)
		switch s.header.Type {
		case format.DataPage:
			values += int64(s.header.DataPageHeader.V.NumValues)
		case format.DataPageV2:
			v2 := &s.header.DataPageHeaderV2.V
			values += int64(v2.NumValues)
			levels = int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
			if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 || levels > min(packed, plain) {
				return errLevels
			}
			if v2.IsCompressed.Valid && !v2.IsCompressed.V {
				codec = format.Uncompressed
			}
		case format.DictionaryPage:
			// A dictionary's values are stored one by one, each a byte or more unless all are empty.
			if int64(s.header.DictionaryPageHeader.V.NumValues) > plain {
				return errors.New("a dictionary claims more values than it has bytes")
			}
		}
		if total += plain; total > limit {
			return errors.New("its pages claim to inflate to more than the limit of " + strconv.FormatInt(limit, 10) + " bytes")
		}
		if err := checkInflation(s.in, s.body+levels, packed-levels, plain-levels, codec); err != nil {
			return err
		}
	}
	if values > c.NumValues {
		return ErrRows
	}
	return nil
}

// checkPlace holds where a column chunk lies against the size of the file.
func checkPlace(c *format.ColumnMetaData, size int64) error {
	if start := chunkStart(c); start < 4 || c.TotalCompressedSize < 0 || start > size-c.TotalCompressedSize || c.NumValues < 0 {
		return errors.New("a column lies beyond its end")
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
