package dataset

import (
	"archive/zip"
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/ours"
)

// FormatOf returns the format that a file has by its name, a last .gz or .zst left aside; "" when
// the name has no extension that is known.
func FormatOf(name string) Format {
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
	case ".jsonl", ".ndjson", ".json":
		return FormatJSONL
	case ".xlsx", ".xlsm":
		return FormatXLSX
	case ".arrow", ".arrows", ".feather", ".ipc":
		return FormatArrow
	case ".npz":
		return FormatNPZ
	case ".sqlite", ".sqlite3", ".db":
		return FormatSQLite
	}
	return ""
}

// isBinary reports whether a file of the format is no text.
func (f Format) isBinary() bool {
	switch f {
	case FormatNPY, FormatParquet, FormatXLSX, FormatArrow, FormatNPZ, FormatSQLite:
		return true
	}
	return false
}

// findFormat decides the format: as configured, by name, or by content where the name has none or
// cannot be right, which the note then states. A binary file that is to be read as a text, or the
// other way round, is refused, and so is a format that is known and not read. With Plain no name is
// wrong.
func findFormat(s *source, o ReadOptions) (Format, string, error) {
	format, err := ParseFormat(string(o.Format))
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
	wrong := ours.Instead(head, ours.Data)
	switch {
	case wrong != nil: // a file of kindred's own
	case certain && seen == "":
		seen, wrong = s.archive(head)
	case !certain:
		if wrong = unread(head); wrong == nil && !o.Plain && !o.Earlier &&
			seen == FormatCSV {
			wrong = otherText(head)
		}
	}
	if wrong != nil {
		wrong.File = s.name
		return "", "", wrong
	}
	named := format
	if named == "" {
		named = FormatOf(s.name)
	}
	byName := format == "" && !o.Plain
	switch {
	case named == "":
		return seen, "the format was taken to be " + string(seen) + ", by its first bytes", nil
	case byName && seen != named && (certain || named.isBinary() && isLines(head) ||
		!named.isBinary() && looksOnlyLike(seen, head)):
		return seen, "the file was read as " + string(seen) + ", by its first bytes, though it is " +
			"named as " + string(named), nil
	case !certain && named.isBinary() && isText(head):
		return "", "", &fault.Input{File: s.name,
			Problem: "is text, not " + string(named),
			Fix:     "name the right format (--format " + string(seen) + ")"}
	case certain && seen != named:
		return "", "", &fault.Input{File: s.name,
			Problem: "is " + string(seen) + ", not " + string(named),
			Fix:     "name the right format (--format " + string(seen) + ")"}
	}
	return named, "", nil
}

// looksOnlyLike reports whether a text that seems to have a format can have no other.
func looksOnlyLike(seen Format, head []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	switch seen {
	case FormatARFF:
		return true
	case FormatJSONL: // a quote within a field, in separated text
		return bytes.HasPrefix(bytes.TrimLeft(text, "[{ \t\r\n"), []byte(`"`))
	}
	return false
}

// sniff returns the format by the first bytes; certain when they cannot be a text table. It returns
// "" for a zip archive.
func sniff(head []byte) (f Format, certain bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return FormatNPY, true
	case bytes.HasPrefix(head, []byte("PAR1")):
		return FormatParquet, true
	case bytes.HasPrefix(head, []byte("ARROW1")),
		bytes.HasPrefix(head, []byte("\xff\xff\xff\xff")): // a stream begins with its first message
		return FormatArrow, true
	case bytes.HasPrefix(head, []byte(ours.SQLite)):
		return FormatSQLite, true
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "", true
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(text, []byte("{")) {
		return FormatJSONL, false
	}
	if rest, ok := bytes.CutPrefix(text, []byte("[")); ok {
		rest = bytes.TrimLeft(rest, " \t\r\n")
		if bytes.HasPrefix(rest, []byte("{")) || bytes.HasPrefix(rest, []byte("[")) {
			return FormatJSONL, false
		}
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

// archive finds out what a zip archive holds, by the names of its files.
func (s *source) archive(head []byte) (Format, *fault.Input) {
	var names []string
	if s.file != nil {
		if archive, err := zip.NewReader(s.file, s.size); err == nil {
			for _, f := range archive.File {
				names = append(names, strings.TrimPrefix(f.Name, "/"))
			}
		}
	}
	if names == nil { // a stream, or cut short: by the files that begin within the first bytes
		names = localNames(head)
	}
	has := func(want string) bool { return slices.Contains(names, want) }
	within := func(folder string) bool {
		return slices.ContainsFunc(names,
			func(n string) bool { return strings.HasPrefix(n, folder) })
	}
	arrays, files := 0, 0
	for _, n := range names {
		if !strings.HasSuffix(n, "/") {
			files++
		}
		if path.Ext(n) == ".npy" {
			arrays++
		}
	}
	switch {
	case has("xl/workbook.bin"):
		return "", fault.Inputf("save it as .xlsx or CSV in Excel",
			"is a binary Excel workbook (.xlsb), which is not read")
	case has("mimetype") && (has("content.xml") || bytes.Contains(head, []byte("opendocument"))):
		return "", fault.Inputf("save the sheet as .xlsx or CSV in LibreOffice",
			"is an OpenDocument file (.ods), which is not read")
	case within("xl/"):
		return FormatXLSX, nil
	case within("word/"), within("ppt/"):
		return "", fault.Inputf("save its table as .xlsx or CSV",
			"is a document or presentation, not a table")
	case has("[Content_Types].xml"), has("_rels/.rels"): // the rest lies beyond the first bytes
		return FormatXLSX, nil
	case arrays > 0 && arrays == files:
		return FormatNPZ, nil
	case files == 0:
		return "", fault.Inputf("unpack it (unzip), and give the file in it",
			"is a zip archive, not a table in a format known here")
	case files == 1:
		return "", fault.Inputf("unpack it (unzip), and give the file in it",
			"is a zip archive of %s", quote([]byte(names[0])))
	}
	return "", fault.Inputf("unpack it (unzip), and give one of the files in it",
		"is a zip archive of several files, not a table")
}

// localNames returns the names of the files of a zip archive whose headers lie within its first
// bytes.
func localNames(head []byte) (names []string) {
	for {
		at := bytes.Index(head, []byte("PK\x03\x04"))
		if at < 0 || at+30 > len(head) {
			return names
		}
		head = head[at:]
		size := int(head[26]) | int(head[27])<<8
		if 30+size > len(head) {
			return names
		}
		names = append(names, string(head[30:30+size]))
		head = head[30+size:]
	}
}

// known is a format that is recognised and not read.
type known struct {
	magic string
	at    int // where it is
	what  string
	fix   string
}

// fromPython is what most of these are written by.
const (
	fromPython = "write it in Python with df.to_parquet('x.parquet') and give that"
	toPictures = "give a folder of pictures (kindred cluster FOLDER), or a table with a column of " +
		"their paths (--images COLUMN)"
)

// unreadFormats are those that are recognised by their first bytes.
var unreadFormats = []known{
	{"FEA1", 0, "is a Feather file of version 1", "write it again with version 2 " +
		"(pyarrow.feather.write_feather), or as Parquet"},
	{"\xd0\xcf\x11\xe0", 0, "is an old Excel workbook (.xls) or one with a password",
		"save it as .xlsx without a password, or as CSV"},
	{"\x89HDF\r\n\x1a\n", 0, "is an HDF5 file", "write its table as Parquet or CSV, or its array " +
		"as .npy (numpy.save)"},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x60", 0, "is a SAS data set " +
		"(.sas7bdat)", "write it as CSV (proc export), or as Parquet by pandas.read_sas"},
	{"$FL2", 0, "is an SPSS file (.sav)", "save it as CSV in SPSS, or as Parquet by " +
		"pandas.read_spss"},
	{"$FL3", 0, "is an SPSS file (.zsav)", "save it as CSV in SPSS, or as Parquet by " +
		"pandas.read_spss"},
	{"<stata_dta>", 0, "is a Stata data set (.dta)", "write it as CSV (export delimited), or as " +
		"Parquet by pandas.read_stata"},
	{"RDX", 0, "is an R workspace (.RData)", "write the data frame in R with write.csv(x, " +
		"'x.csv', row.names = FALSE)"},
	{"RDA", 0, "is an R workspace (.RData)", "write the data frame in R with write.csv(x, " +
		"'x.csv', row.names = FALSE)"},
	{"X\n\x00\x00\x00", 0, "is an R object (.rds)", "write the data frame in R with " +
		"write.csv(readRDS('x.rds'), 'x.csv', row.names = FALSE)"},
	{"MATLAB 7.3", 0, "is a MATLAB file (.mat)", "write the array with writematrix(x, 'x.csv')"},
	{"MATLAB 5.0", 0, "is a MATLAB file (.mat)", "write the array with writematrix(x, 'x.csv'), " +
		"or with scipy.io.loadmat and numpy.save"},
	{"ORC", 0, "is an ORC file", "write it as Parquet (pyarrow.orc.read_table, " +
		"pyarrow.parquet.write_table)"},
	{"Obj\x01", 0, "is an Avro file", "write it as Parquet or JSON lines"},
	{"DUCK", 8, "is a DuckDB database", "write a table with COPY (SELECT * FROM name) TO " +
		"'x.parquet'"},
	{"%PDF-", 0, "is a PDF document", "give the data that its tables were made from, as CSV or " +
		".xlsx"},
	{"ustar", 257, "is a tar archive", "unpack it (tar -xf), and give a file in it, or a folder " +
		"of pictures"},
	{"\x89PNG\r\n\x1a\n", 0, "is a picture (PNG)", toPictures},
	{"\xff\xd8\xff", 0, "is a picture (JPEG)", toPictures},
	{"GIF8", 0, "is a picture (GIF)", toPictures},
	{"BZh", 0, "is packed by bzip2", "unpack it (bunzip2), or pack it by gzip or zstd"},
	{"\xfd7zXZ\x00", 0, "is packed by xz", "unpack it (unxz), or pack it by gzip or zstd"},
	{"7z\xbc\xaf\x27\x1c", 0, "is a 7z archive", "unpack it, and give a file in it"},
	{"\x80\x02", 0, "is a Python pickle", fromPython},
	{"\x80\x03", 0, "is a Python pickle", fromPython},
	{"\x80\x04", 0, "is a Python pickle", fromPython},
	{"\x80\x05", 0, "is a Python pickle", fromPython},
}

// unread recognises formats that are not read, and says how to come by one that is.
func unread(head []byte) *fault.Input {
	for _, k := range unreadFormats {
		if len(head) < k.at+len(k.magic) || string(head[k.at:k.at+len(k.magic)]) != k.magic {
			continue
		}
		if k.magic[0] < 0x80 && k.at == 0 && isText(head) && !strings.HasPrefix(k.magic, "<") &&
			k.magic[0] != '%' { // a header that begins with the same letters
			continue
		}
		return &fault.Input{Problem: k.what + ", which is not read", Fix: k.fix}
	}
	if len(head) > 4 && head[0] >= 0x69 && head[0] <= 0x73 && (head[1] == 1 || head[1] == 2) &&
		head[2] == 1 && head[3] == 0 {
		return &fault.Input{Problem: "is a Stata data set (.dta), which is not read",
			Fix: "write it as CSV (export delimited), or as Parquet by pandas.read_stata"}
	}
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	lower := bytes.ToLower(text[:min(len(text), 512)])
	switch {
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.HasPrefix(lower, []byte("<html")),
		bytes.HasPrefix(lower, []byte("<table")):
		return &fault.Input{Problem: "is a web page (HTML), not a table",
			Fix: "download the data themselves, or save the page's table as CSV"}
	case bytes.HasPrefix(lower, []byte("version https://git-lfs.github.com/spec/")):
		return &fault.Input{Problem: "is a pointer of Git LFS, not the data",
			Fix: "fetch the data (git lfs pull)"}
	case bytes.HasPrefix(lower, []byte("<?xml")):
		return &fault.Input{Problem: "is XML, which is not read",
			Fix: "save it as CSV, .xlsx or JSON lines"}
	}
	return nil
}

// sparseRow is a row of LIBSVM: a label, and numbers behind the places that they have.
var sparseRow = regexp.MustCompile(
	`^[+-]?[0-9][0-9.,eE+-]*( +(qid:[0-9]+|[0-9]+:[+-]?[0-9.][0-9.eE+-]*))+ *(#.*)?$`)

// timeOfDay is what else may have a colon.
var timeOfDay = regexp.MustCompile(`^([01]?[0-9]|2[0-4]):[0-5][0-9]$`)

// otherText recognises texts that are no tables of separated columns.
func otherText(head []byte) *fault.Input {
	if objects, _ := LooksLikePHYLIP(head); objects > 0 {
		return &fault.Input{Problem: "is a PHYLIP matrix of dissimilarities, not a table",
			Fix: "read it as one (--dissimilarity)"}
	}
	lines := bytes.Split(bytes.ReplaceAll(head, []byte("\r"), nil), []byte("\n"))
	lines = lines[:max(1, len(lines)-1)] // the last may be cut
	times := true
	for _, line := range lines {
		if !sparseRow.Match(line) {
			return nil
		}
		for _, pair := range bytes.Fields(line)[1:] {
			times = times && timeOfDay.Match(pair)
		}
	}
	if times {
		return nil
	}
	return &fault.Input{Problem: "is a sparse matrix of LIBSVM (svmlight), which is not read",
		Fix: "write it as an array (in Python: x, y = sklearn.datasets.load_svmlight_file('x'), " +
			"numpy.save('x.npy', x.toarray()))"}
}

// isLines reports whether the first bytes are a text of two lines or more.
func isLines(head []byte) bool {
	return isText(head) && bytes.IndexByte(bytes.TrimSpace(head), '\n') >= 0
}

// isText reports whether the first bytes hold no control characters that texts have not.
func isText(head []byte) bool {
	return !bytes.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f'
	})
}
