package pages

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// Reader reads whole pages of columns of numbers and booleans. All it needs for a page is used
// again for the next, so that a file of many small row groups leaves no garbage behind.
type Reader struct {
	*scanner
	file       *parquet.File
	leaf       Leaf
	levels     []uint8
	repeats    []uint8 // of lists
	indices    []uint32
	booleans   []uint8
	dictionary []float64
	numbers    []float64
	i32        []int32
	i64        []int64
	f32        []float32
	suffixes   []int32
	values     Values
}

// NewReader returns a reader of the pages of a file. One goroutine may use it at a time.
func NewReader(f *parquet.File, in io.ReaderAt) *Reader {
	return &Reader{scanner: newScanner(in, f.Size()), file: f}
}

// Page is a page of values as decoded; its slices last until the next page.
type Page struct {
	N       int       // values, missing ones too
	Levels  []uint8   // of definition, one per value; nil where none can be missing
	Numbers []float64 // those present
}

// Each calls do with the pages of a column of a row group, and the row of the first value of each;
// without wantNumbers only the levels are decoded.
func (p *Reader) Each(ctx context.Context, group int, l Leaf, wantNumbers bool,
	do func(row int, g Page)) error {
	return l.in(group, p.each(ctx, group, l, wantNumbers, do))
}

func (p *Reader) each(ctx context.Context, group int, l Leaf, wantNumbers bool,
	do func(row int, g Page)) error {
	row, rows := 0, int(p.file.Metadata().RowGroups[group].NumRows)
	err := p.walk(ctx, group, l, rows, wantNumbers, func(n int) error {
		g := Page{N: n}
		if l.Defined > 0 {
			g.Levels = p.levels
		}
		if wantNumbers {
			g.Numbers = p.numbers
		}
		do(row, g)
		row += n
		return nil
	})
	if err == nil && row != rows {
		err = ErrRows
	}
	return err
}

// walk decodes the levels and, where they are wanted, the numbers of the pages of a column of a row
// group, and calls do after each page with its values, missing ones too, of which all pages may have
// most together.
func (p *Reader) walk(ctx context.Context, group int, l Leaf, most int, wantNumbers bool,
	do func(n int) error) error {
	if err := p.start(&p.file.Metadata().RowGroups[group].Columns[l.Index].MetaData); err != nil {
		return err
	}
	p.leaf = l
	hasDictionary := false
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := p.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if wantNumbers && p.header.Type == format.DictionaryPage {
			hasDictionary = true
			if p.dictionary, err = p.appendDictionary(p.dictionary[:0], l); err != nil {
				return err
			}
			continue
		}
		count, encoding, ok := p.dataPage()
		if !ok {
			continue
		}
		n := int(count)
		if most -= n; most < 0 {
			return ErrRows
		}
		values, err := p.readLevels(n)
		if err != nil {
			return err
		}
		if wantNumbers {
			if isDictionary(encoding) && !hasDictionary {
				return errMissing
			}
			present := n
			if l.Defined > 0 {
				present = l.present(p.levels)
			}
			if p.numbers, err = p.appendNumbers(p.numbers[:0], encoding, values,
				present); err != nil {
				return err
			}
		}
		if err := do(n); err != nil {
			return err
		}
	}
}

// appendDictionary decodes the dictionary of numbers that the page is.
func (s *scanner) appendDictionary(dst []float64, l Leaf) ([]float64, error) {
	values, n, err := s.readDictionary()
	if err != nil {
		return dst, err
	}
	return l.appendPlain(dst, values, n)
}

// present counts the values that are there, by their levels.
func (l Leaf) present(levels []uint8) (n int) {
	for _, level := range levels {
		if level == l.Defined {
			n++
		}
	}
	return n
}

// readLevels decodes the definition levels of a page, and the repetition levels of lists, and
// returns the bytes of its values.
func (p *Reader) readLevels(n int) (values []byte, err error) {
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
		if _, values, err = p.read(0, true); err != nil {
			return nil, err
		}
		if p.leaf.Vector {
			if repeats, values, err = cutLevels(values, h.RepetitionLevelEncoding); err != nil {
				return nil, err
			}
		}
		if p.leaf.Defined > 0 {
			if levels, values, err = cutLevels(values, h.DefinitionLevelEncoding); err != nil {
				return nil, err
			}
		}
	}
	if p.leaf.Vector {
		if p.repeats, err = appendRuns(p.repeats[:0], repeats, 1, n); err != nil {
			return nil, err
		}
	}
	if p.leaf.Defined > 0 {
		p.levels, err = appendRuns(p.levels[:0], levels, uint(bits.Len8(p.leaf.Defined)), n)
	}
	return values, err
}

// cutLevels cuts levels, whose length comes first, off the bytes of a page of the first version.
func cutLevels(page []byte, encoding format.Encoding) (levels, rest []byte, err error) {
	if encoding != format.RLE {
		return nil, nil, errOldLevels
	}
	if len(page) < 4 || uint64(binary.LittleEndian.Uint32(page)) > uint64(len(page)-4) {
		return nil, nil, errLevels
	}
	size := 4 + int(binary.LittleEndian.Uint32(page))
	return page[4:size], page[size:], nil
}

// plainDictionary is what writers of Parquet 1 call both the dictionary's own encoding and that of
// positions in it.
const plainDictionary format.Encoding = 2

func isDictionary(e format.Encoding) bool {
	return e == format.RLEDictionary || e == plainDictionary
}

// appendNumbers decodes n numbers or booleans.
func (p *Reader) appendNumbers(dst []float64, encoding format.Encoding, src []byte,
	n int) (_ []float64, err error) {
	switch {
	case n == 0:
		return dst, nil
	case encoding == format.Plain:
		return p.leaf.appendPlain(dst, src, n)
	case isDictionary(encoding):
		indices, err := p.readIndices(src, n, len(p.dictionary))
		if err != nil {
			return dst, err
		}
		for _, i := range indices {
			dst = append(dst, p.dictionary[i])
		}
		return dst, nil
	case encoding == format.RLE && p.leaf.Kind == parquet.Boolean:
		if p.booleans, err = appendBooleans(p.booleans[:0], src, n); err != nil {
			return dst, err
		}
		for _, v := range p.booleans {
			dst = append(dst, float64(v))
		}
		return dst, nil
	}
	return p.appendDecoded(dst, encoding, src, n)
}

// readIndices decodes n positions in a dictionary of so many values.
func (p *Reader) readIndices(src []byte, n, size int) (_ []uint32, err error) {
	if len(src) == 0 || src[0] > 32 {
		return nil, errRuns
	}
	if p.indices, err = appendRuns(p.indices[:0], src[1:], uint(src[0]), n); err != nil {
		return nil, err
	}
	for _, i := range p.indices {
		if uint64(i) >= uint64(size) {
			return nil, errors.New("a page names a value that its dictionary does not have")
		}
	}
	return p.indices, nil
}

// appendDecoded leaves the encodings of deltas and of split bytes to the library.
func (p *Reader) appendDecoded(dst []float64, encoding format.Encoding, src []byte,
	n int) (_ []float64, err error) {
	if encoding == format.DeltaBinaryPacked && !claimsAtMost(src, n) {
		return dst, ErrRows
	}
	decoder, got := parquet.LookupEncoding(encoding), 0
	switch p.leaf.Kind {
	case parquet.Double:
		at := len(dst)
		dst, err = decoder.DecodeDouble(dst, src)
		got = len(dst) - at
	case parquet.Float:
		p.f32, err = decoder.DecodeFloat(p.f32[:0], src)
		dst, got = appendAs(dst, p.f32, func(v float32) float64 { return float64(v) })
	case parquet.Int32:
		p.i32, err = decoder.DecodeInt32(p.i32[:0], src)
		dst, got = appendAs(dst, p.i32, p.leaf.fromInt32)
	case parquet.Int64:
		p.i64, err = decoder.DecodeInt64(p.i64[:0], src)
		dst, got = appendAs(dst, p.i64, p.leaf.fromInt64)
	default:
		return dst, fmt.Errorf("a page of booleans is written as %s", encoding)
	}
	if err == nil && got != n {
		err = ErrRows
	}
	return dst, err
}

// appendAs appends values as numbers, and counts them.
func appendAs[T any](dst []float64, values []T, number func(T) float64) ([]float64, int) {
	for _, v := range values {
		dst = append(dst, number(v))
	}
	return dst, len(values)
}

// claimsAtMost reads the third number of a page of deltas, the values it claims to have.
func claimsAtMost(src []byte, n int) bool {
	claim := uint64(0)
	for range 3 {
		v, size := binary.Uvarint(src)
		if size <= 0 {
			return false
		}
		claim, src = v, src[size:]
	}
	return claim <= uint64(n)
}

// appendPlain decodes n values that are not encoded.
func (l Leaf) appendPlain(dst []float64, src []byte, n int) ([]float64, error) {
	if n > 8*len(src)/max(1, l.bits()) {
		return dst, ErrRows
	}
	if l.Kind == parquet.Boolean {
		for i := range n {
			dst = append(dst, float64(src[i/8]>>(i%8)&1))
		}
		return dst, nil
	}
	at, size := len(dst), l.bits()/8*n
	if size > 0 {
		dst = slices.Grow(dst, n)[:at+n]
		l.spreadPlain(dst[at:], 1, src[:size])
	}
	return dst, nil
}

// bits returns how many of them a value takes that is not encoded; 0 for texts.
func (l Leaf) bits() int {
	switch l.Kind {
	case parquet.Boolean:
		return 1
	case parquet.Int32, parquet.Float:
		return 32
	case parquet.Int64, parquet.Double:
		return 64
	}
	return 0
}

func (l Leaf) fromInt32(v int32) float64 {
	if l.Unsigned {
		return float64(uint32(v))
	}
	return float64(v)
}

func (l Leaf) fromInt64(v int64) float64 {
	if l.Unsigned {
		return float64(uint64(v))
	}
	return float64(v)
}
