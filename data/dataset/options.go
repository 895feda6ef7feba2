package dataset

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/internal/parallel"
)

// Format names a way to write a table. The empty Format is found from the file name (a last .gz or
// .zst left aside) or, failing that, from the first bytes.
type Format string

// The formats that [Read] understands, each plain, gzip'ed or zstd-compressed.
const (
	FormatCSV     Format = "csv"     // comma-separated; semicolons and tabs are detected
	FormatTSV     Format = "tsv"     // tab-separated
	FormatNPY     Format = "npy"     // NumPy array file, one or two dimensions
	FormatParquet Format = "parquet" // Apache Parquet, flat columns
	FormatARFF    Format = "arff"    // Weka's attribute-relation file
	FormatJSONL   Format = "jsonl"   // JSON: one object a line, or an array of objects or arrays
	FormatXLSX    Format = "xlsx"    // Excel workbook, one sheet
	FormatArrow   Format = "arrow"   // Arrow IPC file (Feather version 2) or stream
	FormatNPZ     Format = "npz"     // NumPy arrays in a zip archive, one of them
	FormatSQLite  Format = "sqlite"  // SQLite database, one table or query

	// FormatPostgreSQL is a table or a query of a server, which [ReadDatabase] reads; no file has
	// it.
	FormatPostgreSQL Format = "postgresql"
)

// Formats lists all formats, in the order of the documentation.
func Formats() []Format {
	return []Format{FormatCSV, FormatTSV, FormatNPY, FormatParquet, FormatARFF, FormatJSONL,
		FormatXLSX, FormatArrow, FormatNPZ, FormatSQLite}
}

// ParseFormat turns a flag value into a Format; "" stays "".
func ParseFormat(s string) (Format, error) {
	f := Format(strings.ToLower(s))
	if f == "" || slices.Contains(Formats(), f) {
		return f, nil
	}
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return "", fmt.Errorf("unknown format %q: give one of %s", s, strings.Join(names, ", "))
}

// DefaultInflateLimit is how many bytes a compressed or piped input may inflate to when
// ReadOptions.InflateLimit is 0: 16 GiB.
const DefaultInflateLimit = 16 << 30

// DefaultLevels is how many columns a category may become when ReadOptions.Levels is 0.
const DefaultLevels = 100

// ReadOptions are how a table is read. The zero value reads any format, finds roles by name and
// type, and keeps only what is needed to cluster.
type ReadOptions struct {
	Format Format // "": from the name, else from the content
	// column of row ids; "": the likeliest one whose values all differ and that is named as ids are
	// (id, customer_id, OrderNo), is unnamed and first, or holds codes such as UUIDs
	ID string
	// column of true classes; "": none (a column that looks like one is left out and noted)
	Label string
	// columns to use; nil: all numbers, booleans and categories without another role
	Features []string
	// column that the caller compares in a way of its own beside Features, so that no note calls it
	// none; "": none
	Beside string
	Drop   []string // columns to leave out; nil: none
	// column of lists of numbers, each list as long as the others, whose numbers are features; with
	// Features nil no other column is one. "": lists are no features
	Vectors string
	// lists of numbers are kept as texts, as in [1, 2.5]; false: they cannot be shown
	Lists bool
	// sheet of a workbook or array of an .npz file, by name or number from 1; "": the first visible
	// sheet with two columns and two rows, else with values, or the only array
	Sheet string
	// table or view of a database, where it has several, or Query, a statement that returns rows;
	// both "": the only table
	Table, Query string

	// Delimiter stands between the columns of separated text: one byte, such as "," ";" "|" or a
	// tab; "": found from the first lines
	Delimiter string
	// Decimal is the decimal mark of numbers in texts, "." or ","; "": found from the first rows
	Decimal string
	// Encoding is that of a text, by its name in the WHATWG standard, such as utf-8, utf-16le,
	// windows-1252 or shift_jis; "": found from the first bytes
	Encoding string
	// words that mean a missing value in texts, besides those that [Read] knows; nil: none
	NA []string
	// DateOrder is the order of dates that are written in numbers and do not begin with a year of
	// four digits: "dmy", "mdy" or "ymd"; "": found from the first rows
	DateOrder string
	// Assume is how a text is read where neither these options nor its first rows show it; NA is
	// not used
	Assume Reading
	// Types of columns of texts that are not to be found from the first rows; nil: none
	Types map[string]Type
	// Dates is how columns of type Time become features. Zero: those that Features names do, by
	// DatesAuto, and no others
	Dates Dates
	// Levels is how many columns of the matrix a category may become: of one with more values the
	// most frequent ones have a column each, and the others share the last. 0: DefaultLevels;
	// negative: no bound
	Levels int
	// Plain reads texts as those programs do that go through them line by line: in UTF-8, with the
	// header in the first line, numbers with a decimal point and nothing else, and no dates. Roles
	// are those of the first edition: a column named id, index or uuid names the rows, all numbers
	// are features, and categories have up to MaxLevels columns
	Plain bool
	// Roles finds the roles of the columns of a plain text as those of other texts are found; false:
	// as Plain says
	Roles bool

	// Earlier decides, where nothing says otherwise, as before central European encodings,
	// sentences, sheets that hold a table, amounts of money and more names of ids were known
	Earlier bool

	// keep columns that are no features as text, so that Cell can show them; false: forget them
	Keep bool
	// bytes that a compressed or piped input may inflate to; 0: DefaultInflateLimit
	InflateLimit int64
	Threads      int // goroutines; 0: one per processor. Results never depend on it

	// Open opens a file that belongs to the one being read, such as the log of a database; nil:
	// os.Open
	Open func(name string) (*os.File, error)

	// Progress, if not nil, is called with how many bytes of the input are read; total is 0 when
	// not known. Calls never overlap.
	Progress func(done, total int64)

	// chunk is the bytes of text a thread takes at a time; 0: 1 MiB. Tests make it tiny.
	chunk int
}

// plainRoles reports whether roles are those of the first edition, see ReadOptions.Plain.
func (o *ReadOptions) plainRoles() bool { return o.Plain && !o.Roles }

func (o ReadOptions) inflateLimit() int64 {
	if o.InflateLimit <= 0 {
		return DefaultInflateLimit
	}
	return o.InflateLimit
}

// beside opens a file that belongs to the one being read.
func (o ReadOptions) beside(name string) (*os.File, error) {
	if o.Open != nil {
		return o.Open(name)
	}
	return os.Open(name)
}

func (o ReadOptions) chunkSize() int {
	if o.chunk <= 0 {
		return 1 << 20
	}
	return o.chunk
}

func (o ReadOptions) threads() int { return parallel.Threads(o.Threads) }
