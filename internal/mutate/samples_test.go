package mutate_test

import (
	"archive/zip"
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/xuri/excelize/v2"
	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	_ "modernc.org/sqlite"

	"github.com/kindred-go/kindred/internal/mutate"
	"github.com/kindred-go/kindred/internal/pages/pagestest"
)

// tables are the formats of tables.
func tables(t testing.TB) []mutate.Format {
	t.Helper()
	csv := table()
	of := func(name, ending string, samples ...[]byte) mutate.Format {
		return mutate.Format{Name: name, Ending: ending, Samples: samples, Read: readTable}
	}
	all := []mutate.Format{
		of("csv", ".csv", []byte(csv), []byte("a;b\r\n\"1,5\"\"\";2\r\n3,25;4\r\n"),
			[]byte("\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x003\x00,\x004\x00\n\x00"),
			[]byte("# remark\n a | b\n---+---\n 1 | 2\n 3 | 4\n(2 rows)\n"),
			[]byte("n,v\n1,[0.1 0.2]\n2,[0.3 0.4]\n"), []byte("gr\xf6\xdfe;b\n1,5;ja\n2;nein\n")),
		of("tsv", ".tsv", []byte(strings.ReplaceAll(csv, ",", "\t"))),
		of("json lines", ".jsonl", jsonRows(), []byte("{\"a\":\"\\ud83d\\ude00\",\"b\":NaN}\r\n"+
			"{\"b\":1,\"c\":true}\n{\"b\":2,\"at\":{\"x\":1,\"y\":[1,2]}}\n")),
		of("json", ".json", []byte(`{"data":[{"x":1,"y":{"z":2}},{"x":3,"y":{"z":4}}]}`),
			[]byte(`[["a","b"],[1,2],[3,4],[5.5,6]]`),
			[]byte(`{"columns":["a","b"],"rows":[[1,2],[3,4]]}`)),
		of("arff", ".arff", []byte("% by hand\n@RELATION r\n@ATTRIBUTE x REAL\n@attribute 'c d' "+
			"{red,'light blue'}\n@attribute d date\n@DATA\n1.5,red,2024-01-01\n?,'light blue',?\n"+
			"{0 2, 1 red}\n")),
		of("npy", ".npy", npy("<f8", "(4, 3)", 96), npy(">i2", "(5, 2)", 20),
			npy("<f2", "(7,)", 14), npy("|b1", "(3, 2)", 6)),
		of("npz", ".npz", zipped(t, "x.npy", npy("<f8", "(4, 3)", 96)),
			zipped(t, "x.npy", npy("<f4", "(400, 3)", 4800))),
		of("xlsx", ".xlsx", workbook(t)),
		of("sqlite", ".db", database(t, "CREATE TABLE t (a INTEGER PRIMARY KEY, x REAL, s TEXT)",
			"INSERT INTO t SELECT value, value/3.0, 'text '||value FROM generate_series(1,200)",
			"CREATE INDEX i ON t(s)")),
		of("arrow", ".arrow", arrows(t)...),
		of("parquet", ".parquet", parquets(t, nil)...),
	}
	for _, c := range pagestest.Codecs() {
		all = append(all, of("parquet with "+strings.ToLower(c.String()), ".parquet",
			parquets(t, c)...))
	}
	return all
}

func jsonRows() []byte {
	var b bytes.Buffer
	for i := range 30 {
		fmt.Fprintf(&b, `{"id":"r%d","x":%g,"n":%d,"ok":%t,"s":"a\u00e9 %d","l":[%d,2]}`+"\n", i,
			float64(i)/3, i, i%2 == 0, i, i)
	}
	return b.Bytes()
}

// npy is an array with so many bytes of values, which are small numbers.
func npy(descr, shape string, size int) []byte {
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	head += strings.Repeat(" ", 63-(len(head)+10)%64) + "\n"
	b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	b = append(b, head...)
	values := make([]byte, size)
	if strings.HasPrefix(shape, "(6,") { // a condensed matrix
		for i := 0; i+4 <= size; i += 4 {
			binary.LittleEndian.PutUint32(values[i:], 0x3f800000+uint32(i)<<16)
		}
	} else if shape == "(3, 3)" {
		for _, k := range []int{1, 2, 3, 5, 6, 7} {
			binary.LittleEndian.PutUint64(values[8*k:], 0x3ff0000000000000)
		}
		binary.LittleEndian.PutUint64(values[8*2:], 0x4000000000000000)
		binary.LittleEndian.PutUint64(values[8*6:], 0x4000000000000000)
	} else {
		for i := range values {
			values[i] = byte(i % 2)
		}
	}
	return append(b, values...)
}

func zipped(t testing.TB, name string, member []byte) []byte {
	t.Helper()
	return zippedAll(t, map[string][]byte{name: member})
}

// zippedAll is an archive of members, in the order of their names.
func zippedAll(t testing.TB, members map[string][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(members[name])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func workbook(t testing.TB) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	rows := [][]any{{"name", "x", "ok", "day"}}
	for i := range 20 {
		rows = append(rows, []any{fmt.Sprintf("row %d", i), float64(i) / 3, i%2 == 0, 45000 + i})
	}
	for i := range rows {
		if err := f.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	style, err := f.NewStyle(&excelize.Style{NumFmt: 14})
	if err == nil {
		err = f.SetCellStyle("Sheet1", "D2", "D21", style)
	}
	b, err2 := f.WriteToBuffer()
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	return b.Bytes()
}

// database returns the bytes of a SQLite database that the statements make.
func database(t testing.TB, statements ...string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const series = "generate_series(1,200)"
	for _, s := range statements {
		s = strings.ReplaceAll(s, series, "(WITH RECURSIVE s(value) AS (SELECT 1 UNION ALL SELECT "+
			"value+1 FROM s WHERE value<200) SELECT value FROM s)")
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return file(t, path)
}

// arrows are a file and streams, plain and with each codec.
func arrows(t testing.TB) (all [][]byte) {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.BinaryTypes.String},
		{Name: "n", Type: arrow.PrimitiveTypes.Int16, Nullable: true},
		{Name: "x", Type: arrow.PrimitiveTypes.Float64},
		{Name: "ok", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "kind", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: arrow.BinaryTypes.String}},
		{Name: "view", Type: arrow.BinaryTypes.StringView},
		{Name: "emb", Type: arrow.ListOf(arrow.PrimitiveTypes.Float32)},
		{Name: "in", Type: arrow.StructOf(arrow.Field{Name: "side",
			Type: arrow.PrimitiveTypes.Int64})},
	}, nil)
	b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer b.Release()
	for i := range 20 {
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("r%d", i))
		if i%5 == 4 {
			b.Field(1).AppendNull()
		} else {
			b.Field(1).(*array.Int16Builder).Append(int16(i - 3))
		}
		b.Field(2).(*array.Float64Builder).Append(float64(i) / 3)
		b.Field(3).(*array.BooleanBuilder).Append(i%2 == 0)
		if err := b.Field(4).(*array.BinaryDictionaryBuilder).AppendString(
			[]string{"red", "green", "blue"}[i%3]); err != nil {
			t.Fatal(err)
		}
		b.Field(5).(*array.StringViewBuilder).Append(strings.Repeat("long text ", 1+i%3))
		emb := b.Field(6).(*array.ListBuilder)
		emb.Append(true)
		emb.ValueBuilder().(*array.Float32Builder).AppendValues([]float32{1, 2, float32(i)}, nil)
		in := b.Field(7).(*array.StructBuilder)
		in.Append(true)
		in.FieldBuilder(0).(*array.Int64Builder).Append(int64(i))
	}
	record := b.NewRecordBatch()
	defer record.Release()
	for _, o := range [][]ipc.Option{nil, {ipc.WithLZ4()}, {ipc.WithZstd()}} {
		o = append(o, ipc.WithSchema(schema))
		var out bytes.Buffer
		s := ipc.NewWriter(&out, o...)
		if err := s.Write(record); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		all = append(all, out.Bytes())
		var whole bytes.Buffer
		f, err := ipc.NewFileWriter(&whole, o...)
		if err == nil {
			err = f.Write(record)
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, whole.Bytes())
	}
	return all
}

// parquets are files with pages of both versions, dictionaries, deltas, lists and levels.
func parquets(t testing.TB, codec compress.Codec) (all [][]byte) {
	t.Helper()
	type row struct {
		ID string    `parquet:"id,delta"`
		D  int64     `parquet:"d,delta"`
		X  float64   `parquet:"x"`
		N  *int64    `parquet:"n,optional"`
		F  float32   `parquet:"f,split"`
		OK bool      `parquet:"ok"`
		S  *string   `parquet:"s,optional,dict"`
		L  []float32 `parquet:"l,list"`
		In struct {
			A int32 `parquet:"a"`
		} `parquet:"in"`
	}
	rows := make([]row, 60)
	for i := range rows {
		n, s := int64(i*i), []string{"red", "green", "blue"}[i%3]
		rows[i] = row{ID: fmt.Sprintf("r%d", i), D: int64(i), X: float64(i) / 3, F: float32(i),
			OK: i%2 == 0, L: []float32{1, float32(i)}}
		if i%5 > 0 {
			rows[i].N, rows[i].S = &n, &s
		}
	}
	for _, version := range []int{1, 2} {
		o := []parquet.WriterOption{parquet.DataPageVersion(version),
			parquet.MaxRowsPerRowGroup(40)}
		if codec != nil {
			o = append(o, parquet.Compression(codec))
		}
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, o...)
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all = append(all, b.Bytes())
	}
	return all
}

// drawn are pictures in all formats.
func drawn(t testing.TB) map[string][][]byte {
	t.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, 40, 24))
	few := image.NewPaletted(img.Rect, color.Palette{color.Black, color.White})
	for y := range 24 {
		for x := range 40 {
			img.Set(x, y, color.NRGBA{uint8(6 * x), uint8(10 * y), 100, uint8(255 - x)})
			few.SetColorIndex(x, y, uint8(x/4%2))
		}
	}
	encode := func(write func(b *bytes.Buffer) error) []byte {
		t.Helper()
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	tif := func(o *tiff.Options) []byte {
		return encode(func(b *bytes.Buffer) error { return tiff.Encode(b, img, o) })
	}
	return map[string][][]byte{
		"png": {encode(func(b *bytes.Buffer) error { return png.Encode(b, img) }),
			encode(func(b *bytes.Buffer) error { return png.Encode(b, few) })},
		"jpeg": {encode(func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) })},
		"gif":  {encode(func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) })},
		"bmp": {encode(func(b *bytes.Buffer) error { return bmp.Encode(b, img) }),
			encode(func(b *bytes.Buffer) error { return bmp.Encode(b, few) })},
		"tiff": {tif(nil), tif(&tiff.Options{Compression: tiff.Deflate, Predictor: true})},
		"webp": {unbase(t, "UklGRhwAAABXRUJQVlA4TA8AAAAvAYAAAAcQ/Y/+ByKi/wEA"),
			unbase(t, "UklGRjgAAABXRUJQVlA4ICwAAACQAQCdASoCAAMAAsBMJaACdLoAA5gA/u5DH+5sc4twV/9tD/"+
				"9aH/60P+lAAA=="),
			unbase(t, "UklGRloAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAFZQOCAsAAAAkA"+
				"EAnQEqAwACAALATCWgAnS6AAOYAP7uQx/ubHOLcFf/bQ//Wh/+tD/pQAA=")},
	}
}

func unbase(t testing.TB, text string) []byte {
	t.Helper()
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
