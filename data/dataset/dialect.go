package dataset

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// dialect is how a text is laid out as a table.
type dialect struct {
	sep      byte
	start    int  // place of the header, or of the first row where there is none
	line     int  // line ends before it
	skipped  int  // lines with something in them that were passed over before it
	comments int  // of them those that begin with #
	ruled    bool // a line of dashes follows the header, as psql draws it
	named    bool // rows have a name in front that the header does not name, as R writes them
	lines    bool // there is one column, of sentences: each line is a value as it stands
	headless bool // and the first line is one like the others
	other    byte // what separates columns, where what was asked for does not; 0: nothing
}

// dialectLines is how many records of the front decide.
const dialectLines = 50

// separators are what may stand between columns, the likeliest first.
var separators = [...]byte{',', ';', '\t', '|', ' '}

// findDialect finds how a text is laid out by its first records. asked is the separator, 0 for one
// to be found. With prose it may be sentences, one a line.
func findDialect(name string, text []byte, whole bool, format Format, asked byte, prose bool) (
	dialect, error) {
	sc := textScanner{end: len(text) - 1}
	front := dialect{}
	stated := asked != 0
	at := sc.skipBlank(text, 0)
	if sep, ok := excelSeparator(firstLine(text[at:])); ok && asked == 0 {
		at = sc.endLine(text, at+len(firstLine(text[at:])))
		asked = sep
		at = sc.skipBlank(text, at)
	}
	front.start, front.line = at, sc.line
	if line := bytes.TrimSpace(firstLine(text[at:])); bytes.HasPrefix(line, []byte("+-")) ||
		bytes.HasPrefix(line, []byte("|")) && isRuler(nextLine(text[at:]), line) {
		return front, &fault.Input{File: name, Line: front.line + 1,
			Problem: "is a table drawn with lines",
			Fix:     "write it as CSV or with tabs (mysql --batch, psql --csv), or take the lines out"}
	}
	seps := separators[:]
	switch {
	case asked != 0:
		seps = []byte{asked}
	case format == FormatTSV:
		seps = []byte{'\t'}
	}
	best, bestScore := front, useless
	best.sep = seps[0]
	for _, sep := range seps {
		if d, score := tryDialect(text, whole, front, sep); score > bestScore &&
			(sep != ' ' || asked != 0 || bestScore <= 0 && score > even) {
			best, bestScore = d, score
		}
	}
	if stated && bestScore == alone {
		for _, sep := range separators {
			if sep == ' ' {
				continue
			}
			if _, score := tryDialect(text, whole, front, sep); score > even {
				best.other = sep
				break
			}
		}
	}
	if prose && asked == 0 && format == FormatCSV && bestScore < titled {
		if lines := proseLines(text, whole, front); lines != nil {
			front.sep, front.lines = 0, true
			first := bytes.TrimRight(lines[0], " \t")
			front.headless = isSentence(first) && // a question is rather what they answer
				!bytes.ContainsAny(first[len(first)-1:], "?:")
			return front, nil
		}
	}
	return best, nil
}

// Of sentences, so many lines at least have so many words.
const (
	fewestLines    = 3
	sentenceLength = 4
)

// proseLines returns the first lines of a text with something in them if four of five, the first
// aside, are sentences, and none is within quotes; else nil.
func proseLines(text []byte, whole bool, front dialect) (lines [][]byte) {
	sc := textScanner{end: len(text) - 1}
	sentences := 0
	for next := front.start; len(lines) < dialectLines; {
		i := sc.skipBlank(text, next)
		if i >= sc.end {
			break
		}
		line := firstLine(text[i:])
		if next = i + len(line); !whole && next >= sc.end {
			break
		}
		if line[0] == '"' || line[0] == '#' {
			return nil
		}
		if len(lines) > 0 && isSentence(line) {
			sentences++
		}
		lines = append(lines, line)
	}
	if len(lines) < fewestLines || 5*sentences < 4*(len(lines)-1) {
		return nil
	}
	return lines
}

// isSentence reports whether a line has some words, and nearly nothing else.
func isSentence(line []byte) bool {
	fields := bytes.Fields(line)
	count := 0
	for _, f := range fields {
		r, _ := utf8.DecodeRune(bytes.TrimLeft(f, `"'([„“‘«»¿¡`))
		if unicode.IsLetter(r) && !bytes.ContainsAny(f, "=;|\t") {
			count++
		}
	}
	return count >= sentenceLength && 5*count >= 4*len(fields)
}

// firstLine returns the first line of a text, without its end.
func firstLine(text []byte) []byte {
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		return text[:i]
	}
	return text
}

// nextLine returns the second line.
func nextLine(text []byte) []byte {
	rest := text[len(firstLine(text)):]
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("\r")), []byte("\n"))
	return firstLine(rest)
}

// excelSeparator reads the line by which spreadsheets are told the separator.
func excelSeparator(line []byte) (sep byte, ok bool) {
	line = bytes.Trim(line, `"`)
	if len(line) == 5 && bytes.EqualFold(line[:4], []byte("sep=")) && line[4] < 0x80 {
		return line[4], true
	}
	return 0, false
}

// isRuler reports whether a line is drawn below a header: two dashes or more below each name, and
// bars, pluses or blanks between. Below one name it begins with a blank, as that of psql is.
func isRuler(line, header []byte) bool {
	columns := 0
	for _, part := range bytes.FieldsFunc(line, func(r rune) bool {
		return r == '|' || r == '+' || r == ' ' || r == '\r'
	}) {
		if part = bytes.Trim(part, ":"); len(part) < 2 || len(bytes.Trim(part, "-=")) > 0 {
			return false
		}
		columns++
	}
	return columns > 1 || columns == 1 && (bytes.HasPrefix(header, []byte(" ")) ||
		bytes.HasPrefix(header, []byte("|")))
}

// tried is one record of the front.
type tried struct {
	fields     [][]byte
	at, line   int  // where it begins
	afterBlank bool // a blank line stands before it
	comment    bool // it begins with #
	quoted     bool // or a quote
	numbers    int  // fields that are numbers or missing
	full       int  // fields with something in them
}

// How good a separator is; to it comes the share of the fields that are numbers, or a part of it.
const (
	even    = 1.0  // the records have the same number of fields, two or more
	titled  = 0.5  // they do below a title
	ragged  = 0.25 // most of them do
	alone   = 0.0  // there is one column
	useless = -1.0
)

// tryDialect reads the front by one separator and returns what it makes of it, and how good that
// is.
func tryDialect(text []byte, whole bool, front dialect, sep byte) (d dialect, score float64) {
	d = front
	d.sep = sep
	records := readFront(text, whole, front, sep, &d)
	if len(records) == 0 {
		return d, useless
	}
	head := findHeader(records)
	for _, r := range records[:head] {
		d.skipped++
		if r.comment {
			d.comments++
		}
	}
	d.start, d.line = records[head].at, records[head].line
	rows := records[head:]
	width := len(rows[0].fields)
	d.named = hasRowNames(text, rows, sep)
	if d.named {
		width++
	}
	if width < 2 {
		if slices.ContainsFunc(rows, func(r tried) bool { return len(r.fields) > 1 }) {
			return d, useless
		}
		return d, alone
	}
	cells, numbers, uneven := 0, 0, false
	for k, r := range rows {
		if len(r.fields) != width && !(k == 0 && d.named) {
			if !r.comment || d.comments == 0 {
				uneven = true
				break
			}
			continue
		}
		cells += len(r.fields)
		numbers += r.numbers
	}
	share := float64(numbers) / float64(max(cells, 1))
	switch {
	case uneven:
		return d, ragged + ragged/2*share
	case d.skipped > d.comments:
		return d, titled + share
	}
	return d, even + share
}

// readFront reads the first records. A ruler below one is left out, and noted in d.
func readFront(text []byte, whole bool, front dialect, sep byte, d *dialect) (records []tried) {
	sc := textScanner{sep: sep, end: len(text) - 1, line: front.line}
	next := front.start
	for len(records) < dialectLines {
		line := sc.line
		i := sc.skipBlank(text, next)
		if i >= sc.end {
			break
		}
		r := tried{at: i, line: sc.line, afterBlank: sc.line > line && i > front.start,
			comment: text[i] == '#', quoted: text[i] == '"'}
		raw := firstLine(text[i:])
		if len(records) > 0 && isRuler(raw, firstLine(text[records[len(records)-1].at:])) {
			d.ruled = true
			next = sc.endLine(text, i+len(raw))
			continue
		}
		var wrong *fault.Input
		r.fields, next, wrong = sc.record(text, i, nil)
		if wrong != nil && (r.comment || len(records) == 0) { // a remark may hold any quote
			sc.line = r.line
			r.fields = bytes.Split(raw, []byte{sep})
			next = sc.endLine(text, i+len(raw))
			wrong = nil
		}
		if wrong != nil || !whole && next >= sc.end {
			break
		}
		for _, f := range r.fields {
			if isMissing(f) || isNumberLike(f) {
				r.numbers++
			}
			if len(f) > 0 {
				r.full++
			}
		}
		records = append(records, r)
	}
	return records
}

// isNumberLike reports whether a field is a number in some way of writing.
func isNumberLike(s []byte) bool {
	if meansNumber(s) {
		return true
	}
	if _, ok := parseNumeral(s, '.'); ok {
		return true
	}
	_, ok := parseNumeral(s, ',')
	return ok
}

// findHeader finds the record that is the header, or the first row where there is none: the first
// one, unless what precedes a table stands before it: remarks that begin with #, and lines with
// fewer fields than all that follow.
func findHeader(records []tried) int {
	k := 0
	for k < len(records) && records[k].comment {
		k++
	}
	if k == len(records) {
		return 0
	}
	if k > 0 {
		// the last remark may be the header
		last := records[k-1]
		if len(last.fields) == len(records[k].fields) && !isHeaderOf(records[k], records[k+1:]) {
			return k - 1
		}
		if k+1 == len(records) && len(last.fields) != len(records[k].fields) {
			return k
		}
	}
	width := len(records[len(records)-1].fields)
	if width < 2 || len(records[k].fields) == width && records[k].full > 1 {
		return k
	}
	for h := k; h < len(records); h++ {
		r := records[h]
		if r.full == 0 { // as spreadsheets write a blank line
			continue
		}
		apart := r.afterBlank || h > 0 && records[h-1].full == 0
		if h > k && len(r.fields) == width && r.full == width {
			padded := width > 2 && len(records[h-1].fields) == width
			switch {
			case r.numbers == 0 && (isHeaderOf(r, records[h+1:]) || apart && evenFrom(records[h:])),
				padded && namesYears(r) && h+1 < len(records) && !namesYears(records[h+1]):
				return h
			}
		}
		// a title, which spreadsheets pad, or a title and its value apart from the table
		title := r.full <= 1 && len(r.fields[0]) > 0
		if !title && !(r.full < width && len(r.fields) < width && blankBelow(records[h:])) {
			return k
		}
	}
	return k
}

// namesYears reports whether a record has a word and then years, each once, as the header of a
// table with a column for each year.
func namesYears(head tried) bool {
	seen := make(map[string]bool)
	for i, name := range head.fields {
		year, ok := ParseNumber(name)
		if ok != (i > 0) || seen[string(name)] || ok && !(len(name) == 4 && year >= 1800 &&
			year < 2200) {
			return false
		}
		seen[string(name)] = true
	}
	return true
}

// blankBelow reports whether a blank line parts the first of the records from the table.
func blankBelow(records []tried) bool {
	return slices.ContainsFunc(records[1:], func(r tried) bool { return r.afterBlank })
}

// evenFrom reports whether all records, three or more, have the same number of fields.
func evenFrom(records []tried) bool {
	return len(records) > 2 && !slices.ContainsFunc(records,
		func(r tried) bool { return len(r.fields) != len(records[0].fields) })
}

// isHeaderOf reports whether a record names the columns of those that follow: in one column where
// it has a word they have numbers or dates, and they have as many fields.
func isHeaderOf(head tried, rows []tried) bool {
	if len(rows) == 0 {
		return false
	}
	for _, r := range rows {
		if len(r.fields) != len(head.fields) && !r.comment {
			return false
		}
	}
	for j, name := range head.fields {
		if len(name) == 0 || isNumberLike(name) || isMissing(name) {
			continue
		}
		values := 0
		other := slices.ContainsFunc(rows, func(r tried) bool {
			if r.comment || isMissing(r.fields[j]) || softAnyWord.meansNothing(r.fields[j]) {
				return false
			}
			values++
			_, date := parseMoment(r.fields[j], anyOrder)
			return !date && !isNumberLike(r.fields[j])
		})
		if values > 0 && !other {
			return true
		}
	}
	return false
}

// hasRowNames reports whether every row has one field more than the header: names of the rows in
// front, which all differ, as R writes them. Where the last field is empty throughout, it is rather
// a separator too many; and a blank after the first separator shows a text that holds one.
func hasRowNames(text []byte, records []tried, sep byte) bool {
	width := len(records[0].fields)
	rows := records[1:]
	if len(rows) == 0 || records[0].full != width || records[0].numbers > 0 ||
		width < 2 && (sep == ' ' || !rows[0].quoted) {
		return false
	}
	seen := make(map[string]bool, len(rows))
	last, numbers := 0, 0
	for k, r := range rows {
		if len(r.fields) != width+1 {
			return false
		}
		first := string(r.fields[0])
		if isNumberLike(r.fields[0]) && first != itoa(k+1) && !r.quoted {
			return false
		}
		if seen[first] || first == "" {
			return false
		}
		seen[first] = true
		last += min(1, len(r.fields[width]))
		for _, f := range r.fields[1:] {
			if isNumberLike(f) {
				numbers++
			}
		}
		if i := r.at + bytes.IndexByte(text[r.at:], sep) + 1; !r.quoted && sep != ' ' &&
			text[i] == ' ' {
			return false
		}
	}
	return len(rows) > 1 && last > 0 && numbers > 0
}

// countLine is the last line that psql writes.
var countLine = regexp.MustCompile(`^\(\d+ (rows?|Zeilen?|lignes?|filas?|righe|linhas?)\)\s*$`)

// note describes what was found of a table of so many columns.
func (d *dialect) note(columns int) (notes []string) {
	sign := func(sep byte) string {
		if s, ok := map[byte]string{',': "commas", ';': "semicolons", '\t': "tabs", '|': "bars",
			' ': "blanks"}[sep]; ok {
			return s
		}
		return string(sep)
	}
	if d.sep != ',' && columns > 1 {
		notes = append(notes, "the columns are separated by "+sign(d.sep))
	}
	if d.other != 0 && columns == 1 {
		notes = append(notes, fmt.Sprintf("there is one column, as no line at the front has %s; "+
			"there are more if %s separate them", sign(d.sep), sign(d.other)))
	}
	if rest := d.skipped - d.comments; rest > 0 {
		notes = append(notes, plural(rest, "line", "lines")+
			" before the header passed over")
	}
	if d.comments > 0 {
		notes = append(notes, plural(d.comments, "line that begins", "lines that begin")+
			" with # passed over")
	}
	if d.named {
		notes = append(notes, "the header lacks a name for the first column, whose values name "+
			"the rows")
	}
	return notes
}

// delimiterOf returns the separator that is asked for, 0 for none.
func delimiterOf(o ReadOptions) (byte, error) {
	s := o.Delimiter
	switch s {
	case "":
		return 0, nil
	case `\t`, "tab":
		return '\t', nil
	}
	c := s[0]
	if letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'; len(s) > 1 || letter ||
		c >= 0x80 || c < ' ' && c != '\t' || strings.IndexByte(`".-+`, c) >= 0 {
		return 0, fault.Settingf("columns cannot be separated by %q: give a comma, a semicolon, "+
			"a tab, a bar or another sign", s)
	}
	return c, nil
}
