package xlsx

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
)

// form is what a number format shows.
type form uint8

const (
	number  form = iota
	day          // a date
	moment       // a date with a time of day
	clock        // a time of day
	elapsed      // hours, minutes or seconds beyond a day
)

// builtIn is the form of a number format that has no code in the file (ECMA-376 part 1, §18.8.30,
// and the formats of East Asian languages).
func builtIn(id int) form {
	switch {
	case id >= 14 && id <= 17, id >= 27 && id <= 31, id == 36, id >= 50 && id <= 54,
		id == 57, id == 58:
		return day
	case id == 22:
		return moment
	case id >= 18 && id <= 21, id >= 32 && id <= 35, id == 45, id == 47, id == 55, id == 56:
		return clock
	case id == 46:
		return elapsed
	}
	return number
}

// formOf finds out what a format code shows, by its first section.
func formOf(code string) form {
	days, hours, minutes, long := false, false, false, false
	for i := 0; i < len(code); i++ {
		switch c := code[i] | 0x20; {
		case code[i] == ';':
			i = len(code)
		case code[i] == '\\' || code[i] == '_' || code[i] == '*': // the next letter is shown
			i++
		case code[i] == '"':
			if end := strings.IndexByte(code[i+1:], '"'); end >= 0 {
				i += end + 1
			} else {
				i = len(code)
			}
		case code[i] == '[':
			end := strings.IndexByte(code[i:], ']')
			if end < 0 {
				i = len(code)
				break
			}
			if within := strings.Trim(strings.ToLower(code[i+1:i+end]), "hms"); within == "" &&
				end > 1 { // not a colour, a language or a condition
				long = true
			}
			i += end
		case strings.HasPrefix(strings.ToLower(code[i:]), "general"):
			i += len("general") - 1
		case strings.HasPrefix(strings.ToLower(code[i:]), "am/pm"):
			hours = true
			i += len("am/pm") - 1
		case c == 'y' || c == 'd':
			days = true
		case c == 'h' || c == 's':
			hours = true
		case c == 'm':
			minutes = true
		}
	}
	switch {
	case long:
		return elapsed
	case days && hours:
		return moment
	case days:
		return day
	case hours:
		return clock
	case minutes: // of a month alone
		return day
	}
	return number
}

// readStyles finds which styles of cells show dates.
func (b *Book) readStyles(p *part) error {
	codes := map[int]form{}
	within := false
	for {
		t, err := p.next()
		if err != nil {
			if err == io.EOF {
				return nil
			}
			return err
		}
		switch e := t.(type) {
		case xml.StartElement:
			id, wrong := strconv.Atoi(attribute(e, "numFmtId"))
			switch {
			case e.Name.Local == "cellXfs":
				within = true
			case e.Name.Local == "numFmt" && wrong == nil:
				codes[id] = formOf(attribute(e, "formatCode"))
				if err := b.take(entryBytes); err != nil {
					return err
				}
			case e.Name.Local == "xf" && within:
				f, ok := codes[id]
				if !ok && wrong == nil {
					f = builtIn(id)
				}
				b.styles = append(b.styles, f)
				if err := b.take(1); err != nil {
					return err
				}
			}
		case xml.EndElement:
			if e.Name.Local == "cellXfs" {
				within = false
			}
		}
	}
}

// lastDay is 9999-12-31, the last day that Excel knows.
const lastDay = 2958465

// appendDate appends a number of days as a style shows it, in ISO 8601; a duration as seconds. ok
// is false for what is no day.
func (b *Book) appendDate(dst []byte, days float64, f form) (_ []byte, ok bool) {
	if f == elapsed {
		return strconv.AppendFloat(dst, math.Round(days*86400e6)/1e6, 'g', -1, 64), true
	}
	if !(days >= 0 && days < lastDay+1) {
		return dst, false
	}
	milli := int64(math.Round(days * 86400e3))
	whole, rest := milli/86400000, milli%86400000
	at := time.Duration(rest) * time.Millisecond
	if f == clock && whole == 0 {
		return time.Time{}.Add(at).AppendFormat(dst, "15:04:05.999"), true
	}
	first := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	switch {
	case b.y1904:
		first = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	case whole < 60: // Excel has a 29th of February 1900, which was not
		first = first.AddDate(0, 0, 1)
	}
	t := first.AddDate(0, 0, int(whole)).Add(at)
	if f == day && rest == 0 {
		return t.AppendFormat(dst, "2006-01-02"), true
	}
	return t.AppendFormat(dst, "2006-01-02T15:04:05.999"), true
}
