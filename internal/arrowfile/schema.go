package arrowfile

import (
	"errors"
	"time"
)

// Kind is what the values of a field are.
type Kind uint8

// The kinds of values.
const (
	Other Kind = iota // of no use in a table
	Null              // all missing
	Bool
	Int
	Float
	Text
	Bytes
	Date
	Timestamp
	Clock // a time of day
	Duration
	Decimal
	List
	Struct
	Map
)

// Field is a column of a schema, or a part of one (Schema.fbs of Arrow).
type Field struct {
	Name     string
	Kind     Kind
	Children []Field

	code     int // of the type
	Bits     int // of a value of a fixed size; of an offset or a size else
	unsigned bool
	Unit     time.Duration // of times and durations
	Zone     string        // of timestamps; "": not known
	scale    int           // digits of a decimal after the point
	Size     int           // items of a list of a fixed size, bytes of such a value
	coded    bool          // values are positions in a dictionary
	id       int64         // of the dictionary
	index    *Field        // what positions are written as
}

// Codes of types.
const (
	typeNull          = 1
	typeInt           = 2
	typeFloat         = 3
	typeBinary        = 4
	typeUTF8          = 5
	typeBool          = 6
	typeDecimal       = 7
	typeDate          = 8
	typeTime          = 9
	typeTimestamp     = 10
	typeInterval      = 11
	typeList          = 12
	typeStruct        = 13
	typeUnion         = 14
	typeFixedBinary   = 15
	typeFixedList     = 16
	typeMap           = 17
	typeDuration      = 18
	typeLargeBinary   = 19
	typeLargeUTF8     = 20
	typeLargeList     = 21
	typeRunEnd        = 22
	typeBinaryView    = 23
	typeUTF8View      = 24
	typeListView      = 25
	typeLargeListView = 26
)

// Headers of messages.
const (
	headerSchema     = 1
	headerDictionary = 2
	headerRecords    = 3
)

// deepest bounds how deep fields lie in others, and mostFields how many there are.
const (
	deepest    = 64
	mostFields = 1 << 20
)

// Schema returns the fields that a message with a schema describes.
func Schema(message []byte) ([]Field, error) {
	f := flat(message)
	root := f.root()
	if f.number(f.field(root, 1), 1, 0) != headerSchema {
		return nil, errors.New("it does not begin with a schema")
	}
	return f.schema(f.follow(f.field(root, 2)))
}

// schema reads the fields of a schema.
func (f flat) schema(schema int) ([]Field, error) {
	if f.number(f.field(schema, 0), 2, 0) != 0 {
		return nil, errors.New("its numbers have the highest byte first, which is not read")
	}
	s := schemaReader{flat: f, fields: min(mostFields, len(f)/leastField), texts: len(f)}
	return s.read(f.field(schema, 1), deepest)
}

// schemaReader reads fields. Offsets may lead many fields to the same bytes, which no writer does:
// there are no more of them, and no more texts, than the message has bytes for.
type schemaReader struct {
	flat
	fields int // that may still come
	texts  int // bytes of names and zones that may still come
}

// leastField is how many bytes a field has at least.
const leastField = 16

// words reads a text.
func (f *schemaReader) words(place int) string {
	text := f.text(place)
	f.texts -= len(text)
	if f.texts < 0 {
		return ""
	}
	return string(text)
}

func (f *schemaReader) read(place, deep int) ([]Field, error) {
	at, n := f.vector(place, 4)
	if f.fields -= n; deep < 0 || f.fields < 0 {
		return nil, errors.New("its schema is too deep or has too many fields")
	}
	fields := make([]Field, 0, n)
	for i := range n {
		table := f.follow(at + 4*i)
		if table == 0 {
			return nil, errors.New("its schema is cut short")
		}
		d := Field{Name: f.words(f.field(table, 0)), code: int(f.number(f.field(table, 2), 1, 0))}
		f.describe(&d, f.follow(f.field(table, 3)))
		if coding := f.follow(f.field(table, 4)); coding > 0 {
			d.coded, d.id = true, f.number(f.field(coding, 0), 8, 0)
			d.index = &Field{code: typeInt}
			f.describe(d.index, f.follow(f.field(coding, 1)))
			if coding = f.field(coding, 1); coding == 0 {
				d.index.Kind, d.index.Bits = Int, 32
			}
			if d.index.Kind != Int {
				return nil, errors.New("the positions in a dictionary are no integers")
			}
		}
		var err error
		if d.Children, err = f.read(f.field(table, 5), deep-1); err != nil {
			return nil, err
		}
		if f.texts < 0 {
			return nil, errors.New("the names of its columns are longer than its schema")
		}
		fields = append(fields, d)
	}
	return fields, nil
}

var units = [...]time.Duration{time.Second, time.Millisecond, time.Microsecond, time.Nanosecond}

func (f flat) unit(table, otherwise int) time.Duration {
	unit := f.number(f.field(table, 0), 2, int64(otherwise))
	if unit < 0 || int(unit) >= len(units) {
		return 0
	}
	return units[unit]
}

// describe fills in what the type of a field states.
func (f *schemaReader) describe(d *Field, table int) {
	switch d.code {
	case typeNull:
		d.Kind = Null
	case typeInt:
		d.Bits = int(f.number(f.field(table, 0), 4, 0))
		d.unsigned = f.number(f.field(table, 1), 1, 0) == 0
		switch d.Bits {
		case 8, 16, 32, 64:
			d.Kind = Int
		}
	case typeFloat:
		switch f.number(f.field(table, 0), 2, 0) {
		case 0, 1, 2:
			d.Kind, d.Bits = Float, 16<<f.number(f.field(table, 0), 2, 0)
		}
	case typeBool:
		d.Kind, d.Bits = Bool, 1
	case typeUTF8, typeBinary:
		d.Kind, d.Bits = Text, 32
	case typeLargeUTF8, typeLargeBinary:
		d.Kind, d.Bits = Text, 64
	case typeUTF8View, typeBinaryView:
		d.Kind, d.Bits = Text, 128
	case typeDecimal:
		d.Bits = int(f.number(f.field(table, 2), 4, 128))
		d.scale = int(f.number(f.field(table, 1), 4, 0))
		switch d.Bits {
		case 32, 64, 128, 256:
			if d.scale >= 0 && d.scale <= 1000 {
				d.Kind = Decimal
			}
		}
	case typeDate:
		d.Kind, d.Bits, d.Unit = Date, 64, time.Millisecond
		if f.number(f.field(table, 0), 2, 1) == 0 {
			d.Bits, d.Unit = 32, 24*time.Hour
		}
	case typeTime:
		d.Unit, d.Bits = f.unit(table, 1), int(f.number(f.field(table, 1), 4, 32))
		if d.Unit > 0 && (d.Bits == 32 || d.Bits == 64) {
			d.Kind = Clock
		}
	case typeTimestamp:
		if d.Unit, d.Bits = f.unit(table, 0), 64; d.Unit > 0 {
			d.Kind = Timestamp
		}
		d.Zone = f.words(f.field(table, 1))
	case typeDuration:
		if d.Unit, d.Bits = f.unit(table, 1), 64; d.Unit > 0 {
			d.Kind = Duration
		}
	case typeFixedBinary:
		d.Kind, d.Size = Bytes, int(f.number(f.field(table, 0), 4, 0))
	case typeUnion:
		d.Size = int(f.number(f.field(table, 0), 2, 0)) // 1 where it is dense
	case typeStruct:
		d.Kind = Struct
	case typeMap:
		d.Kind, d.Bits = Map, 32
	case typeList:
		d.Kind, d.Bits = List, 32
	case typeLargeList:
		d.Kind, d.Bits = List, 64
	case typeFixedList:
		d.Kind, d.Size = List, int(f.number(f.field(table, 0), 4, 0))
	}
	if d.code == typeBinary || d.code == typeLargeBinary || d.code == typeBinaryView {
		d.Kind = Bytes
	}
}

// IsNumber reports whether values are plain numbers.
func (f *Field) IsNumber() bool { return (f.Kind == Int || f.Kind == Float) && !f.coded }

// Coded reports whether values are written as positions in a dictionary.
func (f *Field) Coded() bool { return f.coded }
