package dataset

import (
	"bytes"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// The seconds of units of durations.
var durationUnits = func() map[string]float64 {
	m := make(map[string]float64)
	for seconds, names := range map[float64]string{
		7 * 86400: "week weeks w wk wks woche wochen semaine semaines semana semanas vecka veckor",
		86400: "day days d tag tage tagen jour jours j día días dia dias giorno giorni dag dagar " +
			"dagen dzień dni",
		3600: "hour hours h hr hrs stunde stunden std heure heures hora horas ora ore timme " +
			"timmar tim uur godzina godziny godz",
		60:   "minute minutes min mins minuten minuto minutos minuti minuter minuut minuta minuty",
		1:    "second seconds s sec secs sek sekunde sekunden seconde secondes segundo segundos seg",
		1e-3: "ms msec millisecond milliseconds",
	} {
		for _, name := range strings.Fields(names) {
			m[name] = seconds
		}
	}
	return m
}()

// durationForm is how a duration is written.
type durationForm int

const (
	byClock  durationForm = iota + 1 // 1:30:00, as a time of day may be
	byLong                           // 30:00:00, as no time of day is
	byUnits                          // with words or letters, as PT1H30M, 90 min, 1 day 2:03:04
	byLetter                         // with one letter alone, as 2D, which may be a size or a code
)

// parseDuration reads all of s as a duration in seconds: PT1H30M, P3D, 90 min, 1h 30m, 1:30:00, 2
// days 03:04:05. Months and years have no length.
func parseDuration(s []byte) (seconds float64, form durationForm) {
	const most = 64
	if len(s) < 2 || len(s) > most {
		return 0, 0
	}
	s, negative, _ := cutSign(s)
	form = byUnits
	var ok bool
	if len(s) > 1 && (s[0] == 'P' || s[0] == 'p') {
		seconds, ok = isoDuration(s[1:])
	} else {
		seconds, form, ok = spokenDuration(s)
	}
	if !ok {
		return 0, 0
	}
	if negative {
		seconds = -seconds
	}
	return seconds, form
}

// isoDuration reads what follows the P of ISO 8601.
func isoDuration(s []byte) (seconds float64, ok bool) {
	time, last := false, 1e9
	for len(s) > 0 {
		if s[0] == 'T' || s[0] == 't' {
			if time || len(s) == 1 {
				return 0, false
			}
			time, s = true, s[1:]
		}
		v, n := leadingNumber(s)
		if n == 0 || n == len(s) {
			return 0, false
		}
		var unit float64
		switch c := s[n] | 0x20; {
		case c == 'w' && !time:
			unit = 7 * 86400
		case c == 'd' && !time:
			unit = 86400
		case c == 'h' && time:
			unit = 3600
		case c == 'm' && time:
			unit = 60
		case c == 's' && time:
			unit = 1
		}
		if unit == 0 || unit >= last {
			return 0, false
		}
		last, ok = unit, true
		seconds += float64(v * unit)
		s = s[n+1:]
	}
	return seconds, ok
}

// spokenDuration reads numbers with units, hours with colons, or both.
func spokenDuration(s []byte) (seconds float64, form durationForm, ok bool) {
	form = byClock
	last := 1e9
	units, letters := 0, 0
	for len(s) > 0 {
		if clock, n, long := leadingClock(s); n == len(s) {
			if long {
				form = max(form, byLong)
			}
			if last <= 3600 {
				return 0, 0, false
			}
			return seconds + clock, form, true
		}
		v, n := leadingNumber(s)
		if n == 0 {
			return 0, 0, false
		}
		rest := bytes.TrimLeft(s[n:], " \u00a0")
		end := 0
		for end < len(rest) && (rest[end]|0x20 >= 'a' && rest[end]|0x20 <= 'z' ||
			rest[end] >= 0x80 && rest[end] != 0xc2) {
			end++
		}
		word := strings.ToLower(string(rest[:end]))
		unit := durationUnits[word]
		// m is a minute only among other units: alone it may be a metre
		if word == "m" && (form == byUnits || end < len(rest)) {
			unit = 60
		}
		if unit == 0 || unit >= last {
			return 0, 0, false
		}
		last, form = unit, byUnits
		if units++; len(word) == 1 {
			letters++
		}
		seconds += float64(v * unit)
		s = bytes.TrimLeft(bytes.TrimPrefix(rest[end:], []byte(".")), ", \u00a0")
		s = bytes.TrimPrefix(s, []byte("and "))
	}
	if units == 1 && letters == 1 {
		form = byLetter
	}
	return seconds, form, units > 0
}

// leadingNumber reads a plain number without a sign or a power, with a point or a comma; n is its
// length.
func leadingNumber(s []byte) (v float64, n int) {
	var local [40]byte
	out := local[:0]
	for ; n < len(s) && n < 30; n++ {
		c := s[n]
		if c == ',' && n+1 < len(s) && s[n+1]-'0' <= 9 {
			c = '.'
		}
		if c-'0' > 9 && c != '.' {
			break
		}
		out = append(out, c)
	}
	if v, ok := ParseNumber(out); ok {
		return v, n
	}
	return 0, 0
}

// leadingClock reads hours, minutes and seconds, or hours and minutes, with colons; long reports
// that it is no time of day.
func leadingClock(s []byte) (seconds float64, n int, long bool) {
	p := momentParser{s: s}
	hours, digits := p.number(6)
	if digits == 0 || p.next() != ':' {
		return 0, 0, false
	}
	p.i++
	minutes, digits := p.number(2)
	if digits != 2 || minutes > 59 {
		return 0, 0, false
	}
	seconds = float64(hours*3600 + minutes*60)
	if p.next() == ':' {
		p.i++
		rest, n := leadingNumber(s[p.i:])
		if n < 2 || rest >= 60 {
			return 0, 0, false
		}
		p.i += n
		seconds += rest
	}
	return seconds, p.i, hours > 23
}

// readDuration reads a cell that is not missing, in seconds.
func readDuration(s []byte) (float64, *fault.Input) {
	if v, form := parseDuration(s); form != 0 {
		return v, nil
	}
	return 0, &fault.Input{Problem: quote(s) + " is no duration, as the other values are",
		Fix: "write it as 1:30:00, PT1H30M or 90 min, leave it empty if it is missing, or leave " +
			"the column out (--drop)"}
}
