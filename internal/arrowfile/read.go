package arrowfile

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/ticks"
)

// piece is how many values are read at a time.
const piece = 4096

// longestText bounds one text.
const longestText = 64 << 20

// stream reads a buffer from front to back.
type stream struct {
	from io.Reader
	size int64 // bytes that it states
	done func()
	raw  []byte
}

// open returns a reader of a buffer of a batch.
func (f *File) open(b *Batch, buffer int) (*stream, error) {
	if buffer >= len(b.buffers) {
		return nil, errRows
	}
	s := b.buffers[buffer]
	section := io.NewSectionReader(f.in, b.body+s.at, s.size)
	out := &stream{from: section, done: func() {}, size: s.size}
	if b.codec == plain || s.size == 0 {
		return out, nil
	}
	var head [8]byte
	if _, err := io.ReadFull(section, head[:]); err != nil {
		return nil, cut(err)
	}
	size := int64(binary.LittleEndian.Uint64(head[:]))
	if size == -1 { // it was no shorter when packed
		out.size -= int64(len(head))
		return out, nil
	}
	if size < 0 || size > f.limit {
		return nil, fmt.Errorf("values claim to inflate to more than the limit of %d bytes", f.limit)
	}
	if size > mostInflated(b.codec, s.size) {
		return nil, fmt.Errorf("values claim to inflate to %d bytes, more than their %d bytes can "+
			"hold", size, s.size)
	}
	out.size = size
	packed := bufio.NewReaderSize(section, 64<<10)
	if b.codec == lz4Frame {
		out.from = io.LimitReader(lz4.NewReader(packed), size)
		return out, nil
	}
	if err := checkWindow(packed, size); err != nil {
		return nil, err
	}
	z, _ := f.zstd.Get().(*zstd.Decoder)
	var err error
	if z == nil {
		z, err = zstd.NewReader(packed, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderLowmem(true))
	} else {
		err = z.Reset(packed)
	}
	if err != nil {
		return nil, err
	}
	out.from, out.done = io.LimitReader(z, size), func() { f.zstd.Put(z) }
	return out, nil
}

// usualWindow is the memory that zstd may look back on whatever its values have, in bytes: its
// default levels write 8 MiB.
const usualWindow = 16 << 20

// checkWindow refuses values of zstd that ask for far more memory than the bytes that they state.
func checkWindow(packed *bufio.Reader, size int64) error {
	head, err := packed.Peek(zstd.HeaderMaxSize)
	if err != nil && err != io.EOF {
		return err
	}
	var h zstd.Header
	if h.Decode(head) == nil && h.WindowSize > usualWindow && h.WindowSize > 4*uint64(size) {
		return fmt.Errorf("values of %d bytes ask for %d bytes to unpack them", size, h.WindowSize)
	}
	return nil
}

// next returns the next n bytes, which last until the next call.
func (s *stream) next(n int) ([]byte, error) {
	if cap(s.raw) < n {
		s.raw = make([]byte, n)
	}
	raw := s.raw[:n]
	if _, err := io.ReadFull(s.from, raw); err != nil {
		return nil, cut(err)
	}
	return raw, nil
}

// text reads so many bytes, and allocates no more than come.
func (s *stream) text(dst []byte, n int64) ([]byte, error) {
	if n < 0 || n > longestText {
		return dst, errors.New("a text is longer than 64 MiB")
	}
	for n > 0 {
		part, err := s.next(int(min(n, 1<<16)))
		if err != nil {
			return dst, err
		}
		dst = append(dst, part...)
		n -= int64(len(part))
	}
	return dst, nil
}

// validity reads whether values are there, in order.
type validity struct {
	void    bool // none is
	streams []*stream
	bits    [][]byte
}

// present opens the bits of a field and of the structs that it is in. Where there are none nothing
// is missing.
func (f *File) present(b *Batch, fields ...int) (*validity, error) {
	v := &validity{}
	for _, field := range fields {
		p := b.places[field]
		if p.buffer >= len(b.buffers) || b.buffers[p.buffer].size == 0 {
			continue
		}
		s, err := f.open(b, p.buffer)
		if err != nil {
			v.close()
			return nil, err
		}
		v.streams = append(v.streams, s)
	}
	v.bits = make([][]byte, len(v.streams))
	return v, nil
}

func (v *validity) close() {
	for _, s := range v.streams {
		s.done()
	}
}

// read makes ready the next n values; all but the last time n must be a multiple of 8.
func (v *validity) read(n int) error {
	for i, s := range v.streams {
		bits, err := s.next((n + 7) / 8)
		if err != nil {
			return err
		}
		v.bits[i] = bits
	}
	return nil
}

// has reports whether value i of those made ready is there.
func (v *validity) has(i int) bool {
	if v.void {
		return false
	}
	for _, bits := range v.bits {
		if bits[i/8]>>(i%8)&1 == 0 {
			return false
		}
	}
	return true
}

// all reports whether no value can be missing.
func (v *validity) all() bool { return len(v.streams) == 0 && !v.void }

// pieces calls do with the rows of a batch in pieces: the first row, how many they are, and which
// of them have a value of a column.
func (f *File) pieces(ctx context.Context, b *Batch, c *Column,
	do func(row, n int, v *validity) error) error {
	v := &validity{void: true}
	if c.Kind != Null {
		var err error
		if v, err = f.present(b, append(c.parents[:len(c.parents):len(c.parents)],
			c.field)...); err != nil {
			return err
		}
	}
	defer v.close()
	for row := 0; row < b.Rows; row += piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(piece, b.Rows-row)
		if err := v.read(n); err != nil {
			return err
		}
		if err := do(row, n, v); err != nil {
			return err
		}
	}
	return nil
}

// Numbers passes the values of a column of a batch to do, in order, NaN for those missing, with the
// row of the first within the batch. Times are in seconds, since 1970 UTC or midnight, booleans 0
// and 1.
func (f *File) Numbers(ctx context.Context, b *Batch, c *Column,
	do func(row int, values []float64) error) error {
	var s *stream
	if c.Kind != Null {
		var err error
		if s, err = f.open(b, b.places[c.field].buffer+1); err != nil {
			return err
		}
		defer s.done()
	}
	values := make([]float64, piece)
	return f.pieces(ctx, b, c, func(row, n int, v *validity) error {
		if s != nil {
			raw, err := s.next((n*c.Bits + 7) / 8)
			if err != nil {
				return err
			}
			c.decode(values[:n], raw)
		}
		if !v.all() {
			for i := range n {
				if !v.has(i) {
					values[i] = math.NaN()
				}
			}
		}
		return do(row, values[:n])
	})
}

// Missing passes the rows of a batch that lack a value of a column to do.
func (f *File) Missing(ctx context.Context, b *Batch, c *Column, do func(row int)) error {
	return f.pieces(ctx, b, c, func(row, n int, v *validity) error {
		for i := 0; i < n && !v.all(); i++ {
			if !v.has(i) {
				do(row + i)
			}
		}
		return nil
	})
}

// decode turns bytes into numbers.
func (d *Field) decode(dst []float64, raw []byte) {
	switch d.Kind {
	case Bool:
		for i := range dst {
			dst[i] = float64(raw[i/8] >> (i % 8) & 1)
		}
	case Float:
		switch d.Bits {
		case 16:
			for i := range dst {
				dst[i] = half(binary.LittleEndian.Uint16(raw[2*i:]))
			}
		case 32:
			for i := range dst {
				dst[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
			}
		default:
			for i := range dst {
				dst[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
			}
		}
	case Decimal:
		for i := range dst {
			text := d.appendDecimal(nil, raw[i*d.Bits/8:(i+1)*d.Bits/8])
			dst[i], _ = strconv.ParseFloat(string(text), 64) // it is one
		}
	default:
		for i := range dst {
			v := d.integer(raw[i*d.Bits/8:])
			switch {
			case d.Unit >= time.Second:
				dst[i] = float64(v) * float64(d.Unit/time.Second)
			case d.Unit > 0:
				second := int64(time.Second / d.Unit)
				dst[i] = float64(v/second) + float64(v%second)/float64(second)
			case d.unsigned:
				dst[i] = float64(uint64(v))
			default:
				dst[i] = float64(v)
			}
		}
	}
}

// integer reads an integer of the width of the field.
func (d *Field) integer(raw []byte) int64 {
	switch d.Bits {
	case 8:
		if d.unsigned {
			return int64(raw[0])
		}
		return int64(int8(raw[0]))
	case 16:
		if d.unsigned {
			return int64(binary.LittleEndian.Uint16(raw))
		}
		return int64(int16(binary.LittleEndian.Uint16(raw)))
	case 32:
		if d.unsigned {
			return int64(binary.LittleEndian.Uint32(raw))
		}
		return int64(int32(binary.LittleEndian.Uint32(raw)))
	}
	return int64(binary.LittleEndian.Uint64(raw))
}

// half turns a 16-bit float into a number (IEEE 754).
func half(v uint16) float64 {
	sign := 1.0
	if v>>15 == 1 {
		sign = -1
	}
	exponent, fraction := int(v>>10&31), float64(v&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction == 0 {
			return math.Inf(int(sign))
		}
		return math.NaN()
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

func (d *Field) appendDecimal(dst, raw []byte) []byte {
	big2 := make([]byte, len(raw)) // the highest byte first
	for i, b := range raw {
		big2[len(raw)-1-i] = b
	}
	x := new(big.Int).SetBytes(big2)
	if big2[0] >= 0x80 {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw))))
	}
	return ticks.AppendDecimal(dst, x, d.scale)
}

// appendValue appends a value of a fixed width as text.
func (d *Field) appendValue(dst, raw []byte) []byte {
	switch d.Kind {
	case Float:
		var v [1]float64
		d.decode(v[:], raw)
		return strconv.AppendFloat(dst, v[0], 'g', -1, max(32, d.Bits))
	case Decimal:
		return d.appendDecimal(dst, raw[:d.Bits/8])
	case Date:
		v, _ := d.seconds(raw)
		return ticks.AppendDate(dst, time.Unix(v, 0).UTC())
	case Timestamp:
		v, nanos := d.seconds(raw)
		dst = ticks.AppendTimestamp(dst, time.Unix(v, nanos))
		if d.Zone != "" {
			dst = append(dst, 'Z')
		}
		return dst
	case Clock:
		return ticks.AppendClock(dst, d.integer(raw), d.Unit)
	case Duration:
		var v [1]float64
		d.decode(v[:], raw)
		return strconv.AppendFloat(dst, v[0], 'f', -1, 64)
	}
	v := d.integer(raw)
	if d.unsigned {
		return strconv.AppendUint(dst, uint64(v), 10)
	}
	return strconv.AppendInt(dst, v, 10)
}

// seconds splits a time.
func (d *Field) seconds(raw []byte) (whole, nanos int64) {
	v := d.integer(raw)
	if d.Unit > time.Second {
		return v * int64(d.Unit/time.Second), 0
	}
	second := int64(time.Second / d.Unit)
	return v / second, v % second * int64(d.Unit)
}

// Texts passes the values of a column of a batch to do as CSV would have them; ok is false for
// those missing. Its Kind must not be Other, Bytes, List, Struct or Map.
func (f *File) Texts(ctx context.Context, b *Batch, c *Column,
	do func(row int, text []byte, ok bool) error) error {
	next, done, err := f.texts(b, c)
	if err != nil {
		return err
	}
	defer done()
	return f.pieces(ctx, b, c, func(row, n int, v *validity) error {
		for i := range n {
			ok := v.has(i)
			text, err := next(ok)
			if err == nil {
				err = do(row+i, text, ok)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// texts returns a function that reads the next value, which lasts until the next call; what is
// missing is gone over.
func (f *File) texts(b *Batch, c *Column) (next func(ok bool) ([]byte, error), done func(),
	err error) {
	if c.Kind == Null {
		return func(bool) ([]byte, error) { return nil, nil }, func() {}, nil
	}
	p := b.places[c.field]
	values, err := f.open(b, p.buffer+1)
	if err != nil {
		return nil, nil, err
	}
	var text []byte
	switch {
	case c.coded:
		all, err := f.dictionary(c, b.position)
		if err != nil {
			values.done()
			return nil, nil, err
		}
		return func(ok bool) ([]byte, error) {
			raw, err := values.next(c.index.Bits / 8)
			if err != nil || !ok {
				return nil, err
			}
			at := c.index.integer(raw)
			if at < 0 || at >= int64(len(all.ends)) {
				return nil, errors.New("a row names a value that its dictionary does not have")
			}
			return all.at(int(at)), nil
		}, values.done, nil
	case c.Kind == Text && c.Bits == 128:
		views, err := f.views(b, p)
		if err != nil {
			values.done()
			return nil, nil, err
		}
		return func(ok bool) ([]byte, error) {
			raw, err := values.next(16)
			if err != nil || !ok {
				return nil, err
			}
			return view(raw, views)
		}, values.done, nil
	case c.Kind == Text:
		return f.varying(b, p, c.Bits/8, values)
	case c.Kind == Bool:
		bits, at := []byte(nil), 0
		return func(bool) ([]byte, error) {
			if at%8 == 0 {
				var err error
				if bits, err = values.next(1); err != nil {
					return nil, err
				}
			}
			set := bits[0]>>(at%8)&1 != 0
			at++
			text = strconv.AppendBool(text[:0], set)
			return text, nil
		}, values.done, nil
	}
	return func(ok bool) ([]byte, error) {
		raw, err := values.next(c.Bits / 8)
		if err != nil || !ok {
			return nil, err
		}
		text = c.appendValue(text[:0], raw)
		return text, nil
	}, values.done, nil
}

// varying reads texts that lie between offsets.
func (f *File) varying(b *Batch, p place, width int, offsets *stream) (
	next func(ok bool) ([]byte, error), done func(), err error) {
	data, err := f.open(b, p.buffer+2)
	if err != nil {
		offsets.done()
		return nil, nil, err
	}
	data.from = bufio.NewReaderSize(data.from, 64<<10)
	sizes := newSizes(offsets, width)
	begun := false
	var text []byte
	return func(ok bool) ([]byte, error) {
		if !begun {
			begun = true
			before, err := sizes.next()
			if err != nil {
				return nil, err
			}
			if _, err := io.CopyN(io.Discard, data.from, before); err != nil {
				return nil, cut(err)
			}
		}
		size, err := sizes.next()
		if err != nil {
			return nil, err
		}
		text, err = data.text(text[:0], size)
		if err == nil && ok && !utf8.Valid(text) {
			err = ErrText
		}
		return text, err
	}, func() { data.done(); offsets.done() }, nil
}

// sizes reads the sizes of values of varying length from the places where they begin and end.
type sizes struct {
	places *stream
	width  int   // bytes of a place
	at     int64 // where the next value begins
}

func newSizes(places *stream, width int) *sizes {
	places.from = bufio.NewReaderSize(places.from, 16<<10)
	return &sizes{places: places, width: width}
}

// next returns what lies before the first value, then the size of each.
func (s *sizes) next() (int64, error) {
	raw, err := s.places.next(s.width)
	if err != nil {
		return 0, err
	}
	end := int64(int32(binary.LittleEndian.Uint32(raw)))
	if s.width == 8 {
		end = int64(binary.LittleEndian.Uint64(raw))
	}
	size := end - s.at
	if end < s.at {
		return 0, errOffsets
	}
	s.at = end
	return size, nil
}

var errOffsets = errors.New("the ends of its values are out of order")

// ErrText is the error of a text that is no text.
var ErrText = errors.New("the text is not UTF-8")

// views reads the buffers of long texts.
func (f *File) views(b *Batch, p place) (views [][]byte, err error) {
	for i := range p.views {
		s, err := f.open(b, p.buffer+2+i)
		if err != nil {
			return nil, err
		}
		all, err := s.whole()
		s.done()
		if err != nil {
			return nil, err
		}
		views = append(views, all)
	}
	return views, nil
}

// whole reads all bytes that a buffer states.
func (s *stream) whole() ([]byte, error) {
	if err := memory.Check(float64(s.size), "the texts of a column", fewerTexts); err != nil {
		return nil, err
	}
	all := make([]byte, s.size)
	if _, err := io.ReadFull(s.from, all); err != nil {
		return nil, cut(err)
	}
	return all, nil
}

const fewerTexts = "leave columns of texts out (--drop), or use a machine with more memory"

// view finds a text: within its 16 bytes, or in one of the buffers.
func view(raw []byte, views [][]byte) ([]byte, error) {
	n := binary.LittleEndian.Uint32(raw)
	text := raw[4:16]
	if n > 12 {
		buffer, at := binary.LittleEndian.Uint32(raw[8:]), binary.LittleEndian.Uint32(raw[12:])
		if uint64(buffer) >= uint64(len(views)) ||
			uint64(at)+uint64(n) > uint64(len(views[buffer])) {
			return nil, errOffsets
		}
		text = views[buffer][at:]
	}
	if text = text[:n]; !utf8.Valid(text) {
		return nil, ErrText
	}
	return text, nil
}

// words are the values of a dictionary.
type words struct {
	data []byte
	ends []int
}

func (w *words) at(i int) []byte {
	if i == 0 {
		return w.data[:w.ends[0]]
	}
	return w.data[w.ends[i-1]:w.ends[i]]
}

// dictionary returns the values that a column has in the batch at a position.
func (f *File) dictionary(c *Column, position int) (*words, error) {
	var parts []dictionary
	for _, d := range f.dictionaries[c.id] {
		if d.batch.position > position && len(parts) > 0 {
			break // a file may have its first dictionary anywhere
		}
		if !d.delta {
			parts = parts[:0]
		}
		parts = append(parts, d)
	}
	if len(parts) == 0 {
		return nil, errors.New("the dictionary of " + c.Name + " is not there")
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	last := parts[len(parts)-1].batch.position
	if w := f.loaded[last]; w != nil {
		return w, nil
	}
	w := &words{}
	value := Column{Name: c.Name, Field: c.Field}
	value.coded = false
	for i := range parts {
		err := f.Texts(context.Background(), &parts[i].batch, &value,
			func(_ int, text []byte, _ bool) error {
				w.data = append(w.data, text...)
				w.ends = append(w.ends, len(w.data))
				f.taken += int64(len(text) + 8)
				f.left.Take(int64(len(text) + 8))
				if in := f.left.Check(float64(f.taken), "the values of dictionaries",
					fewerTexts); in != nil {
					return in
				}
				return nil
			})
		if err != nil {
			return nil, err
		}
	}
	f.loaded[last] = w
	return w, nil
}
