package dataset

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// pageReader reads the pages of columns of numbers and booleans. All it needs for a page is used
// again for the next, so that a file of many small row groups leaves no garbage behind.
type pageReader struct {
	*pageScanner
	leaf       leaf
	levels     []uint8
	indices    []uint32
	booleans   []uint8
	dictionary []float64
	numbers    []float64
	i32        []int32
	i64        []int64
	f32        []float32
}

// page is a page of values as decoded; its slices last until the next page.
type page struct {
	n       int       // values, missing ones too
	levels  []uint8   // of definition, one a value; nil where none can be missing
	numbers []float64 // those present
}

// eachPage gives the pages of a column chunk of so many rows to do, with the row of its first
// value; without wantNumbers only the levels are decoded.
func (p *pageReader) eachPage(ctx context.Context, c *format.ColumnMetaData, l leaf, rows int, wantNumbers bool, do func(row int, g page)) error {
	p.start(c)
	p.leaf = l
	hasDictionary := false
	row := 0
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
		var g page
		var values []byte
		var encoding format.Encoding
		switch p.header.Type {
		case format.DictionaryPage:
			if !wantNumbers {
				continue
			}
			if e := p.header.DictionaryPageHeader.V.Encoding; e != format.Plain && e != plainDictionary {
				return fmt.Errorf("a dictionary is written as %s", e)
			}
			if _, values, err = p.read(0, true); err != nil {
				return err
			}
			hasDictionary = true
			if p.dictionary, err = l.appendPlain(p.dictionary[:0], values, int(p.header.DictionaryPageHeader.V.NumValues)); err != nil {
				return err
			}
			continue
		case format.DataPage:
			g.n, encoding = int(p.header.DataPageHeader.V.NumValues), p.header.DataPageHeader.V.Encoding
		case format.DataPageV2:
			g.n, encoding = int(p.header.DataPageHeaderV2.V.NumValues), p.header.DataPageHeaderV2.V.Encoding
		default:
			continue // an index
		}
		if g.n > rows-row {
			return errRowCount
		}
		if values, err = p.readLevels(g.n); err != nil {
			return err
		}
		present := g.n
		if l.defined > 0 {
			g.levels, present = p.levels, 0
			for _, level := range g.levels {
				if level == l.defined {
					present++
				}
			}
		}
		if wantNumbers {
			if isDictionary(encoding) && !hasDictionary {
				return errors.New("a dictionary is not there")
			}
			if p.numbers, err = p.appendNumbers(p.numbers[:0], encoding, values, present); err != nil {
				return err
			}
			g.numbers = p.numbers
		}
		do(row, g)
		row += g.n
	}
	if row != rows {
		return errRowCount
	}
	return nil
}

// readLevels decodes the definition levels of a page and gives the bytes of its values.
func (p *pageReader) readLevels(n int) (values []byte, err error) {
	var levels []byte
	if p.header.Type == format.DataPageV2 {
		h := &p.header.DataPageHeaderV2.V
		repeated, defined := int(h.RepetitionLevelsByteLength), int(h.DefinitionLevelsByteLength)
		if repeated < 0 || defined < 0 {
			return nil, errLevels
		}
		if levels, values, err = p.read(repeated+defined, !h.IsCompressed.Valid || h.IsCompressed.V); err != nil {
			return nil, err
		}
		levels = levels[repeated:]
	} else {
		if _, values, err = p.read(0, true); err != nil || p.leaf.defined == 0 {
			return values, err
		}
		if p.header.DataPageHeader.V.DefinitionLevelEncoding != format.RLE {
			return nil, errors.New("the levels of a page are written in a way out of use since 2013")
		}
		if len(values) < 4 || uint64(binary.LittleEndian.Uint32(values)) > uint64(len(values)-4) {
			return nil, errLevels
		}
		size := 4 + int(binary.LittleEndian.Uint32(values))
		levels, values = values[4:size], values[size:]
	}
	if p.leaf.defined > 0 {
		p.levels, err = appendRuns(p.levels[:0], levels, uint(bits.Len8(p.leaf.defined)), n)
	}
	return values, err
}

// plainDictionary is what writers of Parquet 1 call both the dictionary's own encoding and that of
// positions in it.
const plainDictionary format.Encoding = 2

func isDictionary(e format.Encoding) bool {
	return e == format.RLEDictionary || e == plainDictionary
}

// appendNumbers decodes n numbers or booleans.
func (p *pageReader) appendNumbers(dst []float64, encoding format.Encoding, src []byte, n int) (_ []float64, err error) {
	switch {
	case n == 0:
		return dst, nil
	case encoding == format.Plain:
		return p.leaf.appendPlain(dst, src, n)
	case isDictionary(encoding):
		if len(src) == 0 || src[0] > 32 {
			return dst, errRuns
		}
		if p.indices, err = appendRuns(p.indices[:0], src[1:], uint(src[0]), n); err != nil {
			return dst, err
		}
		for _, i := range p.indices {
			if uint64(i) >= uint64(len(p.dictionary)) {
				return dst, errors.New("a page names a value that its dictionary does not have")
			}
			dst = append(dst, p.dictionary[i])
		}
		return dst, nil
	case encoding == format.RLE && p.leaf.kind == parquet.Boolean:
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

// appendDecoded leaves the encodings of deltas and of split bytes to the library.
func (p *pageReader) appendDecoded(dst []float64, encoding format.Encoding, src []byte, n int) (_ []float64, err error) {
	if encoding == format.DeltaBinaryPacked && !claimsAtMost(src, n) {
		return dst, errRowCount
	}
	decoder, got := parquet.LookupEncoding(encoding), 0
	switch p.leaf.kind {
	case parquet.Double:
		at := len(dst)
		dst, err = decoder.DecodeDouble(dst, src)
		got = len(dst) - at
	case parquet.Float:
		p.f32, err = decoder.DecodeFloat(p.f32[:0], src)
		got = len(p.f32)
		for _, v := range p.f32 {
			dst = append(dst, float64(v))
		}
	case parquet.Int32:
		p.i32, err = decoder.DecodeInt32(p.i32[:0], src)
		got = len(p.i32)
		for _, v := range p.i32 {
			dst = append(dst, p.leaf.fromInt32(v))
		}
	case parquet.Int64:
		p.i64, err = decoder.DecodeInt64(p.i64[:0], src)
		got = len(p.i64)
		for _, v := range p.i64 {
			dst = append(dst, p.leaf.fromInt64(v))
		}
	default:
		return dst, fmt.Errorf("a page of booleans is written as %s", encoding)
	}
	if err == nil && got != n {
		err = errRowCount
	}
	return dst, err
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

// appendPlain decodes n values that stand as they are.
func (l leaf) appendPlain(dst []float64, src []byte, n int) ([]float64, error) {
	width := map[parquet.Kind]int{parquet.Boolean: 1, parquet.Int32: 32, parquet.Float: 32, parquet.Int64: 64, parquet.Double: 64}[l.kind]
	if n > 8*len(src)/max(1, width) {
		return dst, errRowCount
	}
	switch l.kind {
	case parquet.Boolean:
		for i := range n {
			dst = append(dst, float64(src[i/8]>>(i%8)&1))
		}
	case parquet.Int32:
		for i := range n {
			dst = append(dst, l.fromInt32(int32(binary.LittleEndian.Uint32(src[4*i:]))))
		}
	case parquet.Int64:
		for i := range n {
			dst = append(dst, l.fromInt64(int64(binary.LittleEndian.Uint64(src[8*i:]))))
		}
	case parquet.Float:
		for i := range n {
			dst = append(dst, float64(math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))))
		}
	case parquet.Double:
		for i := range n {
			dst = append(dst, math.Float64frombits(binary.LittleEndian.Uint64(src[8*i:])))
		}
	}
	return dst, nil
}

func (l leaf) fromInt32(v int32) float64 {
	if l.unsigned {
		return float64(uint32(v))
	}
	return float64(v)
}

func (l leaf) fromInt64(v int64) float64 {
	if l.unsigned {
		return float64(uint64(v))
	}
	return float64(v)
}
