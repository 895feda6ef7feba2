package lines

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

const byteOrderMark = "\xef\xbb\xbf"

// expectFront declares that the next text is the front of an input: a byte order mark and a header
// with the names of the columns are passed over. A header with other names is refused, see
// [Decoder.fault].
func (d *Decoder) expectFront() { d.front = true }

// fault returns a *fault.Input once the front of the input has shown that its columns are others
// than those of the layout; nothing is decoded then.
func (d *Decoder) fault() error {
	if d.foreign == nil {
		return nil
	}
	return d.foreign
}

// header looks at the first record of an input, at text[i]. next is the position behind a header, i
// where there is none, and -1 where the record may go on behind text.
func (d *Decoder) header(text []byte, i int) (next int) {
	fields, next, problem := d.split(text, i)
	switch {
	case problem == errOpen:
		return -1
	case problem != nil:
	case named(fields, d.layout.Columns):
		return next
	case d.namesOthers(fields):
		d.foreign = &fault.Input{File: d.name, Line: 1,
			Problem: "has the columns " + list(fields) + ", where " + list(d.layout.Columns) +
				" were learnt",
			Fix: "give the same columns in the same order, or begin anew without the state"}
	}
	d.front = false
	return i
}

// split returns the values of the record at text[i], and the position behind it.
func (d *Decoder) split(text []byte, i int) (fields []string, next int, problem *fault.Input) {
	for {
		value, after, problem := d.field(text, i)
		if problem != nil {
			return nil, i, problem
		}
		fields = append(fields, string(value))
		i = after + 1
		if text[after] != d.sep {
			return fields, i, nil
		}
	}
}

// named reports whether a record is the header with the names of columns.
func named(fields, columns []string) bool {
	if len(fields) != len(columns) {
		return false
	}
	for i, f := range fields {
		if f != columns[i] && (f != "" || columns[i] != "column"+strconv.Itoa(i+1)) {
			return false
		}
	}
	return true
}

// namesOthers reports whether a record can only be a header: it has nothing but words, where the
// layout has numbers.
func (d *Decoder) namesOthers(fields []string) bool {
	numbers := false
	for i := range d.columns {
		numbers = numbers || d.columns[i].use == number
	}
	for _, f := range fields {
		if dataset.IsMissing(f) || isDecimal([]byte(f)) {
			return false
		}
	}
	return numbers
}

// list joins names, the first few of many.
func list(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
	}
	return strings.Join(names, ", ")
}

// separatorOf finds the separator by which the first of the records becomes the header of columns
// that were read from them, or their first row where they are x1, x2 and so on; ok is false when
// none does.
func separatorOf(record []byte, columns []string, format dataset.Format) (sep byte, header,
	ok bool) {
	record = bytes.TrimPrefix(record, []byte(byteOrderMark))
	candidates := []byte(",;\t")
	if format == dataset.FormatTSV {
		candidates = []byte("\t")
	}
	width := byte(0)
	for _, sep := range candidates {
		d := Decoder{sep: sep}
		fields, _, problem := d.split(record, d.skipBlank(record, 0))
		switch {
		case problem != nil:
		case named(fields, columns):
			return sep, true, true
		case len(fields) == len(columns) && width == 0:
			width = sep
		}
	}
	return width, false, width != 0
}
