package dissim

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// ReadOptions are the settings for reading a matrix.
type ReadOptions struct {
	Threads int // goroutines; 0: one per processor. Results never depend on it
	// decimal mark of the numbers of a text, "." or ","; "": found from the first lines
	Decimal string

	// Progress, if not nil, is called with how many bytes of the input are read; total is 0 when
	// not known. Calls never overlap.
	Progress func(done, total int64)
}

// Report describes a matrix as it was read.
type Report struct {
	Rows        int    // objects
	Fingerprint string // SHA-256 of the raw bytes, compressed or not, in hexadecimal

	Asymmetric bool    // d(i,j) and d(j,i) differed somewhere, and their means were taken
	Largest    float64 // the largest |d(i,j) − d(j,i)|; 0 when symmetric
	Row        int     // i of the first such pair, from 1
	Column     int     // its j > i

	Names     []string // of the objects; nil where the file has none
	NamesFrom string   // where they stand: the header, the first column, or both; "": nowhere

	Notes []string // what was found and done, a sentence each
}

// Read reads a square matrix of dissimilarities: text, separated by commas, semicolons, tabs or
// blanks, with a decimal point or comma, with or without a header of names and a first column of
// them; a matrix of PHYLIP, square or below the diagonal; or a NumPy array (.npy) of integers or
// floating point numbers, square or condensed as that of scipy's pdist; plain, gzip'ed or
// zstd-compressed. The content, not the name, distinguishes these. A matrix that is not symmetric
// is replaced by the mean of itself and its transpose, which the report states.
//
// The memory needed is that of the matrix, 4·n² bytes, and a little more. It fails with a
// [*fault.Input] that names the location when the matrix is not square, has fewer than 3 rows,
// holds anything but finite numbers ≥ 0, a diagonal that is not zero, or nothing but zeros or equal
// values, and when it does not fit memory.
func Read(ctx context.Context, path string, o ReadOptions) (*Dense, Report, error) {
	f, err := infile.OpenBy(ctx, os.Open, path, "a matrix")
	if err != nil {
		return nil, Report{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, Report{}, err
	}
	if !info.Mode().IsRegular() {
		return ReadStream(ctx, f, path, o)
	}
	return readMatrix(ctx, f, path, info.Size(), o)
}

// ReadStream reads a matrix as [Read] does from a stream, such as standard input. name is what
// messages call it ("" and "-" become "stdin"). When ctx ends while r blocks, ReadStream returns
// and leaves that one call of r.Read behind.
func ReadStream(ctx context.Context, r io.Reader, name string, o ReadOptions) (*Dense, Report,
	error) {
	if name == "" || name == "-" {
		name = "stdin"
	}
	return readMatrix(ctx, r, name, 0, o)
}

// readMatrix reads what may be compressed; total is the number of raw bytes, or 0.
func readMatrix(ctx context.Context, r io.Reader, name string, total int64, o ReadOptions) (*Dense,
	Report, error) {
	raw := infile.NewReader(ctx, r, total, o.Progress)
	plain, most, closer, err := unpack(raw, name, total)
	if err != nil {
		return nil, Report{}, err
	}
	defer closer()
	in := bufio.NewReaderSize(plain, 64<<10)
	head, err := in.Peek(8)
	if err != nil && err != io.EOF {
		return nil, Report{}, infile.Failure(name, err)
	}
	var m *Dense
	var read Report
	switch {
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		m, read.Notes, err = readNPY(in, name, most)
	case bytes.HasPrefix(head, []byte("PK\x03\x04")),
		bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0")), bytes.HasPrefix(head, []byte("PAR1")):
		err = &fault.Input{File: name,
			Problem: "is an archive, a spreadsheet or Parquet, not a matrix in a format known here",
			Fix:     "save the matrix as CSV, or with numpy.save"}
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		err = &fault.Input{File: name, Line: 1, Problem: "is written in UTF-16",
			Fix: "save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"}
	case isJSON(head):
		err = &fault.Input{File: name,
			Problem: "is JSON, not a matrix in a format known here",
			Fix: "save the matrix as CSV, or with numpy.save; rows of features need no " +
				"--dissimilarity"}
	default:
		if strings.EqualFold(filepath.Ext(name), ".npy") {
			err = &fault.Input{File: name,
				Problem: "is not an NPY file, though its name ends in .npy",
				Fix:     "save the array again with numpy.save"}
			break
		}
		if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
			in.Discard(3)
		}
		m, read, err = readText(ctx, in, name, most, o)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, raw) // what the decompressor left, for the fingerprint
	}
	if err != nil {
		return nil, Report{}, infile.Failure(name, err)
	}
	report, err := m.finish(ctx, name, o.Threads)
	if err != nil {
		return nil, Report{}, err
	}
	report.Names, report.NamesFrom = read.Names, read.NamesFrom
	report.Notes = append(read.Notes, report.Notes...)
	report.Fingerprint = hex.EncodeToString(raw.Hash.Sum(nil))
	return m, report, nil
}

// unpack undoes compression, known by the first bytes. What comes out has at most most bytes; -1:
// not known, as total, the number of raw bytes, is 0.
func unpack(raw io.Reader, name string, total int64) (plain io.Reader, most int64, done func(),
	err error) {
	in := bufio.NewReaderSize(raw, 256<<10)
	head, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, 0, nil, infile.Failure(name, err)
	}
	kind, named := infile.Compression(head), infile.NamedCompression(name)
	switch {
	case len(head) == 0:
		return nil, 0, nil, &fault.Input{File: name, Problem: isEmpty,
			Fix: "give a file with a square matrix"}
	case kind == "" && named != "":
		return nil, 0, nil, &fault.Input{File: name,
			Problem: "is not " + named + "-compressed, as its name suggests",
			Fix:     "take the ending off its name"}
	}
	if most = -1; total > 0 {
		most = infile.MostInflated(kind, total)
	}
	plain, done, err = infile.Unpack(in, kind, func(err error) error {
		return &fault.Input{File: name,
			Problem: "the " + kind + " data is damaged or ends too early",
			Fix:     "fetch or pack the file again", Err: err}
	})
	return plain, most, done, err
}

// isJSON reports whether a text begins as JSON does.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[')
}
