package arrowfile

import "encoding/binary"

// flat reads a FlatBuffers message: tables, whose fields are found by way of a table of places, and
// vectors. Position 0 means what is not there or lies outside.
type flat []byte

// number reads size bytes, or returns otherwise where there are none.
func (f flat) number(place, size int, otherwise int64) int64 {
	if place <= 0 || place > len(f)-size {
		return otherwise
	}
	switch size {
	case 1:
		return int64(f[place])
	case 2:
		return int64(int16(binary.LittleEndian.Uint16(f[place:])))
	case 4:
		return int64(int32(binary.LittleEndian.Uint32(f[place:])))
	}
	return int64(binary.LittleEndian.Uint64(f[place:]))
}

// root returns the position of the first table.
func (f flat) root() int {
	if len(f) < 4 {
		return 0
	}
	return f.at(uint64(binary.LittleEndian.Uint32(f)))
}

func (f flat) at(place uint64) int {
	if place > uint64(len(f))-4 {
		return 0
	}
	return int(place)
}

// follow returns the position to which the one at place leads.
func (f flat) follow(place int) int {
	if place <= 0 || place > len(f)-4 {
		return 0
	}
	return f.at(uint64(place) + uint64(binary.LittleEndian.Uint32(f[place:])))
}

// field returns the position of a field of a table.
func (f flat) field(table, slot int) int {
	if table <= 0 || table > len(f)-4 {
		return 0
	}
	places := table - int(f.number(table, 4, 0))
	if places <= 0 || places > len(f)-4 ||
		4+2*slot >= int(binary.LittleEndian.Uint16(f[places:])) || places+6+2*slot > len(f) {
		return 0
	}
	offset := int(binary.LittleEndian.Uint16(f[places+4+2*slot:]))
	if offset == 0 || table+offset >= len(f) {
		return 0
	}
	return table + offset
}

// vector returns the position and the length of a vector of items of so many bytes, all of which
// lie in the message; a length of 0 where there is none.
func (f flat) vector(place, size int) (at, n int) {
	if at = f.follow(place); at == 0 {
		return 0, 0
	}
	n = int(uint32(f.number(at, 4, 0)))
	if n > (len(f)-at-4)/size {
		return 0, 0
	}
	return at + 4, n
}

// text returns a text, which is a part of the message.
func (f flat) text(place int) []byte {
	at, n := f.vector(place, 1)
	return f[at : at+n]
}
