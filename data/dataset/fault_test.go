package dataset

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/fault"
)

func gzipped(tb testing.TB, content []byte) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(content); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func zstded(tb testing.TB, content []byte) []byte {
	tb.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return w.EncodeAll(content, nil)
}

// TestBadInput reads what people get wrong, as a file and as a stream, whole and in tiny chunks.
// The message must name the file, the location and the fix, the same each time.
func TestBadInput(t *testing.T) {
	type options = ReadOptions
	many := strings.Repeat("1,2\n", 3000)
	many1 := strings.Repeat("{\"a\":1}\n", 1000)
	for _, c := range []struct {
		name, file, content string
		o                   options
		want                string // the message after the file name, or the beginning of it
	}{
		{"empty", "a.csv", "", options{}, ": is empty; give a file with rows"},
		{"blank", "a.csv", "\n\n", options{},
			": is empty; give a file with a header line and rows"},
		{"header only", "a.csv", "a,b\n", options{},
			": has a header but no rows; add rows below the header"},
		{"UTF-16", "a.csv", "\xff\xfea\x00,\x00b\x00\n\x00", options{Plain: true},
			", line 1: is written in UTF-16; save it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
		{"not UTF-8", "a.csv", "a,b\n1,x\n2,caf\xe9\n3,y\n", options{Plain: true},
			", line 3: has a byte that is not UTF-8; save the file as UTF-8"},
		{"not UTF-8 in the header", "a.csv", "a,caf\xe9\n1,2\n", options{Plain: true},
			", line 1: has a byte that is not UTF-8"},
		{"not UTF-8 far down", "a.csv", "a,b\n" + many + "\xff,1\n", options{},
			", line 3002: has a byte that is not UTF-8"},
		{"NUL", "a.csv", "a,b\n1,2\n1,\x00\n", options{},
			", line 3: has a NUL byte, so it is not a plain text file; save it as UTF-8 text"},
		{"no text", "a.csv", "\x8f\x02,b\n1,2\n\x00\xfe\n", options{},
			", line 3: has a NUL byte, so it is not a plain text file"},
		{"unclosed quote", "a.csv", "a,b\n1,2\n2,\"x\n3,4\n5,6\n", options{},
			", line 3: a quote opens here and is never closed; close it, or double it"},
		{"unclosed quote far down", "a.csv", "a,b\n" + many + "2,\"x\n" + many, options{},
			", line 3002: a quote opens here"},
		{"bare quote", "a.csv", "a,b\n1,2\n2,5\" disk\n", options{},
			", line 3: a quote inside a field that does not begin with one; put the whole field " +
				"in quotes"},
		{"text after a quote", "a.csv", "a,b\n1,\"2\"x\n", options{},
			", line 2: text after a closing quote; put the whole field in quotes"},
		{"short row", "a.csv", "a,b,c\n1,2,3\n\n4,5\n", options{},
			", line 4: has 2 fields where the header has 3; add what is missing"},
		{"long row", "a.csv", "a,b\n1,2\n1,2,3,4\n", options{},
			", line 3: has 4 fields where the header has 2; put fields that contain the " +
				"separator in quotes"},
		{"long row after a line break in quotes", "a.csv", "a,b\n1,\"x\ny\"\n1,2,3\n", options{},
			", line 4: has 3 fields where the header has 2; put fields that contain the " +
				"separator in quotes, or name every column"},
		{"ragged rather than wrong", "a.csv", "a,b\n1,2\nx,1,2\n", options{},
			", line 3: has 3 fields where the header has 2"},
		{"text among numbers", "a.csv", "a,b\n1,2\n2,3\n3,abc\n", options{},
			`, line 4, column b: "abc" is not a number; fix the value, name it if it means a ` +
				`missing one (--na abc), read the column as text (--types b=text), or leave it ` +
				`out (--drop)`},
		{"words among numbers", "a.csv", "a,b c\n1,2\n2,3\n3,it's off\n", options{},
			`, line 4, column b c: "it's off" is not a number; fix the value, name it if it ` +
				`means a missing one (--na 'it'\''s off'), read the column as text (--types ` +
				`'b c'=text), or leave it out (--drop)`},
		{"text among plain numbers", "a.csv", "a,b\n1,2\n2,3\n3,abc\n", options{Plain: true},
			`, line 4, column b: "abc" is not a number; fix the value, leave it empty if it is ` +
				`missing, or leave the column out (--drop)`},
		{"text before numbers", "a.csv", "a,b\n1,abc\n2,3\n3,1\n2,1\n", options{},
			`, line 2, column b: "abc" is not a number`},
		{"text far down", "a.csv", "a,b\n" + many + "1,abc\n", options{},
			`, line 3002, column b: "abc" is not a number`},
		{"CR only", "a.csv", "a,b\r1,2\r3,x\r1,1\r", options{},
			`, line 3, column b: "x" is not a number`},
		{"CRLF", "a.csv", "a,b\r\n1,2\r\n3,x\r\n1,1\r\n", options{},
			`, line 3, column b: "x" is not a number`},
		{"mixed line ends", "a.csv", "a,b\r1,2\r\n3,1\n1,x\n1,1", options{},
			`, line 4, column b: "x" is not a number`},
		{"decimal comma in quotes", "a.csv", "a,b\n1,2\n1,\"1,5\"\n", options{Plain: true},
			`, line 3, column b: "1,5" has a comma in a number; write it with a decimal point, ` +
				`as in 1.5, and without thousands separators`},
		{"only decimal commas", "a.csv", "a;b\n1,5;2,5\n1,25;2\n", options{Plain: true},
			`, line 2, column a: "1,5" has a comma in a number`},
		{"comma and three digits", "a.csv", "a,b\n1,2\n1,\"1,234\"\n", options{Plain: true},
			`, line 3, column b: "1,234" has a comma in a number; write it with a decimal ` +
				`point and without thousands separators`},
		{"point and comma", "a.csv", "a,b\n1,2\n1,\"1.234,5\"\n", options{Plain: true},
			`, line 3, column b: "1.234,5" has a comma in a number; write it with a decimal ` +
				`point and without thousands separators`},
		{"two commas", "a.csv", "a,b\n1,2\n1,\"1,234,5\"\n", options{},
			`, line 3, column b: "1,234,5" has a comma in a number; write it with a decimal ` +
				`point and without thousands separators`},
		{"comma and an exponent", "a.csv", "a,b\n1,2\n1,\"-1,2345e3\"\n", options{Plain: true},
			`, line 3, column b: "-1,2345e3" has a comma in a number; write it with a decimal ` +
				`point, as in -1.2345e3, and`},
		{"remark before the header", "a.csv", "# made by hand\na,b\n1,2\n", options{Plain: true},
			`, line 2: has 2 fields where the header has 1; take out the line that begins with ` +
				`#, if it is a remark: it was read as the header`},
		{"remarks before the header", "a.csv", "\n# made, by, hand\n# in, one, day\na,b\n1,2\n",
			options{Plain: true}, `, line 4: has 2 fields where the header has 3; take out the line that ` +
				`begins with #`},
		{"underscore", "a.csv", "a\n1\n2\n1_000\n", options{},
			`, line 4, column a: "1_000" is not a number`},
		{"hexadecimal", "a.csv", "a\n1\n2\n0x1p-2\n", options{},
			`, line 4, column a: "0x1p-2" is not a number`},
		{"infinity", "a.csv", "a\n1\n-Inf\n", options{},
			`, line 3, column a: "-Inf" is infinite; give a finite number, or name it if it means a missing ` +
				`one (--na -Inf)`},
		{"infinities", "a.csv", "a\n1\ninf\n2\n-inf\n3\n4\n", options{},
			`, line 3, column a: "inf" is infinite; give a finite number, or name it if it means ` +
				`a missing one (--na inf,-inf)`},
		{"overflow", "a.csv", "a\n1\n1e400\n", options{},
			`, line 3, column a: "1e400" is too large for a 64-bit number`},
		{"same name twice", "a.csv", "a,b,a\n1,2,3\n", options{Plain: true},
			", column a: the 1st and the 3rd column have the same name; rename one of them"},
		{"unknown label", "a.csv", "height,width,klass\n1,2,x\n", options{Label: "class"},
			`: --label names "class", but there is no such column; did you mean "klass"?`},
		{"unknown feature", "a.csv", "height,width\n1,2\n", options{Features: []string{"heigth"}},
			`: --features names "heigth", but there is no such column; did you mean "height"?`},
		{"unknown drop", "a.csv", "height,width\n1,2\n", options{Drop: []string{"zzz"}},
			`: --drop names "zzz", but there is no such column; the columns are height, width`},
		{"two roles", "a.csv", "a,b\n1,2\n", options{ID: "a", Label: "a"},
			", column a: is named both as the id and as the label"},
		{"same id twice", "a.csv", "key,x\np,1\nq,2\np,3\n", options{ID: "key"},
			`, row 3, column key: has the id "p" of row 1; give each row an id of its own`},
		{"no id", "a.csv", "key,x\np,1\n,2\n", options{ID: "key"},
			`, row 2, column key: has no id`},
		{"an archive", "a.csv", "PK\x03\x04rest", options{},
			": is a zip archive, not a table in a format known here; unpack it (unzip), and give " +
				"the file in it"},
		{"NPY under another name", "a.csv", string(npyFile("<f8", "False", "(1,)", []float64{1})),
			options{Format: FormatCSV}, ": is npy, not csv; name the right format (--format npy)"},
		{"text as NPY", "a.csv", "a,b\n1,2\n", options{Format: FormatNPY},
			": is text, not npy; name the right format (--format csv)"},
		{"NPY under another name, plain", "a.csv",
			string(npyFile("<f8", "False", "(1,)", []float64{1})), options{Plain: true},
			": is npy, not csv; name the right format (--format npy)"},
		{"not compressed", "a.csv.gz", "a,b\n1,2\n", options{},
			": is not gzip-compressed, as its name suggests"},
		{"cut gzip", "a.csv.gz", string(gzipped(t, []byte("a,b\n"+many))[:40]), options{},
			": the gzip data ends too early"},
		{"cut zstd", "a.csv.zst", string(zstded(t, []byte("a,b\n"+many))[:20]), options{},
			": the zstd data ends too early"},
		{"damaged gzip", "a.csv.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xff\xff\xff\xff",
			options{}, ": the gzip data is damaged"},
		{"inflates too far", "a.csv.gz", string(gzipped(t, []byte("a,b\n"+many))),
			options{InflateLimit: 5000},
			": inflates to more than 5000 bytes; unpack it to a file first"},

		{"NPY cut", "a.npy", string(npyFile("<f8", "False", "(3,)", []float64{1})), options{},
			": ends too early: its header promises 24 bytes of values, but 8 are there"},
		{"NPY immense", "a.npy",
			string(npyFile("<f8", "False", "(2000000000, 2000000000)", []float64{1})), options{},
			": the array has 2000000000 columns, more than"},
		{"NPY longer", "a.npy", string(npyFile("<f8", "False", "(1,)", []float64{1, 2})), options{},
			": goes on after its array: 8 bytes more"},
		{"NPY objects", "a.npy", string(npyFile("|O", "False", "(1,)", []float64{1})), options{},
			": holds pickled Python objects, which are never loaded; save numbers"},
		{"NPY texts", "a.npy", string(npyFile("<U5", "False", "(1,)", []float64{1})), options{},
			`: holds values of type "<U5", which are no plain numbers`},
		{"NPY cube", "a.npy", string(npyFile("<f8", "False", "(1, 1, 1)", []float64{1})), options{},
			": the array has 3 dimensions; reshape it"},
		{"NPY header", "a.npy", "\x93NUMPY\x01\x00\xff\xff{          ", options{},
			": states a header of 65535 bytes, but the file has fewer"},
		{"NPY infinite", "a.npy", string(npyFile("<f8", "False", "(2,2)", []float64{1, 2, 3, inf})),
			options{}, ", row 2, column x2: is infinite"},

		{"ARFF no data", "a.arff", "@relation r\n@attribute a numeric\n", options{},
			": has no @data; put a line @data before the rows"},
		{"ARFF type", "a.arff", "@attribute a float\n@data\n", options{},
			`, line 1, column a: the type "float" is not known; declare it numeric`},
		{"ARFF stray line", "a.arff", "@relation r\nhello\n", options{},
			", line 2: neither @relation, @attribute, @data nor a comment"},
		{"ARFF level", "a.arff", "@attribute a {x,y}\n@data\n% note\nx\nz\n", options{},
			`, line 5, column a: "z" is not among the declared values`},
		{"ARFF number", "a.arff", "@attribute a real\n@data\n1\nz\n", options{},
			`, line 4, column a: "z" is not a number`},
		{"ARFF ragged", "a.arff", "@attribute a real\n@attribute b real\n@data\n1\n", options{},
			`, line 4: has 1 value where 2 are declared`},
		{"ARFF quote", "a.arff", "@attribute a string\n@data\n'x\n",
			options{Features: []string{"a"}}, `, line 3: a quote is not closed on its line`},
		{"ARFF sparse", "a.arff", "@attribute a real\n@data\n{4 1}\n", options{},
			`, line 3: "4" is not the position of an attribute`},
		{"ARFF rows", "a.arff", "@attribute a real\n@data\n", options{}, `: has no rows`},

		{"JSON array", "a.jsonl", `[{"a":1}]`, options{Plain: true},
			", line 1: is one JSON array, not one object a line; turn it into lines (jq -c '.[]')"},
		{"JSON nested", "a.jsonl", "{\"a\":1}\n{\"a\":{\"b\":1}}\n", options{Plain: true},
			", line 2, column a: the value is an object; give each of its fields a key of its " +
				"own in the row"},
		{"JSON list, plain", "a.jsonl", "{\"a\":[1]}\n", options{Plain: true},
			", line 1, column a: the value is a list"},
		{"JSON list among numbers", "a.jsonl", many1 + "{\"a\":[1]}\n", options{},
			", line 1001, column a: the value is a list"},
		{"JSON list of words as vectors", "a.jsonl", "{\"a\":[\"x\"]}\n",
			options{Vectors: "a"}, ", column a: holds no lists of numbers: it holds lists"},
		{"JSON list as a feature", "a.jsonl", "{\"a\":[\"x\"],\"b\":1}\n",
			options{Features: []string{"a"}}, ", column a: cannot be the feature: it holds lists"},
		{"JSON list that is none", "a.jsonl", "{\"a\":[\"x\" 1]}\n", options{},
			", line 1, column a: is not JSON: the list"},
		{"JSON list cut", "a.jsonl", "{\"a\":[\"x\",\n", options{},
			", line 1, column a: a list is not closed on its line"},
		{"JSON text", "a.jsonl", "{\"a\":1}\n{\"a\":2}\n{\"a\":\"x\"}\n", options{},
			`, line 3, column a: "x" is not a number`},
		{"JSON cut", "a.jsonl", "{\"a\":1}\n{\"a\":", options{},
			`, line 2, column a: the line ends where a value should be; give one whole JSON ` +
				`object a line`},
		{"JSON stray", "a.jsonl", "{\"a\":1}\n{\"a\" 2}\n", options{},
			`, line 2: is not JSON: "2" where a colon should be`},
		{"JSON key twice", "a.jsonl", "{\"a\":1}\n{\"a\":1,\"a\":2}\n", options{},
			`, line 2, column a: the key occurs twice`},
		{"JSON infinite", "a.jsonl", "{\"a\":1}\n{\"a\":Infinity}\n", options{},
			`, line 2, column a: "Infinity" is infinite`},

		{"Parquet cut", "a.parquet", "PAR1xxxxxxxxxxxx", options{},
			": is a damaged Parquet file: it ends too early, without its footer; fetch or write " +
				"the file again"},
		{"Parquet footer", "a.parquet", "PAR1xxxx\xff\xff\xff\x7fPAR1", options{},
			": is a damaged Parquet file: its footer is longer than the file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := writeFile(t, c.file, []byte(c.content))
			for _, chunk := range []int{0, 1, 7, 64} {
				for _, threads := range []int{1, 3} {
					o := c.o
					o.chunk, o.Threads = chunk, threads
					_, err := Read(context.Background(), path, o)
					wantFault(t, err, path+c.want)
					_, err = ReadStream(context.Background(), strings.NewReader(c.content), c.file,
						o)
					wantFault(t, err, c.file+c.want)
				}
			}
		})
	}
}

func wantFault(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case err == nil:
		t.Errorf("no error, want %q", want)
	case !fault.IsInput(err):
		t.Errorf("not a fault of the input: %v", err)
	case !strings.HasPrefix(err.Error(), want):
		t.Errorf("\n got %q\nwant %q", err, want)
	}
}

func TestNoSuchFile(t *testing.T) {
	_, err := Read(context.Background(), "nowhere.csv", ReadOptions{})
	wantFault(t, err, "nowhere.csv: there is no such file; check the name and the folder")
	_, err = Read(context.Background(), t.TempDir(), ReadOptions{})
	if !fault.IsInput(err) {
		t.Errorf("a folder: %v", err)
	}
}

// TestTextUnderTheNameOfABinaryFormat is said to be text, with the format to read it as, where that
// format is asked for, or the text is plain or of one line.
func TestTextUnderTheNameOfABinaryFormat(t *testing.T) {
	for _, name := range []string{"a.xlsx", "a.db", "a.npz", "a.parquet", "a.feather", "a.npy"} {
		const text = "x,y\n1,2\n3,4\n"
		_, asked := readBytes(t.Context(), []byte(text), name, ReadOptions{Format: FormatOf(name)})
		_, plain := readBytes(t.Context(), []byte(text), name, ReadOptions{Plain: true})
		_, short := readBytes(t.Context(), []byte("nothing of that\n"), name, ReadOptions{})
		for _, err := range []error{asked, plain, short} {
			if !fault.IsInput(err) || !strings.Contains(err.Error(), "is text, not ") ||
				!strings.Contains(err.Error(), "(--format csv)") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}
