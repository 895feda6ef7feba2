package dataset

import (
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// duration makes a number of seconds of a column of durations. Hours with colons are durations
// where one is more than a day, or the column is named so or asked for as numbers; numbers with
// one letter are where others are durations without doubt.
func (j *judge) duration(c *judged, asked bool) bool {
	clocks, letters, sure, seen := true, false, false, 0
	for _, s := range c.values {
		_, form := parseDuration(s)
		switch {
		case form != 0:
			seen++
			clocks = clocks && form == byClock
			letters = letters || form == byLetter
			sure = sure || form == byLong || form == byUnits
		case softAnyWord.meansNothing(s):
			c.addWord(s)
		default:
			c.empty = nil
			return false
		}
	}
	if seen == 0 || letters && !sure || clocks && !asked && !namesDuration(c.name) {
		c.empty = nil
		return false
	}
	c.typ, c.soft, c.read, c.duration = Number, softAnyWord, j.wrap(readDuration), true
	return true
}

// moment makes a time of a column of dates and times of day. Dates of which nothing shows the order
// are texts.
func (j *judge) moment(c *judged) bool {
	order := j.order
	if order == anyOrder || !c.isDates(order) {
		if j.o.DateOrder != "" {
			return false
		}
		order = dayFirst
		for _, try := range []dateOrder{dayFirst, monthFirst, yearFirst} {
			if c.isDates(try) {
				order = try
				break
			}
		}
	}
	r := &momentReader{order: order, kind: -1}
	m := moments{zoned: true}
	open := false               // the order matters and is not known
	named, bare := false, false // zones of times
	seen := 0
	for _, s := range c.values {
		v, ok := parseMoment(s, order)
		if !ok {
			if softAnyWord.meansNothing(s) {
				c.addWord(s)
				continue
			}
			c.empty = nil
			return false
		}
		if v.bare && !namesDate(c.name) {
			c.empty = nil
			return false
		}
		c.months, c.short = c.months || v.months, c.short || v.short
		if seen == 0 {
			m.zone = v.zone
		}
		seen++
		if (r.kind == clocks) != (v.kind == clocks) && r.kind >= 0 {
			c.empty = nil
			return false
		}
		r.kind = max(r.kind, v.kind)
		m.zoned = m.zoned && v.zoned
		named, bare = named || v.zoned, bare || !v.zoned
		if other := dayFirst + monthFirst - order; v.ordered && order != yearFirst {
			w, both := parseMoment(s, other)
			open = open || !both || w.seconds != v.seconds
			c.ordered = true
		}
	}
	if seen == 0 {
		return false
	}
	if open && j.order == anyOrder && order == dayFirst && c.isDates(monthFirst) {
		c.typ = Text
		c.never = "holds dates that may be day/month or month/day: --date-order dmy or mdy says " +
			"which"
		return true
	}
	m.kind = r.kind
	c.order, c.unzoned = order, named && bare
	c.typ, c.moments, c.read, c.soft = Time, m, j.wrap(r.read), softAnyWord
	return true
}

// nearlyDates reports what keeps a column of words from being one of dates, where more than half of
// the values are.
func (j *judge) nearlyDates(c *judged) {
	zone, in := "", 0
	for _, s := range c.values {
		if name := unknownZone(s, j.order); name != "" {
			zone = name
			in++
		}
	}
	if 2*in > len(c.values) && c.typ == Text {
		c.never = "holds dates in the zone " + zone + ", which is not known or has several " +
			"meanings: " + fixZone
		return
	}
	best, most := j.order, 0
	for _, order := range []dateOrder{j.order, dayFirst, monthFirst, yearFirst} {
		n := 0
		for _, s := range c.values {
			if m, ok := parseMoment(s, order); ok && m.kind != clocks &&
				(!m.bare || namesDate(c.name)) {
				n++
			}
		}
		if n > most {
			best, most = order, n
		}
	}
	if 2*most <= len(c.values) {
		return
	}
	r := momentReader{order: best}
	for k, s := range c.values {
		if _, wrong := r.read(s); wrong == nil || softAnyWord.meansNothing(s) {
			continue
		}
		problem := quote(s) + " in row " + itoa(int(c.rows[k])) + " is no date"
		if c.typ == Text && !c.unnamed && c.name != j.o.ID && c.name != j.o.Label {
			c.never = "holds dates, but " + problem + ": fix it, or leave it empty"
		} else {
			j.notes = append(j.notes, "column "+c.name+" is a "+c.typ.String()+", as "+problem)
		}
		return
	}
}

// unixTime makes a time of whole numbers that the name calls Unix time, in seconds or parts.
func (j *judge) unixTime(c *judged) bool {
	if !namesTime(c.name, "unix", "epoch", "timestamp", "unixtime", "unixtimestamp") {
		return false
	}
	parts := 0.0
	for _, s := range c.values {
		v, ok := ParseNumber(s)
		if !ok && softAnyWord.meansNothing(s) {
			continue
		}
		size := 0.0
		switch a := math.Abs(v); {
		case a >= 1e8 && a < 1e10:
			size = 1
		case a >= 1e11 && a < 1e13:
			size = 1e3
		case a >= 1e14 && a < 1e16:
			size = 1e6
		case a >= 1e17 && a < 1e19:
			size = 1e9
		}
		if !ok || size == 0 || parts != 0 && size != parts || size > 1 && v != math.Floor(v) {
			return false
		}
		parts = size
	}
	c.unix = parts
	c.typ, c.soft, c.moments = Time, softAnyWord, moments{kind: stamps, zoned: true}
	c.read = j.wrap(func(s []byte) (float64, *fault.Input) {
		v, ok := ParseNumber(s)
		if !ok || math.IsInf(v, 0) {
			return 0, wordFault(s, c.name, nil)
		}
		return v / parts, nil
	})
	return true
}

// Dates of eight digits are known by the name of their column, or by so many values of which nearly
// all are days.
const (
	fewestCompact = 20
	nearlyAll     = 0.95
	mostlyNamed   = 0.8
)

// compactDate makes a time of numbers such as 20241231, where the name calls them dates and most of
// them are, or where nearly all of many different ones are, or where it is asked to: of other
// numbers of eight digits, one in 25 is a day of the years 1000 to 2999.
func (j *judge) compactDate(c *judged, asked bool) bool {
	present, days := 0, 0
	different := make(map[float64]bool)
	var others []string
	for _, s := range c.values {
		if softAnyWord.meansNothing(s) {
			continue
		}
		present++
		if seconds, ok := compactDay(s); ok {
			days++
			different[seconds] = true
		} else if len(others) < 8 && !slices.Contains(others, string(s)) {
			others = append(others, string(s))
		}
	}
	share := float64(days) / float64(max(1, present))
	switch {
	case days == 0:
		return false
	case days == present && namesDate(c.name), asked && 2*days > present:
	case len(different) < fewestCompact || j.o.Plain:
		return false
	case share >= mostlyNamed && namesDate(c.name), share >= nearlyAll:
	default:
		return false
	}
	c.typ, c.soft, c.moments = Time, softAnyWord, moments{kind: dates}
	c.compact = true
	c.read = j.wrap(func(s []byte) (float64, *fault.Input) {
		seconds, ok := compactDay(s)
		if ok {
			return seconds, nil
		}
		none := others // several goroutines read
		if this := string(s); !slices.Contains(none, this) {
			none = append(slices.Clip(none), this)
		}
		return 0, &fault.Input{Problem: quote(s) + " is no date of eight digits, as the other " +
			"values are", Fix: "fix the value, read it as missing (--na " +
			words.Shell(strings.Join(none, ",")) + "), or read the column as numbers (--types " +
			words.Shell(c.name) + "=number)"}
	})
	return true
}

// IsCompactDay reports whether a text is a day of eight digits, as 20241231.
func IsCompactDay(text string) bool {
	_, ok := compactDay([]byte(text))
	return ok
}

// compactDay returns the day that a number such as 20241231 stands for, of the years from 1000 to
// 2999.
func compactDay(s []byte) (seconds float64, ok bool) {
	if len(s) != 8 || !areDigits(s) || s[0] < '1' || s[0] > '2' {
		return 0, false
	}
	m, ok := parseMoment(slices.Concat(s[:4], []byte("-"), s[4:6], []byte("-"), s[6:]), anyOrder)
	return m.seconds, ok
}

// namesTime reports whether the name of a column has one of the words, apart from others.
func namesTime(name string, words ...string) bool {
	for _, part := range strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return strings.ContainsRune(" _-./()[]:", r) }) {
		if slices.Contains(words, part) {
			return true
		}
	}
	return false
}

// namesDuration reports whether a column is named as durations are.
func namesDuration(name string) bool {
	low := strings.ToLower(name)
	for _, word := range []string{"duration", "elapsed", "dauer", "durée", "duree", "duración",
		"duracion", "duração", "duracao", "durata", "laufzeit", "runtime", "uptime", "speltid"} {
		if strings.Contains(low, word) {
			return true
		}
	}
	return false
}

// namesDate reports whether a column is named as dates are.
func namesDate(name string) bool {
	return namesTime(name, "date", "datum", "fecha", "dato", "datei", "jour", "dag", "tag", "day",
		"birth", "birthday", "born", "dob", "geburtstag", "naissance", "nacimiento") ||
		strings.HasSuffix(strings.ToLower(name), "date") ||
		strings.HasSuffix(strings.ToLower(name), "datum")
}
