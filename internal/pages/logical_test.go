package pages

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// TestTextOfFarValues writes what lies far from today, or beyond a day.
func TestTextOfFarValues(t *testing.T) {
	day, stamp := logical{form: asDate}, logical{form: asTimestamp, unit: time.Millisecond}
	at, decimal := logical{form: asTime, unit: time.Microsecond}, logical{form: asDecimal, scale: 2}
	for _, c := range []struct {
		l     logical
		kind  parquet.Kind
		value int64
		want  string
	}{
		{day, parquet.Int32, -1, "1969-12-31"},
		{day, parquet.Int32, 2_932_896, "9999-12-31"},
		{day, parquet.Int32, 2_932_897, "+10000-01-01"},
		{day, parquet.Int32, -719_529, "-0001-12-31"},
		{day, parquet.Int32, math.MinInt32, "-5877641-06-23"},
		{stamp, parquet.Int64, math.MaxInt64, "+292278994-08-17T07:12:55.807"},
		{stamp, parquet.Int64, -62135596800001, "0000-12-31T23:59:59.999"},
		{at, parquet.Int64, 86_400_000_000, "24:00:00"},
		{at, parquet.Int64, -1, "-00:00:00.000001"},
		{at, parquet.Int64, math.MinInt64, "-2562047788:00:54.775808"},
		{decimal, parquet.Int64, math.MinInt64, "-92233720368547758.08"},
		{decimal, parquet.Int32, 0, "0.00"},
		{logical{form: asDecimal}, parquet.Int32, -40, "-40"},
	} {
		value := binary.LittleEndian.AppendUint64(nil, uint64(c.value))
		got, err := Leaf{Kind: c.kind, logical: c.l}.Text(nil, value)
		if err != nil || string(got) != c.want {
			t.Errorf("%d is written as %s, not %s: %v", c.value, got, c.want, err)
		}
	}
	long := Leaf{Kind: parquet.ByteArray, logical: decimal}
	for want, value := range map[string][]byte{
		"0.00": {}, "-1.28": {0x80}, "1.28": {0, 0x80}, "-0.01": {255, 255},
	} {
		if got, err := long.Text(nil, value); err != nil || string(got) != want {
			t.Errorf("%x is written as %s, not %s: %v", value, got, want, err)
		}
	}
}
