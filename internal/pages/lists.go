package pages

import (
	"context"
	"encoding/binary"
	"io"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"

	"github.com/kindred-go/kindred/internal/arrowfile"
)

// Lists passes the lists of a column of a row group to do, which last until it returns; ok is false
// for those missing. A list of more than most numbers is [arrowfile.ErrLong], and one that lacks a
// number [arrowfile.ErrMissing]; do has then been called for all rows before. The column must be
// one of vectors.
func (p *Reader) Lists(ctx context.Context, group int, l Leaf, most int,
	do func(row int, list []float64, ok bool) error) error {
	return l.in(group, p.lists(ctx, group, l, most, do))
}

func (p *Reader) lists(ctx context.Context, group int, l Leaf, most int,
	do func(row int, list []float64, ok bool) error) error {
	g := &p.file.Metadata().RowGroups[group]
	if err := p.start(&g.Columns[l.Index].MetaData); err != nil {
		return err
	}
	p.leaf = l
	hasDictionary := false
	row, rows := -1, int(g.NumRows)
	var list []float64
	ok, hole := false, false
	flush := func() error {
		switch {
		case row < 0:
			return nil
		case hole:
			return arrowfile.ErrMissing
		}
		return do(row, list, ok)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if p.header.Type == format.DictionaryPage {
			hasDictionary = true
			if p.dictionary, err = p.appendDictionary(p.dictionary[:0], l); err != nil {
				return err
			}
			continue
		}
		n, encoding, isData := p.dataPage()
		if !isData {
			continue
		}
		values, err := p.readListLevels(int(n))
		if err != nil {
			return err
		}
		if isDictionary(encoding) && !hasDictionary {
			return errMissing
		}
		if p.numbers, err = p.appendNumbers(p.numbers[:0], encoding, values,
			l.present(p.levels)); err != nil {
			return err
		}
		next := 0
		for i, level := range p.levels {
			if p.repeats[i] == 0 {
				if err := flush(); err != nil {
					return err
				}
				if row++; row >= rows {
					return ErrRows
				}
				list, ok, hole = list[:0], level+1 >= l.listAt, false
			} else if row < 0 {
				return ErrRows
			}
			switch {
			case level == l.Defined:
				if len(list) >= most {
					return arrowfile.ErrLong
				}
				list = append(list, p.numbers[next])
				next++
			case level >= l.listAt:
				hole = true
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	if row != rows-1 {
		return ErrRows
	}
	return nil
}

// readListLevels decodes the repetition and definition levels of a page and returns the bytes of
// its values.
func (p *Reader) readListLevels(n int) (values []byte, err error) {
	var repeats, levels []byte
	if p.header.Type == format.DataPageV2 {
		h := &p.header.DataPageHeaderV2.V
		repeated, defined := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
		if repeated < 0 || defined < 0 {
			return nil, errLevels
		}
		if levels, values, err = p.read(repeated+defined, !h.IsCompressed.Valid ||
			h.IsCompressed.V); err != nil {
			return nil, err
		}
		repeats, levels = levels[:repeated], levels[repeated:]
	} else {
		h := &p.header.DataPageHeader.V
		if h.DefinitionLevelEncoding != format.RLE || h.RepetitionLevelEncoding != format.RLE {
			return nil, errOldLevels
		}
		if _, values, err = p.read(0, true); err != nil {
			return nil, err
		}
		for _, to := range []*[]byte{&repeats, &levels} {
			if len(values) < 4 ||
				uint64(binary.LittleEndian.Uint32(values)) > uint64(len(values)-4) {
				return nil, errLevels
			}
			size := 4 + int(binary.LittleEndian.Uint32(values))
			*to, values = values[4:size], values[size:]
		}
	}
	if p.repeats, err = appendRuns(p.repeats[:0], repeats, 1, n); err != nil {
		return nil, err
	}
	p.levels, err = appendRuns(p.levels[:0], levels, uint(bits.Len8(p.leaf.Defined)), n)
	return values, err
}
