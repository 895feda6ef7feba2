package mutate

import (
	"bytes"
	"encoding/binary"
)

// flatWriter writes FlatBuffers, each part behind the one that leads to it.
type flatWriter []byte

// table appends a table with fields of so many bytes, 0 for those left out, and returns where it
// and they are.
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

// ArrowBombs returns streams whose schemas lead to the same bytes again and again.
func ArrowBombs() map[string][]byte {
	return map[string][]byte{
		"names":  arrowSchema(50000, 1<<20, false),
		"paths":  arrowSchema(50000, 1<<20, true),
		"fields": arrowSchema(1<<19, 8, false),
	}
}

func put32(b []byte, v uint32) { binary.LittleEndian.PutUint32(b, v) }
