package dissim

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/fault"
)

func file(t testing.TB, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func gzipped(content string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, content)
	z.Close()
	return b.Bytes()
}

func zstandard(content string) []byte {
	z, _ := zstd.NewWriter(nil)
	return z.EncodeAll([]byte(content), nil)
}

// npy writes an array by its header's parts.
func npy(descr, fortran, shape string, values ...any) []byte {
	var b bytes.Buffer
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran,
		shape)
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	fmt.Fprintf(&b, "\x93NUMPY\x01\x00%c%c%s", len(head), 0, head)
	for _, v := range values {
		writeLittle(&b, v)
	}
	return b.Bytes()
}

// TestMatricesAreReadInEveryFormat: separators, line ends, blanks, compression, arrays.
func TestMatricesAreReadInEveryFormat(t *testing.T) {
	want := []float32{0, 1.5, 2e-3, 1.5, 0, 3, 2e-3, 3, 0}
	values := []float64{0, 1.5, 2e-3, 1.5, 0, 3, 2e-3, 3, 0}
	plain := "0,1.5,2e-3\n1.5,0,3\n.002,3,0\n"
	for name, content := range map[string][]byte{
		"a.csv":     []byte(plain),
		"b.csv":     []byte("0;1.5;2e-3\r\n1.5;0;3\r\n.002;3;0"),
		"c.tsv":     []byte("0\t1.5\t2e-3\r1.5\t0\t3\r.002\t3\t-0\r"),
		"d.txt":     []byte("\ufeff\n  0 1.5   2e-3 \n\n1.5 0\t 3\n \t\n.002 3 0 \n\n"),
		"e.csv":     []byte("0, 1.5 ,  2e-3\n1.5,0,+3.0\n 0.0020 , 3,0"),
		"f.csv.gz":  gzipped(plain),
		"g.csv.zst": zstandard(plain),
		"h":         gzipped(plain),
		"i.npy":     npy("<f8", "False", "(3, 3)", values),
		"j.npy":     npy("<f4", "True", "(3, 3)", want),
		"k.npy.gz":  gzipped(string(npy("<f8", "True", "(3, 3)", values))),
	} {
		path := file(t, name, content)
		for _, threads := range []int{1, 2} {
			m, report, err := Read(t.Context(), path, ReadOptions{Threads: threads})
			if err != nil || !slices.Equal(m.D, want) || report.Rows != 3 || report.Asymmetric ||
				len(report.Notes) > 0 || math.Signbit(float64(m.D[8])) {
				t.Errorf("%s: %+v, %+v, %v", name, m, report, err)
			} else if want := fingerprint(content); report.Fingerprint != want {
				t.Errorf("%s: fingerprint %s, want %s", name, report.Fingerprint, want)
			}
		}
		m, _, err := ReadStream(t.Context(), bytes.NewReader(content), name, ReadOptions{})
		if err != nil || !slices.Equal(m.D, want) {
			t.Errorf("%s as a stream: %v", name, err)
		}
	}
	m, _, err := Read(t.Context(),
		file(t, "i.npy", npy("|u1", "False", "(3, 3)", []uint8{0, 1, 2, 1, 0, 3, 2, 3, 0})),
		ReadOptions{})
	if err != nil || !slices.Equal(m.D, []float32{0, 1, 2, 1, 0, 3, 2, 3, 0}) {
		t.Errorf("integers: %+v, %v", m, err)
	}
}

func TestAsymmetryIsAveragedAndNoted(t *testing.T) {
	for name, content := range map[string][]byte{
		"a.csv": []byte("0,1,5\n2,0,3\n8,4,0\n"),
		"a.npy": npy("<f8", "True", "(3, 3)", []float64{0, 2, 8, 1, 0, 4, 5, 3, 0}),
	} {
		m, report, err := Read(t.Context(), file(t, name, content), ReadOptions{})
		if err != nil || !slices.Equal(m.D, []float32{0, 1.5, 6.5, 1.5, 0, 3.5, 6.5, 3.5, 0}) {
			t.Fatalf("%s: %+v, %v", name, m, err)
		}
		if !report.Asymmetric || report.Largest != 3 || report.Row != 1 || report.Column != 3 ||
			len(report.Notes) != 1 ||
			!strings.Contains(report.Notes[0],
				"the largest difference, 3, is between row 1, column 3 and row 3, column 1") {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

// TestDecimalCommas are found as in tables, and set by the option.
func TestDecimalCommas(t *testing.T) {
	want := []float32{0, 1.5, 2.25, 1.5, 0, 3, 2.25, 3, 0}
	for name, content := range map[string]string{
		"a.csv": "0;1,5;2,25\n1,5;0;3\n2,25;3;0\n",
		"b.csv": "\ufeff;a;b;c\r\na;0;1,5;2,25\r\nb;1,5;0;3,0\r\nc;2,25;3;0\r\n",
		"c.tsv": "a\t0\t1,5\t2,25\nb\t1,5\t0\t3\nc\t2,25\t3\t0\n",
		"d.txt": "0 1,5 2,25\n1,5 0 3\n2,25 3 0\n",
		"e.txt": "a 0 1,5 2,25\nb 1,5 0 3\nc 2,25 3 0\n",
		"f.txt": "3\na 0 1,5 2,25\nb 1,5 0 3\nc 2,25 3 0\n",
	} {
		for _, decimal := range []string{"", ","} {
			m, report, err := Read(t.Context(), file(t, name, []byte(content)),
				ReadOptions{Threads: 2, Decimal: decimal})
			if err != nil || !slices.Equal(m.D, want) || report.Asymmetric ||
				!slices.Contains(report.Notes, "read with a decimal comma") {
				t.Errorf("%s: %+v, %+v, %v", name, m, report, err)
			}
		}
	}
	doubtful := file(t, "a.csv", []byte("0;1,234;2\n1,234;0;3\n2;3;0\n"))
	m, _, err := Read(t.Context(), doubtful, ReadOptions{Decimal: ","})
	if err != nil || m.D[1] != 1.234 {
		t.Errorf("%+v, %v", m, err)
	}
	_, _, err = Read(t.Context(), doubtful, ReadOptions{Decimal: "."})
	if err == nil || !strings.Contains(err.Error(), `line 1, column 2: "1,234" is not a finite`) {
		t.Error(err)
	}
}

// TestPHYLIPMatrices are square, or have the triangle below the diagonal.
func TestPHYLIPMatrices(t *testing.T) {
	want := []float32{0, 1, 2.5, 1, 0, 3, 2.5, 3, 0}
	for name, content := range map[string]string{
		"square":       "    3\nAlpha     0.0 1.0 2.5\nBeta      1.0 0.0 3.0\nGamma     2.5 3.0 0.0\n",
		"tabs":         "3\nAlpha\t0\t1\t2.5\nBeta\t1\t0\t3\nGamma\t2.5\t3\t0\n",
		"lower":        "3\nAlpha\nBeta 1.0\nGamma 2.5 3.0\n",
		"lower, tabs":  "3\nAlpha\t\nBeta\t1.0\t\nGamma\t2.5\t3.0\n",
		"and diagonal": "\n3\r\nAlpha 0\r\nBeta 1.0 0\r\n\r\nGamma 2.5 3.0 0\r\n",
	} {
		m, report, err := Read(t.Context(), file(t, "a.txt", []byte(content)),
			ReadOptions{Threads: 2})
		if err != nil || !slices.Equal(m.D, want) || report.Asymmetric ||
			!slices.Equal(report.Names, []string{"Alpha", "Beta", "Gamma"}) ||
			!strings.HasPrefix(report.Notes[0], "read as a PHYLIP matrix") {
			t.Errorf("%s: %+v, %+v, %v", name, m, report, err)
		}
	}
}

// TestCondensedMatrices are those of scipy's pdist.
func TestCondensedMatrices(t *testing.T) {
	want := []float32{0, 1, 2, 3, 1, 0, 4, 5, 2, 4, 0, 6, 3, 5, 6, 0}
	values := []float64{1, 2, 3, 4, 5, 6}
	for _, shape := range []string{"(6,)", "(6, 1)"} {
		for _, fortran := range []string{"False", "True"} {
			m, report, err := Read(t.Context(),
				file(t, "a.npy", npy("<f8", fortran, shape, values)), ReadOptions{})
			if err != nil || !slices.Equal(m.D, want) || report.Rows != 4 ||
				!slices.Equal(report.Notes,
					[]string{"read as the condensed matrix of 4 objects"}) {
				t.Errorf("%s: %+v, %+v, %v", shape, m, report, err)
			}
		}
	}
}

// TestBadMatricesAreRefused with the location and the fix.
func TestBadMatricesAreRefused(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ name, content, want string }{
		{"a.csv", "", "is empty"},
		{"a.csv", "\n \n", "is empty"},
		{"a.csv", "0,1\n1,0\n", "2 columns, and at least 3 objects are needed"},
		{"a.csv", "0,1,2\n1,0,3\n2,3\n", ", line 3: has 2 fields where the first line has 3"},
		{"a.csv", "0,1,2\n1,0,3,4\n2,3,0\n", ", line 2: has 4 fields where"},
		{"a.csv", "0,1,2\n1,0,3\n", "is not square: it has 2 rows of 3 numbers"},
		{"a.csv", "0,1,2\n", "is not square: it has 1 row of 3 numbers"},
		{"a.csv", "0,1,2\n1,0,3\n2,3,0\n1,2,3\n",
			"is not square: it has more than 3 rows of 3 numbers"},
		{"a.csv", "0,1,2\n1,0,-3\n2,3,0\n", ", line 2, column 3: -3 is negative; give"},
		{"a.csv", "0,1,2\n1,0,3\n2,inf,0\n",
			`, line 3, column 2: "inf" is not a finite decimal number`},
		{"a.csv", "0,1,2\n1,0,3\n2,1e999,0\n", ", line 3, column 2: the value is infinite"},
		{"a.csv", "0,1,2\n1,0,3\n2,1e39,0\n", "1e+39 is too large"},
		{"a.csv", "0,1,2\n1,0,3\n2,1e-60,0\n", "1e-60 is too small"},
		{"a.csv", "0,1,2\n1,0,NaN\n2,3,0\n", `"NaN" is not a finite`},
		{"a.csv", "0,1,2\n1,0,\n2,3,0\n", ", line 2, column 3: the value is missing"},
		{"a.csv", "0,1,2\n1,,3\n2,3,0\n", ", line 2, column 2: the value is missing"},
		{"a.csv", "0,1,2\n1,0,0x3\n2,3,0\n", `"0x3" is not`},
		{"a.csv", "0,1,2\n1,0,1_000\n2,3,0\n", `"1_000" is not`},
		{"a.csv", "0;1;2\n1;0;1,5\n2;2.5;0\n1,5;2;0\n",
			`, line 3, column 2: "2.5" has a point where other numbers have a decimal comma`},
		{"a.csv", "0;1;2,5\n1;0;1.5\n2;3.5;0\n",
			`, line 1, column 3: "2,5" is not a finite decimal number; write numbers with a ` +
				`decimal point, or name the mark (--decimal ,)`},
		{"a.csv", "0;1,234;2\n1,234;0;3\n2;3;0\n",
			`: "1,234" may be 1.234 or 1234; give the decimal mark (--decimal , or --decimal .)`},
		{"a.csv", "0;1,5;2\n1,5;0;x,5\n2;3;0\n", `, line 2, column 3: "x,5" is not a finite`},
		{"a.txt", "3\na\nb 1\nc 2 3 4\n",
			", line 4: has 3 numbers where 2 are expected; give each object a line"},
		{"a.txt", "4\na\nb 1\nc 2 3\n", "is not square: it has 3 rows of 4 numbers"},
		{"a.txt", "3\na 0 1 2\nb 1 0 3\na 2 3 0\n", `: the name "a" is that of object 1, too`},
		{"a.npy", string(npy("<f8", "False", "(4,)", []float64{1, 2, 3, 4})),
			"is not square: it has 4 rows and 1 column; give the dissimilarities of all objects " +
				"to all, or the n(n-1)/2 of the condensed form"},
		{"a.npy", string(npy("<f8", "False", "(1, 1)", []float64{0})), "the matrix has 1 column,"},
		{"a.npy", string(npy("<f8", "False", "(6,)", []float64{1, 2, 3, 4, -5, 6})),
			", row 2, column 4: -5 is negative"},
		{"a.csv", "0,1,2\n1,0.5,3\n2,3,0\n",
			", line 2, column 2: the object's dissimilarity to itself is 0.5, not 0"},
		{"a.csv", "0,1,2\n\n\n1,0,x\n2,3,0\n", `, line 4, column 3: "x" is not`},
		{"a.csv", "a,b,a\n0,1,2\n1,0,3\n2,3,0\n",
			`, line 1, column 3: the name "a" is that of object 1, too`},
		{"a.csv", ",1,2\n1,0,1\n2,1,0\n", "has 2 columns, and at least 3 objects are needed"},
		{"a.csv", ",a,b,c\na,0,1,2\nc,1,0,3\nb,2,3,0\n",
			`, row 2: is named "c", but its column "b"`},
		{"a.csv", ",a,b,c\na,0,1,2\nb,1,0\nc,2,3,0\n", ", line 3: has 2 fields"},
		{"a.csv", "0,0,0\n0,0,0\n0,0,0\n", "all dissimilarities are zero"},
		{"a.csv", "0,2.5,2.5\n2.5,0,2.5\n2.5,2.5,0\n", "all dissimilarities are equal (2.5)"},
		{"a.csv", "0,2,2\n0,0,2\n0,0,0\n", "all dissimilarities are equal (1)"},
		{"a.csv", "0\x00,1,2\n1,0,3\n2,3,0\n", "line 1, column 1"},
		{"a.csv", "\xff\xfe0\x00,\x00", "UTF-16"},
		{"a.csv", "PK\x03\x04abcdefgh", "archive"},
		{"a.csv.gz", "0,1,2\n", "not gzip-compressed"},
		{"a.csv.gz", string(gzipped("0,1,2\n1,0,3\n2,3,0\n")[:20]), "gzip data is damaged"},
		{"a.csv", "0,1 2,3\n1,0,2\n3,2,0\n", `"1 2" is not`},
		{"a.npy", "0,1,2\n", "is not an NPY file"},
		{"a.npy", string(npy("<f8", "False", "(2, 3)", []float64{0, 1, 2, 1, 0, 3})),
			"is not square: it has 2 rows and 3 columns"},
		{"a.npy", string(npy("<f8", "False", "(3, 3)", []float64{0, 1, 2, 1, 0, nan, 2, 3, 0})),
			", row 2, column 3: the value is missing (NaN)"},
		{"a.npy", string(npy("<f8", "True", "(3, 3)", []float64{0, 1, 2, 1, 0, -3, 2, 3, 0})),
			", row 3, column 2: -3 is negative"},
		{"a.npy", string(npy("<f8", "False", "(3, 3)", []float64{0, 1, 2, 1, 7, 3, 2, 3, 0})),
			", row 2, column 2: the object's"},
		{"a.npy", string(npy("<f8", "False", "(3, 3)", []float64{0, 1, 2, 1})), "ends too early"},
		{"a.npy", string(npy("<f8", "False", "(3, 3)", []float64{0, 1, 2, 1, 0, 3, 2, 3, 0, 9})),
			"goes on after its array"},
		{"a.npy", string(npy("|O8", "False", "(3, 3)", []float64{0})), "pickled"},
		{"a.npy", string(npy("<f8", "False", "(2000000000, 2000000000)", []float64{0})),
			"more than"},
		{"x.json", ` [{"x": 1}]`, "is JSON, not a matrix"},
		{"x.jsonl", `{"x": 1}`, "is JSON, not a matrix"},
		{"a.npy", "\x93NUMPY\x01", "ends within the NPY header"},
	} {
		path := file(t, c.name, []byte(c.content))
		_, _, err := Read(t.Context(), path, ReadOptions{Threads: 2})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q:\n got %v\nwant … %s", c.content, err, c.want)
		}
	}
	folder := t.TempDir()
	for _, path := range []string{folder, filepath.Join(folder, "none.csv")} {
		if _, _, err := Read(t.Context(), path, ReadOptions{}); !fault.IsInput(err) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// square writes a symmetric matrix of n rows with about size bytes of text.
func square(n int) (text []byte, want []float32) {
	want = make([]float32, n*n)
	for i := range n {
		for j := range n {
			a, b := min(i, j), max(i, j)
			want[i*n+j] = float32((a*31+b*17)%1000) / 8
			if a == b {
				want[i*n+j] = 0
			}
			text = fmt.Appendf(text, "%g,", want[i*n+j])
		}
		text[len(text)-1] = '\n'
	}
	return text, want
}

// TestLongMatrices span many pieces of text; the first fault by rows is the one reported, whoever
// meets it first.
func TestLongMatrices(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	text, want := square(1200)
	path := file(t, "a.csv", text)
	last := int64(0)
	m, _, err := Read(t.Context(), path, ReadOptions{Threads: 3, Progress: func(done, total int64) {
		if done < last || total != int64(len(text)) {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		last = done
	}})
	if err != nil || !slices.Equal(m.D, want) || last != int64(len(text)) {
		t.Fatalf("another matrix, or %d of %d bytes read (%v)", last, len(text), err)
	}
	for _, row := range []int{300, 900, 1190} { // each time a fault before those already there
		lines := bytes.SplitAfter(text, []byte("\n"))
		for _, bad := range []int{row, 1195, 1199} {
			lines[bad] = append([]byte("x"), lines[bad]...)
		}
		path := file(t, "a.csv", bytes.Join(lines, nil))
		for range 5 {
			_, _, err := Read(t.Context(), path, ReadOptions{Threads: 3})
			if err == nil || !strings.Contains(err.Error(),
				fmt.Sprintf("line %d, column 1: ", row+1)) {
				t.Fatalf("row %d: %v", row, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, _, err = Read(ctx, path, ReadOptions{Progress: func(done, _ int64) {
		if done > 1<<20 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	reader, writer := io.Pipe()
	defer writer.Close()
	ctx, cancel = context.WithCancel(t.Context())
	go cancel()
	if _, _, err := ReadStream(ctx, reader, "-", ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled while the stream waits: %v", err)
	}
}

// TestWritingGivesTheSameMatrixBack, and bytes that only depend on it.
func TestWritingGivesTheSameMatrixBack(t *testing.T) {
	src, err := Vectors(normals(40, 3), Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewDense(t.Context(), src, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.csv", "a.TSV", "a.npy"} {
		path := filepath.Join(t.TempDir(), name)
		if err := Write(path, m); err != nil {
			t.Fatal(err)
		}
		back, report, err := Read(t.Context(), path, ReadOptions{})
		if err != nil || !slices.Equal(back.D, m.D) || report.Asymmetric {
			t.Errorf("%s: another matrix came back (%v)", name, err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := Write(path, m); !fault.IsInput(err) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}

func TestLabels(t *testing.T) {
	for content, want := range map[string]string{
		"class\nb\na\nb\n":           "[1 0 1] [a b]",
		"b\na\nb":                    "[1 0 1] [a b]",
		"\ufeff10\r\n9\r\n10\r\n":    "[1 0 1] [9 10]",
		"\"x, y\"\r\"\"\"q\"\"\"\rz": "[1 0 2] [\"q\" x, y z]",
		"a\n\nb\n":                   "[0 -1 1] [a b]",
		"a\nb\n\n":                   "[0 1 -1] [a b]",
		"\n\na\n\n\n":                "[-1 -1 0] [a]",
	} {
		codes, names, err := ReadLabels(t.Context(), file(t, "l.csv", []byte(content)), 3)
		if got := fmt.Sprint(codes, " ", names); err != nil || got != want {
			t.Errorf("%q: got %s, want %s (%v)", content, got, want, err)
		}
	}
	for _, content := range []string{"", "a\n", "a\nb\n", "\n\n\n", "a\nb\nc\nd\ne\n",
		"a,1\nb,2\nc,3\n"} {
		if _, _, err := ReadLabels(t.Context(), file(t, "l.csv", []byte(content)),
			3); !fault.IsInput(err) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// TestLabelsOfManyLines are refused before they are split, which would take many times their size.
func TestLabelsOfManyLines(t *testing.T) {
	path := file(t, "l.csv.gz", gzipped("a"+strings.Repeat("\n", 16<<20)+"b"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := ReadLabels(t.Context(), path, 3)
	runtime.ReadMemStats(&after)
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "has 16777217 lines for 3 objects") {
		t.Error(err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 200 {
		t.Errorf("it took %d MiB", took)
	}
}

// FuzzRead expects of any input that file, stream and number of threads agree, and that what is
// read is a matrix.
func FuzzRead(f *testing.F) {
	f.Add([]byte("0,1,2\n1,0,3\n2,3,0\n"))
	f.Add([]byte("0 1\t2\r1 0 3\r\n\n2 3 -0"))
	f.Add([]byte("3\nA\nB 1\nC 2 3\n"))
	f.Add([]byte("3\nA 0\nB 1,5 0\nC 2 3 0\n"))
	f.Add([]byte("3\nA 0 1 2\nB 1 0 3\nC 2 3 0\n"))
	f.Add(npy("<f8", "False", "(6,)", []float64{1, 2, 3, 4, 5, 6}))
	f.Add([]byte("0;1;2\n1;0;3,5\n2;3;0\n"))
	f.Add([]byte(",a,b b,c\na,0,1,2\nb b,1,0,3\nc,2,3,0\n"))
	f.Add([]byte("\"a\" \"b \"\" b\" \"c\"\n\"a\" 0 1 2\n\"b\" 1 0 3\n\"c\" 2 3 0\n"))
	f.Add(npy("<f4", "True", "(3, 3)", []float32{0, 1, 2, 1, 0, 3, 2, 3, 0}))
	f.Add(gzipped("0,1,2\n1,0,3\n2,3,0\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		m, report, err := ReadStream(t.Context(), bytes.NewReader(content), "a.csv",
			ReadOptions{Threads: 1})
		again, _, err2 := ReadStream(t.Context(), bytes.NewReader(content), "a.csv",
			ReadOptions{Threads: 3})
		if err != nil || err2 != nil {
			if err == nil || err2 == nil || err.Error() != err2.Error() || !fault.IsInput(err) {
				t.Fatalf("%q:\n1 thread  %v\n3 threads %v", content, err, err2)
			}
			return
		}
		if !slices.Equal(m.D, again.D) || report.Rows != m.N || len(m.D) != m.N*m.N ||
			report.Names != nil && len(report.Names) != m.N {
			t.Fatalf("%q: %v and %v", content, m, again)
		}
		for i := range m.N {
			for j := range m.N {
				if v := m.D[i*m.N+j]; v != m.D[j*m.N+i] || !(v >= 0 && v <= math.MaxFloat32) ||
					i == j && v != 0 {
					t.Fatalf("%q: d(%d,%d) = %g", content, i, j, v)
				}
			}
		}
	})
}

// TestProtein reads a matrix as people have it.
func TestProtein(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS is not set")
	}
	m, report, err := Read(t.Context(), filepath.Join(folder, "protein_D.csv"), ReadOptions{})
	if err != nil || m.N != 213 || report.Asymmetric {
		t.Fatalf("%+v, %v", report, err)
	}
	if largest := slices.Max(m.D); math.Abs(float64(largest)-13.64) > 1e-6 || m.D[1] != 3.61 {
		t.Errorf("the largest is %g and d(1,2) %g, want 13.64 and 3.61", largest, m.D[1])
	}
	codes, names, err := ReadLabels(t.Context(), filepath.Join(folder, "protein_labels.csv"), m.N)
	sizes := make([]int, len(names))
	for _, c := range codes {
		sizes[c]++
	}
	if got := fmt.Sprint(names, sizes); err != nil || got != "[G HA HB M] [30 72 72 39]" {
		t.Errorf("%s, %v", got, err)
	}
}

func fingerprint(content []byte) string { return fmt.Sprintf("%x", sha256.Sum256(content)) }

func writeLittle(b *bytes.Buffer, v any) { binary.Write(b, binary.LittleEndian, v) }

func TestObjectsMayBeNamed(t *testing.T) {
	for _, text := range []string{
		"a,b b,c\n0,1,2\n1,0,3\n2,3,0\n",
		",a,b b,c\na,0,1,2\nb b,1,0,3\nc,2,3,0\n",
		"name;a;b b;c\na;0;1;2\nb b;1;0;3\nc;2;3;0",
		"\ta\tb b\tc\na\t0\t1\t2\nb b\t1\t0\t3\nc\t2\t3\t0\n",
		"\"a\" \"b b\" \"c\"\n\"a\" 0 1 2\n\"b b\" 1 0 3\n\"c\" 2 3 0\n",
		"a,0,1,2\n\"b b\",1,0,3\n\nc,2,3,0\n",
	} {
		m, report, err := Read(t.Context(), file(t, "a.csv", []byte(text)), ReadOptions{Threads: 2})
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := strings.Join(report.Names, "|"); got != "a|b b|c" || m.N != 3 ||
			m.D[1] != 1 || m.D[5] != 3 {
			t.Errorf("%q: objects %s, %v", text, got, m.D)
		}
	}
	_, report, err := Read(t.Context(), file(t, "a.csv", []byte("0,1,2\n1,0,3\n2,3,0\n")),
		ReadOptions{})
	if err != nil || report.Names != nil {
		t.Errorf("without names: %q (%v)", report.Names, err)
	}
}
