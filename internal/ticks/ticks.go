// Package ticks writes dates, times and decimals, which files hold as integers, in the form of
// ISO 8601 and with all their digits.
package ticks

import (
	"math/big"
	"slices"
	"strconv"
	"time"
)

// AppendDate appends the day of a time.
func AppendDate(dst []byte, t time.Time) []byte {
	if t.Year() > 9999 {
		dst = append(dst, '+') // as ISO 8601 has years of more digits
	}
	return t.AppendFormat(dst, "2006-01-02")
}

// AppendTimestamp appends a time in UTC, without its zone.
func AppendTimestamp(dst []byte, t time.Time) []byte {
	t = t.UTC()
	return t.AppendFormat(AppendDate(dst, t), "T15:04:05.999999999")
}

// AppendClock appends a time of day, as ticks of a unit since midnight. What lies beyond the day
// has more hours, or a sign.
func AppendClock(dst []byte, ticks int64, unit time.Duration) []byte {
	second := uint64(time.Second / unit)
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
	hour := time.Unix(int64(seconds%3600), int64(rest)*int64(unit)).UTC()
	return hour.AppendFormat(dst, ":04:05.999999999")
}

// AppendDecimal appends a number of digits, of which scale are after the point.
func AppendDecimal(dst []byte, x *big.Int, scale int) []byte {
	if x.Sign() < 0 {
		dst = append(dst, '-')
	}
	digits := new(big.Int).Abs(x).Append(nil, 10)
	for len(digits) <= scale {
		digits = slices.Insert(digits, 0, '0')
	}
	dst = append(dst, digits[:len(digits)-scale]...)
	if scale > 0 {
		dst = append(append(dst, '.'), digits[len(digits)-scale:]...)
	}
	return dst
}
