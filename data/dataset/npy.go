package dataset

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
)

// readNPY reads a NumPy array of one or two dimensions; its columns are called x1, x2, ….
func readNPY(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	h, err := readNPYHeader(src, io.NewSectionReader(in, 0, size), size)
	if err != nil {
		return err
	}
	cols := numbered(h.cols)
	for j := range cols {
		if h.kind == 'b' {
			cols[j].typ = Boolean
		}
	}
	t.Notes = append(t.Notes, numberedNote(h.cols))
	columns, p, err := assignRoles(src.name, cols, o)
	if err != nil {
		return err
	}
	t.Columns = columns
	p.single = h.kind == 'f' && h.width <= 4
	values, err := allocate(src.name, h.rows, p.width, p.single)
	if err != nil {
		return err
	}
	r := npyReader{npyHeader: h, in: in, plan: p, values: values}
	blocks, err := r.read(ctx, src, o)
	if err != nil {
		return src.wrap(err)
	}
	return assemble(t, p, blocks, &values, nil)
}

// numbered returns columns of numbers that are named x1, x2, ….
func numbered(count int) []sampled {
	cols := make([]sampled, count)
	for j := range cols {
		cols[j].name = numberedName(j)
	}
	return cols
}

// numberedName returns the name of a column without one, numbered from 0.
func numberedName(j int) string { return "x" + itoa(j+1) }

// numberedNote returns a note on the names of the columns that [numbered] makes.
func numberedNote(count int) string {
	if count == 1 {
		return "the column is named x1"
	}
	return "the columns are named x1 to x" + itoa(count)
}

// FromMatrix returns a table of the values of x, which belong to it from then on; its columns are
// called x1, x2, …. An empty matrix, and values that are infinite, are a [*fault.Input].
func FromMatrix(ctx context.Context, name string, x Matrix) (*Table, error) {
	if x.Rows == 0 || x.Cols == 0 {
		return nil, &fault.Input{File: name, Problem: noValues, Fix: giveValues}
	}
	columns, p, err := assignRoles(name, numbered(x.Cols), ReadOptions{})
	if err != nil {
		return nil, err
	}
	t := &Table{Name: name, Format: FormatNPY, Columns: columns, idColumn: -1}
	if err := assemble(t, p, []*block{{plan: p, rows: x.Rows, missing: make([]int, x.Cols)}}, &x,
		nil); err != nil {
		return nil, err
	}
	return t, t.finish(ctx, ReadOptions{Plain: true}) // all of x are features
}

// readNPYHeader reads the header of an array of so many bytes (-1: not known), and what precedes
// it.
func readNPYHeader(src *source, from io.Reader, size int64) (npyHeader, error) {
	bad := func(problem string) (npyHeader, error) {
		return npyHeader{}, &fault.Input{File: src.name, Problem: problem,
			Fix: "save the array again with numpy.save"}
	}
	var head [12]byte
	read, err := io.ReadFull(from, head[:])
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return npyHeader{}, src.wrap(err)
	}
	if read < 6 || string(head[:6]) != "\x93NUMPY" {
		return bad("is not an NPY file")
	}
	start, n, ok := npyHeaderSize(head[:read])
	if !ok {
		return bad("ends within the NPY header, or is of an unknown version of the format")
	}
	short := "states a header of " + itoa(n) + " bytes, but the file has fewer"
	if n > 1<<20 {
		return bad(short)
	}
	text := make([]byte, n)
	_, err = io.ReadFull(from, text[copy(text, head[start:]):])
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return bad(short)
	}
	if err != nil {
		return npyHeader{}, src.wrap(err)
	}
	return parseNPYHeader(src.name, string(text), int64(start)+int64(n), size)
}

// npyReader reads the values of an array into a matrix.
type npyReader struct {
	npyHeader
	in     io.ReaderAt
	plan   *plan
	values Matrix
}

// read reads blocks of rows, about a MiB each, in parallel.
func (r *npyReader) read(ctx context.Context, src *source, o ReadOptions) ([]*block, error) {
	rows := max(1, o.chunkSize()/(r.cols*r.width))
	if r.fortran {
		rows = max(rows, 8192) // a column's share of the block should be worth a read
	}
	blocks := make([]*block, parallel.Count(r.rows, rows))
	buffers := sync.Pool{New: func() any { b := make([]byte, 0); return &b }}
	err := parallel.Try(ctx, r.rows, rows, o.threads(), func(k, lo, hi int) error {
		buffer := buffers.Get().(*[]byte)
		defer buffers.Put(buffer)
		b := newBlock(r.plan, nil)
		blocks[k] = b
		var err error
		if r.fortran {
			for col := 0; col < r.cols && err == nil; col++ {
				place := r.start + (int64(col)*int64(r.rows)+int64(lo))*int64(r.width)
				err = r.fetch(buffer, place, (hi-lo)*r.width)
				r.column(b, *buffer, r.width, col, lo, hi)
			}
		} else {
			stride := r.cols * r.width
			err = r.fetch(buffer, r.start+int64(lo)*int64(stride), (hi-lo)*stride)
			for col := 0; col < r.cols && err == nil; col++ {
				r.column(b, (*buffer)[col*r.width:], stride, col, lo, hi)
			}
		}
		if err != nil {
			return err
		}
		b.rows = hi - lo
		src.advance((hi - lo) * r.cols * r.width)
		return nil
	})
	return blocks, err
}

// fetch reads n bytes at position into the buffer.
func (r *npyReader) fetch(buffer *[]byte, place int64, n int) error {
	if cap(*buffer) < n {
		*buffer = make([]byte, n)
	}
	*buffer = (*buffer)[:n]
	got, err := r.in.ReadAt(*buffer, place)
	if got == n {
		return nil
	}
	if err == io.EOF {
		return errChanged
	}
	return err
}

// column stores the values of one column of a block; raw holds one every stride bytes, the first
// for row lo.
func (r *npyReader) column(b *block, raw []byte, stride, col, lo, hi int) {
	if len(raw) < (hi-lo-1)*stride+r.width {
		return // the read failed
	}
	c := &r.plan.columns[col]
	at, d := lo*r.values.Cols+c.slot, r.values.Cols
	var text []byte
	switch {
	case c.keep == asNumber && r.kind == 'f' && r.width == 8 && !r.big:
		for place := 0; lo < hi; lo, at, place = lo+1, at+d, place+stride {
			r.values.F64[at] = math.Float64frombits(binary.LittleEndian.Uint64(raw[place:]))
		}
	case c.keep == asNumber && r.kind == 'f' && r.width == 4 && !r.big:
		for place := 0; lo < hi; lo, at, place = lo+1, at+d, place+stride {
			r.values.F32[at] = math.Float32frombits(binary.LittleEndian.Uint32(raw[place:]))
		}
	case c.keep == asNumber:
		for i := lo; i < hi; i++ {
			r.values.set(i, c.slot, r.float(raw[(i-lo)*stride:]))
		}
	case c.keep == asSlot:
		for i := lo; i < hi; i++ {
			text = r.text(text[:0], raw[(i-lo)*stride:])
			r.values.set(i, c.slot, float64(b.dicts[c.part].code(text)))
		}
	default:
		for i := lo; i < hi; i++ {
			if s := raw[(i-lo)*stride:]; r.kind == 'f' && math.IsNaN(r.float(s)) {
				b.addMissing(col, i-lo)
			} else if c.keep != forget {
				text = r.text(text[:0], s)
				b.addAt(col, i-lo, text)
			}
		}
	}
}

func (r *npyReader) bits(s []byte) uint64 {
	var order binary.ByteOrder = binary.LittleEndian
	if r.big {
		order = binary.BigEndian
	}
	switch r.width {
	case 1:
		return uint64(s[0])
	case 2:
		return uint64(order.Uint16(s))
	case 4:
		return uint64(order.Uint32(s))
	}
	return order.Uint64(s)
}

// signed returns the bits as a signed integer.
func (r *npyReader) signed(u uint64) int64 {
	shift := 64 - 8*r.width
	return int64(u<<shift) >> shift
}

func (r *npyReader) float(s []byte) float64 {
	if r.kind == 'f' && r.width == 8 && !r.big {
		return math.Float64frombits(binary.LittleEndian.Uint64(s))
	}
	u := r.bits(s)
	switch {
	case r.kind == 'i':
		return float64(r.signed(u))
	case r.kind != 'f':
		return float64(u)
	case r.width == 2:
		return halfFloat(uint16(u))
	case r.width == 4:
		return float64(math.Float32frombits(uint32(u)))
	}
	return math.Float64frombits(u)
}

// text writes a value as a label or id.
func (r *npyReader) text(dst, s []byte) []byte {
	u := r.bits(s)
	switch r.kind {
	case 'b':
		return strconv.AppendBool(dst, u != 0)
	case 'i':
		return strconv.AppendInt(dst, r.signed(u), 10)
	case 'u':
		return strconv.AppendUint(dst, u, 10)
	}
	return strconv.AppendFloat(dst, r.float(s), 'g', -1, min(64, max(32, 8*r.width)))
}

// halfFloat decodes IEEE 754 binary16.
func halfFloat(h uint16) float64 {
	sign, exponent, fraction := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		if fraction != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}
