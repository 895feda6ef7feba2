package smalljpeg

import (
	"context"
	"encoding/binary"
	"math/bits"
)

// quick is the number of bits that are looked up at once.
const quick = 10

// huffman decodes symbols.
type huffman struct {
	lookup [1 << quick]entry // 0 where the code is longer
	passed [1 << quick]entry // as many symbols as can be passed over at once; 0 where none can
	most   [17]int32         // the largest code of a length, or -1
	offset [17]int32         // what to add to a code of a length for the index of its symbol
	symbol [256]byte
}

// set sets the codes of counts symbols of each length from 1 to 16, and reports whether codes can
// have as many.
func (t *huffman) set(counts, symbols []byte) bool {
	clear(t.lookup[:])
	copy(t.symbol[:], symbols)
	code, index := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		t.most[length] = -1
		if n := int32(counts[length-1]); n > 0 {
			t.offset[length] = index - code
			for range n {
				if length <= quick && code < 1<<length {
					first := code << (quick - length)
					for i := range int32(1) << (quick - length) {
						t.lookup[first+i] = newEntry(length, symbols[index])
					}
				}
				code, index = code+1, index+1
			}
			t.most[length] = code - 1
		}
		if code > 1<<length {
			return false
		}
		code <<= 1
	}
	return true
}

// find returns the symbol whose code is on top of held; 0: there is none.
func (t *huffman) find(held uint64) entry {
	if e := t.lookup[held>>(64-quick)]; e != 0 {
		return e
	}
	for length := quick + 1; length <= 16; length++ {
		if code := int32(held >> (64 - length)); code <= t.most[length] {
			return newEntry(length, t.symbol[code+t.offset[length]])
		}
	}
	return 0
}

// pass finds, for the codes of coefficients but the first, what can be passed over at once.
func (t *huffman) pass() {
	for i := range t.passed {
		var sum entry
		for at := 0; at < quick && !sum.ends(); at = sum.all() {
			e := t.lookup[i<<at&(1<<quick-1)]
			if e == 0 || at+e.code() > quick || sum.by()+e.by() >= block*block {
				break
			}
			sum = sum.and(e)
		}
		t.passed[i] = sum
	}
}

// entry is what is known of the next bits: in its lowest byte a symbol, then the number of bits of
// its code, that of these and of the number behind it, and by how many coefficients it goes on,
// with a bit that is set where the block ends.
type entry uint32

const ends = 1 << 31

func newEntry(length int, symbol byte) entry {
	run, size := int(symbol>>4), int(symbol&15)
	e := entry((length+size)<<16 | length<<8 | int(symbol))
	if size == 0 && run < 15 {
		return e | ends
	}
	return e | entry(run+1)<<24
}

// and returns what is known of both, one behind the other, but for their symbols.
func (e entry) and(next entry) entry { return e&^0xffff + next&^0xffff }

// code is the number of bits of the code.
func (e entry) code() int { return int(e >> 8 & 31) }

// all is the number of bits in all, at most 31: codes have those that are looked up, or 16, and the
// number behind the last of them has 15.
func (e entry) all() int { return int(e >> 16 & 63) }

// by is the number of coefficients that it goes on by.
func (e entry) by() int { return int(e >> 24 & 127) }

// ends reports whether the block ends.
func (e entry) ends() bool { return e >= ends }

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

// number returns the number of n bits, from 1 to 16, on top of held. The first is 0 where it is
// negative.
func number(held uint64, n int) int32 {
	positive := int32(int64(held) >> 63) // -1 or 0
	return int32(held>>((64-n)&63)) - (1<<(n&31)-1)&^positive
}

// ended reports whether bits were used that are not there.
func (s *stream) ended() bool { return s.count < s.beyond }

// scan reads the pixels, and returns where the marker behind them is.
func (d *Decoder) scan(ctx context.Context, data []byte) (int, error) {
	s := &stream{data: data}
	across, down := d.units()
	done := 0
	var of coefficients
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
					if !d.block(s, c, &of) {
						return 0, ErrUnsupported
					}
					down, across := y*c.v, x*c.h+b
					if b >= c.h {
						down, across = down+b/c.h, across-b+b%c.h
					}
					for i, size := range d.sizes {
						p := &c.planes[i]
						put(p.pixels[(down*p.stride+across)*size:], p.stride, size, d.most, &of)
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

// coefficients are the lowest of a block, in as many rows and columns as the largest size has
// pixels, multiplied, and one behind them that is not looked at: a place for all others.
type coefficients [32]int32

const other = 16

// block reads the coefficients of a block that are kept.
func (d *Decoder) block(s *stream, c *component, out *coefficients) bool {
	clear(out[:other])
	quant := d.quant[c.table]
	s.fill()
	e := c.dc.find(s.held)
	size := int(e & 255)
	if e == 0 || size > 16 {
		return false
	}
	s.skip(e.code())
	if size > 0 {
		c.last += number(s.held, size)
		s.skip(size)
	}
	out[0] = c.last * int32(quant[0])
	return d.others(s, c.ac, quant, out)
}

// others reads the coefficients of a block but the first.
func (d *Decoder) others(s *stream, t *huffman, quant *[64]uint16, out *coefficients) bool {
	scale := bits.TrailingZeros(uint(d.most)) & 3
	kept, last := &places[scale], lasts[scale]
	held, count := s.held, s.count // as they are in s only where it is called
	k := 1
	for k <= last {
		if count < 32 {
			s.held, s.count = held, count
			s.fill()
			held, count = s.held, s.count
		}
		e := t.find(held)
		if e == 0 {
			return false
		}
		if e&15 != 0 {
			at := (k + int(e>>4&15)) & (block*block - 1) // at most last + 15
			out[kept[at]&31] = number(held<<e.code(), int(e&15)) * int32(quant[at])
		}
		held <<= e.all()
		count -= e.all()
		k += e.by()
		if e.ends() {
			k = block * block
		}
	}
	for k < block*block {
		if count < 32 {
			s.held, s.count = held, count
			s.fill()
			held, count = s.held, s.count
		}
		e := t.passed[held>>(64-quick)]
		if e == 0 || k+e.by() >= block*block { // one by one
			e = t.find(held)
			if e == 0 || e&15 != 0 && k+e.by() > block*block {
				return false
			}
		}
		held <<= e.all()
		count -= e.all()
		k += e.by()
		if e.ends() {
			break
		}
	}
	s.held, s.count = held, count
	return true
}

// places are, for blocks of 1, 2 and 4 pixels a side, where each coefficient in the order of the
// file is kept.
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
				out[scale][k] = other
				if row < size && column < size {
					out[scale][k] = uint8(row*size + column)
				}
				k++
			}
		}
	}
	return out
}()

// lasts are, for the same blocks, the last coefficients that are kept.
var lasts = [4]int{0, 4, 24}

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
func put(to []byte, stride, size, wide int, c *coefficients) {
	switch size {
	case 1:
		to[0] = level(int64(c[0]) << (2*shift - 3))
	case 2: // both factors are the same
		a, b := int64(c[0])*constant*cos4b, int64(c[1])*constant*cos4b
		e, f := int64(c[wide&15])*constant*cos4b, int64(c[(wide+1)&15])*constant*cos4b
		upper, lower := to[:2], to[stride:][:2]
		upper[0], upper[1] = level(a+b+e+f), level(a-b+e-f)
		lower[0], lower[1] = level(a+b-e-f), level(a-b-e+f)
	case 4:
		var columns [16]int64
		for y := range 4 {
			line := columns[4*y : 4*y+4]
			line[0], line[1], line[2], line[3] = four(int64(c[4*y]), int64(c[4*y+1]),
				int64(c[4*y+2]), int64(c[4*y+3]))
		}
		for x := range 4 {
			a, b, c, d := four(columns[x], columns[4+x], columns[8+x], columns[12+x])
			to[x], to[stride+x] = level(a), level(b)
			to[2*stride+x], to[3*stride+x] = level(c), level(d)
		}
	}
}

// four transforms four coefficients.
func four(a, b, c, d int64) (_, _, _, _ int64) {
	even, odd := a*constant+c*cos4b, a*constant-c*cos4b
	outer, inner := b*cos4a+d*cos4c, b*cos4c-d*cos4a
	return even + outer, odd + inner, odd - inner, even - outer
}

// level returns the byte of a pixel, of 2²⁴ times its difference from the middle.
func level(v int64) byte {
	v = (v+1<<(2*shift-1))>>(2*shift) + 128
	if uint64(v) > 255 {
		return byte(^(v >> 63)) // 0 or 255
	}
	return byte(v)
}
