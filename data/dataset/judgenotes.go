package dataset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
)

// note reports what was decided. What the whole file may show to be otherwise is left to
// noteReading.
func (j *judge) note() {
	add := func(text string, is func(c *judged) bool) {
		var names []string
		for i := range j.columns {
			if is(&j.columns[i]) {
				names = append(names, j.columns[i].name)
			}
		}
		if len(names) > 0 {
			j.notes = append(j.notes, text+": "+words.UpTo(names, 8))
		}
	}
	add("names of columns that look like values; if the first line is a row, put names above it",
		func(c *judged) bool { return c.typ == Number && isFraction(c.name) })
	commas := func(c *judged) bool {
		return c.typ == Number && c.read != nil && !c.duration && c.decimal == ','
	}
	add("read with a decimal comma", func(c *judged) bool {
		return commas(c) && j.hasMark(c, ',')
	})
	add("points read as marks between thousands", func(c *judged) bool {
		return commas(c) && !j.hasMark(c, ',') && j.hasMark(c, '.')
	})
	var units []string
	for i := range j.columns {
		if u := j.columns[i].money; u != "" && !slices.Contains(units, u) {
			units = append(units, u)
		}
	}
	for _, unit := range units {
		add("amounts in "+unit+", read as numbers",
			func(c *judged) bool { return c.money == unit })
	}
	add("per cents, read as shares, so that 12 % is 0.12",
		func(c *judged) bool { return c.percent })
	add("durations, read as seconds", func(c *judged) bool { return c.duration })
	later := func(text string, is func(c *judged) bool) {
		for i := range j.columns {
			if c := &j.columns[i]; c.typ == Time && is(c) {
				c.said = append(c.said, text)
			}
		}
	}
	later("Unix times, read as dates, as the name says",
		func(c *judged) bool { return c.unix != 0 })
	later("numbers such as 20241231, read as dates", func(c *judged) bool { return c.compact })
	for _, order := range []dateOrder{dayFirst, monthFirst, yearFirst} {
		later("dates read as "+order.String(),
			func(c *judged) bool { return c.ordered && c.order == order })
	}
	later("read as months, which begin on the first day",
		func(c *judged) bool { return c.months })
	later("years of two digits read as 1969 to 2068",
		func(c *judged) bool { return c.short })
	later("times without a zone among others with one, read as UTC",
		func(c *judged) bool { return c.unzoned })
}

// isFraction reports whether the name of a column is a number with a point. Whole numbers are names
// of many tables of vectors and years.
func isFraction(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err == nil && strings.Contains(name, ".")
}

// noteReading reports what was read as dates and as missing values, now that the whole file shows
// whether it is so.
func (t *Table) noteReading() {
	var texts []string
	names := make(map[string][]string)
	for i := range t.Columns {
		c := &t.Columns[i]
		if c.Type != Time {
			continue
		}
		for _, text := range c.store.said {
			if names[text] == nil {
				texts = append(texts, text)
			}
			names[text] = append(names[text], c.Name)
		}
	}
	for _, text := range texts {
		t.Notes = append(t.Notes, text+": "+words.UpTo(names[text], 8))
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; len(c.store.empty) > 0 {
			t.Notes = append(t.Notes, "column "+c.Name+": "+words.UpTo(c.store.empty, 8)+
				" counts as missing")
		}
	}
}
