package dissim

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

const (
	textPiece = 1 << 20  // bytes of text that a goroutine parses at a time
	longest   = 64 << 20 // bytes of the longest line taken
)

// textReader reads a matrix as text. Whole lines go out in pieces to be parsed, each knowing its
// row, so that every number goes straight to its position.
type textReader struct {
	name string
	most int64 // bytes that the text can have; -1: not known
	m    *Dense
	sep  byte // ' ' means any run of blanks

	decimal  string // mark that is asked for; "": none
	marks    Marks
	triangle triangle
	phylip   bool

	header   []string // names of the columns; nil: there are none
	named    bool     // rows begin with a name
	rowNames []string // those

	lock  sync.Mutex
	first *fault.Input // the first fault, in the order of the rows
	row   int          // where it is
}

// textLines are whole lines, the last byte a line end.
type textLines struct {
	text []byte
	line int // number of the first, from 1
	row  int // the first row in them, from 0
}

// triangle is which part of the matrix the rows have.
type triangle int

const (
	allOfIt    triangle = iota
	below               // row i has i-1 numbers
	belowEqual          // and the diagonal
)

// width returns how many numbers a row has, from 0.
func (r *textReader) width(row int) int {
	switch r.triangle {
	case below:
		return row
	case belowEqual:
		return row + 1
	}
	return r.m.N
}

// readText reads a matrix as text, with the names of the objects, where those stand, and notes in
// the report.
func readText(ctx context.Context, in io.Reader, name string, most int64, o ReadOptions) (m *Dense,
	report Report, err error) {
	r := &textReader{name: name, most: most, decimal: o.Decimal}
	threads := parallel.Threads(o.Threads)
	free := make(chan []byte, threads+2)
	for range cap(free) {
		free <- nil // made when first used
	}
	work := make(chan textLines)
	// A fault ends the cutting, but not the work on rows before it, whose faults come first.
	group, cutting := errgroup.WithContext(ctx)
	group.Go(func() error {
		defer close(work)
		return r.cut(cutting, in, free, work)
	})
	for range threads {
		group.Go(func() error {
			for piece := range work {
				if err := r.parse(ctx, piece); err != nil {
					return err
				}
				free <- piece.text[:0]
			}
			return nil
		})
	}
	err = group.Wait()
	if r.first != nil { // before what was found later in the text, or because of it
		return nil, report, r.first
	}
	if err != nil {
		return nil, report, err
	}
	report.Names, err = r.names()
	switch {
	case r.rowNames != nil && r.header != nil:
		report.NamesFrom = "the header and the first column"
	case r.rowNames != nil:
		report.NamesFrom = "the first column"
	case r.header != nil:
		report.NamesFrom = "the header"
	}
	if r.phylip {
		report.Notes = append(report.Notes, "read as a PHYLIP matrix, "+
			[...]string{allOfIt: "square", below: "the triangle below the diagonal",
				belowEqual: "the triangle below the diagonal, and that"}[r.triangle])
	}
	if r.marks.Comma {
		report.Notes = append(report.Notes, "read with a decimal comma")
	}
	return r.m, report, err
}

// cut reads the text and hands out pieces of it.
func (r *textReader) cut(ctx context.Context, in io.Reader, free chan []byte,
	work chan<- textLines) error {
	line, row := 1, 0
	var rest []byte // the beginning of a line whose end is not read yet
	for over := false; !over; {
		var buffer []byte
		select {
		case buffer = <-free:
		case <-ctx.Done():
			return ctx.Err()
		}
		need := len(rest) + textPiece
		if cap(buffer) < need+1 {
			buffer = make([]byte, 0, need+1)
		}
		buffer = append(buffer[:0], rest...)
		got, err := io.ReadFull(in, buffer[len(buffer):need])
		buffer = buffer[:len(buffer)+got]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			over = true
			buffer = append(buffer, '\n') // the last line may lack its end
		case err != nil:
			return err
		}
		end := len(buffer)
		plainEnds(buffer)
		if !over {
			end = bytes.LastIndexByte(buffer, '\n') + 1
		}
		if len(buffer)-end > longest {
			return &fault.Input{File: r.name, Line: line, Problem: "the line is longer than 64 MiB",
				Fix: "check that this is a square matrix, one row a line"}
		}
		rest = append([]byte(nil), buffer[end:]...)
		piece := textLines{text: buffer[:end], line: line, row: row}
		if r.m == nil {
			if err := r.begin(&piece, over); err != nil {
				return err
			}
			line, end = piece.line, len(piece.text)
		}
		lines, rows := countLines(piece.text[:end])
		line, row = line+lines, row+rows
		select {
		case work <- piece:
		case <-ctx.Done():
			return ctx.Err()
		}
		if r.m != nil && row > r.m.N {
			return r.notSquare(row, r.m.N)
		}
	}
	if r.m == nil {
		return &fault.Input{File: r.name, Problem: isEmpty, Fix: "give a file with a square matrix"}
	}
	if row < r.m.N {
		return r.notSquare(row, r.m.N)
	}
	return nil
}

// countLines returns how many lines a text has, and how many of them are not blank.
func countLines(text []byte) (lines, rows int) {
	for i := 0; i < len(text); lines++ {
		from, to, next := textLine(text, i)
		if from < to {
			rows++
		}
		i = next
	}
	return lines, rows
}

func (r *textReader) notSquare(rows, objects int) error {
	n := strconv.Itoa(objects)
	problem := "has " + words.Count(rows, "row") + " of " + n + " numbers"
	if rows > objects {
		problem = "has more than " + n + " rows of " + n + " numbers"
	}
	return &fault.Input{File: r.name, Problem: "is not square: it " + problem,
		Fix: "give the dissimilarities of all objects to all"}
}

// plainEnds makes each CR an LF, or a blank before an LF; at the end of the text a CR stays, as
// what follows is not known.
func plainEnds(text []byte) {
	for i := bytes.IndexByte(text, '\r'); i >= 0 && i+1 < len(text); {
		text[i] = '\n'
		if text[i+1] == '\n' {
			text[i] = ' '
		}
		next := bytes.IndexByte(text[i:], '\r')
		if next < 0 {
			return
		}
		i += next
	}
}

// textLine finds the line at text[i]: its content without blanks around it, and where the next
// begins.
func textLine(text []byte, i int) (from, to, next int) {
	end := i + bytes.IndexByte(text[i:], '\n')
	from, to = i, end
	for to > from && isBlank(text[to-1]) {
		to--
	}
	for from < to && isBlank(text[from]) {
		from++
	}
	return from, to, end + 1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// begin learns separator, names and size from the first line that is not blank, if there is one. It
// takes a line of names off the piece. over states that no other follows.
func (r *textReader) begin(p *textLines, over bool) error {
	for i, number := 0, p.line; i < len(p.text); number++ {
		from, to, next := textLine(p.text, i)
		i = next
		if from == to {
			continue
		}
		rows := p.text[p.start(from):]
		objects, numbers := dataset.LooksLikePHYLIP(p.text[from:])
		if objects > 0 {
			rows = p.text[next:]
		}
		var wrong *fault.Input
		if r.marks, wrong = FindMarks(rows, r.decimal); wrong != nil {
			wrong.File = r.name
			return wrong
		}
		r.sep = r.marks.Separator
		if objects > 0 {
			r.phylip, r.named = true, true
			switch numbers {
			case 0:
				r.triangle = below
			case 1:
				r.triangle = belowEqual
			}
			p.text, p.line = rows, number+1
			if _, count := countLines(rows); over && count < objects {
				return r.notSquare(count, objects) // and takes no memory for them
			}
			return r.make(objects)
		}
		fields := r.split(p.text[p.start(from):to])
		n := len(fields)
		switch {
		case r.isHeader(fields):
			r.header = fields
			if n > 1 && fields[0] == "" {
				r.header, r.named = fields[1:], true
			} else if from, to, _ := textLine(p.text, min(next, len(p.text)-1)); from < to {
				// R writes no name above the names of the rows
				r.named = len(r.split(p.text[from:to])) == n+1
				if !r.named && n > 1 && !isNumber(r.split(p.text[from:to])[0]) {
					r.header, r.named = fields[1:], true // a name stands above them
				}
			}
			n = len(r.header)
			p.text, p.line = p.text[next:], number+1
		case n > 1 && !isNumber(fields[0]) && !strings.ContainsFunc(fields[0], unicode.IsControl):
			r.named = true
			n--
		}
		if err := checkSize(r.name, n); err != nil {
			return err
		}
		if err := r.checkNames(r.header); err != nil {
			err.Line = number
			return err
		}
		return r.make(n)
	}
	return nil
}

// make makes the matrix of n objects.
func (r *textReader) make(n int) error {
	if err := checkSize(r.name, n); err != nil {
		return err
	}
	// a digit and a separator for each pair
	if r.most >= 0 && int64(n)*int64(n-1) > r.most+int64(n) {
		return &fault.Input{File: r.name, Problem: "is too short for the dissimilarities of " +
			words.Count(n, "object"), Fix: "fetch or write the file again"}
	}
	r.m = &Dense{N: n, D: make([]float32, n*n)}
	if r.named {
		r.rowNames = make([]string, n)
	}
	return nil
}

// start returns where a line begins, with the tab before its first field if that is empty.
func (p *textLines) start(from int) int {
	for from > 0 && isBlank(p.text[from-1]) {
		from--
	}
	return from
}

// split cuts a line into fields, without blanks and quotes around them.
func (r *textReader) split(line []byte) (fields []string) {
	if r.sep == ' ' {
		line = bytes.TrimSpace(line)
	}
	for {
		name, rest, more := r.field(line)
		fields = append(fields, name)
		if !more {
			return fields
		}
		line = rest
	}
}

// field takes the first field off a line; more reports whether there is another.
func (r *textReader) field(line []byte) (name string, rest []byte, more bool) {
	i, quoted := 0, false
	for ; i < len(line) && (quoted || line[i] != r.sep && (r.sep != ' ' || line[i] != '\t')); i++ {
		if line[i] == '"' {
			quoted = !quoted
		}
	}
	text := bytes.TrimSpace(line[:i])
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = bytes.ReplaceAll(text[1:len(text)-1], []byte(`""`), []byte(`"`))
	}
	if i == len(line) {
		return string(text), nil, false
	}
	i++
	for r.sep == ' ' && i < len(line) && isBlank(line[i]) {
		i++
	}
	return string(text), line[i:], true
}

// isHeader reports whether a line holds names by what no row of a matrix has: no number but perhaps
// in the first field, or nothing in that.
func (r *textReader) isHeader(fields []string) bool {
	if fields[0] == "" {
		return true
	}
	return !slices.ContainsFunc(fields, isNumber)
}

// checkNames refuses names that two objects have, and objects without one.
func (r *textReader) checkNames(names []string) *fault.Input {
	seen := make(map[string]int, len(names))
	for i, name := range names {
		if name == "" {
			return &fault.Input{File: r.name, Column: strconv.Itoa(i + 1),
				Problem: "the object has no name", Fix: "give each object a name, or none of them"}
		}
		if j, twice := seen[name]; twice {
			return &fault.Input{File: r.name, Column: strconv.Itoa(i + 1),
				Problem: "the name " + quote([]byte(name)) + " is that of object " +
					strconv.Itoa(j+1) + ", too", Fix: "give each object a name of its own"}
		}
		seen[name] = i
	}
	return nil
}

// names returns the names of the objects, which rows and columns must have in one order; nil where
// there are none.
func (r *textReader) names() ([]string, error) {
	if r.rowNames == nil {
		return r.header, nil
	}
	if wrong := r.checkNames(r.rowNames); wrong != nil {
		wrong.Row, wrong.Column = 0, ""
		return nil, wrong
	}
	for i, name := range r.header {
		if r.rowNames[i] != name {
			return nil, &fault.Input{File: r.name, Row: i + 1,
				Problem: "is named " + quote([]byte(r.rowNames[i])) + ", but its column " +
					quote([]byte(name)),
				Fix: "give rows and columns in the same order"}
		}
	}
	return r.rowNames, nil
}

// isEmpty is the problem of files without content.
const isEmpty = "is empty"

// checkSize refuses matrices of n rows that are too small or too large.
func checkSize(name string, n int) error {
	if n < 3 {
		return &fault.Input{File: name,
			Problem: "the matrix has " + words.Count(n,
				"column") + ", and at least 3 objects are needed",
			Fix: "give the whole square matrix (a triangle of it is not enough), its numbers " +
				"separated by commas, semicolons, tabs or blanks"}
	}
	return checkSquare(name, n)
}

// parse puts the numbers of some lines in their positions, unless a row before them has a fault.
func (r *textReader) parse(ctx context.Context, p textLines) error {
	row := p.row
	for i, line := 0, p.line; i < len(p.text); line++ {
		from, to, next := textLine(p.text, i)
		i = next
		if from == to {
			continue
		}
		if row >= r.m.N {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		p.text[to] = '\n' // a blank or a line end, which is no part of a number
		if r.named {
			name, rest, _ := r.field(p.text[p.start(from):to])
			r.rowNames[row] = name
			for from = to - len(rest); from < to && isBlank(p.text[from]); from++ {
			}
		}
		if f := r.numbers(p.text[from:to+1], row); f != nil {
			f.File, f.Line = r.name, line
			r.lock.Lock()
			if r.first == nil || row < r.row {
				r.first, r.row = f, row
			}
			r.lock.Unlock()
			return f
		}
		row++
	}
	return nil
}

// numbers reads one row, a line without blanks around it and with an LF at its end.
func (r *textReader) numbers(line []byte, row int) *fault.Input {
	n, end := r.m.N, len(line)-1
	dst := r.m.D[row*n : (row+1)*n]
	width := r.width(row)
	if !r.marks.Point(line) {
		return r.point(line[:end])
	}
	if width == 0 && end > 0 {
		return r.cell(line[:end], row)
	}
	i := 0
	for j := range width {
		v, after, ok := dataset.ScanNumber(line, i)
		next := r.skipBlank(line, after)
		apart := next > after // from the number that follows
		if r.sep != ' ' {
			apart = line[next] == r.sep
		}
		last := next == end
		if !ok || last != (j == width-1) || !last && !apart || entryProblem(v) != "" {
			return r.cell(line[:end], row)
		}
		if j == row && v != 0 {
			return diagonalFault(v, j)
		}
		dst[j] = float32(v) + 0 // −0 becomes 0
		if r.triangle != allOfIt {
			r.m.D[j*n+row] = dst[j]
		}
		if i = next; r.sep != ' ' {
			i = r.skipBlank(line, min(next+1, end))
		}
	}
	return nil
}

// skipBlank steps over blanks that separate nothing, or, where blanks separate, over all of them.
func (r *textReader) skipBlank(line []byte, i int) int {
	for isBlank(line[i]) && (line[i] != r.sep || r.sep == ' ') {
		i++
	}
	return i
}

// fields splits a row of numbers.
func (r *textReader) fields(line []byte) [][]byte {
	if r.sep == ' ' {
		return bytes.Fields(line)
	}
	return bytes.Split(line, []byte{r.sep})
}

// point names the first number of a row with a point, where others have a decimal comma.
func (r *textReader) point(line []byte) *fault.Input {
	fields := r.fields(line)
	j := slices.IndexFunc(fields, func(f []byte) bool { return bytes.IndexByte(f, '.') >= 0 })
	return &fault.Input{Column: strconv.Itoa(j + 1), Problem: quote(bytes.TrimSpace(fields[j])) +
		" has a point where other numbers have a decimal comma",
		Fix: "write all numbers alike, or name the decimal mark of all (--decimal .)"}
}

// cell finds what is wrong in a row that has a fault.
func (r *textReader) cell(line []byte, row int) *fault.Input {
	fields := r.fields(line)
	if width := r.width(row); len(fields) != width {
		in := &fault.Input{Problem: "has " + words.Count(len(fields),
			"field") + " where the first line has " + strconv.Itoa(r.m.N),
			Fix: "give every row as many numbers as there are rows, all separated alike"}
		if r.phylip {
			in.Problem = "has " + words.Count(len(fields), "number") + " where " +
				strconv.Itoa(width) + " are expected"
			in.Fix = "give each object a line, with a name without blanks"
		}
		return in
	}
	for j, f := range fields {
		f = bytes.TrimSpace(f)
		v, ok := dataset.ParseNumber(f)
		in := &fault.Input{Column: strconv.Itoa(j + 1), Problem: entryProblem(v), Fix: entryFix}
		switch {
		case len(f) == 0:
			in.Problem = "the value is missing"
			in.Fix = "give every dissimilarity; where one is not known, leave one of the two " +
				"objects out"
		case !ok:
			if r.marks.Comma { // as it was
				f = bytes.ReplaceAll(f, []byte("."), []byte(","))
			}
			in.Problem = quote(f) + " is not a finite decimal number"
			if !r.marks.Comma && bytes.IndexByte(f, ',') >= 0 {
				in.Fix = "write numbers with a decimal point, or name the mark (--decimal ,)"
			}
		case in.Problem != "":
		case j == row && v != 0:
			return diagonalFault(v, j)
		default:
			continue
		}
		return in
	}
	return &fault.Input{Problem: "cannot be understood", Fix: "separate all numbers alike"}
}

// quote shows a field, shortened to what a line can hold.
func quote(s []byte) string {
	const most = 40
	if len(s) > most {
		return strconv.Quote(string(s[:most])) + "…"
	}
	return strconv.Quote(string(s))
}
