package dataset

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/arrowfile"
	"github.com/kindred-go/kindred/internal/words"
)

// spread is how the columns of a file are laid out in a table, where one of them may hold vectors
// and is then a column for each of their numbers.
type spread struct {
	cols []sampled // of the table
	at   []int     // first column of the table of each of the file
	// the file's column of vectors, or -1, and how many numbers they have
	vector, width int
	// items returns those of a list as a cell has it, nil where it is none; nil: listItems
	items func(cell []byte) [][]byte
}

// itemsOf returns the items of a list as a cell has it; nil where it is none.
func (s *spread) itemsOf(cell []byte) [][]byte {
	if s.items != nil {
		return s.items(cell)
	}
	return listItems(cell)
}

// textItems returns the items of a list as texts have it, within brackets or without, separated by
// semicolons, commas or blanks, as in [0.1 0.2] or 0.1;0.2. Commas between semicolons are decimal
// ones. It is nil where there are none.
func textItems(cell []byte) [][]byte {
	text := bytes.TrimSpace(cell)
	for _, pair := range []string{"[]", "()", "{}"} {
		if len(text) > 1 && text[0] == pair[0] && text[len(text)-1] == pair[1] {
			text = bytes.TrimSpace(text[1 : len(text)-1])
			break
		}
	}
	if len(text) == 0 {
		return nil
	}
	var items [][]byte
	switch {
	case bytes.IndexByte(text, ';') >= 0:
		items = bytes.Split(bytes.ReplaceAll(text, []byte(","), []byte(".")), []byte(";"))
	case bytes.IndexByte(text, ',') >= 0:
		items = bytes.Split(text, []byte(","))
	default:
		return bytes.Fields(text)
	}
	for i := range items {
		items[i] = bytes.TrimSpace(items[i])
	}
	return items
}

// holdsVectors reports whether a cell of a text is a list of numbers: of two or more, or of one
// within brackets.
func holdsVectors(cell []byte) bool {
	items := textItems(cell)
	for _, item := range items {
		if _, ok := ParseNumber(item); !ok && !isMissing(item) {
			return false
		}
	}
	return len(items) > 1 || len(items) == 1 && len(listItems(cell)) == 1
}

// spreadVectors lays out the columns, of which isVector tells those of vectors. width finds how
// many numbers the vectors of a column have. The options become those of the table.
func spreadVectors(file string, cols []sampled, o *ReadOptions, isVector func(col int) bool,
	width func(col int) (int, error)) (s spread, err error) {
	s.vector = -1
	if o.Vectors != "" {
		if s.vector, err = vectorColumn(file, cols, o, isVector); err != nil {
			return s, err
		}
		if s.width, err = width(s.vector); err != nil {
			return s, err
		}
		if s.width > maxColumns {
			return s, &fault.Input{File: file, Column: o.Vectors,
				Problem: "its lists have more than " + itoa(maxColumns) + " numbers",
				Fix:     "give shorter ones"}
		}
	}
	s.at, s.cols = make([]int, len(cols)), make([]sampled, 0, len(cols)+s.width)
	for i, c := range cols {
		s.at[i] = len(s.cols)
		switch {
		case i == s.vector:
			names := make([]string, s.width)
			for k := range names {
				names[k] = c.name + "_" + itoa(k+1)
				s.cols = append(s.cols, sampled{name: names[k]})
			}
			o.Features = slices.DeleteFunc(slices.Clone(o.Features),
				func(name string) bool { return name == c.name })
			o.Features = append(o.Features, names...)
		case c.never != "" && isVector(i):
			c.never, c.hidden = listsOfNumbers, !o.Lists
			s.cols = append(s.cols, c)
		default:
			s.cols = append(s.cols, c)
		}
	}
	return s, nil
}

// vectorColumn finds the column of vectors.
func vectorColumn(file string, cols []sampled, o *ReadOptions, isVector func(col int) bool) (int,
	error) {
	name := o.Vectors
	at := slices.IndexFunc(cols, func(c sampled) bool { return c.name == name })
	in := &fault.Input{File: file, Column: name, Fix: "give it one role"}
	var lists []string
	for i, c := range cols {
		if isVector(i) {
			lists = append(lists, c.name)
		}
	}
	switch {
	case at < 0:
		names := make([]string, len(cols))
		for i, c := range cols {
			names[i] = c.name
		}
		in.Column = ""
		in.Problem = "--vectors names " + quote([]byte(name)) + ", but there is no such column"
		if in.Fix = suggest(name, names); len(lists) > 0 {
			in.Fix = "the columns of vectors are " + words.UpTo(lists, 12)
		}
	case name == o.ID || name == o.Label || slices.Contains(o.Drop, name):
		in.Problem = "is named both as the column of vectors and as the id, the label or dropped"
	case !isVector(at):
		in.Problem = "holds no lists of numbers"
		if never := cols[at].never; never != "" {
			in.Problem += ": it " + never
		}
		in.Fix = "give a column of lists of numbers, all of one length, or name single numbers " +
			"with --features"
		if len(lists) > 0 {
			in.Fix = "the columns of vectors are " + words.UpTo(lists, 12)
		}
	default:
		return at, nil
	}
	return 0, in
}

// note states what the column of vectors became.
func (s *spread) note(name string) string {
	return "column " + name + ": vectors of " + plural(s.width, "number", "numbers") + ", named " +
		name + "_1 to " + name + "_" + itoa(s.width)
}

// listsOfNumbers is why a column of vectors is left out.
const listsOfNumbers = "holds lists of numbers"

// HoldsVectors reports whether a column that is left out holds lists of numbers, which
// ReadOptions.Vectors makes features of.
func (t *Table) HoldsVectors(col int) bool { return t.Columns[col].Why == listsOfNumbers }

// mark names the column of vectors in the columns of its numbers.
func (s *spread) mark(columns []Column, name string) []Column {
	if s.vector >= 0 {
		for k := range s.width {
			columns[s.at[s.vector]+k].Vector = name
		}
	}
	return columns
}

// errFound ends a search.
var errFound = errors.New("found")

// putVectors returns what stores lists as rows of a matrix, from a slot on; base is the row of the
// first. Vectors that are missing are NaN; one of another length than width is a fault.
func putVectors(file, column string, values Matrix, slot, width, base int) func(row int,
	list []float64, ok bool) error {
	return func(row int, list []float64, ok bool) error {
		if ok && len(list) != width {
			return &fault.Input{File: file, Row: base + row + 1, Column: column,
				Problem: "has " + plural(len(list), "number", "numbers") +
					", and the lists before have " + itoa(width),
				Fix: "give lists of one length, or compare them as series (--series " +
					words.Shell(column) +
					")"}
		}
		at := (base+row)*values.Cols + slot
		switch {
		case !ok:
			for k := range width {
				values.set(base+row, slot+k, math.NaN())
			}
		case values.F32 != nil:
			for k, v := range list {
				values.F32[at+k] = float32(v)
			}
		default:
			copy(values.F64[at:], list)
		}
		return nil
	}
}

// listFault returns an error of a list with its place; row counts from 0.
func listFault(err error, file, column string, row int) error {
	in := &fault.Input{File: file, Row: row + 1, Column: column, Err: err}
	switch {
	case errors.Is(err, arrowfile.ErrMissing):
		in.Problem, in.Fix = "a number of the list is missing", "fill it in, or leave the row out"
	case errors.Is(err, arrowfile.ErrLong):
		in.Problem, in.Fix = "the list is longer than those before", "give lists of one length"
	default:
		return err
	}
	return in
}

// appendList writes a list as text.
func appendList(dst []byte, list []float64, single bool) []byte {
	bits := 64
	if single {
		bits = 32
	}
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		dst = strconv.AppendFloat(dst, v, 'g', -1, bits)
	}
	return append(dst, ']')
}

// withoutVectors returns the options by which columns of texts are judged: that of vectors is one
// of texts, whatever numbers it seems to hold.
func (o ReadOptions) withoutVectors() ReadOptions {
	if o.Vectors == "" {
		return o
	}
	types := maps.Clone(o.Types)
	if types == nil {
		types = make(map[string]Type)
	}
	types[o.Vectors] = Text
	o.Types = types
	return o
}
