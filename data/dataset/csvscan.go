package dataset

import (
	"bytes"
	"unicode/utf8"
)

// csvScanner splits separated text by the rules of RFC 4180, with any of LF, CRLF and CR ending a
// line, blanks allowed around quoted fields, and blanks of any kind around values dropped.
//
// The text it is given holds one byte more than end, a line feed, so that no loop needs to ask
// whether the text is over.
type csvScanner struct {
	sep     byte
	end     int
	line    int // line ends passed
	scratch []byte
}

// field reads the field that starts at text[i]: its value without quotes and surrounding blanks,
// valid until the next call, and the position of the separator or line end after it.
func (s *csvScanner) field(text []byte, i int) ([]byte, int, *textFault) {
	for text[i] == ' ' || text[i] == '\t' && s.sep != '\t' {
		i++
	}
	if text[i] == '"' && i < s.end {
		return s.quoted(text, i)
	}
	start := i
	for {
		c := text[i]
		if c == s.sep || c == '\n' || c == '\r' {
			break
		}
		if c == '"' {
			return nil, i, &textFault{line: s.line,
				problem: "a quote inside a field that does not begin with one",
				fix: `put the whole field in quotes and double the quotes in it, as in ` +
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
func (s *csvScanner) quoted(text []byte, i int) ([]byte, int, *textFault) {
	opened := s.line
	i++
	value := []byte(nil)
	s.scratch = s.scratch[:0]
	for {
		n := bytes.IndexByte(text[i:s.end], '"')
		if n < 0 {
			return nil, s.end, &textFault{line: opened,
				problem: "a quote opens here and is never closed",
				fix:     "close it, or double it if it is part of the text", unclosed: true}
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
	for text[i] == ' ' || text[i] == '\t' && s.sep != '\t' {
		i++
	}
	if c := text[i]; c != s.sep && c != '\n' && c != '\r' {
		return nil, i, &textFault{line: s.line, problem: "text after a closing quote",
			fix: "put the whole field in quotes and double the quotes in it"}
	}
	if bytes.IndexByte(value, '\r') >= 0 {
		value = bytes.ReplaceAll(value, []byte("\r\n"), []byte{'\n'})
	}
	return value, i, nil
}

// endLine steps over the line end at text[i].
func (s *csvScanner) endLine(text []byte, i int) int {
	s.line++
	if text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n' {
		return i + 2
	}
	return i + 1
}

// skipBlank steps over lines that hold nothing but blanks.
func (s *csvScanner) skipBlank(text []byte, i int) int {
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

// record reads a whole record, copies of whose fields it appends to fields.
func (s *csvScanner) record(text []byte, i int, fields [][]byte) ([][]byte, int, *textFault) {
	for {
		value, next, fault := s.field(text, i)
		if fault != nil {
			return fields, next, fault
		}
		fields = append(fields, bytes.Clone(value))
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

// badByteFault describes the byte that badByte found.
func badByteFault(text []byte, bad int) *textFault {
	f := &textFault{line: lineEnds(text[:bad])}
	if bad > 0 && text[bad-1] == '\r' && text[bad] == '\n' {
		f.line--
	}
	if text[bad] == 0 {
		f.problem = "has a NUL byte, so it is not a plain text file"
		f.fix = "save it as UTF-8 text (a UTF-16 file: iconv -f UTF-16 -t UTF-8)"
		return f
	}
	f.problem = "has a byte that is not UTF-8"
	f.fix = "save the file as UTF-8 (an older one may be iconv -f WINDOWS-1252 -t UTF-8)"
	return f
}
