package pages

import (
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// ErrText says that a value cannot be shown.
var ErrText = errors.New("the text is not UTF-8")

// Text writes a value as CSV would have it.
func (l Leaf) Text(dst []byte, v parquet.Value) ([]byte, error) {
	switch l.Kind {
	case parquet.Boolean:
		return strconv.AppendBool(dst, v.Boolean()), nil
	case parquet.Int32:
		if l.Unsigned {
			return strconv.AppendUint(dst, uint64(v.Uint32()), 10), nil
		}
		return strconv.AppendInt(dst, int64(v.Int32()), 10), nil
	case parquet.Int64:
		if l.Unsigned {
			return strconv.AppendUint(dst, v.Uint64(), 10), nil
		}
		return strconv.AppendInt(dst, v.Int64(), 10), nil
	case parquet.Float:
		return strconv.AppendFloat(dst, float64(v.Float()), 'g', -1, 32), nil
	case parquet.Double:
		return strconv.AppendFloat(dst, v.Double(), 'g', -1, 64), nil
	}
	if s := v.ByteArray(); utf8.Valid(s) {
		return append(dst, s...), nil
	}
	return dst, ErrText
}

// EachValue gives the values of a column chunk to do, with the row within the chunk; an error of do
// ends the loop.
func EachValue(chunk parquet.ColumnChunk, do func(row int, value parquet.Value) error) error {
	pages := chunk.Pages()
	defer pages.Close()
	var buffer [256]parquet.Value
	row := 0
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		values := page.Values()
		for {
			n, err := values.ReadValues(buffer[:])
			for _, v := range buffer[:n] {
				if e := do(row, v); e != nil {
					parquet.Release(page)
					return e
				}
				row++
			}
			if err == io.EOF || err == nil && n == 0 {
				break
			}
			if err != nil {
				parquet.Release(page)
				return err
			}
		}
		parquet.Release(page)
	}
}
