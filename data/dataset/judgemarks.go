package dataset

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// findDecimal finds the decimal mark of each column, and of the file.
func (j *judge) findDecimal() {
	type tally struct{ both, comma, point, doubtful, bare, small int }
	tallies := make([]tally, len(j.columns))
	commas, points := 0, 0 // columns
	comma := j.sep != ','  // one can be the decimal mark: between columns, only in quotes
	for i := range j.columns {
		c, t := &j.columns[i], &tallies[i]
		grouped := false
		for _, s := range c.values {
			if isAddress(s) {
				continue
			}
			a, okA := parseNumeral(s, '.')
			b, okB := parseNumeral(s, ',')
			switch {
			case !okA && !okB:
				if softAnyWord.meansNothing(s) {
					c.blanks++
				}
				if meansNumber(s) {
					t.both++
				}
				continue
			case !okA:
				t.comma++
			case okB && a.value != b.value:
				t.doubtful++
			case a.marked && !okB:
				t.point++
			case !a.marked:
				if t.bare++; math.Abs(a.value) < 1000 {
					t.small++
				}
			}
			t.both++
			grouped = grouped || okA && a.grouped && !okB || okB && b.grouped && !okA
		}
		c.numbers = 2*t.both > len(c.values)-c.blanks
		asked := j.o.Types[c.name]
		switch {
		case c.typed:
			c.decimal = '.'
			continue
		case !c.numbers, c.texts, asked == Text, asked == Category:
			continue
		}
		j.grouped = j.grouped || grouped
		comma = comma || j.hasMark(c, ',')
		switch {
		case t.comma > t.point:
			c.decimal = ','
			commas++
		case t.point > 0:
			c.decimal = '.'
			points++
		}
	}
	switch {
	case j.o.Decimal != "":
		j.decimal = j.o.Decimal[0]
	case commas > points && comma:
		j.decimal = ','
	case points > 0:
		j.decimal = '.'
	}
	for i := range j.columns {
		c, t := &j.columns[i], &tallies[i]
		switch {
		case !c.numbers, c.typed:
		case j.o.Decimal != "":
			c.decimal = j.o.Decimal[0]
		case c.decimal == 0 && j.decimal != 0:
			c.decimal = j.decimal
		case c.decimal == 0 && t.doubtful > 0:
			// 1,234 or 1.234 alone: a thousand where those below have no mark, or where a comma
			// could not be a decimal one, as it stands between the columns too
			thousands := t.bare > 0 && t.bare == t.small
			comma := j.hasMark(c, ',')
			if comma && (thousands || j.sep != ';') || !comma && (!thousands || j.sep != ';') {
				c.decimal = '.'
			} else {
				c.decimal = ','
			}
			if comma || c.decimal == ',' {
				j.noteThousands(c)
			}
		}
	}
}

// hasMark reports whether a value of a column has a byte.
func (j *judge) hasMark(c *judged, mark byte) bool {
	return slices.ContainsFunc(c.values,
		func(s []byte) bool { return bytes.IndexByte(s, mark) >= 0 })
}

// noteThousands reports how a mark was taken that is between thousands or the decimal one.
func (j *judge) noteThousands(c *judged) {
	for _, s := range c.values {
		a, okA := parseNumeral(s, '.')
		b, okB := parseNumeral(s, ',')
		if !okA || !okB || a.value == b.value {
			continue
		}
		n, other := a, ","
		if c.decimal == ',' {
			n, other = b, "."
		}
		j.notes = append(j.notes, "column "+c.name+": "+string(s)+" was read as "+
			strconv.FormatFloat(n.value, 'f', -1, 64)+" (--decimal "+other+
			" reads it the other way)")
		return
	}
}

// findOrder finds the order of dates that is right for all columns of dates.
func (j *judge) findOrder() {
	if j.order != anyOrder {
		return
	}
	for i := range j.columns {
		c := &j.columns[i]
		if day, month := c.isDates(dayFirst), c.isDates(monthFirst); day != month {
			j.order = dayFirst
			if month {
				j.order = monthFirst
			}
			return
		}
	}
	if j.decimal == ',' { // nobody who writes one puts the month first
		j.order = dayFirst
	}
}

// isDates reports whether all values of a column, and one at least, are dates or times in an order.
func (c *judged) isDates(order dateOrder) bool {
	seen := 0
	for _, s := range c.values {
		if _, ok := parseMoment(s, order); ok {
			seen++
		} else if !softAnyWord.meansNothing(s) {
			return false
		}
	}
	return seen > 0
}

// parseDateOrder reads dmy, mdy, ymd or nothing.
func parseDateOrder(s string) (dateOrder, error) {
	for _, o := range []dateOrder{anyOrder, dayFirst, monthFirst, yearFirst} {
		if o.short() == s {
			return o, nil
		}
	}
	return 0, fault.Settingf("the order of dates %q is not known: give dmy, mdy or ymd", s)
}
