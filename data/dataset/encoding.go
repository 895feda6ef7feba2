package dataset

import (
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
)

// Encoding is the recipe that turned a table into a matrix. It serialises to JSON, and
// [Encoding.Apply] cooks it again with the rows of another table, for prediction.
type Encoding struct {
	Columns []EncodedColumn `json:"columns"`          // in the order of the matrix
	Missing Missing         `json:"missing"`          // what to do about missing values
	Scale   Scale           `json:"scale"`            // which scaling Shift and Divisor come from
	Unit    bool            `json:"unit,omitempty"`   // rows are then brought to length 1
	Single  bool            `json:"single,omitempty"` // the matrix is float32
	// predicts missing values that are kept; nil for other treatments
	Imputation *Imputation `json:"imputation,omitempty"`
	// how the text of the table was read; nil: not known
	Reading *Reading `json:"reading,omitempty"`
}

// EncodedColumn reports how one column of a table becomes one or more columns of the matrix.
type EncodedColumn struct {
	Source string   `json:"source"`           // column of the table
	Type   Type     `json:"type"`             // Number, Boolean, Category or Time
	Levels []string `json:"levels,omitempty"` // values of a category, one matrix column each
	// the last of Levels stands for all values that are not among the others
	Others bool `json:"others,omitempty"`
	// multiplies the matrix columns once they are scaled; 0: 1
	Weight float64 `json:"weight,omitempty"`
	// replaces a missing value: a number, 0 or 1, a position in Levels, or seconds since 1970; nil:
	// none
	Fill *float64 `json:"fill,omitempty"`
	// what a column of type Time becomes; nil for others
	Time *EncodedTime `json:"time,omitempty"`
	// subtracted from each matrix column; empty without scaling
	Shift []float64 `json:"shift,omitempty"`
	// then divides it; 0 marks a constant column, which becomes 0
	Divisor []float64 `json:"divisor,omitempty"`
}

// Width returns the number of matrix columns.
func (c *EncodedColumn) Width() int {
	switch {
	case c.Type == Category:
		return len(c.Levels)
	case c.Time != nil:
		return c.Time.width()
	}
	return 1
}

// Cols returns the number of columns of the matrix.
func (e Encoding) Cols() int {
	d := 0
	for i := range e.Columns {
		d += e.Columns[i].Width()
	}
	return d
}

// Names names the columns of the matrix: the source, "source=level" for a category, or for a time
// "source.days" and then, of each part, such as "source.weekday.sin" and "source.weekday.cos".
func (e Encoding) Names() []string {
	names := make([]string, 0, e.Cols())
	for i := range e.Columns {
		c := &e.Columns[i]
		if c.Time != nil {
			names = c.Time.names(names, c.Source)
		} else if c.Type != Category {
			names = append(names, c.Source)
		}
		for _, level := range c.Levels {
			names = append(names, c.Source+"="+level)
		}
	}
	return names
}

// Sources names the columns that a table must have: the Features to ask for when reading one.
func (e Encoding) Sources() []string {
	names := make([]string, len(e.Columns))
	for i := range e.Columns {
		names[i] = e.Columns[i].Source
	}
	return names
}

// Types returns the types of the columns that a table must have, for ReadOptions.Types.
func (e Encoding) Types() map[string]Type {
	types := make(map[string]Type, len(e.Columns))
	for i := range e.Columns {
		types[e.Columns[i].Source] = e.Columns[i].Type
	}
	return types
}

// Apply makes the matrix of another table's rows, as the first table was prepared: same columns,
// same scaling, same replacements. rows holds the table's row of each row of the matrix; it is nil
// when no row was left out. A category's value that is not in the recipe becomes zeros in all its
// columns; [Encoding.Unknown] describes them. The table should be read with Features set to
// [Encoding.Sources]. A column that is missing or of another type is a [*fault.Input].
func (e Encoding) Apply(ctx context.Context, t *Table) (x Matrix, rows []int32, err error) {
	maps, err := e.bind(t)
	if err != nil {
		return Matrix{}, nil, err
	}
	keep, err := e.rowsWithValues(ctx, t, maps)
	if err != nil {
		return Matrix{}, nil, err
	}
	n := t.Rows
	if keep != nil {
		n = len(keep)
	}
	if x, err = allocate(t.Name, n, e.Cols(), e.Single); err != nil {
		return Matrix{}, nil, err
	}
	if err := encodeRows(ctx, t, maps, e.Imputation, keep, x, 0); err != nil {
		return Matrix{}, nil, err
	}
	if err := e.scaleColumns(ctx, x, 0); err != nil {
		return Matrix{}, nil, err
	}
	if e.Unit {
		err = unitRows(ctx, t.Name, x, t.namer(keep, nil), 0)
	}
	return x, keep, err
}

// Unknown describes, in a sentence per column, the values of the table's categories that the recipe
// does not know.
func (e Encoding) Unknown(t *Table) []string {
	maps, err := e.bind(t)
	if err != nil {
		return nil // Apply reports it
	}
	var notes []string
	for i := range maps {
		m := &maps[i]
		if e.Columns[i].Type != Category {
			continue
		}
		count, first := 0, -1
		for row := range t.Rows {
			v := t.values.At(row, m.slot)
			if !math.IsNaN(v) && m.level(v) < 0 {
				if count++; count == 1 {
					first = row
				}
			}
		}
		if count > 0 {
			notes = append(notes,
				"column "+e.Columns[i].Source+": "+plural(count, "value is", "values are")+
					" unknown and count as none of the known ones, the first "+
					strconv.Quote(t.Cell(first, m.column))+" in row "+itoa(first+1))
		}
	}
	return notes
}

// columnMap leads from a slot of a table to columns of the matrix.
type columnMap struct {
	column, slot int  // of the table
	at, width    int  // first column of the matrix, and how many
	category     bool // spread over one column per level
	time         *EncodedTime
	// for a category: table code to position among the levels, -1 unknown
	positions []int
	numbers   map[float64]int // for a category whose table column holds numbers
	fill      float64         // NaN: none
	others    int             // position of values that are not among the levels; -1: none
	keep      bool            // a missing value is predicted
}

// fills reports whether a missing value becomes something.
func (m *columnMap) fills() bool { return m.keep || !math.IsNaN(m.fill) }

// spread writes a value that is there to the columns of the feature in a row.
func (m *columnMap) spread(v float64, row []float64) {
	if m.time != nil {
		m.time.spread(v, row[m.at:m.at+m.width])
		return
	}
	if !m.category {
		row[m.at] = v
		return
	}
	clear(row[m.at : m.at+m.width])
	if level := m.level(v); level >= 0 {
		row[m.at+level] = 1
	}
}

// level returns the position among the recipe's levels of a table's value, or -1.
func (m *columnMap) level(v float64) int {
	if m.numbers != nil {
		if k, ok := m.numbers[v]; ok {
			return k
		}
		return m.others
	}
	return m.positions[int(v)]
}

// bind finds the recipe's columns in a table.
func (e Encoding) bind(t *Table) ([]columnMap, error) {
	if t.consumed {
		return nil, errConsumed
	}
	places := make(map[string]int, len(t.Columns))
	for i := range t.Columns {
		places[t.Columns[i].Name] = i
	}
	maps := make([]columnMap, len(e.Columns))
	at := 0
	for i := range e.Columns {
		want := &e.Columns[i]
		col, found := places[want.Source]
		if !found {
			names := make([]string, len(t.Columns))
			for j := range t.Columns {
				names[j] = t.Columns[j].Name
			}
			return nil, &fault.Input{File: t.Name, Column: want.Source, Problem: "is missing",
				Fix: "the model needs it; " + suggest(want.Source, names)}
		}
		c := &t.Columns[col]
		if c.store.slot < 0 {
			return nil, &fault.Input{File: t.Name, Column: want.Source,
				Problem: "is needed as a feature, but it is " + c.Role.String() + " here",
				Fix:     "read the table with the features of the model"}
		}
		m := columnMap{column: col, slot: c.store.slot, at: at, width: want.Width(), time: want.Time,
			keep: e.Imputation != nil, fill: math.NaN()}
		if want.Fill != nil {
			m.fill = *want.Fill
		}
		switch {
		case want.Type == Category:
			m.category = true
			m.others = -1
			if want.Others {
				m.others = len(want.Levels) - 1
			}
			m.bindLevels(want.Levels, c)
		case c.Type != want.Type && c.Missing < t.Rows:
			return nil, &fault.Input{File: t.Name, Column: want.Source,
				Problem: "is " + c.Type.String() + " here, but was " + want.Type.String() +
					" when the model was made",
				Fix: "give values of the same kind"}
		}
		at += want.Width()
		maps[i] = m
	}
	return maps, nil
}

// bindLevels finds the table's own values among the recipe's levels.
func (m *columnMap) bindLevels(levels []string, c *Column) {
	texts := c.store.levels
	if c.Type == Boolean {
		texts = c.store.boolText[:]
	}
	if !c.store.coded {
		m.numbers = make(map[float64]int)
		for k, s := range levels {
			if v, ok := ParseNumber([]byte(s)); ok {
				if _, twice := m.numbers[v]; !twice {
					m.numbers[v] = k
				}
			}
		}
		return
	}
	m.positions = make([]int, len(texts))
	for code, s := range texts {
		m.positions[code] = slices.Index(levels, s)
		if m.positions[code] < 0 {
			m.positions[code] = m.others
		}
	}
}
