package dataset

import (
	"bytes"
	"unicode/utf8"

	"github.com/kindred-go/kindred/fault"
)

// textScanner splits texts of lines, which end in any of LF, CRLF and CR. Separated text is split
// by the rules of RFC 4180, with blanks allowed around quoted fields, and blanks of any kind around
// values dropped; JSON into flat objects, one a line.
//
// The text it is given holds one byte more than end, a line feed, so that no loop needs to ask
// whether the text is over.
type textScanner struct {
	sep     byte // of CSV; 0 for other formats
	lines   bool // of CSV: each line is a field as it stands
	end     int
	line    int    // line ends passed
	scratch []byte // for what does not lie in the text as it is
	number  bool   // the last value of a JSON object is a number, not a string
	list    bool   // or a list, as it is written
	nested  int    // JSON objects within objects that were read
	flat    bool   // those are refused
}

// records reads the records of a piece of text, which has one line feed more than the piece, into
// b. record reads the one at text[i] and returns the position after it.
func (s *textScanner) records(text []byte, b *block, record func(i int) (int, *fault.Input)) {
	s.end, s.line = len(text)-1, 0
	for i := 0; b.fault == nil; {
		if i >= s.end || text[i] <= ' ' {
			line := s.line
			i = s.skipBlank(text, i)
			b.blank += s.line - line
			b.trailing += s.line - line
			if i >= s.end {
				break
			}
		}
		i, b.fault = record(i)
	}
	b.lines = s.line
}

// UnclosedQuote is the problem of a text that ends within quotes.
const UnclosedQuote = "a quote opens here and is never closed"

// field reads the field that starts at text[i]: its value without quotes and surrounding blanks,
// valid until the next call, and the position of the separator or line end after it.
func (s *textScanner) field(text []byte, i int) ([]byte, int, *fault.Input) {
	for text[i] == ' ' || text[i] == '\t' && s.sep != '\t' {
		i++
	}
	if text[i] == '"' && i < s.end && !s.lines {
		return s.quoted(text, i)
	}
	start := i
	for {
		c := text[i]
		if c == s.sep || c == '\n' || c == '\r' {
			break
		}
		if c == '"' && !s.lines {
			return nil, i, &fault.Input{Line: s.line,
				Problem: "a quote inside a field that does not begin with one",
				Fix: `put the whole field in quotes and double the quotes in it, as in ` +
					`"5"" disk"`}
		}
		i++
	}
	last := i
	for last > start && (text[last-1] == ' ' || text[last-1] == '\t') {
		last--
	}
	value := text[start:last]
	if len(value) > 0 && (value[0] >= utf8.RuneSelf || value[len(value)-1] >= utf8.RuneSelf) {
		value = bytes.TrimSpace(value) // other blanks, such as those that do not break a line
	}
	return value, i, nil
}

// quoted reads a field whose opening quote is text[i].
func (s *textScanner) quoted(text []byte, i int) ([]byte, int, *fault.Input) {
	opened := s.line
	i++
	value := []byte(nil)
	s.scratch = s.scratch[:0]
	for {
		n := bytes.IndexByte(text[i:s.end], '"')
		if n < 0 {
			return nil, s.end, &fault.Input{Line: opened, Problem: UnclosedQuote,
				Fix: "close it, or double it if it is part of the text"}
		}
		piece := text[i : i+n]
		s.line += lineEnds(piece)
		i += n + 1
		escaped := text[i] == '"' && i < s.end
		if value == nil && len(s.scratch) == 0 && !escaped {
			value = piece
			break
		}
		s.scratch = append(s.scratch, piece...)
		if !escaped {
			value = s.scratch
			break
		}
		s.scratch = append(s.scratch, '"')
		i++
	}
	for text[i] == ' ' && s.sep != ' ' || text[i] == '\t' && s.sep != '\t' {
		i++
	}
	if c := text[i]; c != s.sep && c != '\n' && c != '\r' {
		return nil, i, &fault.Input{Line: s.line, Problem: "text after a closing quote",
			Fix: "put the whole field in quotes and double the quotes in it"}
	}
	if bytes.IndexByte(value, '\r') >= 0 {
		value = bytes.ReplaceAll(value, []byte("\r\n"), []byte{'\n'})
	}
	return value, i, nil
}

// endLine steps over the line end at text[i].
func (s *textScanner) endLine(text []byte, i int) int {
	s.line++
	if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		return i + 2
	}
	return i + 1
}

// skipBlank steps over lines that hold nothing but blanks.
func (s *textScanner) skipBlank(text []byte, i int) int {
	for i < s.end {
		j := i
		for text[j] == ' ' || text[j] == '\t' && s.sep != '\t' {
			j++
		}
		if text[j] != '\n' && text[j] != '\r' {
			return i
		}
		i = s.endLine(text, j)
	}
	return i
}

// record reads a whole record, whose fields it appends to fields. They lie in text where they stand
// there as they are.
func (s *textScanner) record(text []byte, i int, fields [][]byte) ([][]byte, int, *fault.Input) {
	for {
		value, next, wrong := s.field(text, i)
		if wrong != nil {
			return fields, next, wrong
		}
		if len(s.scratch) > 0 {
			value, s.scratch = bytes.Clone(value), s.scratch[:0]
		}
		fields = append(fields, value)
		if text[next] != s.sep {
			return fields, s.endLine(text, next), nil
		}
		i = next + 1
	}
}

// lineEnds counts LF, CRLF and CR.
func lineEnds(text []byte) int {
	n := bytes.Count(text, []byte{'\n'})
	for i := bytes.IndexByte(text, '\r'); i >= 0; {
		if i+1 >= len(text) || text[i+1] != '\n' {
			n++
		}
		next := bytes.IndexByte(text[i+1:], '\r')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return n
}

// badByte finds the first byte that is NUL or not part of valid UTF-8; -1 when there is none.
func badByte(text []byte) int {
	nul := bytes.IndexByte(text, 0)
	if nul >= 0 {
		text = text[:nul]
	}
	if utf8.Valid(text) {
		return nul
	}
	for i := 0; ; {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

const notUTF8 = "has a byte that is not UTF-8"

// nameEncoding mends the fault of a byte that is not UTF-8 by the setting for it.
func nameEncoding(f *fault.Input) {
	if f.Problem == notUTF8 {
		f.Fix = "save the file as UTF-8, or name its encoding (--encoding; it may be " +
			someEncodings + ")"
	}
}

// badByteFault describes the byte that badByte found.
func badByteFault(text []byte, bad int) *fault.Input {
	if nul := bytes.IndexByte(text, 0); nul >= 0 { // which no encoding of texts has, but UTF-16
		bad = nul
	}
	f := &fault.Input{Line: lineEnds(text[:bad])}
	if bad > 0 && text[bad-1] == '\r' && text[bad] == '\n' {
		f.Line--
	}
	if text[bad] == 0 {
		f.Problem = "has a NUL byte, so it is not a plain text file"
		f.Fix = "save it as UTF-8 text (a UTF-16 file: iconv -f UTF-16 -t UTF-8)"
		return f
	}
	f.Problem = notUTF8
	f.Fix = "save the file as UTF-8 (an older one may be iconv -f WINDOWS-1252 -t UTF-8)"
	return f
}
