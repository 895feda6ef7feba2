package smalljpeg

import (
	"context"
	"encoding/binary"
	"math/bits"
)

// quick is the number of bits of a code that are looked up at once.
const quick = 10

// huffman decodes symbols.
type huffman struct {
	lookup [1 << quick]uint16 // length of the code over its symbol; 0 where it is longer
	most   [17]int32          // the largest code of a length, or -1
	offset [17]int32          // what to add to a code of a length for the index of its symbol
	symbol []byte
}

// newHuffman returns the codes of counts symbols of each length from 1 to 16, or nil where no code
// can have as many.
func newHuffman(counts, symbols []byte) *huffman {
	t := &huffman{symbol: symbols}
	code, index := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		t.most[length] = -1
		if n := int32(counts[length-1]); n > 0 {
			t.offset[length] = index - code
			for range n {
				if length <= quick && code < 1<<length {
					first := code << (quick - length)
					for i := range int32(1) << (quick - length) {
						t.lookup[first+i] = uint16(length)<<8 | uint16(symbols[index])
					}
				}
				code, index = code+1, index+1
			}
			t.most[length] = code - 1
		}
		if code > 1<<length {
			return nil
		}
		code <<= 1
	}
	return t
}

// stream is bits, the next of them on top of held.
type stream struct {
	data   []byte
	at     int
	held   uint64
	count  int // of bits held
	beyond int // of them, those made up after the end of the data
}

// fill holds at least 56 bits, with zeros from the next marker or the end on.
func (s *stream) fill() {
	if s.count > 56 {
		return
	}
	if s.at+8 <= len(s.data) {
		next := binary.BigEndian.Uint64(s.data[s.at:])
		if inverse := ^next; (inverse-0x0101010101010101)&^inverse&0x8080808080808080 == 0 {
			s.held |= next >> s.count // no byte is 0xff
			s.at += (63 - s.count) >> 3
			s.count |= 56
			return
		}
	}
	for s.count <= 56 {
		var b byte
		switch {
		case s.at >= len(s.data):
			s.beyond += 8
		case s.data[s.at] != 0xff:
			b = s.data[s.at]
			s.at++
		case s.at+1 < len(s.data) && s.data[s.at+1] == 0:
			b = 0xff
			s.at += 2
		default:
			s.beyond += 8
		}
		s.held |= uint64(b) << (56 - s.count)
		s.count += 8
	}
}

func (s *stream) skip(n int) {
	s.held <<= n
	s.count -= n
}

// next returns the next symbol of a table; at least 16 bits are held.
func (s *stream) next(t *huffman) (byte, bool) {
	if e := t.lookup[s.held>>(64-quick)]; e != 0 {
		s.skip(int(e >> 8))
		return byte(e), true
	}
	for length := quick + 1; length <= 16; length++ {
		if code := int32(s.held >> (64 - length)); code <= t.most[length] {
			s.skip(length)
			return t.symbol[code+t.offset[length]], true
		}
	}
	return 0, false
}

// number returns a number of n bits, from 1 to 16, of which the first is 0 where it is negative.
func (s *stream) number(n int) int32 {
	v := int32(s.held >> (64 - n))
	if s.held>>63 == 0 {
		v -= 1<<n - 1
	}
	s.skip(n)
	return v
}

// ended reports whether bits were used that are not there.
func (s *stream) ended() bool { return s.count < s.beyond }

// scan reads the pixels, and returns where the marker behind them is.
func (d *decoder) scan(ctx context.Context, data []byte) (int, error) {
	s := &stream{data: data}
	across, down := d.units()
	done := 0
	var coefficients [16]int32
	for y := range down {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for x := range across {
			if d.restart > 0 && done > 0 && done%d.restart == 0 {
				if !s.again(byte(done/d.restart-1) & 7) {
					return 0, ErrUnsupported
				}
				for i := range d.parts {
					d.parts[i].last = 0
				}
			}
			done++
			for i := range d.parts {
				c := &d.parts[i]
				for b := range c.h * c.v {
					if !d.block(s, c, &coefficients) {
						return 0, ErrUnsupported
					}
					for i, size := range d.sizes {
						p := c.planes[i]
						at := ((y*c.v+b/c.h)*p.stride + x*c.h + b%c.h) * size
						put(p.pixels[at:], p.stride, size, d.most, &coefficients)
					}
				}
			}
		}
		if s.ended() {
			return 0, ErrUnsupported
		}
	}
	if !s.align() {
		return 0, ErrUnsupported
	}
	return s.at, nil
}

// align passes over the bits that fill a byte, and reports whether what follows is a marker.
func (s *stream) align() bool {
	ok := !s.ended() && s.count-s.beyond < 8
	s.held, s.count, s.beyond = 0, 0, 0
	return ok
}

// again passes over the marker of a restart.
func (s *stream) again(number byte) bool {
	if !s.align() || s.at+2 > len(s.data) || s.data[s.at] != 0xff || s.data[s.at+1] != 0xd0+number {
		return false
	}
	s.at += 2
	return true
}

// block reads the coefficients of a block, of which the lowest are kept, in as many rows and columns
// as the largest size has pixels, multiplied.
func (d *decoder) block(s *stream, c *component, out *[16]int32) bool {
	*out = [16]int32{}
	quant := d.quant[c.table]
	s.fill()
	size, ok := s.next(c.dc)
	if !ok || size > 16 {
		return false
	}
	if size > 0 {
		c.last += s.number(int(size))
	}
	out[0] = c.last * int32(quant[0])
	kept := &places[bits.TrailingZeros(uint(d.most))]
	for k := 1; k < block*block; k++ {
		if s.count < 32 {
			s.fill()
		}
		symbol, ok := s.next(c.ac)
		if !ok {
			return false
		}
		run, size := int(symbol>>4), int(symbol&15)
		if size == 0 {
			if run != 15 {
				break
			}
			k += 15
			continue
		}
		if k += run; k >= block*block {
			return false
		}
		if to := kept[k]; to > 0 {
			out[to] = s.number(size) * int32(quant[k])
		} else {
			s.skip(size)
		}
	}
	return true
}

// places are, for blocks of 1, 2 and 4 pixels a side, where each coefficient in the order of the
// file is kept; 0 where it is not.
var places = func() (out [3][block * block]uint8) {
	for scale := range out {
		size := 1 << scale
		k := 0
		for sum := range 2*block - 1 { // along the diagonals, up and down in turn
			for i := range block {
				row, column := i, sum-i
				if sum%2 == 0 {
					row, column = column, row
				}
				if row < 0 || row >= block || column < 0 || column >= block {
					continue
				}
				if row < size && column < size {
					out[scale][k] = uint8(row*size + column)
				}
				k++
			}
		}
	}
	return out
}()

// Cosines, times 2¹², of the transforms of four and two numbers, each halved, and the root of an
// eighth, by which the constant counts.
const (
	shift    = 12
	constant = 1448 // 2¹² √⅛
	cos4a    = 1892 // 2¹² cos(π/8) / 2
	cos4b    = 1448 // 2¹² cos(2π/8) / 2
	cos4c    = 784  // 2¹² cos(3π/8) / 2
)

// put sets size × size pixels to those of a block, whose coefficients are in rows of wide.
func put(to []byte, stride, size, wide int, c *[16]int32) {
	switch size {
	case 1:
		to[0] = level(int64(c[0]) << (2*shift - 3))
	case 2:
		a, b := int64(c[0])*constant, int64(c[1])*cos4b
		e, f := int64(c[wide])*constant, int64(c[wide+1])*cos4b
		for x, sign := range [2]int64{1, -1} {
			upper, lower := (a+sign*b)*constant, (e+sign*f)*cos4b
			to[x] = level(upper + lower)
			to[stride+x] = level(upper - lower)
		}
	case 4:
		var columns [16]int64
		for y := range 4 {
			line := four(int64(c[4*y]), int64(c[4*y+1]), int64(c[4*y+2]), int64(c[4*y+3]))
			copy(columns[4*y:], line[:])
		}
		for x := range 4 {
			line := four(columns[x], columns[4+x], columns[8+x], columns[12+x])
			for y, v := range line {
				to[y*stride+x] = level(v)
			}
		}
	}
}

// four transforms four coefficients.
func four(a, b, c, d int64) [4]int64 {
	even, odd := a*constant+c*cos4b, a*constant-c*cos4b
	outer, inner := b*cos4a+d*cos4c, b*cos4c-d*cos4a
	return [4]int64{even + outer, odd + inner, odd - inner, even - outer}
}

// level returns the byte of a pixel, of 2²⁴ times its difference from the middle.
func level(v int64) byte {
	return byte(min(max((v+1<<(2*shift-1))>>(2*shift)+128, 0), 255))
}
