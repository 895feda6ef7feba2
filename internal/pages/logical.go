package pages

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kindred-go/kindred/internal/ticks"
)

// mostScale bounds the digits that a decimal may have after the point. Decimals of 256 bits have at
// most 76.
const mostScale = 1000

// logical is what a type states beyond how its bytes are stored, where Text writes it.
type logical struct {
	form  form
	unit  time.Duration // of times and timestamps
	utc   bool          // they are of no unknown time zone
	scale int           // digits of a decimal after the point
}

type form uint8

const (
	asStored form = iota
	asTimestamp
	asDate
	asTime
	asDecimal
	asUUID
	asDuration
)

// describe finds what a type states of its values, why they can be neither numbers nor texts of a
// table, and whether Text cannot write them either.
func (l *Leaf) describe(typ parquet.Type) {
	l.Hidden = true
	switch l.Kind {
	case parquet.Boolean, parquet.Int32, parquet.Int64:
		l.Hidden = false
	case parquet.Float, parquet.Double, parquet.ByteArray:
		l.Hidden = false
	case parquet.Int96: // what it is for; no writer has had another use
		l.Never, l.Hidden, l.logical = "holds timestamps", false, logical{form: asTimestamp}
	default:
		l.Never = "holds values of type " + typ.String()
	}
	declared := typ.LogicalType()
	if declared == nil {
		return
	}
	if l.Declared = true; declared.Value == nil {
		return
	}
	switch v := declared.Value.(type) {
	case *format.IntType:
		l.Unsigned = !v.IsSigned
	case *format.StringType, *format.EnumType:
	case *format.JsonType:
		l.Never, l.Hidden = "holds JSON", l.Kind != parquet.ByteArray
	case *format.DateType:
		l.Never, l.Hidden, l.logical = "holds dates", l.Kind != parquet.Int32, logical{form: asDate}
	case *format.TimestampType:
		l.Never, l.Hidden = "holds timestamps", l.Kind != parquet.Int64 || v.Unit.Value == nil
		if !l.Hidden {
			l.logical = logical{form: asTimestamp, unit: v.Unit.Value.Duration(),
				utc: v.IsAdjustedToUTC}
		}
	case *format.TimeType:
		stored := l.Kind == parquet.Int32 || l.Kind == parquet.Int64
		l.Never, l.Hidden = "holds times", !stored || v.Unit.Value == nil
		if !l.Hidden {
			l.logical = logical{form: asTime, unit: v.Unit.Value.Duration(), utc: v.IsAdjustedToUTC}
		}
	case *format.DecimalType:
		l.Never, l.logical = "holds decimals", logical{form: asDecimal, scale: int(v.Scale)}
		switch l.Kind {
		case parquet.Int32, parquet.Int64, parquet.ByteArray, parquet.FixedLenByteArray:
			l.Hidden = v.Scale < 0 || v.Scale > mostScale
		default:
			l.Hidden = true
		}
	case *format.UUIDType:
		l.Never, l.Hidden, l.logical = "holds UUIDs", l.Length != 16, logical{form: asUUID}
	default:
		l.Never, l.Hidden = "holds values of type "+declared.String(), true
	}
}

// appendLogical appends a value of a type that states more than how its bytes are stored.
func (l Leaf) appendLogical(dst, value []byte) []byte {
	switch l.logical.form {
	case asTimestamp:
		if l.Kind == parquet.Int96 { // nanoseconds of a day, and the Julian day
			const julian = 2440588 // of 1970-01-01
			day := int64(int32(binary.LittleEndian.Uint32(value[8:]))) - julian
			return ticks.AppendTimestamp(dst,
				time.Unix(day*86400, int64(binary.LittleEndian.Uint64(value))))
		}
		count, second := int64(binary.LittleEndian.Uint64(value)), int64(time.Second/l.logical.unit)
		seconds, rest := count/second, count%second
		dst = ticks.AppendTimestamp(dst, time.Unix(seconds, rest*int64(l.logical.unit)))
		if l.logical.utc {
			dst = append(dst, 'Z')
		}
		return dst
	case asDate:
		days := int64(int32(binary.LittleEndian.Uint32(value)))
		return ticks.AppendDate(dst, time.Unix(days*86400, 0).UTC())
	case asTime:
		return l.appendTime(dst, l.integer(value))
	case asDecimal:
		return l.appendDecimal(dst, value)
	case asDuration:
		return strconv.AppendFloat(dst, l.Seconds(value), 'f', -1, 64)
	}
	uuid := [...][]byte{value[:4], value[4:6], value[6:8], value[8:10], value[10:]}
	for i, part := range uuid {
		if i > 0 {
			dst = append(dst, '-')
		}
		dst = hex.AppendEncode(dst, part)
	}
	return dst
}

// integer returns a value that is stored as an integer.
func (l Leaf) integer(value []byte) int64 {
	if l.Kind == parquet.Int32 {
		return int64(int32(binary.LittleEndian.Uint32(value)))
	}
	return int64(binary.LittleEndian.Uint64(value))
}

// appendTime appends a time of day.
func (l Leaf) appendTime(dst []byte, v int64) []byte {
	dst = ticks.AppendClock(dst, v, l.logical.unit)
	if l.logical.utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// appendDecimal appends a number of digits, of which scale are after the point.
func (l Leaf) appendDecimal(dst, value []byte) []byte {
	x := new(big.Int)
	switch l.Kind {
	case parquet.Int32, parquet.Int64:
		x.SetInt64(l.integer(value))
	default: // two's complement, the highest byte first
		x.SetBytes(value)
		if len(value) > 0 && value[0] >= 0x80 {
			x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(value))))
		}
	}
	return ticks.AppendDecimal(dst, x, l.logical.scale)
}

// Moment is what a column of times holds.
type Moment uint8

// The kinds of times.
const (
	NoTime Moment = iota
	Timestamp
	Date
	Clock // times of day
)

// Moment returns what a column of times holds, and whether they are of a known time zone.
func (l Leaf) Moment() (kind Moment, utc bool) {
	if l.Hidden || l.Lists {
		return NoTime, false
	}
	switch l.logical.form {
	case asTimestamp:
		return Timestamp, l.logical.utc
	case asDate:
		return Date, true
	case asTime:
		return Clock, l.logical.utc
	}
	return NoTime, false
}

// IsDecimal reports whether a column holds decimals that Text can write.
func (l Leaf) IsDecimal() bool {
	return l.logical.form == asDecimal && !l.Hidden && !l.Lists
}

// IsDuration reports whether a column holds durations.
func (l Leaf) IsDuration() bool {
	return l.logical.form == asDuration && !l.Hidden && !l.Lists
}

// Seconds returns a value of a column of times in seconds, since 1970 UTC or since midnight, or a
// duration.
func (l Leaf) Seconds(value []byte) float64 {
	if l.Kind == parquet.Int96 {
		const julian = 2440588 // of 1970-01-01
		day := int64(int32(binary.LittleEndian.Uint32(value[8:]))) - julian
		return float64(day*86400) + float64(int64(binary.LittleEndian.Uint64(value)))/1e9
	}
	v := l.integer(value)
	if l.logical.form == asDate {
		return float64(v) * 86400
	}
	return l.seconds(v)
}

// seconds returns a number of units in seconds.
func (l Leaf) seconds(v int64) float64 {
	second := int64(time.Second / l.logical.unit)
	return float64(v/second) + float64(v%second)/float64(second)
}
