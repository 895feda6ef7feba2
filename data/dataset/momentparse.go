package dataset

import (
	"bytes"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// dateOrder is the order of day, month and year where all three are numbers and the year does not
// come first with four digits.
type dateOrder int

// The orders of dates.
const (
	anyOrder dateOrder = iota // it does not matter, or is not known
	dayFirst
	monthFirst
	yearFirst // with two digits
)

// moment is a value that parseMoment read.
type moment struct {
	kind    momentKind
	seconds float64
	zone    int // seconds east of UTC
	zoned   bool
	// it has another meaning, or none, in another order
	ordered bool
	months  bool // a year and a month alone
	short   bool // the year has two digits
	bare    bool // and the day or the month one, with points between, as versions may have
}

// parseMoment reads all of s as a date, a date and time, or a time of day:
//
//   - dates as 2024-12-31, 2024/12/31, 2024.12.31, 2024-12, 31.12.2024, 31/12/2024, 12/31/2024,
//     31-12-24, 31-Dec-2024, 31DEC2024, 31. Dezember 2024, Dec 31, 2024, and 20241231T with a time;
//   - then, after a blank, a comma or a T, times of day as 14:30, 14:30:05.25, 2:30 PM;
//   - then zones as Z, UTC, CET, +01, +0100, +01:00 and Europe/Berlin, in brackets too.
//
// Points stand in dates with the day first. A year of two digits from 69 is in the last century.
func parseMoment(s []byte, order dateOrder) (m moment, ok bool) {
	const most = 64
	if len(s) < 4 || len(s) > most {
		return m, false
	}
	p := momentParser{s: s, order: order}
	if m.seconds, ok = p.clock(); ok {
		m.kind = clocks
		if m.zoned = p.zone(&m.zone); m.zoned {
			m.seconds -= float64(m.zone)
		}
		return m, p.i == len(s)
	}
	p.i = 0
	p.weekday()
	year, month, day, ok := p.date()
	if !ok {
		return m, false
	}
	m.ordered, m.months, m.short, m.bare = p.ordered, p.months, p.short, p.bare
	if p.i < len(s) {
		m.kind = stamps
		if !p.joint() {
			return m, false
		}
		clock, ok := p.clock()
		if !ok {
			return m, false
		}
		m.seconds = clock
		m.zoned = p.zone(&m.zone)
		if place := p.place(m.zoned); place != nil && !m.zoned {
			p.zoneOf, m.zoned = place, true
		}
		if year == 0 { // as in Mon Jan 2 15:04:05 2006
			p.blanks()
			if digits, n := p.number(4); n == 4 {
				year = digits
			}
		}
	}
	if p.i != len(s) || year < 1 || !isDay(year, month, day) {
		return m, false
	}
	midnight := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC).Unix()
	m.seconds += float64(midnight)
	if p.zoneOf != nil {
		m.zone = offsetAt(p.zoneOf, m.seconds)
	}
	m.seconds -= float64(m.zone)
	return m, true
}

// isDay reports whether a year has a day.
func isDay(year, month, day int) bool {
	return month >= 1 && month <= 12 && day >= 1 &&
		day <= time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

type momentParser struct {
	s       []byte
	i       int
	order   dateOrder
	ordered bool
	months  bool
	short   bool
	bare    bool
	glued   bool           // the month is letters between digits, as in 31DEC2024
	zoneOf  *time.Location // by the name of a place; nil: none
}

// next returns the next byte, 0 at the end.
func (p *momentParser) next() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// number reads at most so many digits, and not the first of more.
func (p *momentParser) number(most int) (v, digits int) {
	i := p.i
	for i < len(p.s) && p.s[i]-'0' <= 9 {
		if digits == most {
			return 0, 0
		}
		v = v*10 + int(p.s[i]-'0')
		digits++
		i++
	}
	p.i = i
	return v, digits
}

func (p *momentParser) blanks() {
	for p.next() == ' ' {
		p.i++
	}
}

// word reads letters, and those of other alphabets.
func (p *momentParser) word() []byte {
	first := p.i
	for c := p.next(); c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80; c = p.next() {
		p.i++
	}
	return p.s[first:p.i]
}

// weekday steps over the name of a day, as in "Mon, " and "Monday ".
func (p *momentParser) weekday() {
	word := p.word()
	if len(word) < 2 || monthOf(word) > 0 {
		p.i = 0
		return
	}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun", "mo", "di", "mi",
		"do", "fr", "sa", "so"} {
		name := strings.ToLower(string(word))
		if name == day || len(day) == 3 && strings.HasPrefix(name, day) &&
			strings.HasSuffix(name, "day") {
			if p.next() == '.' {
				p.i++
			}
			if p.next() == ',' {
				p.i++
			}
			p.blanks()
			return
		}
	}
	p.i = 0
}

// of steps over "de", as in 31 de diciembre de 2024.
func (p *momentParser) of() {
	if bytes.HasPrefix(p.s[p.i:], []byte("de ")) {
		p.i += len("de ")
	}
}

// joint steps over what stands between a date and a time.
func (p *momentParser) joint() bool {
	first := p.i
	switch p.next() {
	case 'T', 't', '_':
		p.i++
		return true
	case ',':
		p.i++
	case ':': // 31DEC2024:12:30:00, as SAS writes it
		if p.glued {
			p.i++
		}
	}
	p.blanks()
	return p.i > first
}

// date reads a date; the year is 0 where it comes behind the time.
func (p *momentParser) date() (year, month, day int, ok bool) {
	if month = p.month(); month > 0 { // Dec 31, 2024
		p.blanks()
		var n int
		if day, n = p.number(2); n == 0 {
			year, n = p.number(4) // Dec 2024
			return year, month, 1, n == 4
		}
		if p.next() == ',' {
			p.i++
		}
		first := p.i
		p.blanks()
		if year, n = p.number(4); n == 4 && p.next() != ':' {
			return year, month, day, true
		}
		p.i = first
		return 0, month, day, p.next() == ' '
	}
	a, digits := p.number(8)
	mark := p.next()
	if digits == 8 && (mark == 'T' || mark == 't') { // 20241231T143005
		return a / 10000, a / 100 % 100, a % 100, true
	}
	if digits == 4 {
		if mark != '-' && mark != '/' && mark != '.' {
			return 0, 0, 0, false
		}
		p.i++
		month, digits = p.number(2)
		if digits == 0 {
			if month = p.month(); month == 0 { // 2024-Dec-31
				return 0, 0, 0, false
			}
		}
		if p.next() != mark {
			p.months = true
			return a, month, 1, digits == 2 && mark != '.' && p.i == len(p.s)
		}
		p.i++
		day, digits = p.number(2)
		return a, month, day, digits > 0
	}
	if digits == 0 || digits > 2 {
		return 0, 0, 0, false
	}
	switch mark {
	case '-', '/':
		p.i++
	case ' ', '.':
		p.i++
		p.blanks()
		p.of()
	default: // 31DEC2024
		if mark < 'A' || digits == 0 {
			return 0, 0, 0, false
		}
		if month = p.month(); month == 0 {
			return 0, 0, 0, false
		}
		p.glued = true
		year, digits = p.number(4)
		p.short = digits == 2
		return century(year, digits), month, a, digits == 2 || digits == 4
	}
	if month = p.month(); month > 0 { // 31-Dec-2024, 31. Dezember 2024
		if c := p.next(); c == mark || c == ' ' || c == '.' || c == ',' || c == '-' || c == '/' {
			p.i++
			p.blanks()
			p.of()
		}
		year, digits = p.number(4)
		return century(year, digits), month, a, digits == 2 || digits == 4
	}
	b, more := p.number(2)
	if mark != '-' && mark != '/' && mark != '.' || more == 0 || p.next() != mark {
		return 0, 0, 0, false
	}
	p.i++
	if mark == '.' {
		p.blanks()
	}
	c, last := p.number(4)
	if last != 2 && last != 4 {
		return 0, 0, 0, false
	}
	p.short = last == 2
	p.bare = mark == '.' && last == 2 && (digits == 1 || more == 1)
	if mark == '.' && p.order != yearFirst {
		return century(c, last), b, a, true
	}
	p.ordered = true
	switch p.order {
	case monthFirst:
		return century(c, last), a, b, true
	case yearFirst:
		if last == 2 && digits == 2 {
			return century(a, 2), b, c, true
		}
		if mark != '.' {
			return 0, 0, 0, false
		}
	}
	return century(c, last), b, a, true
}

// century completes a year of two digits.
func century(year, digits int) int {
	switch {
	case digits != 2:
	case year < 69:
		return year + 2000
	default:
		return year + 1900
	}
	return year
}

// clock reads a time of day, in seconds.
func (p *momentParser) clock() (seconds float64, ok bool) {
	first := p.i
	hour, n := p.number(6)
	minute, second := 0, 0
	switch c := p.next(); {
	case (n == 1 || n == 2) && c == ':':
		p.i++
		if minute, n = p.number(2); n != 2 {
			return 0, false
		}
		if p.next() == ':' {
			p.i++
			if second, n = p.number(2); n != 2 {
				return 0, false
			}
		}
	case first > 0 && n == 6: // 143005
		hour, minute, second = hour/10000, hour/100%100, hour%100
	case first > 0 && n == 4: // 1430
		hour, minute = hour/100, hour%100
	case (n == 1 || n == 2) && c != 0: // 2 PM
		if !p.half(&hour) || hour > 23 {
			return 0, false
		}
		return float64(hour * 3600), true
	default:
		return 0, false
	}
	fraction := 0.0
	if c := p.next(); c == '.' || c == ',' {
		p.i++
		digits := p.i
		p.number(12)
		if p.i == digits {
			return 0, false
		}
		fraction, _ = ParseNumber(append([]byte("0."), p.s[digits:p.i]...))
	}
	p.half(&hour)
	if hour > 23 || minute > 59 || second > 60 {
		return 0, false
	}
	return float64(hour*3600+minute*60+second) + fraction, true
}

// half reads AM or PM; hour becomes one of 24, or 24 where it is none.
func (p *momentParser) half(hour *int) bool {
	first := p.i
	p.blanks()
	half := p.next() | 0x20
	if half != 'a' && half != 'p' {
		p.i = first
		return false
	}
	p.i++
	points := p.next() == '.'
	if points {
		p.i++
	}
	if p.next()|0x20 != 'm' {
		p.i = first
		return false
	}
	p.i++
	if points && p.next() == '.' {
		p.i++
	}
	if c := p.next() | 0x20; c >= 'a' && c <= 'z' { // as in America/New_York
		p.i = first
		return false
	}
	switch {
	case *hour == 0 || *hour > 12:
		*hour = 24
	case half == 'p' && *hour < 12:
		*hour += 12
	case half == 'a' && *hour == 12:
		*hour = 0
	}
	return true
}

// month reads the name of a month, from 1; 0 and nothing where there is none.
func (p *momentParser) month() int {
	first := p.i
	month := monthOf(p.word())
	switch {
	case month == 0:
		p.i = first
	case p.next() == '.':
		p.i++
	}
	return month
}

// monthNames are the beginnings that tell the months apart, and whole words where they are short,
// in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Polish.
var monthNames = [...]string{
	"jan janv january januar jänner janvier enero ene gennaio gen janeiro januari styczeń " +
		"stycznia sty",
	"feb febr february februar février févr fevrier fevr fév febrero febbraio fevereiro fev " +
		"februari luty lutego lut",
	"mar march märz mär mrz maerz mars marzo março marco maart mrt marzec marca",
	"apr april avril avr abril abr aprile kwiecień kwietnia kwi",
	"may mai mayo maggio mag maio mei maj maja",
	"jun june juni juin junio giugno giu junho czerwiec czerwca cze",
	"jul july juli juillet juil julio luglio lug julho lipiec lipca lip",
	"aug august août aout agosto ago augustus augusti sierpień sierpnia sie",
	"sep sept september septembre septiembre settembre set setembro wrzesień września wrz",
	"oct october oktober okt octobre octubre ottobre ott outubro out październik " +
		"października paź",
	"nov november novembre noviembre novembro listopad listopada lis",
	"dec december dezember dez décembre déc decembre diciembre dic dicembre dezembro " +
		"grudzień grudnia gru"}

// months finds a month by its name.
var months = func() map[string]int {
	m := make(map[string]int)
	for i, names := range monthNames {
		for _, name := range strings.Fields(names) {
			m[name] = i + 1
		}
	}
	return m
}()

func monthOf(word []byte) int {
	if len(word) < 3 || len(word) > 16 {
		return 0
	}
	return months[strings.ToLower(string(word))]
}

// momentReader reads the cells of a column of dates and times.
type momentReader struct {
	order dateOrder
	kind  momentKind // clocks, or not
}

// read reads a cell that is not missing.
func (r *momentReader) read(s []byte) (float64, *fault.Input) {
	m, ok := parseMoment(s, r.order)
	if ok && (m.kind == clocks) == (r.kind == clocks) {
		return m.seconds, nil
	}
	if zone := unknownZone(s, r.order); zone != "" {
		return 0, &fault.Input{Problem: quote(s) + " is in the zone " + zone +
			", which is not known or has several meanings", Fix: fixZone}
	}
	in := &fault.Input{Problem: quote(s) + " is no date, as the other values are",
		Fix: "fix the value, leave it empty if it is missing, or leave the column out (--drop)"}
	if r.kind == clocks {
		in.Problem = quote(s) + " is no time of day, as the other values are"
	}
	for _, other := range []dateOrder{dayFirst, monthFirst} {
		if m, ok := parseMoment(s, other); ok && m.ordered && other != r.order {
			in.Problem = quote(s) + " is no date written " + r.order.String() +
				", as the first rows are"
			in.Fix = "write it as they are, or name the order of all (--date-order " +
				other.short() + ")"
		}
	}
	return 0, in
}

// String describes the order.
func (o dateOrder) String() string {
	return [...]string{"in any order", "day/month/year", "month/day/year", "year/month/day"}[o]
}

// short returns the name of the setting: dmy, mdy or ymd; "" for none.
func (o dateOrder) short() string { return [...]string{"", "dmy", "mdy", "ymd"}[o] }
