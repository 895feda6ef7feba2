package dataset

import (
	"maps"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
)

// decide sets the type of a column.
func (j *judge) decide(c *judged) {
	asked, forced := j.o.Types[c.name]
	is := func(t Type) bool { return forced && asked == t }
	switch {
	case is(Text), is(Category):
		c.typ, c.words = asked, true
	case is(Number):
		c.typ = Number
		if !c.numbers && j.duration(c, true) {
			return
		}
		j.numeral(c)
	case is(Boolean):
		c.typ, c.soft = Boolean, softSigns
	case is(Time):
		if !j.moment(c) && !j.compactDate(c, true) {
			c.typ = Time
			c.moments, c.read = moments{kind: stamps}, j.wrap((&momentReader{order: j.order}).read)
			c.soft = softAnyWord
		}
	case len(c.values) == 0:
		c.typ = Number
		j.numeral(c)
	case c.numbers && c.texts:
		j.words(c)
	case c.numbers:
		switch {
		case j.unixTime(c), j.compactDate(c, false):
		case c.isPadded():
			j.words(c)
		default:
			c.typ = Number
			j.numeral(c)
		}
	case j.boolean(c), !c.texts && j.duration(c, false), j.moment(c):
	default:
		j.words(c)
		j.nearlyDates(c)
	}
}

// words makes a category or a text.
func (j *judge) words(c *judged) {
	v := c.vote()
	c.typ = v.words()
}

// isPadded reports whether the numbers are codes: digits only, and one of more than one begins with
// a zero.
func (c *judged) isPadded() bool {
	padded := false
	for _, s := range c.values {
		if softAnyWord.meansNothing(s) {
			continue
		}
		for _, b := range s {
			if b-'0' > 9 {
				return false
			}
		}
		padded = padded || len(s) > 1 && s[0] == '0'
	}
	return padded
}

// numeral sets how the numbers of a column are read: as plain ones where they are, and the file has
// no others.
func (j *judge) numeral(c *judged) {
	c.soft = softAnyWord
	r := &numeralReader{name: c.name, decimal: c.decimal}
	if r.decimal == 0 {
		r.decimal = '.'
	}
	plain := c.typed || r.decimal == '.' && !j.grouped && j.o.Decimal == ""
	var units []string
	percents, others := 0, 0
	for _, s := range c.values {
		if _, ok := ParseNumber(s); ok && r.decimal == '.' {
			others++
			continue
		}
		n, ok := parseNumeral(s, r.decimal)
		if !ok {
			if c.soft.meansNothing(s) {
				c.addWord(s)
			}
			continue
		}
		plain = false
		if n.percent {
			percents++
		} else {
			others++
		}
		if n.unit != "" && !slices.Contains(units, n.unit) {
			units = append(units, n.unit)
		}
	}
	if len(units) > 0 {
		r.unit = units[0]
		c.money = r.unit
	}
	r.percent = percents > 0 && percents >= others
	c.percent = r.percent
	if plain && !j.na.numbers() {
		return // by ScanNumber alone
	}
	c.read, c.scan = j.wrap(r.read), r.decimal == '.' && !r.percent && !j.na.numbers()
}

// boolean makes a boolean of a column of two words for it.
func (j *judge) boolean(c *judged) bool {
	levels := make(map[string]struct{})
	var soft [][]byte
	for _, s := range c.values {
		if softSigns.meansNothing(s) {
			soft = append(soft, s)
		} else if levels[string(s)] = struct{}{}; len(levels) > 16 {
			return false
		}
	}
	if truthOf(slices.Collect(maps.Keys(levels))) == nil {
		return false
	}
	c.typ, c.soft = Boolean, softSigns
	for _, s := range soft {
		c.addWord(s)
	}
	return true
}

// wrap reads as another does, but for the numbers that mean a missing value.
func (j *judge) wrap(read func([]byte) (float64, *fault.Input)) func([]byte) (float64,
	*fault.Input) {
	if !j.na.numbers() {
		return read
	}
	return func(s []byte) (float64, *fault.Input) {
		v, wrong := read(s)
		if wrong == nil && j.na.values[v] {
			v = math.NaN()
		}
		return v, wrong
	}
}
