// Package arrowfile reads the columns of Arrow IPC files, which Feather of version 2 is, and of
// streams. Numbers go from the file to whoever wants them in pieces of a few thousand; nothing is
// allocated by what a file claims, so that a damaged one does no harm.
//
// https://arrow.apache.org/docs/format/Columnar.html
package arrowfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/memory"
)

// File is a file or stream.
type File struct {
	Columns []Column
	Rows    int
	Batches []Batch

	in    io.ReaderAt
	limit int64
	names int64 // bytes that the names of columns may still have together
	// batches of the dictionaries, by id, in the order of the file
	dictionaries map[int64][]dictionary
	lock         sync.Mutex
	loaded       map[int]*words // dictionaries in use, by the position of their last batch
	taken        int64          // bytes of their values
	left         *memory.Budget
	zstd         sync.Pool
}

// Column is a field with values; those within structs are named "struct.field".
type Column struct {
	Name string
	Field
	field   int   // its number
	parents []int // numbers of the structs that it is in
}

// Batch is a piece of the rows.
type Batch struct {
	Rows int

	position int   // of the message, in the file
	body     int64 // where its buffers begin
	codec    int   // of the buffers
	places   []place
	nodes    []int64 // rows of each field
	buffers  []span
}

// place is where the parts of a field are, by its number.
type place struct{ node, buffer, views int }

type span struct{ at, size int64 }

type dictionary struct {
	batch Batch
	delta bool // its values are more of the same
}

// Codecs of buffers.
const (
	plain = iota - 1
	lz4Frame
	zstandard
)

// longestMessage bounds the metadata of a message.
const longestMessage = 256 << 20

// Open reads the metadata of all messages. Buffers may inflate to no more than limit bytes each.
func Open(in io.ReaderAt, size, limit int64) (*File, error) {
	f := &File{in: in, limit: limit, dictionaries: map[int64][]dictionary{},
		loaded: map[int]*words{}, left: memory.NewBudget()}
	var head [8]byte
	if n, err := in.ReadAt(head[:], 0); n < len(head) {
		return nil, cut(err)
	}
	at, end := int64(0), size
	if bytes.HasPrefix(head[:], []byte("ARROW1")) {
		at = 8
		var tail [6]byte
		if n, err := in.ReadAt(tail[:], max(0, size-6)); n < len(tail) {
			return nil, cut(err)
		}
		if string(tail[:]) != "ARROW1" {
			return nil, errors.New("it ends too early, without its footer")
		}
		end = size - 6
	}
	var fields []Field
	values := map[int64]*Field{}
	take := func(described []Field, length int) error {
		fields = described
		f.names = 16*int64(length) + 1<<20
		if f.addColumns(fields, "", nil, new(int)); f.names < 0 {
			return errors.New("the names of its columns are longer than its schema")
		}
		findDictionaries(fields, values)
		return nil
	}
	if at == 8 { // a file
		described, length, first, last, err := readFooter(in, size)
		if err != nil {
			return nil, err
		}
		if first >= 0 {
			if err := take(described, length); err != nil {
				return nil, err
			}
			at, end = first, last
		}
	}
	for position := 0; ; position++ {
		message, body, next, err := readMessage(in, at, end)
		if err != nil {
			return nil, err
		}
		if message == nil {
			break
		}
		at = next
		if position == 0 && len(fields) == 0 {
			described, err := Schema(message)
			if err == nil {
				err = take(described, len(message))
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		if err := f.add(message, body, next-body, position, fields, values); err != nil {
			return nil, err
		}
	}
	if len(fields) == 0 {
		return nil, errors.New("its schema has no fields")
	}
	return f, nil
}

// readFooter returns the schema in the footer of a file, the length of the footer, and where the
// messages with values begin and end, for a file that does not begin with a message, as polars
// writes them; first is −1 for others.
func readFooter(in io.ReaderAt, size int64) (fields []Field, length int, first, last int64,
	err error) {
	if message, _, _, err := readMessage(in, 8, size-6); err == nil {
		f := flat(message)
		if len(message) == 0 || f.number(f.field(f.root(), 1), 1, 0) == headerSchema {
			return nil, 0, -1, 0, nil
		}
	}
	var tail [4]byte
	if n, err := in.ReadAt(tail[:], max(0, size-10)); n < len(tail) {
		return nil, 0, 0, 0, cut(err)
	}
	long := int64(binary.LittleEndian.Uint32(tail[:]))
	if long > size-18 || long > longestMessage {
		return nil, 0, 0, 0, errors.New("its footer is longer than the file")
	}
	footer := make(flat, long)
	if n, err := in.ReadAt(footer, size-10-long); n < len(footer) {
		return nil, 0, 0, 0, cut(err)
	}
	if fields, err = footer.schema(footer.follow(footer.field(footer.root(), 1))); err != nil {
		return nil, 0, 0, 0, err
	}
	last = size - 10 - long
	first = last                       // where there are no values
	for _, slot := range []int{2, 3} { // dictionaries and rows
		at, n := footer.vector(footer.field(footer.root(), slot), 24)
		for i := range n {
			first = min(first, footer.number(at+24*i, 8, 0))
		}
	}
	if first < 8 {
		return nil, 0, 0, 0, errors.New("it does not begin with a schema")
	}
	return fields, len(footer), first, last, nil
}

// cut is the error of a file that is shorter than it should be.
func cut(err error) error {
	if err == nil || err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readMessage reads the metadata of the message at a position, and returns where its body and the
// next message begin; nil at the end.
func readMessage(in io.ReaderAt, at, end int64) (message []byte, body, next int64, err error) {
	if at == end {
		return nil, 0, 0, nil
	}
	var head [8]byte
	if end-at < 4 {
		return nil, 0, 0, io.ErrUnexpectedEOF
	}
	if n, err := in.ReadAt(head[:min(8, end-at)], at); int64(n) < min(8, end-at) {
		return nil, 0, 0, cut(err)
	}
	length, over := binary.LittleEndian.Uint32(head[:]), int64(4)
	if length == 1<<32-1 { // before the length, since Arrow 0.15
		length, over = binary.LittleEndian.Uint32(head[4:]), 8
	}
	if length == 0 {
		return nil, 0, 0, nil
	}
	if int64(length) > end-at-over || length > longestMessage {
		return nil, 0, 0, errors.New("a message is longer than the file")
	}
	message = make([]byte, length)
	if n, err := in.ReadAt(message, at+over); n < len(message) {
		return nil, 0, 0, cut(err)
	}
	f := flat(message)
	body = at + over + int64(length)
	size := f.number(f.field(f.root(), 3), 8, 0)
	if size < 0 || size > end-body {
		return nil, 0, 0, errors.New("the values of a message lie beyond the end of the file")
	}
	return message, body, body + size, nil
}

// addColumns lists the fields with values. number counts all fields.
func (f *File) addColumns(fields []Field, prefix string, parents []int, number *int) {
	for _, d := range fields {
		own := *number
		*number++
		if f.names -= int64(len(prefix) + len(d.Name) + 1); f.names < 0 {
			return
		}
		if d.Kind == Struct && !d.coded {
			f.addColumns(d.Children, prefix+d.Name+".",
				append(parents[:len(parents):len(parents)], own), number)
			continue
		}
		f.Columns = append(f.Columns, Column{Name: prefix + d.Name, Field: d, field: own,
			parents: parents})
		if !d.coded {
			*number += countFields(d.Children)
		}
	}
}

func countFields(fields []Field) (n int) {
	for _, d := range fields {
		n++
		if !d.coded {
			n += countFields(d.Children)
		}
	}
	return n
}

// findDictionaries lists the fields with dictionaries, whose values are of the field's own type.
func findDictionaries(fields []Field, values map[int64]*Field) {
	for i := range fields {
		d := &fields[i]
		if d.coded {
			value := *d
			value.coded, value.index = false, nil
			values[d.id] = &value
		}
		findDictionaries(d.Children, values)
	}
}

// add takes a message with rows or with a dictionary.
func (f *File) add(message []byte, body, size int64, position int, fields []Field,
	values map[int64]*Field) error {
	m := flat(message)
	root := m.root()
	header := m.follow(m.field(root, 2))
	switch m.number(m.field(root, 1), 1, 0) {
	case headerRecords:
		b, err := m.batch(header, fields, body, size)
		if err != nil {
			return err
		}
		b.position = position
		f.Batches = append(f.Batches, b)
		f.Rows += b.Rows
		if f.Rows < 0 || f.Rows > 1<<40 {
			return errRows
		}
	case headerDictionary:
		id := m.number(m.field(header, 0), 8, 0)
		value := values[id]
		if value == nil {
			return nil // of no column
		}
		b, err := m.batch(m.follow(m.field(header, 1)), []Field{*value}, body, size)
		if err != nil {
			return err
		}
		b.position = position
		f.dictionaries[id] = append(f.dictionaries[id],
			dictionary{b, m.number(m.field(header, 2), 1, 0) != 0})
	}
	return nil
}

var errRows = errors.New("a column has more or fewer values than there are rows")

// batch reads where the values of rows are.
func (m flat) batch(table int, fields []Field, body, size int64) (Batch, error) {
	b := Batch{body: body, codec: plain, Rows: int(m.number(m.field(table, 0), 8, 0))}
	if b.Rows < 0 || b.Rows > 1<<40 {
		return b, errRows
	}
	if packed := m.follow(m.field(table, 3)); packed > 0 {
		b.codec = int(m.number(m.field(packed, 0), 1, 0))
		if b.codec > zstandard {
			return b, fmt.Errorf("its values are packed by a codec that is not known (%d)", b.codec)
		}
	}
	at, n := m.vector(m.field(table, 1), 16)
	for i := range n {
		b.nodes = append(b.nodes, m.number(at+16*i, 8, 0))
	}
	at, n = m.vector(m.field(table, 2), 16)
	for i := range n {
		s := span{m.number(at+16*i, 8, 0), m.number(at+16*i+8, 8, 0)}
		if s.at < 0 || s.size < 0 || s.at > size || s.size > size-s.at {
			return b, errors.New("values lie beyond the end of their message")
		}
		b.buffers = append(b.buffers, s)
	}
	var views []int
	at, n = m.vector(m.field(table, 4), 8)
	for i := range n {
		v := m.number(at+8*i, 8, 0)
		if v < 0 || v > int64(len(b.buffers)) {
			return b, errRows
		}
		views = append(views, int(v))
	}
	var here place
	b.locate(fields, &here, &views)
	if here.node > len(b.nodes) || here.buffer > len(b.buffers) {
		return b, errors.New("a message has fewer columns than the schema")
	}
	return b, b.check(fields, new(int))
}

// check holds the values that fields claim against the rows.
func (b *Batch) check(fields []Field, number *int) error {
	for _, d := range fields {
		p := b.places[*number]
		if b.nodes[p.node] != int64(b.Rows) {
			return errRows
		}
		if bits := d.bits(); bits > 0 && b.Rows > 0 && (p.buffer+1 >= len(b.buffers) ||
			(int64(b.Rows)*bits+7)/8 > mostInflated(b.codec, b.buffers[p.buffer+1].size)) {
			return errRows
		}
		*number++
		switch {
		case d.coded:
		case d.code == typeStruct:
			if err := b.check(d.Children, number); err != nil {
				return err
			}
		default:
			*number += countFields(d.Children)
		}
	}
	return nil
}

// bits returns how many bits each value takes in the first buffer of a field behind that of missing
// values; 0: none, or not known.
func (d *Field) bits() int64 {
	if d.coded {
		d = d.index
	}
	switch d.Kind {
	case Other, Null, Struct:
		return 0
	}
	return int64(d.Bits)
}

// mostInflated bounds what a buffer can inflate to: LZ4 has 255 bytes to each byte of a length.
func mostInflated(codec int, packed int64) int64 {
	const margin = 1 << 16
	switch codec {
	case lz4Frame:
		return 255*packed + margin
	case zstandard:
		return infile.MostInflated(infile.Zstd, packed)
	}
	return packed
}

// locate finds the nodes and buffers of fields, in the order in which they are written.
func (b *Batch) locate(fields []Field, here *place, views *[]int) {
	for _, d := range fields {
		p := *here
		here.node++
		code := d.code
		if d.coded {
			code = typeInt
		}
		switch code {
		case typeNull, typeRunEnd:
		case typeStruct, typeFixedList:
			here.buffer++
		case typeBinary, typeUTF8, typeLargeBinary, typeLargeUTF8, typeListView, typeLargeListView:
			here.buffer += 3
		case typeBinaryView, typeUTF8View:
			here.buffer += 2
			if len(*views) > 0 {
				p.views = (*views)[0]
				here.buffer += p.views
				*views = (*views)[1:]
			}
		case typeUnion:
			here.buffer++
			if d.Size == 1 { // dense
				here.buffer++
			}
		default: // a list, or values of a fixed size
			here.buffer += 2
		}
		b.places = append(b.places, p)
		if !d.coded {
			b.locate(d.Children, here, views)
		}
	}
}
