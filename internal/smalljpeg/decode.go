// Package smalljpeg decodes JPEGs at a half, a quarter or an eighth of their size, in a fraction of
// the time that image/jpeg takes for all of their pixels.
//
// A block of 8 × 8 pixels becomes one of 4 × 4, 2 × 2 or 1 × 1, by the inverse cosine transform of
// that many of its lowest frequencies, as libjpeg does. What is common is read: sequential JPEGs of
// 8 bits, grey or YCbCr, all in one scan. Everything else, and whatever is damaged, is
// [ErrUnsupported], for a complete decoder to read or to refuse.
package smalljpeg

import (
	"context"
	"encoding/binary"
	"errors"
	"image"
)

// ErrUnsupported is returned for JPEGs that this package does not read.
var ErrUnsupported = errors.New("not a JPEG that can be decoded at a smaller size")

const block = 8 // pixels of a side of a block

// component is a colour of a picture.
type component struct {
	id     byte
	h, v   int // blocks of a unit, across and down
	table  byte
	dc, ac *huffman
	last   int32   // the constant of the block before
	planes []plane // of each size
}

// plane is a component at a size.
type plane struct {
	pixels []byte
	stride int
}

// Decoder decodes one picture after another in the same memory. The zero value works.
type Decoder struct {
	picture
	memory [][]byte      // of planes
	tables [2][4]huffman // of constants, and of others
	lines  [4][64]uint16 // of what coefficients are multiplied by
}

// picture is what is known of the picture that is decoded.
type picture struct {
	width, height int
	parts         []component
	quant         [4]*[64]uint16
	dc, ac        [4]*huffman
	restart       int   // units between two markers; 0 means none
	sizes         []int // of a block when decoded: 1, 2 or 4
	most          int   // of them
	planes        int   // that are in use
}

// Decode returns the JPEG in data once for each denominator, with that many pixels, 2, 4 or 8, in
// each direction as one, and parts of them at the rims as one, too. The pictures are [image.Gray]
// or [image.YCbCr]; all are made in one pass over data, each as it would be made alone, and last
// until the next call. If ctx is cancelled, its error is returned.
func (d *Decoder) Decode(ctx context.Context, data []byte, denominators ...int) ([]image.Image,
	error) {
	d.picture = picture{parts: d.parts[:0], sizes: d.sizes[:0]}
	for _, by := range denominators {
		if by != 2 && by != 4 && by != 8 {
			return nil, ErrUnsupported
		}
		d.sizes = append(d.sizes, block/by)
		d.most = max(d.most, block/by)
	}
	scan, err := d.header(data)
	if err != nil {
		return nil, err
	}
	out := make([]image.Image, len(d.sizes))
	for i, size := range d.sizes {
		out[i] = d.allocate(size)
	}
	end, err := d.scan(ctx, data[scan:])
	if err != nil {
		return nil, err
	}
	if rest := data[scan+end:]; len(rest) < 2 || rest[0] != 0xff || rest[1] != 0xd9 {
		return nil, ErrUnsupported
	}
	return out, nil
}

// Size is the number of bytes that are held for planes.
func (d *Decoder) Size() (total int) {
	for _, m := range d.memory {
		total += cap(m)
	}
	return total
}

// header reads the segments before the pixels, and returns where the pixels begin.
func (d *Decoder) header(data []byte) (int, error) {
	if len(data) < 2 || data[0] != 0xff || data[1] != 0xd8 {
		return 0, ErrUnsupported
	}
	for at := 2; at+4 <= len(data); {
		if data[at] != 0xff {
			return 0, ErrUnsupported
		}
		marker := data[at+1]
		if marker == 0xff { // a filling byte
			at++
			continue
		}
		size := int(binary.BigEndian.Uint16(data[at+2:]))
		if marker < 0xc0 || marker >= 0xd0 && marker <= 0xd9 || size < 2 || at+2+size > len(data) {
			return 0, ErrUnsupported
		}
		body := data[at+4 : at+2+size]
		at += 2 + size
		ok := true
		switch {
		case marker == 0xc0 || marker == 0xc1:
			ok = d.frame(body)
		case marker == 0xc4:
			ok = d.codes(body)
		case marker == 0xda:
			if !d.begin(body) {
				return 0, ErrUnsupported
			}
			return at, nil
		case marker == 0xdb:
			ok = d.quantisation(body)
		case marker == 0xdd:
			if ok = len(body) == 2; ok {
				d.restart = int(binary.BigEndian.Uint16(body))
			}
		case marker == 0xee: // Adobe: 0 stands for RGB, 2 for four inks
			ok = len(body) < 12 || string(body[:5]) != "Adobe" || body[11] == 1
		case marker < 0xe0: // other ways to compress
			ok = false
		}
		if !ok {
			return 0, ErrUnsupported
		}
	}
	return 0, ErrUnsupported
}

// frame reads the size and the colours.
func (d *Decoder) frame(body []byte) bool {
	if len(d.parts) > 0 || len(body) < 6 || body[0] != 8 || len(body) != 6+3*int(body[5]) {
		return false
	}
	d.height = int(binary.BigEndian.Uint16(body[1:]))
	d.width = int(binary.BigEndian.Uint16(body[3:]))
	if n := body[5]; d.width == 0 || d.height == 0 || n != 1 && n != 3 {
		return false
	}
	for c := body[6:]; len(c) > 0; c = c[3:] {
		d.parts = append(d.parts,
			component{id: c[0], h: int(c[1] >> 4), v: int(c[1] & 15), table: c[2]})
		if c[2] > 3 {
			return false
		}
	}
	if len(d.parts) == 1 { // blocks follow each other whatever is stated
		d.parts[0].h, d.parts[0].v = 1, 1
		return true
	}
	light, a, b := d.parts[0], d.parts[1], d.parts[2]
	rgb := light.id == 'R' && a.id == 'G' && b.id == 'B'
	return !rgb && light.id != a.id && light.id != b.id && a.id != b.id &&
		a.h == 1 && a.v == 1 && b.h == 1 && b.v == 1 && d.ratio() >= 0
}

// ratio is how colours are shared by pixels, or -1 where it is unusual.
func (d *Decoder) ratio() image.YCbCrSubsampleRatio {
	switch light := d.parts[0]; [2]int{light.h, light.v} {
	case [2]int{1, 1}:
		return image.YCbCrSubsampleRatio444
	case [2]int{2, 1}:
		return image.YCbCrSubsampleRatio422
	case [2]int{2, 2}:
		return image.YCbCrSubsampleRatio420
	case [2]int{1, 2}:
		return image.YCbCrSubsampleRatio440
	}
	return -1
}

// quantisation reads by what coefficients are multiplied.
func (d *Decoder) quantisation(body []byte) bool {
	for len(body) > 0 {
		wide, to := int(body[0]>>4), body[0]&15
		if wide > 1 || to > 3 || len(body) < 1+64*(1+wide) {
			return false
		}
		table := &d.lines[to]
		for i := range table {
			if wide == 1 {
				table[i] = binary.BigEndian.Uint16(body[1+2*i:])
			} else {
				table[i] = uint16(body[1+i])
			}
		}
		d.quant[to], body = table, body[1+64*(1+wide):]
	}
	return true
}

// codes reads Huffman codes.
func (d *Decoder) codes(body []byte) bool {
	for len(body) > 0 {
		class, to := body[0]>>4, body[0]&15
		if class > 1 || to > 3 || len(body) < 17 {
			return false
		}
		total := 0
		for _, n := range body[1:17] {
			total += int(n)
		}
		if total == 0 || total > 256 || len(body) < 17+total {
			return false
		}
		table := &d.tables[class][to]
		if !table.set(body[1:17], body[17:17+total]) {
			return false
		}
		if class == 0 {
			d.dc[to] = table
		} else {
			table.pass()
			d.ac[to] = table
		}
		body = body[17+total:]
	}
	return true
}

// begin reads the header of the scan.
func (d *Decoder) begin(body []byte) bool {
	n := len(d.parts)
	if n == 0 || len(body) != 4+2*n || int(body[0]) != n {
		return false
	}
	for i := range d.parts {
		c := &d.parts[i]
		selected := body[2+2*i]
		if body[1+2*i] != c.id || selected>>4 > 3 || selected&15 > 3 || d.quant[c.table] == nil {
			return false
		}
		if c.dc, c.ac = d.dc[selected>>4], d.ac[selected&15]; c.dc == nil || c.ac == nil {
			return false
		}
	}
	spectrum := body[1+2*n:]
	return spectrum[0] == 0 && spectrum[1] == 63 && spectrum[2] == 0
}

// units are the numbers of units of blocks, across and down.
func (d *Decoder) units() (across, down int) {
	w, h := block*d.parts[0].h, block*d.parts[0].v
	return (d.width + w - 1) / w, (d.height + h - 1) / h
}

// allocate returns the picture that planes of the components are of, with blocks of a size.
func (d *Decoder) allocate(size int) image.Image {
	across, down := d.units()
	full := image.Rect(0, 0, across*d.parts[0].h*size, down*d.parts[0].v*size)
	less := func(n int) int { return (n*size + block - 1) / block }
	real := image.Rect(0, 0, less(d.width), less(d.height))
	take := func(part, across, down int) (pixels []byte, stride int) {
		if d.planes == len(d.memory) {
			d.memory = append(d.memory, nil)
		}
		held := &d.memory[d.planes]
		d.planes++
		if cap(*held) < across*down {
			*held = make([]byte, across*down)
		}
		pixels = (*held)[:across*down]
		d.parts[part].planes = append(d.parts[part].planes, plane{pixels, across})
		return pixels, across
	}
	if len(d.parts) == 1 {
		img := &image.Gray{Rect: full}
		img.Pix, img.Stride = take(0, full.Dx(), full.Dy())
		return img.SubImage(real)
	}
	img := &image.YCbCr{SubsampleRatio: d.ratio(), Rect: full}
	img.Y, img.YStride = take(0, full.Dx(), full.Dy())
	img.Cb, img.CStride = take(1, across*size, down*size)
	img.Cr, img.CStride = take(2, across*size, down*size)
	return img.SubImage(real)
}
