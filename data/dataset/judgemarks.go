package dataset

import (
	"bytes"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// marks counts the values of a column by the marks in them.
type marks struct {
	numbers      int
	comma, point int  // that can only be the decimal mark
	doubtful     int  // one that may be, or stand between thousands
	bare, small  int  // none; below 1000
	grouped      bool // one that can only stand between thousands
}

// marks counts, and finds whether the column is one of numbers.
func (c *judged) marks() (m marks) {
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
				m.numbers++
			}
			continue
		case !okA:
			m.comma++
		case okB && a.value != b.value:
			m.doubtful++
		case a.marked && !okB:
			m.point++
		case !a.marked:
			if m.bare++; math.Abs(a.value) < 1000 {
				m.small++
			}
		}
		m.numbers++
		m.grouped = m.grouped || okA && a.grouped && !okB || okB && b.grouped && !okA
	}
	c.numbers = 2*m.numbers > len(c.values)-c.blanks
	return m
}

// findDecimal finds the decimal mark of each column, and of the file.
func (j *judge) findDecimal() {
	all := make([]marks, len(j.columns))
	commas, points := 0, 0 // columns
	comma := j.sep != ','  // one can be the decimal mark: between columns, only in quotes
	for i := range j.columns {
		c := &j.columns[i]
		m := c.marks()
		all[i] = m
		asked := j.o.Types[c.name]
		switch {
		case c.typed:
			if c.decimal = '.'; c.numbers && m.point > 0 {
				j.typedMark = '.'
			}
			continue
		case !c.numbers, c.texts, asked == Text, asked == Category:
			continue
		}
		j.grouped = j.grouped || m.grouped
		comma = comma || j.hasMark(c, ',')
		switch {
		case m.comma > m.point:
			c.decimal = ','
			commas++
		case m.point > 0:
			c.decimal = '.'
			points++
		}
	}
	switch {
	case j.o.Decimal != "":
	case commas > points && comma:
		j.decimal = ','
	case points > 0:
		j.decimal = '.'
	case j.typedMark == 0:
		j.o.Decimal = j.o.Assume.Decimal
	}
	if j.o.Decimal != "" {
		j.decimal = j.o.Decimal[0]
	}
	for i := range j.columns {
		c, m := &j.columns[i], &all[i]
		switch {
		case !c.numbers, c.typed:
		case j.o.Decimal != "":
			c.decimal = j.o.Decimal[0]
		case c.decimal == 0 && j.decimal != 0:
			c.decimal = j.decimal
		case c.decimal == 0 && m.doubtful > 0:
			// 1,234 or 1.234 alone: a thousand where those below have no mark, or where a comma
			// could not be a decimal one, as it stands between the columns too
			thousands := m.bare > 0 && m.bare == m.small
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

// findOrder finds the order of dates that is right for all columns of dates. It is what is assumed
// where they do not show it.
func (j *judge) findOrder(assumed dateOrder) {
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
	switch {
	case assumed != anyOrder:
		j.order, j.o.DateOrder = assumed, assumed.short()
	case j.decimal == ',': // nobody who writes one puts the month first
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
