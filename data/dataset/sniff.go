package dataset

import (
	"bytes"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// formatOfName returns the format by the file name; "" when the extension is unknown.
func formatOfName(name string) Format {
	name = strings.ToLower(name)
	if infile.NamedCompression(name) != "" {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	switch filepath.Ext(name) {
	case ".csv":
		return FormatCSV
	case ".tsv", ".tab":
		return FormatTSV
	case ".npy":
		return FormatNPY
	case ".parquet", ".pq":
		return FormatParquet
	case ".arff":
		return FormatARFF
	case ".jsonl", ".ndjson":
		return FormatJSONL
	}
	return ""
}

// findFormat decides the format: as configured, by name, or by content, which the note then states.
// A binary file under the name of a text, or the other way round, is refused.
func findFormat(s *source, asked Format) (Format, string, error) {
	format, err := ParseFormat(string(asked))
	if err != nil {
		return "", "", err
	}
	head, _, err := s.peek(4096)
	if err != nil {
		return "", "", err
	}
	if len(head) == 0 {
		return "", "", &fault.Input{File: s.name, Problem: "is empty", Fix: "give a file with rows"}
	}
	seen, certain := sniff(head)
	if certain && seen == "" {
		return "", "", &fault.Input{File: s.name,
			Problem: "is a zip archive or a spreadsheet, not a table in a format known here",
			Fix:     "save the sheet as CSV, or unpack the archive"}
	}
	named := format
	if named == "" {
		named = formatOfName(s.name)
	}
	switch {
	case named == "":
		return seen, "the format was taken to be " + string(seen) + ", by its first bytes", nil
	case certain && seen != named:
		return "", "", &fault.Input{File: s.name,
			Problem: "is " + string(seen) + ", not " + string(named),
			Fix:     "name the right format (--format " + string(seen) + ")"}
	}
	return named, "", nil
}

// sniff returns the format by the first bytes; certain when they cannot be a text table. It returns
// "" for an archive.
func sniff(head []byte) (f Format, certain bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return FormatNPY, true
	case bytes.HasPrefix(head, []byte("PAR1")):
		return FormatParquet, true
	case bytes.HasPrefix(head, []byte("PK\x03\x04")),
		bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")):
		return "", true
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(text, []byte("{")) {
		return FormatJSONL, false
	}
	for len(text) > 0 && text[0] == '%' {
		_, text, _ = bytes.Cut(text, []byte{'\n'})
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	if len(text) >= 9 && bytes.EqualFold(text[:9], []byte("@relation")) {
		return FormatARFF, false
	}
	return FormatCSV, false // the reader distinguishes commas, semicolons and tabs
}
