package dataset

import (
	"cmp"
	"slices"

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

	typedMark byte // in columns of numbers that are no texts; 0: none
}

// judged is what the sampled values of a column are.
type judged struct {
	*sampled
	values  [][]byte // those present
	rows    []int32  // of each of them, from 1
	blanks  int      // of them those that may mean nothing
	decimal byte     // 0: either
	numbers bool     // more than half of the values are
	typed   bool     // all are numbers of the file, not texts that look like some
	mixed   []bool   // which of them are; nil: none or all
	texts   bool     // the file declares texts, and no other type was asked for

	// what is reported
	money    string    // the currency
	percent  bool      // per cents
	duration bool      // in seconds
	unix     float64   // parts of a second of Unix time; 0: it is none
	order    dateOrder // of dates
	ordered  bool      // it matters
	months   bool      // some are months
	compact  bool      // dates as numbers of eight digits
	short    bool      // some have years of two digits
	unzoned  bool      // some times name a zone, and others none
}

// judgeColumns sets the types of columns, and how their cells are read, and returns how the text is
// read as a whole. sep stands between the columns; it is 0 where none does.
func judgeColumns(cols []sampled, votes []vote, sep byte, o ReadOptions) (r *Reading,
	notes []string, err error) {
	j := &judge{o: o, sep: sep, na: newNAWords(o.NA), columns: make([]judged, len(cols))}
	for _, mark := range []string{o.Decimal, o.Assume.Decimal} {
		if mark != "" && mark != "." && mark != "," {
			return nil, nil, fault.Settingf("the decimal mark %q is not known: give . or ,", mark)
		}
	}
	if j.order, err = parseDateOrder(o.DateOrder); err != nil {
		return nil, nil, err
	}
	assumed, err := parseDateOrder(o.Assume.DateOrder)
	if err != nil {
		return nil, nil, err
	}
	for i := range cols {
		c := &j.columns[i]
		c.sampled = &cols[i]
		c.judged, c.na = true, j.na
		_, asked := o.Types[c.name]
		c.texts = votes[i].declared && !asked
		present := len(votes[i].values)
		c.values, c.rows = make([][]byte, 0, present), make([]int32, 0, present)
		c.mixed = make([]bool, 0, present)
		for k, s := range votes[i].values {
			if !j.na.has(s) {
				c.values = append(c.values, s)
				c.rows = append(c.rows, votes[i].rows[k])
				c.mixed = append(c.mixed, votes[i].typed[k])
			}
		}
		c.typed = len(c.values) > 0 && !slices.Contains(c.mixed, false)
		if c.typed || !slices.Contains(c.mixed, true) {
			c.mixed = nil
		}
	}
	j.findDecimal()
	j.findOrder(assumed)
	for i := range j.columns {
		c := &j.columns[i]
		j.decide(c)
		c.amount = !o.Earlier && (c.money != "" || c.percent || c.duration)
		if c.typ == Number && namesOf(c.name, o.Earlier) == namedPlain {
			continue // nothing depends on it
		}
		v := c.vote()
		c.observe(&v)
	}
	j.note()
	r = &Reading{Decimal: j.o.Decimal, DateOrder: j.order.short(), NA: o.NA}
	if shown := cmp.Or(j.decimal, j.typedMark); r.Decimal == "" && shown != 0 {
		r.Decimal = string(rune(shown))
	}
	return r, j.notes, nil
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

// addWord takes note of a word that means nothing in this column.
func (c *judged) addWord(s []byte) {
	if !slices.Contains(c.empty, string(s)) {
		c.empty = append(c.empty, string(s))
	}
}
