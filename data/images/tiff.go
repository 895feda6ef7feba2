package images

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Fields of a TIFF directory that are looked at; EXIF in a JPEG is such a directory, too.
const (
	tagWidth        = 256
	tagHeight       = 257
	tagCompression  = 259
	tagOrientation  = 274
	tagRowsPerStrip = 278
	tagStripBytes   = 279
	tagTileWidth    = 322
	tagTileHeight   = 323
	tagTileBytes    = 325
)

// directory is the first directory of a TIFF.
type directory struct {
	data   []byte
	order  binary.ByteOrder
	fields map[uint16]int // where the 12 bytes of each field are
}

func newDirectory(data []byte) (*directory, error) {
	d := &directory{data: data, fields: map[uint16]int{}}
	switch {
	case begins(data, "II*\x00"):
		d.order = binary.LittleEndian
	case begins(data, "MM\x00*"):
		d.order = binary.BigEndian
	default:
		return nil, errors.New("no TIFF directory")
	}
	if len(data) < 8 {
		return nil, errors.New("it is cut short")
	}
	at := int64(d.order.Uint32(data[4:]))
	if at+2 > int64(len(data)) {
		return nil, errors.New("its directory is beyond its end")
	}
	count := int64(d.order.Uint16(data[at:]))
	if at+2+12*count > int64(len(data)) {
		return nil, errors.New("its directory is cut short")
	}
	for i := range count {
		field := int(at + 2 + 12*i)
		d.fields[d.order.Uint16(data[field:])] = field
	}
	return d, nil
}

// place returns where the values of a field are, their number and the bytes of each: nothing for a
// field that is missing, not of whole numbers, or beyond the end.
func (d *directory) place(tag uint16) (at, count, width int) {
	field, ok := d.fields[tag]
	if !ok {
		return 0, 0, 0
	}
	switch d.order.Uint16(d.data[field+2:]) {
	case 1:
		width = 1
	case 3:
		width = 2
	case 4:
		width = 4
	default:
		return 0, 0, 0
	}
	number := int64(d.order.Uint32(d.data[field+4:]))
	from := int64(field + 8)
	if number*int64(width) > 4 {
		from = int64(d.order.Uint32(d.data[field+8:]))
	}
	if from+number*int64(width) > int64(len(d.data)) {
		return 0, 0, 0
	}
	return int(from), int(number), width
}

func (d *directory) number(at, width int) int64 {
	switch width {
	case 1:
		return int64(d.data[at])
	case 2:
		return int64(d.order.Uint16(d.data[at:]))
	}
	return int64(d.order.Uint32(d.data[at:]))
}

// first returns the first value of a field, or other.
func (d *directory) first(tag uint16, other int64) int64 {
	at, count, width := d.place(tag)
	if count == 0 {
		return other
	}
	return d.number(at, width)
}

// orientation is how a picture is to be turned, from 1 (as it is) to 8.
func (d *directory) orientation() int {
	if o := d.first(tagOrientation, 1); o >= 1 && o <= 8 {
		return int(o)
	}
	return 1
}

const (
	packBits     = 32773
	maxPacked    = 1 << 20 // bytes of a strip packed so: they may unpack to 64 times as many
	tilePerPixel = 4       // pixels of tiles for one of the picture, at most
)

// checkTIFF bounds what the decoder takes on trust: strips and tiles may claim to be far larger
// than the picture, and to read the same bytes again and again. A number of rows beyond the
// picture, which the format allows, is put right in data.
func checkTIFF(data []byte) (orientation int, err error) {
	d, err := newDirectory(data)
	if err != nil {
		return 1, err
	}
	width, height := d.first(tagWidth, 0), d.first(tagHeight, 0)
	parts := uint16(tagStripBytes)
	if tw := d.first(tagTileWidth, 0); tw != 0 {
		th := d.first(tagTileHeight, 0)
		if tw < 8 || th < 8 {
			return 1, errors.New("its tiles are too small")
		}
		// Divided rather than multiplied, so that nothing overflows.
		across, down := (width+tw-1)/tw, (height+th-1)/th
		if tw > maxSide || th > maxSide || across*down*tw*th > tilePerPixel*(width*height+1<<16) {
			return 1, fmt.Errorf("its tiles of %d × %d are too large for a picture of %d × %d", tw,
				th, width, height)
		}
		parts = tagTileBytes
	} else if at, count, w := d.place(tagRowsPerStrip); count > 0 && d.number(at, w) > height {
		switch w {
		case 1:
			data[at] = byte(height)
		case 2:
			d.order.PutUint16(data[at:], uint16(height))
		case 4:
			d.order.PutUint32(data[at:], uint32(height))
		}
	}
	at, count, w := d.place(parts)
	var total int64
	for i := range count {
		bytes := d.number(at+i*w, w)
		total += bytes
		if d.first(tagCompression, 1) == packBits && bytes > maxPacked {
			return 1, errors.New("its strips are too long")
		}
	}
	if total > int64(len(data)) {
		return 1, errors.New("it is cut short, or its strips overlap")
	}
	return d.orientation(), nil
}
