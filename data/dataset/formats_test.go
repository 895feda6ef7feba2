package dataset

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/xuri/excelize/v2"

	"github.com/kindred-go/kindred/fault"
)

type flower struct {
	Length *float64 `parquet:"length,optional"`
	Count  int32    `parquet:"count"`
	Ripe   *bool    `parquet:"ripe,optional"`
	Colour string   `parquet:"colour"`
	Class  *string  `parquet:"class,optional,dict"`
}

func ptr[T any](v T) *T { return &v }

// theSameTable is one small table in every format that can hold it.
func theSameTable(tb testing.TB) map[string]string {
	tb.Helper()
	var b bytes.Buffer
	// Two row groups.
	w := parquet.NewGenericWriter[flower](&b, parquet.MaxRowsPerRowGroup(2))
	if _, err := w.Write([]flower{
		{ptr(1.5), 3, ptr(true), "red", ptr("one")},
		{nil, -4, ptr(false), "light blue", ptr("two")},
		{ptr(2e-7), 5, nil, "red", ptr("one")},
		{ptr(1e300), 6, ptr(true), "red", nil},
	}); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return map[string]string{
		"a.csv": "length,count,ripe,colour,class\n1.5,3,true,red,one\n,-4,false,light " +
			"blue,two\n2e-7,5,,red,one\n1e300,6,true,red,\n",
		"a.tsv": "length\tcount\tripe\tcolour\tclass\n1.5\t3\ttrue\tred\tone\n\t-4\tfalse\tlight " +
			"blue\ttwo\n2e-7\t5\t\tred\tone\n1e300\t6\ttrue\tred\t\n",
		"a.jsonl": `{"length":1.5,"count":3,"ripe":true,"colour":"red","class":"one"}
{"length":null,"count":-4,"ripe":false,"colour":"light\u0020blue","class":"two"}
{"class":"one","count":5,"colour":"red","length":2e-7}

{"length":1e300, "count":6, "ripe":true, "colour":"red" }
`,
		"a.arff": `% made by hand
@RELATION flowers
@ATTRIBUTE length REAL
@attribute 'count' integer
@attribute ripe {false, true}
@attribute colour {red,'light blue'}
@attribute class {one,two}
@DATA
1.5,3,true,red,one
% a remark
?, -4, false, 'light blue', two
2e-7,5,?,red,one
{0 1e300, 1 6, 2 true, 4 ?}
`,
		"a.parquet": b.String(),
	}
}

func TestFormatsAgree(t *testing.T) {
	type figures struct {
		Name           string
		Type           Type
		Role           Role
		Missing, First int
		Min, Max, Mean float64
		Distinct       int
		Levels         []string
	}
	describe := func(table *Table) []figures {
		var out []figures
		for _, c := range table.Columns {
			out = append(out, figures{c.Name, c.Type, c.Role, c.Missing, c.FirstMissing, c.Min,
				c.Max, c.Mean, c.Distinct, c.Levels})
		}
		return out
	}
	files := theSameTable(t)
	reference := readString(t, files["a.csv"], "a.csv", ReadOptions{Label: "class"})
	wantCells := [][]string{{"1.5", "3", "true", "red", "one"},
		{"", "-4", "false", "light blue", "two"}, {"2e-07", "5", "", "red", "one"},
		{"1e+300", "6", "true", "red", ""}}
	if diff := cmp.Diff(wantCells, cells(reference)); diff != "" {
		t.Fatalf("CSV (-want +got):\n%s", diff)
	}
	prepared, err := reference.Prepare(context.Background(), Preparation{Missing: MissingMedian})
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		for _, ending := range []string{"", ".gz", ".zst"} {
			packed := content
			switch ending {
			case ".gz":
				packed = string(gzipped(t, []byte(content)))
			case ".zst":
				packed = string(zstded(t, []byte(content)))
			}
			for _, chunk := range []int{0, 1, 10} {
				o := ReadOptions{Label: "class", chunk: chunk}
				stream := readString(t, packed, name+ending, o)
				file, err := Read(context.Background(), writeFile(t, name+ending, []byte(packed)),
					o)
				if err != nil {
					t.Fatal(err)
				}
				if stream.Fingerprint != file.Fingerprint || len(file.Fingerprint) != 64 {
					t.Errorf("%s: fingerprints %s and %s", name+ending, stream.Fingerprint,
						file.Fingerprint)
				}
				for how, table := range map[string]*Table{"stream": stream, "file": file} {
					if diff := cmp.Diff(wantCells, cells(table)); diff != "" {
						t.Errorf("%s as %s (-want +got):\n%s", name+ending, how, diff)
					}
					if diff := cmp.Diff(describe(reference), describe(table)); diff != "" {
						t.Errorf("%s as %s (-want +got):\n%s", name+ending, how, diff)
					}
					got, err := table.Prepare(context.Background(),
						Preparation{Missing: MissingMedian})
					if err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(prepared, got); diff != "" {
						t.Errorf("%s as %s, prepared (-want +got):\n%s", name+ending, how, diff)
					}
				}
			}
		}
	}
}

// TestFormatIsSniffed reads streams without a name.
func TestFormatIsSniffed(t *testing.T) {
	for name, content := range theSameTable(t) {
		table := readString(t, content, "-", ReadOptions{})
		want := FormatOf(name)
		if want == FormatTSV {
			want = FormatCSV // its reader finds the tabs
		}
		if table.Format != want || table.Name != "stdin" {
			t.Errorf("%s was taken for %s, called %s", name, table.Format, table.Name)
		}
		if !strings.HasPrefix(table.Notes[0], "the format was taken to be "+string(want)) {
			t.Errorf("%s: notes %q", name, table.Notes)
		}
	}
}

func TestNPYTypes(t *testing.T) {
	for _, c := range []struct {
		descr  string
		values any
		single bool
		want   [][]string
	}{
		{"<f8", []float64{1, 2.5, nan, 4, 5, -6}, false,
			[][]string{{"1", "2.5", ""}, {"4", "5", "-6"}}},
		{">f8", []float64{1, 2.5, nan, 4, 5, -6}, false,
			[][]string{{"1", "2.5", ""}, {"4", "5", "-6"}}},
		{"<f4", []float32{1, 0.1, 3, 4, 5, -6}, true,
			[][]string{{"1", "0.1", "3"}, {"4", "5", "-6"}}},
		{">f4", []float32{1, 0.1, 3, 4, 5, -6}, true,
			[][]string{{"1", "0.1", "3"}, {"4", "5", "-6"}}},
		{"<f2", []uint16{0x3c00, 0x3555, 0x0001, 0xc000, 0x7bff, 0x7e00}, true,
			[][]string{{"1", "0.33325195", "5.9604645e-08"}, {"-2", "65504", ""}}},
		{"|i1", []int8{-1, 2, 3, 4, 5, -128}, false,
			[][]string{{"-1", "2", "3"}, {"4", "5", "-128"}}},
		{"|u1", []uint8{255, 2, 3, 4, 5, 6}, false, [][]string{{"255", "2", "3"}, {"4", "5", "6"}}},
		{">i2", []int16{-300, 2, 3, 4, 5, 6}, false,
			[][]string{{"-300", "2", "3"}, {"4", "5", "6"}}},
		{"<u2", []uint16{65535, 2, 3, 4, 5, 6}, false,
			[][]string{{"65535", "2", "3"}, {"4", "5", "6"}}},
		{"<i4", []int32{-70000, 2, 3, 4, 5, 6}, false,
			[][]string{{"-70000", "2", "3"}, {"4", "5", "6"}}},
		{"<u4", []uint32{4e9, 2, 3, 4, 5, 6}, false,
			[][]string{{"4e+09", "2", "3"}, {"4", "5", "6"}}},
		{"<i8", []int64{-5e9, 2, 3, 4, 5, 6}, false,
			[][]string{{"-5e+09", "2", "3"}, {"4", "5", "6"}}},
		{"<u8", []uint64{5e9, 2, 3, 4, 5, 6}, false,
			[][]string{{"5e+09", "2", "3"}, {"4", "5", "6"}}},
		{"|b1", []uint8{1, 0, 1, 0, 1, 1}, false,
			[][]string{{"true", "false", "true"}, {"false", "true", "true"}}},
	} {
		for _, chunk := range []int{0, 1} {
			table := readString(t, string(npyFile(c.descr, "False", "(2, 3)", c.values)), "a.npy",
				ReadOptions{chunk: chunk})
			if diff := cmp.Diff(c.want, cells(table)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.descr, diff)
			}
			if table.values.Single() != c.single {
				t.Errorf("%s: float32 is %v", c.descr, table.values.Single())
			}
		}
	}
	table := readString(t, string(npyFile("<i4", "True", "(2, 3)", []int32{1, 4, 2, 5, 3, 6})),
		"a.npy", ReadOptions{Label: "x2", Keep: true})
	if diff := cmp.Diff([][]string{{"1", "2", "3"}, {"4", "5", "6"}}, cells(table)); diff != "" {
		t.Errorf("Fortran order (-want +got):\n%s", diff)
	}
	if codes, names, _ := table.Labels(); !cmp.Equal(codes, []int32{0, 1}) ||
		!cmp.Equal(names, []string{"2", "5"}) {
		t.Errorf("labels %v %v", codes, names)
	}
	table = readString(t, string(npyFile("<f8", "False", "(3,)", []float64{1, 2, 3})), "a.npy",
		ReadOptions{})
	if table.Rows != 3 || len(table.Columns) != 1 {
		t.Errorf("one dimension: %d rows, %d columns", table.Rows, len(table.Columns))
	}
}

func TestParquetTypes(t *testing.T) {
	type inner struct {
		A float32 `parquet:"a"`
	}
	type row struct {
		Group inner     `parquet:"group"`
		F     float32   `parquet:"f"`
		D     float64   `parquet:"d,dict"`
		U     uint32    `parquet:"u"`
		L     []float64 `parquet:"l,list"`
		Date  int32     `parquet:"date,date"`
		Big   uint64    `parquet:"big"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write([]row{{inner{1}, 2.5, 3, 4e9, []float64{1, 2}, 7, 1 << 63},
		{inner{0.1}, 2, 3, 4, nil, 7, 5}}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table := readString(t, b.String(), "a.parquet", ReadOptions{Label: "big"})
	want := []string{"group.a", "f", "d", "u"}
	if diff := cmp.Diff(want, table.Features()); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	if got := table.Columns[table.Column("date")].Why; got != "holds dates: --dates auto compares them" {
		t.Errorf("a date is left out because it %s", got)
	}
	if got := table.Columns[table.Column("l")].Why; got != "holds lists of numbers" {
		t.Errorf("a list is left out because it %s", got)
	}
	if got := cells(table)[0]; !cmp.Equal(got[:4], []string{"1", "2.5", "3", "4e+09"}) ||
		got[6] != "9223372036854775808" {
		t.Errorf("the first row is %q", got)
	}
	single := readString(t, b.String(), "a.parquet",
		ReadOptions{Features: []string{"f", "group.a"}})
	if !single.values.Single() {
		t.Error("float columns alone should stay float32")
	}
}

func TestLateKeysAreReported(t *testing.T) {
	content := strings.Repeat(`{"x":1}`+"\n", sampleRows) + `{"x":2,"y":3}` + "\n"
	table := readString(t, content, "a.jsonl", ReadOptions{})
	if want := "left out, because the first 1000 rows do not have them: y"; len(table.Notes) != 1 ||
		table.Notes[0] != want {
		t.Errorf("notes %q", table.Notes)
	}
}

func TestParquetCodecs(t *testing.T) {
	rows := make([]flower, 300)
	for i := range rows {
		rows[i] = flower{Length: ptr(float64(i)), Count: int32(i), Ripe: ptr(i%2 == 0),
			Colour: "red", Class: ptr("one")}
	}
	var want [][]string
	for name, codec := range map[string]parquet.WriterOption{
		"none":   parquet.Compression(&parquet.Uncompressed),
		"snappy": parquet.Compression(&parquet.Snappy), "gzip": parquet.Compression(&parquet.Gzip),
		"zstd": parquet.Compression(&parquet.Zstd), "brotli": parquet.Compression(&parquet.Brotli),
		"lz4": parquet.Compression(&parquet.Lz4Raw),
	} {
		for _, version := range []int{1, 2} {
			var b bytes.Buffer
			w := parquet.NewGenericWriter[flower](&b, codec, parquet.DataPageVersion(version))
			if _, err := w.Write(rows); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			got := cells(readString(t, b.String(), "a.parquet", ReadOptions{Label: "class"}))
			if want == nil {
				want = got
			}
			if diff := cmp.Diff(want, got); diff != "" || len(got) != 300 {
				t.Errorf("%s, version %d (-want +got):\n%s", name, version, diff)
			}
		}
	}
}

// TestDamagedParquet cuts a file short and changes its bytes, one at a time: it is read or refused
// with a fault, and nothing else happens.
func TestDamagedParquet(t *testing.T) {
	whole := []byte(theSameTable(t)["a.parquet"])
	refused := 0
	read := func(content []byte) {
		t.Helper()
		_, err := ReadStream(context.Background(), bytes.NewReader(content), "a.parquet",
			ReadOptions{InflateLimit: 1 << 20})
		if err == nil {
			return
		}
		refused++
		if !fault.IsInput(err) {
			t.Fatalf("not a fault: %v", err)
		}
	}
	for at := 0; at < len(whole); at += 7 {
		read(whole[:at])
		for _, flip := range []byte{1, 0x80, 0xff} {
			damaged := bytes.Clone(whole)
			damaged[at] ^= flip
			read(damaged)
		}
	}
	if refused < len(whole)/7 {
		t.Errorf("only %d damaged files were refused", refused)
	}
}

// TestWrongEndings: files are read as what they are, with a note, whatever they are named as.
func TestWrongEndings(t *testing.T) {
	workbook, err := os.ReadFile(book(t, func(f *excelize.File) {
		rows(t, f, "Sheet1", 1, []any{"a", "b"}, []any{1, 2}, []any{3, 4})
	}))
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		A float64 `parquet:"a"`
		B float64 `parquet:"b"`
	}
	var packed bytes.Buffer
	if err := parquet.Write(&packed, []row{{1, 2}, {3, 4}}); err != nil {
		t.Fatal(err)
	}
	const csv = "a,b\n1,2\n3,4\n"
	for _, c := range []struct {
		name, content string
		want          Format
		says          string
	}{
		{"a.csv", string(workbook), FormatXLSX, "xlsx, by its first bytes, though it is named as csv"},
		{"a.xlsx", packed.String(), FormatParquet, "parquet, by its first bytes"},
		{"a.tsv", packed.String(), FormatParquet, "parquet, by its first bytes"},
		{"a.xlsx", csv, FormatCSV, "csv, by its first bytes, though it is named as xlsx"},
		{"a.parquet", "a;b\n1;2\n3;4\n", FormatCSV, "csv, by its first bytes"},
		{"a.npy", csv, FormatCSV, "csv, by its first bytes"},
		{"a.csv.gz", string(gzipped(t, workbook)), FormatXLSX, "xlsx, by its first bytes"},
		{"a.csv", `{"a":1,"b":2}` + "\n" + `{"a":3,"b":4}`, FormatJSONL, "jsonl, by its first bytes"},
		{"a.txt.csv", "[\n {\"a\":1,\"b\":2}, {\"a\":3,\"b\":4}]", FormatJSONL, "jsonl, by its"},
		{"a.csv", "@relation r\n@attribute a numeric\n@attribute b numeric\n@data\n1,2\n3,4\n",
			FormatARFF, "arff, by its first bytes"},
	} {
		table, err := Read(t.Context(), writeFile(t, c.name, []byte(c.content)), ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if table.Format != c.want || table.Rows != 2 || table.Value(1, 1) != 4 {
			t.Errorf("%s: %s of %d rows", c.name, table.Format, table.Rows)
		}
		if !strings.HasPrefix(table.Notes[0], "the file was read as "+c.says) {
			t.Errorf("%s: %q", c.name, table.Notes)
		}
	}
	table, err := Read(t.Context(), writeFile(t, "a.csv", []byte("{a,b}\n1,2\n3,4\n")), ReadOptions{})
	if err != nil || table.Format != FormatCSV {
		t.Errorf("a table with a brace: %v", err)
	}
}
