package dataset

import "strings"

// CSVFront is what the front of a comma-, semicolon- or tab-separated text shows of all of it, for
// readers that take such texts in pieces. [Read] judges plain fronts in the same way, see
// ReadOptions.Plain.
type CSVFront struct {
	Separator byte
	Columns   []CSVColumn
	Header    bool // false: the first line holds numbers, and the columns are named x1, x2, …
	Start     int  // bytes before the first row, a byte order mark included
	Line      int  // line of the first row, from 1
	Rows      int  // that were looked at, at most 1000
}

// CSVColumn is a column of such a text.
type CSVColumn struct {
	Name string
	Type Type
}

// ReadCSVFront looks at the front of a text; whole reports that there is no more of it. A separator
// of 0 is looked for, unless the format is FormatTSV. It returns nil when head ends before the
// header and, unless it is whole, a first row. Errors call the input name, and are a [*fault.Input]
// for what is no text, or is empty.
func ReadCSVFront(name string, head []byte, whole bool, format Format, separator byte) (*CSVFront,
	error) {
	text, err := csvStart(name, head)
	if err != nil {
		return nil, err
	}
	s, err := sampleCSV(name, text, whole, format, separator, true, false)
	if err != nil || s == nil || s.rows == 0 && !whole {
		return nil, err
	}
	f := &CSVFront{Separator: s.sep, Header: s.names != nil,
		Start: len(head) - len(text) + min(s.start, len(text)), Line: s.line, Rows: s.rows}
	columns, _, err := s.columns(ReadOptions{Plain: true})
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		f.Columns = append(f.Columns, CSVColumn{Name: c.name, Type: c.typ})
	}
	return f, nil
}

// remark reports whether the header may be a remark.
func (f *CSVFront) remark() bool { return f.Header && strings.HasPrefix(f.Columns[0].Name, "#") }
