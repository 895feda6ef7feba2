package dataset

import (
	"math"
	"strings"
	"time"
)

// EncodedTime reports how a column of dates or times becomes columns of the matrix: the days since
// the first day, then the sine and the cosine of each part.
//
// However many they are, they weigh together as one column of numbers. Under min–max the squared
// difference of two rows in such a column is at most 1; so the days are scaled to [0, 1], the
// circle of a part to the diameter 1, and with m of days and parts each is divided by √m. Under
// z-score the variance of a column is 1; so the days are scaled to the variance 1/m, and the sine
// and the cosine of a part to variances that together are 1/m. Without scaling, days count as days
// and circles have the radius 1.
type EncodedTime struct {
	First float64  `json:"first"`           // seconds since 1970 of the first day's beginning
	Zone  int      `json:"zone,omitempty"`  // seconds east of UTC where days and parts begin
	Days  bool     `json:"days,omitempty"`  // the first column is days since First
	Parts []string `json:"parts,omitempty"` // of time, weekday, monthday and yearday
}

// The parts of a time, and the seconds of the cycle that each is a place in, at the longest.
var timeParts = []struct {
	name  string
	cycle float64
}{{"time", day}, {"weekday", 7 * day}, {"monthday", 31 * day}, {"yearday", 366 * day}}

// day is the seconds of a day.
const day = 86400

// width is the number of matrix columns.
func (e *EncodedTime) width() int {
	if e.Days {
		return 1 + 2*len(e.Parts)
	}
	return 2 * len(e.Parts)
}

// groups counts the days and the parts.
func (e *EncodedTime) groups() int { return e.width()/2 + e.width()%2 }

// names appends the names of the matrix columns of a column.
func (e *EncodedTime) names(names []string, source string) []string {
	if e.Days {
		names = append(names, source+".days")
	}
	for _, part := range e.Parts {
		names = append(names, source+"."+part+".sin", source+"."+part+".cos")
	}
	return names
}

// describe reports what a column became.
func (e *EncodedTime) describe(source string) string {
	var parts []string
	if e.Days {
		parts = append(parts, "days")
	}
	for _, part := range e.Parts {
		parts = append(parts, map[string]string{"time": "the time of day",
			"weekday": "the day of the week", "monthday": "the day of the month",
			"yearday": "the day of the year"}[part])
	}
	text := "column " + source + " is compared by " + strings.Join(parts, ", ")
	if len(parts) > 1 {
		text += ", which together weigh as one column"
	}
	return text
}

// spread writes the columns of a time.
func (e *EncodedTime) spread(seconds float64, out []float64) {
	if e.Days {
		out[0] = (seconds - e.First) / day
		out = out[1:]
	}
	if len(e.Parts) == 0 {
		return
	}
	places := partsOf(seconds + float64(e.Zone))
	for k, part := range e.Parts {
		for i := range timeParts {
			if timeParts[i].name == part {
				out[2*k], out[2*k+1] = math.Sincos(2 * math.Pi * places[i])
			}
		}
	}
}

// partsOf returns the places of a local time in the cycles of timeParts, from 0 to 1.
func partsOf(local float64) (places [4]float64) {
	days := math.Floor(local / day)
	rest := (local - float64(days*day)) / day
	at := time.Unix(int64(days)*day, 0).UTC()
	year, month, monthDay := at.Date()
	places[0] = rest
	places[1] = (float64((int(at.Weekday())+6)%7) + rest) / 7
	places[2] = (float64(monthDay-1) + rest) /
		float64(time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day())
	places[3] = (float64(at.YearDay()-1) + rest) /
		float64(time.Date(year, 12, 31, 0, 0, 0, 0, time.UTC).YearDay())
	return places
}

// encodeTime decides what becomes of a column of dates or times that is a feature.
func (t *Table) encodeTime(c *Column) *EncodedTime {
	m := c.store.moments
	e := &EncodedTime{Zone: m.zone, Days: t.dates != DatesParts}
	if m.kind == clocks {
		e.Zone = 0
		if t.dates == DatesAuto || t.dates == DatesNone {
			e.Days = false
		}
	} else if c.Missing < t.Rows {
		e.First = math.Floor((c.Min+float64(e.Zone))/day)*day - float64(e.Zone)
	}
	if t.dates != DatesDays {
		e.Parts = t.varying(c, e.Zone, t.dates == DatesParts)
	}
	if len(e.Parts) == 0 { // a constant: a column all the same
		e.Days = true
	}
	return e
}

// varying returns the parts of a column that vary; unless all, without those whose cycle is longer
// than the whole column, which would say again what the days say.
func (t *Table) varying(c *Column, zone int, all bool) (names []string) {
	var first [4]float64
	var varies [4]bool
	seen := false
	for row := range t.Rows {
		v := t.values.At(row, c.store.slot)
		if math.IsNaN(v) {
			continue
		}
		places := partsOf(v + float64(zone))
		if !seen {
			first, seen = places, true
		}
		for i := range places {
			varies[i] = varies[i] || places[i] != first[i]
		}
	}
	for i, part := range timeParts {
		clock := c.store.moments.kind == clocks
		switch {
		case !varies[i] || clock && i > 0:
		case all, clock, c.Max-c.Min >= part.cycle:
			names = append(names, part.name)
		}
	}
	return names
}

// weigh changes the shifts and divisors of the columns, as they are scaled one by one, so that
// together they weigh as one.
func (e *EncodedTime) weigh(shift, divisor []float64, scale Scale) {
	root := math.Sqrt(float64(e.groups()))
	if e.Days {
		divisor[0] *= root
		shift, divisor = shift[1:], divisor[1:]
	}
	for k := range e.Parts {
		sin, cos := 2*k, 2*k+1
		d := 2.0 // the diameter
		if scale == ScaleZScore {
			d = math.Hypot(divisor[sin], divisor[cos])
		} else {
			shift[sin], shift[cos] = -1, -1
		}
		divisor[sin], divisor[cos] = float64(d*root), float64(d*root)
	}
}
