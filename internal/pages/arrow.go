package pages

import (
	"encoding/base64"
	"encoding/binary"
)

// Parquet has no type for durations: they are plain integers but for the schema that writers built
// on Arrow keep in the file's metadata, a Message of the Arrow IPC format. These are the positions
// of what is looked at in it (Message.fbs and Schema.fbs of Arrow).
const (
	messageHeader = 2
	schemaFields  = 1
	fieldName     = 0
	fieldTypeID   = 2
	fieldChildren = 5
	typeStruct    = 13
	typeDuration  = 18
)

// arrowDurations returns the paths of the columns, "group.column", that by an Arrow schema hold
// durations. A schema that cannot be read names none.
func arrowDurations(encoded string) map[string]bool {
	message, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(message) < 8 {
		return nil
	}
	if binary.LittleEndian.Uint32(message) == 1<<32-1 { // before the length, since Arrow 0.15
		message = message[4:]
	}
	f := flatBuffer{bytes: message[4:], left: 16 * len(message)}
	found := make(map[string]bool)
	schema := f.field(f.number(0, 4), messageHeader)
	f.durations(f.field(f.follow(schema), schemaFields), "", found)
	return found
}

// flatBuffer reads a FlatBuffers message: tables, whose fields are found by way of a table of
// places, and vectors. Position 0 means what is not there or lies outside.
type flatBuffer struct {
	bytes []byte
	left  int // bytes of paths still made, so that one with loops comes to an end
}

// number reads size bytes, 0 where there are none.
func (f *flatBuffer) number(place, size int) int {
	if place < 0 || place > len(f.bytes)-size {
		return 0
	}
	var word [8]byte
	copy(word[:], f.bytes[place:place+size])
	return int(binary.LittleEndian.Uint64(word[:]))
}

// follow returns the position to which the one at position leads.
func (f *flatBuffer) follow(place int) int {
	to := place + f.number(place, 4)
	if place == 0 || to > len(f.bytes)-4 {
		return 0
	}
	return to
}

// field returns the position of a field of a table.
func (f *flatBuffer) field(table, slot int) int {
	if table == 0 {
		return 0
	}
	places := table - int(int32(f.number(table, 4)))
	if 4+2*slot >= f.number(places, 2) {
		return 0
	}
	if offset := f.number(places+4+2*slot, 2); offset > 0 {
		return table + offset
	}
	return 0
}

// durations goes through a vector of fields, and those within them.
func (f *flatBuffer) durations(vector int, path string, found map[string]bool) {
	vector = f.follow(vector)
	if vector == 0 {
		return
	}
	for i := range f.number(vector, 4) {
		field := f.follow(vector + 4 + 4*i)
		name := f.follow(f.field(field, fieldName))
		size := f.number(name, 4)
		if field == 0 || name == 0 || size > len(f.bytes)-name-4 {
			return
		}
		if f.left -= len(path) + size + 1; f.left < 0 {
			return
		}
		full := path + string(f.bytes[name+4:name+4+size])
		switch f.number(f.field(field, fieldTypeID), 1) {
		case typeDuration:
			found[full] = true
		case typeStruct:
			f.durations(f.field(field, fieldChildren), full+".", found)
		}
	}
}
