package mutate_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
)

// Metadata of Parquet, written by hand in the compact protocol of Thrift: a field is a byte with its
// distance from the last one and its type, and then its value.
const (
	integer  = 5
	long     = 6
	text     = 8
	list     = 9
	record   = 12
	varint31 = "\xff\xff\xff\xff\x07" // 2³¹−1
)

func field(distance, typ byte) string { return string([]byte{distance<<4 | typ}) }

func signed(v int64) string { return string(binary.AppendVarint(nil, v)) }

func unsigned(v int) string { return string(binary.AppendUvarint(nil, uint64(v))) }

func words(s string) string { return unsigned(len(s)) + s }

// records is the header of a list of n records, and these.
func records(n int, of string) string { return "\xfc" + unsigned(n) + of }

// leaf and group are columns of a schema, the first with values and the other with columns within.
func leaf(name string) string {
	return field(1, integer) + signed(5) + field(2, integer) + signed(0) + field(1, text) + words(name) +
		"\x00"
}

func group(name string, children int64) string {
	return field(4, text) + words(name) + field(1, integer) + signed(children) + "\x00"
}

// footed is a file of some pages with such metadata.
func footed(pages, schema, groups string, rows int64) []byte {
	footer := field(1, integer) + signed(2) + field(1, list) + schema + field(1, long) + signed(rows) +
		field(1, list) + groups + "\x00"
	b := []byte("PAR1" + pages + footer)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, "PAR1"...)
}

// chunk is a column of a row group whose pages begin at 4.
func chunk(values, size int64) string {
	return field(2, long) + signed(4) + field(1, record) + field(1, integer) + signed(5) +
		field(1, list) + "\x15\x00" + field(1, list) + "\x18" + words("x") + field(1, integer) +
		signed(0) + field(1, long) + signed(values) + field(1, long) + signed(size) + field(1, long) +
		signed(size) + field(2, long) + signed(4) + "\x00\x00"
}

// rows is a row group of chunks.
func rows(n int, chunks string, count int64) string {
	return field(1, list) + records(n, chunks) + field(1, long) + signed(100) + field(1, long) +
		signed(count) + "\x00"
}

// TestBombsOfParquet reads metadata that state more than their bytes can hold.
func TestBombsOfParquet(t *testing.T) {
	one := records(2, group("r", 1)+leaf("x"))
	// a page of 8 bytes, with statistics that state a text of 2 GiB
	heavy := field(1, integer) + signed(0) + field(1, integer) + signed(8) + field(1, integer) +
		signed(8) + field(2, record) + field(1, integer) + signed(1) + field(1, integer) + signed(0) +
		field(1, integer) + signed(3) + field(1, integer) + signed(3) + field(1, record) +
		field(1, text) + varint31 + strings.Repeat("x", 64)
	page := field(1, integer) + signed(2) + field(1, integer) + signed(1<<31-1) + field(1, integer) +
		signed(8) + field(4, record) + field(1, integer) + signed(1<<31-1) + field(1, integer) +
		signed(0) + "\x00\x00" + strings.Repeat("x", 8)
	many := strings.Repeat(rows(0, "", 0)[:len(rows(0, "", 0))-1]+field(1, long)+signed(0)+"\x00", 50000)
	for name, b := range map[string]struct {
		file []byte
		says string
		most uint64
	}{
		"groups": {footed("", one, "\xfc"+varint31, 1), "damaged", 20},
		"empty groups": {footed("", one, records(10<<20, strings.Repeat("\x00", 10<<20)), 1),
			"damaged", 40},
		"empty chunks": {footed("", one, records(1, rows(10<<20, strings.Repeat("\x00", 10<<20), 1)), 1),
			"damaged", 40},
		"deep": {footed("", one, records(1, rows(1, chunk(1, 8), 1))+
			field(10, record)+strings.Repeat(field(1, record), 4<<20), 1), "too deep", 20},
		"deep columns": {footed("", records(300000, strings.Repeat(group("a", 1), 299999)+leaf("x")),
			"\x0c", 1), "too deep", 20},
		"columns by groups": {footed("", records(50001, group("r", 50000)+
			strings.Repeat(leaf("x"), 50000)), records(50000, many), 0), "than the schema", 20},
		"long names": {footed("", records(20002, group("r", 1)+group(strings.Repeat("n", 1<<20), 20000)+
			strings.Repeat(leaf("x"), 20000)), "\x0c", 1), "the names of its columns", 20},
		"children": {footed("", records(2, group("r", 1<<31-1)+leaf("x")), "\x0c", 1), "damaged", 20},
		"statistics": {footed(heavy, one, records(1, rows(1, chunk(1, int64(len(heavy))), 1)), 1),
			"damaged", 20},
		"dictionary": {footed(page, one, records(1, rows(1, chunk(1, int64(len(page))), 1)), 1),
			"more than 512 MiB", 20},
		"rows without pages": {footed("", one, records(1, rows(1, chunk(1<<30, 0), 1<<30)), 1<<30),
			"more or fewer values", 20},
	} {
		t.Run(name, func(t *testing.T) {
			explode(t, bomb{"a.parquet", b.file, readTable, b.says, b.most}, 0)
			explode(t, bomb{"a.parquet", b.file, readCredal, "", b.most}.harmless(), 0)
		})
	}
	short := append(slices.Repeat([]byte("PAR1"), 30), "\xf0\xff\xff\xffPAR1"...)
	explode(t, bomb{"footer.parquet", short, readTable, "longer than the file", 20}, 0)
	explode(t, bomb{"footer.parquet", short, readCredal, "longer than the file", 20}, 0)
}

// harmless expects any error, or none.
func (b bomb) harmless() bomb {
	b.says = whatever
	return b
}

// flatWriter writes FlatBuffers, each part behind the one that leads to it.
type flatWriter []byte

// table appends a table with fields of so many bytes, 0 for those left out, and returns where it and
// they are.
func (w *flatWriter) table(sizes ...int) (at int, fields []int) {
	vtable, size := len(*w), 4
	for _, n := range sizes {
		size += n
	}
	*w = binary.LittleEndian.AppendUint16(*w, uint16(4+2*len(sizes)))
	*w = binary.LittleEndian.AppendUint16(*w, uint16(size))
	at = vtable + 4 + 2*len(sizes)
	next := 4
	for _, n := range sizes {
		place := next
		if n == 0 {
			place = 0
		}
		*w = binary.LittleEndian.AppendUint16(*w, uint16(place))
		fields = append(fields, at+place)
		next += n
	}
	*w = append(*w, make([]byte, size)...)
	put32((*w)[at:], uint32(at-vtable))
	return at, fields
}

// vector appends a vector of n offsets.
func (w *flatWriter) vector(n int) (at int) {
	at = len(*w)
	*w = binary.LittleEndian.AppendUint32(*w, uint32(n))
	*w = append(*w, make([]byte, 4*n)...)
	return at
}

func (w *flatWriter) text(n int) (at int) {
	at = len(*w)
	*w = binary.LittleEndian.AppendUint32(*w, uint32(n))
	*w = append(*w, bytes.Repeat([]byte("n"), n)...)
	return at
}

func (w *flatWriter) point(place, to int) { put32((*w)[place:], uint32(to-place)) }

// arrowSchema is a stream of a schema of n fields that are all the same bytes, with a name of so
// many, or within a field of that name.
func arrowSchema(n, name int, within bool) []byte {
	w := make(flatWriter, 4)
	message, of := w.table(2, 1, 4, 8)
	w.point(0, message)
	w[of[1]] = 1
	schema, in := w.table(0, 4)
	w.point(of[2], schema)
	place := in[1]
	var outer []int
	if within {
		at := w.vector(1)
		w.point(place, at)
		field, parts := w.table(4, 0, 1, 4, 0, 4)
		w.point(at+4, field)
		w[parts[2]] = 13 // a struct
		outer, place = parts, parts[5]
	}
	at := w.vector(n)
	w.point(place, at)
	field, parts := w.table(4, 0, 1, 4)
	for i := range n {
		w.point(at+4+4*i, field)
	}
	w[parts[2]] = 2 // an integer
	typ, width := w.table(4, 1)
	w.point(parts[3], typ)
	w[width[0]] = 32
	short := w.text(1)
	long := w.text(name)
	w.point(parts[0], long)
	if within {
		w.point(parts[0], short)
		w.point(outer[0], long)
	}
	b := binary.LittleEndian.AppendUint32([]byte("\xff\xff\xff\xff"), uint32(len(w)))
	return append(append(b, w...), "\xff\xff\xff\xff\x00\x00\x00\x00"...)
}

// TestBombsOfArrow reads schemas whose offsets lead to the same bytes again and again.
func TestBombsOfArrow(t *testing.T) {
	for _, b := range []bomb{
		{"names.arrow", arrowSchema(50000, 1<<20, false), readTable, "longer than its schema", 40},
		{"paths.arrow", arrowSchema(50000, 1<<20, true), readTable, "longer than its schema", 60},
		{"fields.arrow", arrowSchema(1<<19, 8, false), readTable, "too many fields", 20},
	} {
		t.Run(b.name, func(t *testing.T) { explode(t, b, 0) })
	}
	explode(t, bomb{"nothing.arrow", nothing(t, 1<<31-1), readTable, "memory are free", 20}, 128)
	explode(t, bomb{"nothing.arrow", nothing(t, 1<<36), readTable, "claims 68719476736 rows", 20}, 0)
}

// nothing is a column in which n rows are missing.
func nothing(t *testing.T, n int) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.Null, Nullable: true}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	record := array.NewRecordBatch(schema, []arrow.Array{array.NewNull(n)}, int64(n))
	if err := w.Write(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
