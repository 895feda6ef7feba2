package mutate

import (
	"encoding/binary"
	"strings"
)

// Metadata of Parquet are written here by hand in the compact protocol of Thrift: a field is a byte
// with its distance from the last one and its type, and then its value.
const (
	integer  = 5
	long     = 6
	text     = 8
	list     = 9
	record   = 12
	varint31 = "\xff\xff\xff\xff\x07" // 2³¹−1
)

func field(distance, typ byte) string { return string([]byte{distance<<4 | typ}) }

func unsigned(v int) string { return string(binary.AppendUvarint(nil, uint64(v))) }

// number is a field with an integer.
func number(distance, typ byte, v int64) string {
	return field(distance, typ) + string(binary.AppendVarint(nil, v))
}

func words(s string) string { return unsigned(len(s)) + s }

// records is a list of n records.
func records(n int, of string) string { return "\xfc" + unsigned(n) + of }

// leaf and group are columns of a schema, the first with values and the other with columns within.
func leaf(name string) string {
	return number(1, integer, 5) + number(2, integer, 0) + field(1, text) + words(name) + "\x00"
}

func group(name string, children int64) string {
	return field(4, text) + words(name) + number(1, integer, children) + "\x00"
}

// footed is a file of some pages with such metadata.
func footed(pages, schema, groups string, rows int64) []byte {
	footer := number(1, integer, 2) + field(1, list) + schema + number(1, long, rows) +
		field(1, list) + groups + "\x00"
	b := []byte("PAR1" + pages + footer)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(footer)))
	return append(b, "PAR1"...)
}

// columnChunk is a column of a row group whose pages begin at 4.
func columnChunk(values, size int64) string {
	return number(2, long, 4) + field(1, record) + number(1, integer, 5) + field(1, list) +
		"\x15\x00" + field(1, list) + "\x18" + words("x") + number(1, integer, 0) +
		number(1, long, values) + number(1, long, size) + number(1, long, size) +
		number(2, long, 4) + "\x00\x00"
}

// rowGroup is a row group of n column chunks.
func rowGroup(n int, chunks string, rows int64) string {
	return field(1, list) + records(n, chunks) + number(1, long, 100) + number(1, long, rows) +
		"\x00"
}

// ParquetBombs returns files of few bytes whose metadata state more than those can hold, by what is
// wrong with them.
func ParquetBombs() map[string][]byte {
	const many = 10 << 20
	empty := strings.Repeat("\x00", many)
	one := records(2, group("r", 1)+leaf("x"))
	paged := func(page string) []byte {
		return footed(page, one, records(1, rowGroup(1, columnChunk(1, int64(len(page))), 1)), 1)
	}
	wide := strings.Repeat(leaf("x"), 50000)
	return map[string][]byte{
		"groups":       footed("", one, "\xfc"+varint31, 1),
		"empty groups": footed("", one, records(many, empty), 1),
		"empty chunks": footed("", one, records(1, rowGroup(many, empty, 1)), 1),
		"deep": footed("", one, records(1, rowGroup(1, columnChunk(1, 8), 1))+field(10, record)+
			strings.Repeat(field(1, record), 4<<20), 1),
		"deep columns": footed("", records(300000,
			strings.Repeat(group("a", 1), 299999)+leaf("x")), "\x0c", 1),
		"columns by groups": footed("", records(50001, group("r", 50000)+wide),
			records(50000, strings.Repeat(rowGroup(0, "", 0), 50000)), 0),
		"long names": footed("", records(50002, group("r", 1)+
			group(strings.Repeat("n", 1<<20), 50000)+wide), "\x0c", 1),
		"children": footed("", records(2, group("r", 1<<31-1)+leaf("x")), "\x0c", 1),
		// a page of 8 bytes, with statistics that state a text of 2 GiB
		"statistics": paged(number(1, integer, 0) + number(1, integer, 8) + number(1, integer, 8) +
			field(2, record) + number(1, integer, 1) + number(1, integer, 0) +
			number(1, integer, 3) + number(1, integer, 3) + field(1, record) + field(1, text) + varint31 +
			strings.Repeat("x", 64)),
		"dictionary": paged(number(1, integer, 2) + number(1, integer, 1<<31-1) +
			number(1, integer, 8) + field(4, record) + number(1, integer, 1<<31-1) +
			number(1, integer, 0) + "\x00\x00" + strings.Repeat("x", 8)),
		"rows without pages": footed("", one,
			records(1, rowGroup(1, columnChunk(1<<30, 0), 1<<30)), 1<<30),
		"footer": append([]byte(strings.Repeat("PAR1", 30)), "\xf0\xff\xff\xffPAR1"...),
	}
}
