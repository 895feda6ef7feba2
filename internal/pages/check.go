package pages

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Check walks the headers of all pages of a file before any is decoded, so that the sizes a damaged
// or hostile file states are held against its bytes: they may inflate to no more than limit a
// column chunk. What inflates to more than its header states is refused when it is read.
func Check(f *parquet.File, in io.ReaderAt, limit int64) error {
	s, rows := newScanner(in, f.Size()), int64(0)
	for k, g := range f.Metadata().RowGroups {
		if g.NumRows < 0 || g.NumRows > 1<<40 {
			return ErrRows
		}
		rows += g.NumRows
		if g.NumRows == 0 {
			continue // without pages, whose positions mean nothing
		}
		for i := range g.Columns {
			c := &g.Columns[i].MetaData
			if err := s.check(c, g.NumRows, limit); err != nil {
				return &placed{strings.Join(c.PathInSchema, "."), k, err}
			}
		}
	}
	if rows != f.NumRows() || rows > 1<<40 {
		return ErrRows
	}
	return nil
}

// check walks the pages of a column chunk, which must have a value or more for each row.
func (s *scanner) check(c *format.ColumnMetaData, rows, limit int64) error {
	if err := s.start(c); err != nil {
		return err
	}
	total, values := int64(0), int64(0)
	for {
		err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		packed, plain := int64(s.header.CompressedPageSize), int64(s.header.UncompressedPageSize)
		switch s.header.Type {
		case format.DataPage:
			values += int64(s.header.DataPageHeader.V.NumValues)
		case format.DataPageV2:
			v2 := &s.header.DataPageHeaderV2.V
			values += int64(v2.NumValues)
			levels := int64(v2.RepetitionLevelsByteLength) + int64(v2.DefinitionLevelsByteLength)
			if v2.RepetitionLevelsByteLength < 0 || v2.DefinitionLevelsByteLength < 0 ||
				levels > min(packed, plain) {
				return errLevels
			}
		case format.DictionaryPage:
			// A dictionary's values are stored one by one, each a byte or more unless all are
			// empty.
			if int64(s.header.DictionaryPageHeader.V.NumValues) > plain {
				return errors.New("a dictionary claims more values than it has bytes")
			}
		}
		if total += plain; total > limit {
			return errors.New("its pages claim to inflate to more than the limit of " +
				strconv.FormatInt(limit, 10) + " bytes")
		}
	}
	if values != c.NumValues || values < rows {
		return ErrRows
	}
	return nil
}
