package pages

import (
	"encoding/binary"
	"errors"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
)

// ErrText is the error of a value that cannot be shown.
var ErrText = errors.New("the text is not UTF-8")

// Text appends a value of [Values] as CSV has it: dates, times and timestamps in the form of
// ISO 8601, and decimals with their digits. The column must not be hidden.
func (l Leaf) Text(dst, value []byte) ([]byte, error) {
	if l.logical.form != asStored {
		return l.appendLogical(dst, value), nil
	}
	switch l.Kind {
	case parquet.Boolean:
		return strconv.AppendBool(dst, value[0] != 0), nil
	case parquet.Int32, parquet.Int64:
		v := l.integer(value)
		switch {
		case !l.Unsigned:
			return strconv.AppendInt(dst, v, 10), nil
		case l.Kind == parquet.Int32:
			v = int64(uint32(v))
		}
		return strconv.AppendUint(dst, uint64(v), 10), nil
	case parquet.Float:
		v := math.Float32frombits(binary.LittleEndian.Uint32(value))
		return strconv.AppendFloat(dst, float64(v), 'g', -1, 32), nil
	case parquet.Double:
		v := math.Float64frombits(binary.LittleEndian.Uint64(value))
		return strconv.AppendFloat(dst, v, 'g', -1, 64), nil
	}
	if utf8.Valid(value) {
		return append(dst, value...), nil
	}
	return dst, ErrText
}
