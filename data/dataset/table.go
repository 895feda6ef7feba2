package dataset

import (
	"math"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// Type is what the values of a column are.
type Type int

// The types of columns. Which one a column of a text format has is decided by its values in the
// first rows (see [Read]); NPY, Parquet and ARFF declare it.
const (
	Number   Type = iota // numbers, finite
	Boolean              // true and false (also yes and no, ja and nein …): 1 and 0 in the matrix
	Category             // few different texts: one 0/1 column each in the matrix
	Text                 // many different texts: no feature unless it is named
	Time                 // dates and times: seconds since 1970-01-01 00:00 UTC in Table.Value
)

// Role is what a column is used for.
type Role int

// The roles of columns.
const (
	Feature Role = iota // part of the matrix
	ID                  // names the rows
	Label               // the true classes: never a feature
	Unused
)

// String returns "feature", "id", "label" or "unused".
func (r Role) String() string {
	return [...]string{"feature", "id", "label", "unused"}[r]
}

// MaxLevels is the largest number of different values that a category may have; a column with more
// is text.
const MaxLevels = 1000

// Column describes one column of the file.
type Column struct {
	Name string
	Type Type
	Role Role
	Why  string // why it has its role by default; "" where options set it
	// the column of vectors in the file that it is a number of; "": it is a column itself
	Vector string

	Missing      int // values that are missing
	FirstMissing int // first row with a missing value, from 1; 0 when there is none

	// of the values present; only for features of type Number, Boolean or Time, and for dates that
	// are kept as text (see ReadOptions.Keep), else 0; [Column.Show] shows them
	Min, Max, Mean float64

	// different values of a category, boolean, label or id; 0 when not counted, as of text
	Distinct int
	// the values of a category, boolean or label, sorted; at most MaxLevels of them
	Levels []string

	store store
}

// store describes where the values of a column are kept.
type store struct {
	unnamed  bool        // the file has no name for the column
	words    bool        // the values are words, whatever they look like
	whole    bool        // a number of a vector that is scaled, and weighs, as one
	hidden   string      // why the values cannot be text; "" when they can
	slot     int         // column of the numeric block, or -1
	coded    bool        // the values are positions in levels (in the block, or in codes)
	over     bool        // there were too many levels to keep: neither levels nor codes are there
	rank     idRank      // among the columns that may name the rows
	seeds    []string    // levels among the first rows, that are kept where there are too many
	others   bool        // the last level stands for all that are not among the others
	codes    []int32     // codes of a column that is not in the block; -1 is missing
	levels   []string    // all levels, sorted, when coded
	boolText [2]string   // how false and true are written, for a boolean in the block
	text     *textColumn // values as text
	moments  moments     // of a column of type Time
	// reads a cell, where the column is of a text format; nil: as a plain number
	read    func(cell []byte) (float64, *fault.Input)
	soft    softness // how far words mean a missing value
	reading *Reading // of the whole text; nil: of another format
	empty   []string // words that were read as missing values
	said    []string // notes on how a column of type Time was read

	amount     bool // of money, per cents or seconds
	uncomputed bool // formulas of the column have no stored results
}

// Show returns a number of the column, such as Min, as text: of type Time as a date or time in
// ISO 8601.
func (c *Column) Show(v float64) string {
	if c.Type == Time {
		return c.store.moments.text(v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Table is a file as read: what it holds and what each column is for.
type Table struct {
	Name    string   // as the person named it; "stdin" for a nameless stream
	Format  Format   // the format it was read as
	Rows    int      // number of data rows
	Columns []Column // all columns, in the order of the file
	Notes   []string // what was chosen by default, a sentence each
	Parts   *Parts   // of the file; nil where it is one table as a whole

	// Fingerprint is the SHA-256 of the raw bytes as they were read, compressed or not, in
	// hexadecimal.
	Fingerprint string

	values   Matrix // the feature columns, one slot each, NaN where missing; codes for categories
	dates    Dates  // what becomes of columns of type Time that are features
	consumed bool   // values now belong to a Prepared
	idColumn int    // column with the role ID, or -1
	ids      *idIndex
	charset  string // as in Reading.Encoding
}

// ID names a row, counted from 0: the value of the id column, or the row's number counted from 1.
func (t *Table) ID(row int) string {
	if t.idColumn < 0 {
		return strconv.Itoa(row + 1)
	}
	return t.Columns[t.idColumn].store.text.at(row)
}

// RowOf finds the row, counted from 0, that has the given id.
func (t *Table) RowOf(id string) (int, bool) {
	if t.idColumn >= 0 {
		return t.ids.find(id)
	}
	n, err := strconv.Atoi(id)
	if err != nil || n < 1 || n > t.Rows || strconv.Itoa(n) != id {
		return 0, false
	}
	return n - 1, true
}

// Labels returns the true classes: for each row a position in names, or -1 where the label is
// missing. Names are sorted, as numbers when all of them are. ok is false when no column has the
// role Label. The slices belong to the table.
func (t *Table) Labels() (codes []int32, names []string, ok bool) {
	for i := range t.Columns {
		if c := &t.Columns[i]; c.Role == Label {
			return c.store.codes, c.store.levels, true
		}
	}
	return nil, nil, false
}

// Column finds a column by name and returns its position, or -1.
func (t *Table) Column(name string) int {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return i
		}
	}
	return -1
}

// Features returns the names of the columns with the role Feature, in the order of the file.
func (t *Table) Features() []string {
	var names []string
	for i := range t.Columns {
		if t.Columns[i].Role == Feature {
			names = append(names, t.Columns[i].Name)
		}
	}
	return names
}

// Hidden returns why the values of a column, counted from 0, cannot be shown as text, as "holds
// lists"; it is "" where they can. Cell never shows them, whatever is kept.
func (t *Table) Hidden(col int) string { return t.Columns[col].store.hidden }

// Cell returns a value as text for showing; row and column count from 0. It is "" when the value is
// missing, was not kept (see ReadOptions.Keep), or is gone because Prepare consumed the table.
func (t *Table) Cell(row, col int) string {
	c := &t.Columns[col]
	s := &c.store
	switch {
	case s.text != nil:
		return s.text.at(row)
	case s.codes != nil:
		if s.codes[row] < 0 {
			return ""
		}
		return s.levels[s.codes[row]]
	case s.slot < 0 || t.consumed:
		return ""
	}
	v := t.values.At(row, s.slot)
	switch {
	case math.IsNaN(v):
		return ""
	case c.Type == Boolean:
		return s.boolText[int(v)]
	case s.coded:
		return s.levels[int(v)]
	case c.Type == Time:
		return s.moments.text(v)
	case t.values.Single():
		return strconv.FormatFloat(v, 'g', -1, 32)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
