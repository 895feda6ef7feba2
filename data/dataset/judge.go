package dataset

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// judge finds what the columns of a text hold from their sampled values. What one column leaves
// open, the decimal mark and the order of dates, the others of the file decide.
type judge struct {
	o       ReadOptions
	sep     byte // between columns; 0: there is none
	na      *naWords
	columns []judged
	decimal byte      // of the file; 0: nothing shows it
	grouped bool      // numbers of the file have marks between thousands
	order   dateOrder // of the file
	notes   []string
}

// judged is what the sampled values of a column are.
type judged struct {
	*sampled
	values  [][]byte // those present
	rows    []int32  // of each of them, from 1
	blanks  int      // of them those that may mean nothing
	decimal byte     // 0: either
	numbers bool     // more than half of the values are
	typed   bool     // the file holds numbers, not texts that look like some
	texts   bool     // the file declares texts, and no other type was asked for

	// what is reported
	empty    []string  // words that mean nothing in this column
	money    string    // the currency
	percent  bool      // per cents
	duration bool      // in seconds
	unix     float64   // parts of a second of Unix time; 0: it is none
	order    dateOrder // of dates
	ordered  bool      // it matters
	months   bool      // some are months
	short    bool      // some have years of two digits
}

// judgeColumns sets the types of columns, and how their cells are read. sep stands between them; it
// is 0 where none does.
func judgeColumns(cols []sampled, votes []vote, sep byte, o ReadOptions) (notes []string,
	err error) {
	j := &judge{o: o, sep: sep, na: newNAWords(o.NA), columns: make([]judged, len(cols))}
	if o.Decimal != "" && o.Decimal != "." && o.Decimal != "," {
		return nil, fault.Settingf("the decimal mark %q is not known: give . or ,", o.Decimal)
	}
	if j.order, err = parseDateOrder(o.DateOrder); err != nil {
		return nil, err
	}
	for i := range cols {
		c := &j.columns[i]
		c.sampled = &cols[i]
		c.judged, c.na, c.typed = true, j.na, votes[i].typed
		_, asked := o.Types[c.name]
		c.texts = votes[i].declared && !asked
		for k, s := range votes[i].values {
			if !j.na.has(s) {
				c.values = append(c.values, s)
				c.rows = append(c.rows, votes[i].rows[k])
			}
		}
	}
	j.findDecimal()
	j.findOrder()
	for i := range j.columns {
		c := &j.columns[i]
		j.decide(c)
		if c.typ == Number && namesOf(c.name) == namedPlain {
			continue // nothing depends on it
		}
		v := c.vote()
		c.observe(&v)
	}
	j.note()
	return j.notes, nil
}

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
		if !j.moment(c) {
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
		case j.unixTime(c), j.compactDate(c):
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

// nearlyDates reports what keeps a column of words from being one of dates, where more than half of
// the values are.
func (j *judge) nearlyDates(c *judged) {
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

// words makes a category or a text.
func (j *judge) words(c *judged) {
	v := c.vote()
	c.typ = v.words()
}

// vote counts the different values that mean something.
func (c *judged) vote() (v vote) {
	for _, s := range c.values {
		if !c.soft.meansNothing(s) {
			v.present++
			v.addLevel(s)
		}
	}
	return v
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
	open := false // the order matters and is not known
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
	c.order = order
	c.typ, c.moments, c.read, c.soft = Time, m, j.wrap(r.read), softAnyWord
	return true
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
	return namesTime(name, "date", "datum", "fecha", "dato", "datei", "jour", "dag", "tag", "day") ||
		strings.HasSuffix(strings.ToLower(name), "date")
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
			return 0, wordFault(s, c.name)
		}
		return v / parts, nil
	})
	return true
}

// compactDate makes a time of numbers such as 20241231 that the name calls dates.
func (j *judge) compactDate(c *judged) bool {
	if !namesDate(c.name) {
		return false
	}
	read := func(s []byte) (float64, *fault.Input) {
		if len(s) == 8 && s[0] >= '1' && s[0] <= '2' {
			if m, ok := parseMoment(slices.Concat(s[:4], []byte("-"), s[4:6], []byte("-"), s[6:]),
				anyOrder); ok {
				return m.seconds, nil
			}
		}
		return 0, &fault.Input{Problem: quote(s) + " is no date of eight digits, as the other " +
			"values are", Fix: "fix the value, leave it empty if it is missing, or read the " +
			"column as numbers (--types " + c.name + "=number)"}
	}
	for _, s := range c.values {
		if _, wrong := read(s); wrong != nil && !softAnyWord.meansNothing(s) {
			return false
		}
	}
	c.typ, c.soft, c.moments, c.read = Time, softAnyWord, moments{kind: dates}, j.wrap(read)
	return true
}

// addWord takes note of a word that means nothing in this column.
func (c *judged) addWord(s []byte) {
	if !slices.Contains(c.empty, string(s)) {
		c.empty = append(c.empty, string(s))
	}
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
	for _, order := range []dateOrder{dayFirst, monthFirst, yearFirst} {
		add("dates read as "+order.String(),
			func(c *judged) bool { return c.typ == Time && c.ordered && c.order == order })
	}
	add("read as months, which begin on the first day",
		func(c *judged) bool { return c.typ == Time && c.months })
	add("years of two digits read as 1969 to 2068",
		func(c *judged) bool { return c.typ == Time && c.short })
	for i := range j.columns {
		if c := &j.columns[i]; len(c.empty) > 0 {
			j.notes = append(j.notes, "column "+c.name+": "+listNames(c.empty, 8)+
				" counts as missing")
		}
	}
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

// naWords are the words of ReadOptions.NA.
type naWords struct {
	words  map[string]bool
	values map[float64]bool // of those that are numbers
}

// newNAWords returns nil for no words.
func newNAWords(words []string) *naWords {
	if len(words) == 0 {
		return nil
	}
	n := &naWords{words: make(map[string]bool), values: make(map[float64]bool)}
	for _, w := range words {
		w = strings.TrimSpace(w)
		n.words[w] = true
		if v, ok := ParseNumber([]byte(w)); ok {
			n.values[v] = true
		}
	}
	return n
}

// has reports whether a cell is one of the words.
func (n *naWords) has(s []byte) bool { return n != nil && n.words[string(s)] }

// numbers reports whether some of the words are numbers.
func (n *naWords) numbers() bool { return n != nil && len(n.values) > 0 }
