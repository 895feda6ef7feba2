package dataset

import "slices"

// note reports what was decided.
func (j *judge) note() {
	add := func(text string, is func(c *judged) bool) {
		var names []string
		for i := range j.columns {
			if is(&j.columns[i]) {
				names = append(names, j.columns[i].name)
			}
		}
		if len(names) > 0 {
			j.notes = append(j.notes, text+": "+listNames(names, 8))
		}
	}
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
	add("Unix times, read as dates, as the name says",
		func(c *judged) bool { return c.unix != 0 })
	add("numbers such as 20241231, read as dates", func(c *judged) bool { return c.compact })
	for _, order := range []dateOrder{dayFirst, monthFirst, yearFirst} {
		add("dates read as "+order.String(),
			func(c *judged) bool { return c.typ == Time && c.ordered && c.order == order })
	}
	add("read as months, which begin on the first day",
		func(c *judged) bool { return c.typ == Time && c.months })
	add("years of two digits read as 1969 to 2068",
		func(c *judged) bool { return c.typ == Time && c.short })
	add("times without a zone among others with one, read as UTC",
		func(c *judged) bool { return c.typ == Time && c.unzoned })
	for i := range j.columns {
		if c := &j.columns[i]; len(c.empty) > 0 {
			j.notes = append(j.notes, "column "+c.name+": "+listNames(c.empty, 8)+
				" counts as missing")
		}
	}
}
