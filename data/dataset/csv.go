package dataset

import (
	"bytes"
	"context"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// maxRecord bounds a record of a text format, so that a quote nobody closed cannot fill the memory.
const maxRecord = 64 << 20

// Rows and bytes of the sample that decides the types of a text file's columns.
const (
	sampleRows  = 1000
	sampleBytes = 1 << 20
)

// readCSV reads comma-, semicolon- or tab-separated text.
func readCSV(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	sep, err := delimiterOf(o)
	if err != nil {
		return err
	}
	note, err := src.decodeText(ctx, o)
	if err != nil {
		return err
	}
	if note != "" {
		t.Notes = append(t.Notes, note)
	}
	var head []byte
	var s *csvSample
	start := 0
	err = src.front(func(text []byte, mark int, whole bool) (done bool, err error) {
		head, start = text, mark
		s, err = sampleCSV(src.name, text, whole, t.Format, sep, o.Plain, !o.Earlier)
		return s != nil && (s.rows > 0 || whole), err
	}, fault.Input{Line: 1, Problem: "the first lines are longer than 64 MiB",
		Fix: "check that this is a text table and that every quote is closed"})
	if err != nil {
		return err
	}
	t.Notes = append(t.Notes, s.notes...)
	sampled, notes, err := s.columns(o.withoutVectors())
	if err != nil {
		return err
	}
	t.Notes = append(t.Notes, notes...)
	vectors := o.Vectors
	spread, err := spreadVectors(src.name, sampled, &o,
		func(col int) bool { return holdsVectors(s.votes[col].firstList()) },
		func(col int) (int, error) {
			return firstWidth(src.name, vectors, textItems(s.votes[col].firstList()))
		})
	if err != nil {
		return err
	}
	spread.items = textItems
	columns, p, err := assignRoles(src.name, spread.cols, o)
	if err != nil {
		return err
	}
	if spread.vector >= 0 {
		t.Notes = append(t.Notes, spread.note(vectors))
	}
	if s.rows == 0 && s.onlyHeader(head) {
		return &fault.Input{File: src.name, Problem: "has a header but no rows",
			Fix: "add rows below the header"}
	}
	t.Columns = spread.mark(columns, vectors)
	remark := s.names != nil && strings.HasPrefix(s.names[0], "#")
	return readText(ctx, src, t, p,
		textLayout{start: start + s.start, line: s.line, quotes: !s.lines,
			least: max(2, len(s.votes)), parser: func() textParser {
				return &csvParser{textScanner: textScanner{sep: s.sep, lines: s.lines},
					spread: &spread, vectors: vectors, remark: remark, comments: s.comments,
					ruled: s.ruled}
			}}, o)
}

// csvStart checks the first bytes and takes the byte order mark off.
func csvStart(name string, text []byte) ([]byte, error) {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		return nil, &fault.Input{File: name, Line: 1, Problem: "is written in UTF-16",
			Fix: "save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"}
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if len(bytes.TrimSpace(text)) == 0 && len(text) < sampleBytes {
		return nil, &fault.Input{File: name, Problem: "is empty",
			Fix: "give a file with a header line and rows"}
	}
	return text, nil
}

// csvSample is what the front of a file shows.
type csvSample struct {
	sep   byte
	names []string // "" where the header has none
	votes []vote
	rows  int
	start int // where the first record of data begins
	line  int // line number there, from 1
	notes []string

	lines           bool // as in dialect
	comments, ruled bool // lines as in dialect may follow
}

// sampleCSV looks at the front of a file. It returns nil when the front does not hold a whole
// header. A fault after the header is left for the parser to find. The separator is looked for
// where sep is 0. A plain text has its header in the first line, see ReadOptions.Plain;
// prose is as in findDialect.
func sampleCSV(name string, head []byte, whole bool, format Format, sep byte,
	plain, prose bool) (*csvSample, error) {
	if !whole && !bytes.ContainsAny(head, "\n\r") {
		return nil, nil
	}
	text := append(head[:len(head):len(head)], '\n')
	s := &csvSample{sep: '\t', line: 1}
	var found dialect
	switch {
	case !plain:
		var err error
		if found, err = findDialect(name, text, whole, format, sep, prose); err != nil {
			return nil, err
		}
		s.sep, s.comments, s.ruled = found.sep, found.comments > 0, found.ruled
		s.lines = found.lines
	case sep != 0:
		s.sep = sep
	case format == FormatCSV:
		s.sep = findSeparator(text, whole)
	}
	sc := textScanner{sep: s.sep, lines: s.lines, end: len(head), line: found.line}
	i := sc.skipBlank(text, found.start)
	if i >= len(head) { // nothing but the line that names the separator
		if !whole {
			return nil, nil
		}
		return nil, &fault.Input{File: name, Problem: "is empty",
			Fix: "give a file with a header line and rows"}
	}
	headerLine := sc.line
	fields, next, wrong := sc.record(text, i, nil)
	if !whole && next >= len(head) {
		return nil, nil
	}
	if len(fields) > maxColumns {
		return nil, &fault.Input{File: name, Line: headerLine + 1, Fix: "leave some out",
			Problem: "has more than " + itoa(maxColumns) + " columns"}
	}
	if bad := badByte(head[i:min(next, len(head))]); bad >= 0 {
		wrong = badByteFault(head[i:], bad)
		wrong.Line += headerLine
	}
	if wrong != nil {
		wrong.File = name
		wrong.Line++
		if !plain {
			nameEncoding(wrong)
		}
		return nil, wrong
	}
	if found.named {
		fields = append([][]byte{nil}, fields...)
	}
	if format == FormatCSV || found.sep != '\t' {
		found.sep = s.sep
		s.notes = append(s.notes, found.note(len(fields))...)
	}
	s.votes = make([]vote, len(fields))
	for j := range s.votes {
		s.votes[j].judged = !plain
	}
	counted := countsColumns(fields)
	if counted {
		s.notes = append(s.notes,
			"the first line only counts the columns, so it was taken as the header")
	}
	if !counted && (found.headless || s.headless(fields, plain)) {
		s.names = nil
		s.start = i
		s.line = headerLine + 1
		sc.line = headerLine
		next = i
		what := "holds only numbers"
		if found.headless {
			what = "is a sentence like the others"
		}
		s.notes = append(s.notes,
			"the first line "+what+", so it was taken as data and "+numberedNote(len(fields)))
	} else {
		for _, f := range fields {
			s.names = append(s.names, string(f))
		}
		if found.ruled {
			if line := firstLine(text[min(next, len(head)):]); isRuler(line, firstLine(text[i:])) {
				next = sc.endLine(text, next+len(line))
			}
		}
		s.start = min(next, len(head))
		s.line = sc.line + 1
	}
	for s.rows < sampleRows {
		i = sc.skipBlank(text, next)
		if i >= len(head) {
			break
		}
		fields, next, wrong = sc.record(text, i, fields[:0])
		if wrong != nil && s.rows == 0 {
			s.rows = 1 // so that the parser, not the search for a first row, reports it
		}
		if len(fields) != len(s.votes) && wrong == nil && next < len(head) &&
			(s.comments && text[i] == '#' || s.ruled && text[i] == '(') {
			continue
		}
		if !whole && next >= len(head) || wrong != nil || len(fields) != len(s.votes) {
			if len(fields) != len(s.votes) && s.rows == 0 && next < len(head) {
				s.rows = 1
			}
			break
		}
		for j, f := range fields {
			s.votes[j].add(f)
		}
		s.rows++
	}
	return s, nil
}

// headless reports whether the first record holds data: numbers, or where a text is not plain
// dates, and missing values only.
func (s *csvSample) headless(fields [][]byte, plain bool) bool {
	numbers := 0
	for _, f := range fields {
		_, date := parseMoment(f, anyOrder)
		if meansNumber(f) || !plain && (date || isNumberLike(f)) {
			numbers++
		} else if !isMissing(f) {
			return false
		}
	}
	return numbers > 0
}

// countsColumns reports whether the first record numbers the columns from 0 or 1, the header that
// programs write for columns without names; a nameless column of row names may come first. Without
// one, a lone 0 or 1 and the pair 1, 2 are rather taken as data.
func countsColumns(fields [][]byte) bool {
	rowNames := len(fields[0]) == 0
	if rowNames {
		fields = fields[1:]
	}
	if len(fields) == 0 || string(fields[0]) != "0" && string(fields[0]) != "1" {
		return false
	}
	first := int(fields[0][0] - '0')
	for i, f := range fields {
		if string(f) != itoa(first+i) {
			return false
		}
	}
	return rowNames || len(fields) >= 2+first
}

// onlyHeader reports whether nothing but blank space follows the header.
func (s *csvSample) onlyHeader(head []byte) bool {
	return len(bytes.TrimSpace(head[min(s.start, len(head)):])) == 0
}

// columns sets the names and types of the columns.
func (s *csvSample) columns(o ReadOptions) (cols []sampled, notes []string, err error) {
	cols = make([]sampled, len(s.votes))
	for i := range cols {
		switch {
		case s.names == nil:
			cols[i].name = "x" + itoa(i+1)
		case s.names[i] == "":
			cols[i].name = "column" + itoa(i+1)
			cols[i].unnamed = true
		default:
			cols[i].name = s.names[i]
		}
	}
	notes = nameApart(cols, o)
	more, err := decideTypes(cols, s.votes, s.sep, o)
	return cols, append(notes, more...), err
}

// decideTypes sets the types of the columns of a text, see judgeColumns.
func decideTypes(cols []sampled, votes []vote, sep byte, o ReadOptions) (notes []string,
	err error) {
	if !o.Plain {
		reading, notes, err := judgeColumns(cols, votes, sep, o)
		for i := range cols {
			cols[i].reading = reading
		}
		return notes, err
	}
	for i := range cols {
		votes[i].plain = true
		cols[i].typ = votes[i].typ()
		if asked, is := o.Types[cols[i].name]; is && o.Roles {
			cols[i].typ, cols[i].words = asked, asked == Category || asked == Text
		}
		if o.Roles {
			cols[i].look, _ = votes[i].seen()
		}
		if cols[i].typ == Number && o.Decimal == "," && sep != 0 {
			cols[i].read = func(s []byte) (float64, *fault.Input) {
				return readCommaNumber(s, bytes.Clone(s))
			}
		}
	}
	return nil, nil
}

// FindDecimal returns the decimal mark of the numbers of separated text, by its first rows: "." or
// ","; "" where nothing shows it.
func FindDecimal(front []byte, format Format) string {
	if format == "" {
		format = FormatCSV
	}
	s, err := sampleCSV("", front, true, format, 0, false, true)
	if err != nil || s == nil {
		return ""
	}
	cols, _, err := s.columns(ReadOptions{})
	if err != nil || len(cols) == 0 || cols[0].reading == nil {
		return ""
	}
	return cols[0].reading.Decimal
}

// findSeparator chooses between comma, semicolon and tab: the one that splits the first lines into
// the same number of fields, at least two, and more of them into numbers; a comma in doubt.
func findSeparator(text []byte, whole bool) byte {
	const lines = 20
	best, bestScore := byte(','), -1.0
	for _, sep := range []byte{',', ';', '\t'} {
		sc := textScanner{sep: sep, end: len(text) - 1}
		width, cells, numbers, next := 0, 0, 0, 0
		var fields [][]byte
		for range lines {
			i := sc.skipBlank(text, next)
			if i >= sc.end {
				break
			}
			var wrong *fault.Input
			fields, next, wrong = sc.record(text, i, fields[:0])
			if wrong != nil || !whole && next >= sc.end {
				break
			}
			if width == 0 {
				width = len(fields)
			}
			if len(fields) != width {
				// A ragged file still has a separator: it counts, but less than an even one.
				cells *= 8
				break
			}
			for _, f := range fields {
				cells++
				if meansNumber(f) || isMissing(f) {
					numbers++
				}
			}
		}
		if width < 2 {
			continue
		}
		score := 1 + float64(numbers)/float64(cells)
		if score > bestScore {
			best, bestScore = sep, score
		}
	}
	return best
}
