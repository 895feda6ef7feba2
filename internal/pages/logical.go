package pages

import (
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
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
			return appendTimestamp(dst,
				time.Unix(day*86400, int64(binary.LittleEndian.Uint64(value))))
		}
		ticks, second := int64(binary.LittleEndian.Uint64(value)), int64(time.Second/l.logical.unit)
		seconds, rest := ticks/second, ticks%second
		dst = appendTimestamp(dst, time.Unix(seconds, rest*int64(l.logical.unit)))
		if l.logical.utc {
			dst = append(dst, 'Z')
		}
		return dst
	case asDate:
		days := int64(int32(binary.LittleEndian.Uint32(value)))
		return appendDate(dst, time.Unix(days*86400, 0).UTC())
	case asTime:
		return l.appendTime(dst, l.integer(value))
	case asDecimal:
		return l.appendDecimal(dst, value)
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

func appendDate(dst []byte, t time.Time) []byte {
	if t.Year() > 9999 {
		dst = append(dst, '+') // as ISO 8601 has years of more digits
	}
	return t.AppendFormat(dst, "2006-01-02")
}

func appendTimestamp(dst []byte, t time.Time) []byte {
	t = t.UTC()
	return t.AppendFormat(appendDate(dst, t), "T15:04:05.999999999")
}

// appendTime appends a time of day. What lies beyond the day has more hours, or a sign.
func (l Leaf) appendTime(dst []byte, ticks int64) []byte {
	second := uint64(time.Second / l.logical.unit)
	left := uint64(ticks)
	if ticks < 0 {
		dst, left = append(dst, '-'), -left
	}
	seconds, rest := left/second, left%second
	if hours := seconds / 3600; hours >= 10 {
		dst = strconv.AppendUint(dst, hours, 10)
	} else {
		dst = append(dst, '0', '0'+byte(hours))
	}
	hour := time.Unix(int64(seconds%3600), int64(rest)*int64(l.logical.unit)).UTC()
	dst = hour.AppendFormat(dst, ":04:05.999999999")
	if l.logical.utc {
		dst = append(dst, 'Z')
	}
	return dst
}

// appendDecimal appends a number of digits, of which scale are after the point.
func (l Leaf) appendDecimal(dst, value []byte) []byte {
	var digits []byte
	negative := false
	switch l.Kind {
	case parquet.Int32, parquet.Int64:
		digits = strconv.AppendInt(nil, l.integer(value), 10)
		if negative = digits[0] == '-'; negative {
			digits = digits[1:]
		}
	default: // two's complement, the highest byte first
		x := new(big.Int).SetBytes(value)
		if negative = len(value) > 0 && value[0] >= 0x80; negative {
			x.Sub(new(big.Int).Lsh(big.NewInt(1), uint(8*len(value))), x)
		}
		digits = x.Append(nil, 10)
	}
	if negative {
		dst = append(dst, '-')
	}
	scale := l.logical.scale
	for len(digits) <= scale {
		digits = slices.Insert(digits, 0, '0')
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	if scale > 0 {
		dst = append(append(dst, '.'), digits[len(digits)-scale:]...)
	}
	return dst
}
