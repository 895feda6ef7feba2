package dataset

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/kindred-go/kindred/fault"
)

// arrowSchema has a column of each type that a table can hold, and some that it cannot.
func arrowSchema() *arrow.Schema {
	list := arrow.ListOf(arrow.PrimitiveTypes.Float32)
	return arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.BinaryTypes.String},
		{Name: "n", Type: arrow.PrimitiveTypes.Int16, Nullable: true},
		{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true},
		{Name: "ok", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "kind", Type: &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: arrow.BinaryTypes.String}},
		{Name: "day", Type: arrow.FixedWidthTypes.Date32},
		{Name: "at", Type: &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "UTC"}},
		{Name: "price", Type: &arrow.Decimal128Type{Precision: 10, Scale: 2}},
		{Name: "view", Type: arrow.BinaryTypes.StringView},
		{Name: "half", Type: arrow.FixedWidthTypes.Float16, Nullable: true},
		{Name: "emb", Type: list, Nullable: true},
		{Name: "fix", Type: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float64)},
		{Name: "in", Type: arrow.StructOf(arrow.Field{Name: "side",
			Type: arrow.PrimitiveTypes.Int64, Nullable: true})},
		{Name: "deep", Type: arrow.ListOf(list)},
		{Name: "none", Type: arrow.Null},
	}, nil)
}

// arrowRecord has rows from lo to hi.
func arrowRecord(lo, hi int) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrowSchema())
	defer b.Release()
	for i := lo; i < hi; i++ {
		b.Field(0).(*array.StringBuilder).Append(fmt.Sprintf("r%d", i))
		if i%5 == 4 {
			b.Field(1).AppendNull()
			b.Field(2).AppendNull()
		} else {
			b.Field(1).(*array.Int16Builder).Append(int16(i - 3))
			b.Field(2).(*array.Float64Builder).Append(float64(i) / 3)
		}
		b.Field(3).(*array.BooleanBuilder).Append(i%2 == 0)
		if err := b.Field(4).(*array.BinaryDictionaryBuilder).AppendString(
			[]string{"red", "green", "blue"}[i%3]); err != nil {
			panic(err)
		}
		b.Field(5).(*array.Date32Builder).Append(arrow.Date32(19860 + i))
		b.Field(6).(*array.TimestampBuilder).Append(arrow.Timestamp(1715934600000 + 250*int64(i)))
		b.Field(7).(*array.Decimal128Builder).Append(decimal128.FromI64(int64(-150 + 25*i)))
		b.Field(8).(*array.StringViewBuilder).Append(
			strings.Repeat([]string{"a", "long text "}[i%2], 2+i%2))
		b.Field(9).AppendNull()
		emb := b.Field(10).(*array.ListBuilder)
		emb.Append(true)
		for k := range 3 {
			emb.ValueBuilder().(*array.Float32Builder).Append(float32(i) + float32(k)/4)
		}
		fix := b.Field(11).(*array.FixedSizeListBuilder)
		fix.Append(true)
		fix.ValueBuilder().(*array.Float64Builder).AppendValues([]float64{float64(i), -1}, nil)
		in := b.Field(12).(*array.StructBuilder)
		in.Append(true)
		in.FieldBuilder(0).(*array.Int64Builder).Append(int64(7 * i))
		b.Field(13).AppendNull()
		b.Field(14).AppendNull()
	}
	return b.NewRecordBatch()
}

// arrowFile writes records as a file or a stream.
func arrowFile(t testing.TB, stream bool, records []arrow.RecordBatch, o ...ipc.Option) []byte {
	t.Helper()
	var b bytes.Buffer
	o = append(o, ipc.WithSchema(records[0].Schema()))
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	var err error
	if stream {
		w = ipc.NewWriter(&b, o...)
	} else if w, err = ipc.NewFileWriter(&b, o...); err != nil {
		t.Fatal(err)
	}
	for _, r := range records {
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bareSchema returns a file as polars 2 writes it: the schema has no length before it, so that only
// the footer shows where the rows begin. The rows stay where they are.
func bareSchema(file []byte) []byte {
	length := int(binary.LittleEndian.Uint32(file[12:]))
	return slices.Concat(file[:8], file[16:16+length], make([]byte, 8), file[16+length:])
}

func TestArrowHoldsTheSameTable(t *testing.T) {
	// the words of a dictionary come in one order, as a file wants them
	records := []arrow.RecordBatch{arrowRecord(0, 9), arrowRecord(9, 12), arrowRecord(12, 30)}
	replaced := []arrow.RecordBatch{arrowRecord(0, 10), arrowRecord(10, 11), arrowRecord(11, 11),
		arrowRecord(11, 30)}
	for name, content := range map[string][]byte{
		"file": arrowFile(t, false, records), "stream": arrowFile(t, true, replaced),
		"lz4":  arrowFile(t, false, records, ipc.WithLZ4()),
		"bare": bareSchema(arrowFile(t, false, records)),
		"zstd": arrowFile(t, true, records, ipc.WithZstd()),
	} {
		path := filepath.Join(t.TempDir(), "a.feather")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		table, err := Read(t.Context(), path, ReadOptions{Keep: true, Threads: 2})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		cell := func(row int, column string) string { return table.Cell(row, table.Column(column)) }
		if table.Rows != 30 || table.ID(11) != "r11" {
			t.Errorf("%s: %d rows, the 12th is %s", name, table.Rows, table.ID(11))
		}
		for column, want := range map[string]string{"n": "8", "x": "3.6666666666666665",
			"ok": "false", "kind": "blue", "day": "2024-05-28",
			"at": "2024-05-17T08:30:02.75Z", "price": "1.25",
			"view": "long text long text long text ", "half": "", "in.side": "77", "none": "",
			"emb": "", "deep": ""} {
			if got := cell(11, column); got != want {
				t.Errorf("%s, %s: %q, want %q", name, column, got, want)
			}
		}
		if c := table.Columns[table.Column("x")]; c.Missing != 6 || c.FirstMissing != 5 {
			t.Errorf("%s: %d values of x are missing, from row %d", name, c.Missing, c.FirstMissing)
		}
		if got := cell(4, "n"); got != "" {
			t.Errorf("%s: a missing number is %q", name, got)
		}
		for column, want := range map[string]Type{"n": Number, "ok": Boolean, "kind": Category,
			"day": Time, "at": Time, "price": Number} {
			if got := table.Columns[table.Column(column)].Type; got != want {
				t.Errorf("%s: %s is a %s", name, column, got)
			}
		}
		if why := table.Hidden(table.Column("emb")); !strings.HasPrefix(why, "holds lists of numbers") {
			t.Errorf("%s: lists are %q", name, why)
		}
	}
}

func TestVectorsBecomeFeatures(t *testing.T) {
	records := []arrow.RecordBatch{arrowRecord(0, 9), arrowRecord(9, 30)}
	content := arrowFile(t, false, records)
	for column, width := range map[string]int{"emb": 3, "fix": 2} {
		table, err := readBytes(t.Context(), content, "a.arrow", ReadOptions{Vectors: column})
		if err != nil {
			t.Fatal(err)
		}
		features := table.Features()
		if len(features) != width || features[0] != column+"_1" {
			t.Fatalf("the features are %q", features)
		}
		if single := table.values.Single(); single != (column == "emb") {
			t.Errorf("%s: single %t", column, single)
		}
		for _, row := range []int{0, 9, 10, 29} {
			want := []float64{float64(row), float64(row) + 0.25, float64(row) + 0.5}
			if column == "fix" {
				want = []float64{float64(row), -1}
			}
			for k := range width {
				if got := table.Value(row, table.Column(features[k])); got != want[k] {
					t.Errorf("%s of row %d: %g, want %g", features[k], row, got, want[k])
				}
			}
		}
	}
	table, err := readBytes(t.Context(), content, "a.arrow",
		ReadOptions{Vectors: "emb", Features: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Features(), " "); got != "x emb_1 emb_2 emb_3" {
		t.Errorf("beside another column: %s", got)
	}
	table, err = readBytes(t.Context(), content, "a.arrow", ReadOptions{Lists: true, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := table.Cell(11, table.Column("emb")); got != "[11, 11.25, 11.5]" {
		t.Errorf("a list as text: %q", got)
	}
	for column, want := range map[string]string{"x": "holds no lists of numbers",
		"deep": "holds lists", "nope": "no such column"} {
		_, err := readBytes(t.Context(), content, "a.arrow", ReadOptions{Vectors: column})
		var in *fault.Input
		if !errors.As(err, &in) || !strings.Contains(err.Error(), want) ||
			!strings.Contains(in.Fix, "emb, fix") {
			t.Errorf("%s: %v", column, err)
		}
	}
	if _, err := readBytes(t.Context(), []byte("a,b\n1,2\n"), "a.csv",
		ReadOptions{Vectors: "a"}); !fault.IsInput(err) {
		t.Errorf("of CSV: %v", err)
	}
}

func TestRaggedVectorsAreAFault(t *testing.T) {
	schema := arrow.NewSchema([]arrow.Field{{Name: "v", Nullable: true,
		Type: arrow.ListOf(arrow.PrimitiveTypes.Float64)}}, nil)
	record := func(rows ...[]float64) arrow.RecordBatch {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		defer b.Release()
		l := b.Field(0).(*array.ListBuilder)
		for _, row := range rows {
			if row == nil {
				l.AppendNull()
				continue
			}
			l.Append(true)
			for _, v := range row {
				if v == 99 {
					l.ValueBuilder().AppendNull()
				} else {
					l.ValueBuilder().(*array.Float64Builder).Append(v)
				}
			}
		}
		return b.NewRecordBatch()
	}
	for want, rows := range map[string][][]float64{
		"row 3, column v: has 1 number, and the lists before have 2": {{1, 2}, {3, 4}, {5}},
		"row 2, column v: the list is longer than those before":      {{1, 2}, {3, 4, 5}},
		"row 2, column v: a number of the list is missing":           {{1, 2}, {3, 99}},
		"column v: every list is missing":                            {nil, nil},
	} {
		content := arrowFile(t, false, []arrow.RecordBatch{record(rows...)})
		_, err := readBytes(t.Context(), content, "a.arrow", ReadOptions{Vectors: "v"})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
	content := arrowFile(t, false, []arrow.RecordBatch{record(nil, []float64{1, 2})})
	table, err := readBytes(t.Context(), content, "a.arrow", ReadOptions{Vectors: "v"})
	if err != nil || !math.IsNaN(table.Value(0, 0)) || table.Value(1, 1) != 2 {
		t.Errorf("a missing vector: %v", err)
	}
}

func TestADamagedArrowFileIsAFault(t *testing.T) {
	whole := arrowFile(t, false, []arrow.RecordBatch{arrowRecord(0, 8)}, ipc.WithZstd())
	for _, n := range []int{6, 9, 100, len(whole) / 2, len(whole) - 3} {
		if _, err := readBytes(t.Context(), whole[:n], "a.arrow", ReadOptions{}); !fault.IsInput(err) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	bare, step := bareSchema(whole), 7
	if testing.Short() {
		step = 71
	}
	for at := 8; at < len(whole); at += step {
		for _, flip := range []byte{1, 0x40, 0xff} {
			for _, file := range [][]byte{whole, bare} {
				readAny(t, "a.arrow", damage(file, at, flip, len(file)),
					ReadOptions{Keep: true, Vectors: "emb"})
			}
		}
	}
}

func FuzzArrow(f *testing.F) {
	whole := arrowFile(f, false, []arrow.RecordBatch{arrowRecord(0, 8)}, ipc.WithLZ4())
	stream := arrowFile(f, true, []arrow.RecordBatch{arrowRecord(0, 8), arrowRecord(8, 9)})
	f.Add(40, byte(255), len(whole), 500, byte(1), true)
	f.Add(900, byte(1), len(whole), 901, byte(4), false)
	f.Fuzz(func(t *testing.T, at int, flip byte, length, also int, other byte, file bool) {
		content := stream
		if file {
			content = whole
		}
		if file && flip%2 == 1 {
			content = bareSchema(whole)
		}
		content = damage(content, at, flip, length)
		readAny(t, "a.arrow", damage(content, also, other, len(content)),
			ReadOptions{Keep: true, Vectors: "emb"})
		readAny(t, "a.arrow", content, ReadOptions{Keep: true, Lists: true})
	})
}

func TestAnArrowFileOfPolarsHasItsSchemaInTheFooter(t *testing.T) {
	whole, err := os.ReadFile("testdata/polars.arrow")
	if err != nil {
		t.Fatal(err)
	}
	table, err := readBytes(t.Context(), whole, "a.arrow",
		ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if table.Rows != 3 || table.Value(2, 0) != 3 {
		t.Errorf("%d rows, and %v", table.Rows, table.Value(2, 0))
	}
	for row, want := range []string{"a", "bb", ""} {
		if cell := table.Cell(row, 1); cell != want {
			t.Errorf("row %d has %q, not %q", row, cell, want)
		}
	}
	for at := range whole {
		for _, flip := range []byte{1, 0x40, 0xff} {
			readAny(t, "a.arrow", damage(whole, at, flip, len(whole)), ReadOptions{Keep: true})
		}
		readAny(t, "a.arrow", whole[:at], ReadOptions{Keep: true})
	}
}
