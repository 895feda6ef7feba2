package dataset

import (
	"io"

	"golang.org/x/text/transform"

	"github.com/kindred-go/kindred/fault"
)

// SmallText is a text beside a table, such as a file of links, which is read from front to back.
type SmallText struct {
	io.Reader      // what follows, in UTF-8 and without a byte order mark
	Separator byte // between the columns of separated text; 0: not looked for
	Lines     int  // line ends passed over before the header of separated text
}

// OpenSmallText finds the encoding of a text by its front, as [Read] does for tables; name is what
// messages call it.
func OpenSmallText(r io.Reader, name string) (*SmallText, error) {
	s := &source{name: name, stream: r}
	head, over, err := s.peek(sampleBytes)
	if err != nil {
		return nil, err
	}
	code, _, err := findEncoding(head, over, ReadOptions{})
	if err != nil {
		return nil, err
	}
	in := s.readFrom(0)
	if code != nil {
		in = transform.NewReader(in, code.NewDecoder())
	} else if len(head) > 2 && string(head[:3]) == "\xef\xbb\xbf" {
		in = s.readFrom(3)
	}
	return &SmallText{Reader: in}, nil
}

// OpenSeparated finds the encoding, the separator and the header of a separated text by its front,
// as [Read] does for tables. Remarks and titles before the header are passed over.
func OpenSeparated(r io.Reader, name string) (*SmallText, error) {
	decoded, err := OpenSmallText(r, name)
	if err != nil {
		return nil, err
	}
	s := &source{name: name, stream: decoded.Reader}
	head, whole, err := s.peek(sampleBytes)
	if err != nil {
		return nil, err
	}
	text := append(head[:len(head):len(head)], '\n')
	d, err := findDialect(name, text, whole, FormatCSV, 0, true)
	if err != nil {
		return nil, err
	}
	if d.lines {
		return nil, &fault.Input{File: name, Line: 1, Problem: "is a text of sentences, not a table",
			Fix: "give columns that commas or semicolons separate"}
	}
	if d.sep == 0 || d.sep == '"' || d.sep == '\n' || d.sep == '\r' || d.sep >= 0x80 {
		return nil, &fault.Input{File: name, Line: 1,
			Problem: "is separated by " + quote([]byte{d.sep}), Fix: "use commas or semicolons"}
	}
	return &SmallText{Reader: s.readFrom(min(d.start, len(head))), Separator: d.sep,
		Lines: d.line}, nil
}
