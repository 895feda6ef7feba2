// Package safetensors reads files of tensors in the format of the safetensors library: eight bytes
// with the length of a header, the header as JSON, and the values of all tensors one after the
// other.
package safetensors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/memory"
)

const (
	// maxHeader bounds the header, in bytes. That of a model of some thousand tensors has less than
	// a million.
	maxHeader = 16 << 20
	// maxRank bounds the dimensions of a tensor.
	maxRank = 8
	// chunk is the number of bytes that are read at a time.
	chunk = 1 << 18
)

// File is an open file of tensors. It is safe for many goroutines, except Close.
type File struct {
	name    string
	from    io.ReaderAt
	close   func() error
	data    int64 // where the values begin
	tensors map[string]tensor
}

type tensor struct {
	DType   string   `json:"dtype"`
	Shape   []int64  `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"`
}

// widths are the bytes of a value by its type.
var widths = map[string]int64{"BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
	"I32": 4, "U32": 4, "F32": 4, "I64": 8, "U64": 8, "F64": 8}

// Open opens a file and reads its header. A file that does not keep to the format is a
// [*fault.Input].
func Open(path string) (*File, error) {
	f, err := infile.Open(path, "a file of tensors")
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fault.Input{File: path, Problem: "this is no file", Fix: "name a file of tensors"}
	}
	if err == nil {
		var s *File
		if s, err = Read(f, info.Size(), path); err == nil {
			s.close = f.Close
			return s, nil
		}
	}
	return nil, errors.Join(err, f.Close())
}

// Read reads the header of a file of so many bytes, which errors call name. The file must stay
// open.
func Read(from io.ReaderAt, size int64, name string) (*File, error) {
	f := &File{name: name, from: from, close: func() error { return nil }}
	var first [8]byte
	if size < 8 {
		return nil, f.bad("it has %d bytes, fewer than a header", size)
	}
	if _, err := from.ReadAt(first[:], 0); err != nil {
		return nil, f.unread(err)
	}
	length := binary.LittleEndian.Uint64(first[:])
	if length > uint64(min(maxHeader, size-8)) {
		return nil, f.bad("its header would have %d bytes", length)
	}
	header := make([]byte, length)
	if _, err := from.ReadAt(header, 8); err != nil {
		return nil, f.unread(err)
	}
	f.data = 8 + int64(length)
	return f, f.parse(header, size-f.data)
}

// Close closes the file.
func (f *File) Close() error { return f.close() }

func (f *File) bad(problem string, args ...any) error {
	return &fault.Input{File: f.name,
		Problem: "this is no file of tensors (safetensors): " + fmt.Sprintf(problem, args...),
		Fix:     "copy the file again"}
}

func (f *File) unread(err error) error {
	return fmt.Errorf("%s: its tensors cannot be read: %w", f.name, err)
}

// parse reads the header. Values fill the file without gaps.
func (f *File) parse(header []byte, size int64) error {
	if len(header) == 0 || header[0] != '{' {
		return f.bad("its header is no JSON object")
	}
	d := json.NewDecoder(bytes.NewReader(header))
	d.DisallowUnknownFields()
	if _, err := d.Token(); err != nil {
		return f.bad("its header cannot be read: %v", err)
	}
	f.tensors = map[string]tensor{}
	seen := map[string]bool{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return f.bad("its header cannot be read: %v", err)
		}
		name, _ := token.(string)
		if seen[name] {
			return f.bad("the tensor %q occurs twice", name)
		}
		seen[name] = true
		if name == "__metadata__" {
			var about map[string]string
			err = d.Decode(&about)
		} else {
			var t tensor
			err = d.Decode(&t)
			f.tensors[name] = t
		}
		if err != nil {
			return f.bad("its header cannot be read: %v", err)
		}
	}
	if _, err := d.Token(); err != nil {
		return f.bad("its header cannot be read: %v", err)
	}
	if rest := bytes.TrimRight(header[d.InputOffset():], " "); len(rest) > 0 {
		return f.bad("its header goes on after its end")
	}
	return f.check(size)
}

func (f *File) check(size int64) error {
	names := f.Names()
	slices.SortFunc(names, func(a, b string) int {
		x, y := f.tensors[a].Offsets, f.tensors[b].Offsets
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), cmp.Compare(a, b))
	})
	at := int64(0)
	for _, name := range names {
		t := f.tensors[name]
		width, ok := widths[t.DType]
		if !ok {
			return f.bad("the tensor %q has values of type %q", name, t.DType)
		}
		if len(t.Shape) > maxRank {
			return f.bad("the tensor %q has %d dimensions", name, len(t.Shape))
		}
		bytes := width
		for _, n := range t.Shape {
			if n < 0 || n > 0 && bytes > size/n {
				return f.bad("the tensor %q has the shape %d, more than the file has", name, t.Shape)
			}
			bytes *= n
		}
		if t.Offsets[0] != at || t.Offsets[1]-at != bytes {
			return f.bad("the tensor %q lies in %d, where %d bytes from %d on are expected", name,
				t.Offsets, bytes, at)
		}
		at += bytes
	}
	if at != size {
		return f.bad("%d bytes of tensors, but %d in the file", at, size)
	}
	return nil
}

// Names returns the names of the tensors, in ascending order.
func (f *File) Names() []string {
	names := make([]string, 0, len(f.tensors))
	for name := range f.tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Has reports whether there is a tensor of a name.
func (f *File) Has(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Shape returns the shape of a tensor; nil: there is none of the name.
func (f *File) Shape(name string) []int {
	t, ok := f.tensors[name]
	if !ok {
		return nil
	}
	shape := make([]int, len(t.Shape))
	for i, n := range t.Shape {
		shape[i] = int(n)
	}
	return shape
}

// Floats returns the values of a tensor of the given shape as float32, whose type is F32, F16,
// BF16, F64 or I8. Another shape or type, and values that are not finite, are a [*fault.Input].
func (f *File) Floats(name string, shape ...int) ([]float32, error) {
	t, err := f.find(name, shape, "F32", "F16", "BF16", "F64", "I8")
	if err != nil {
		return nil, err
	}
	out := make([]float32, 0, (t.Offsets[1]-t.Offsets[0])/widths[t.DType])
	bad := -1
	err = f.each(t, func(b []byte) {
		v := floatOf(t.DType, b)
		if v-v != 0 && bad < 0 {
			bad = len(out)
		}
		out = append(out, v)
	})
	if err == nil && bad >= 0 {
		err = &fault.Input{File: f.name, Problem: fmt.Sprintf("value %d of the tensor %q is %v",
			bad, name, out[bad]), Fix: "copy the file again, or use another model"}
	}
	return out, err
}

// Ints returns the values of a tensor of the given shape, whose type is I64 or I32.
func (f *File) Ints(name string, shape ...int) ([]int64, error) {
	t, err := f.find(name, shape, "I64", "I32")
	if err != nil {
		return nil, err
	}
	out := make([]int64, 0, (t.Offsets[1]-t.Offsets[0])/widths[t.DType])
	err = f.each(t, func(b []byte) {
		if len(b) == 8 {
			out = append(out, int64(binary.LittleEndian.Uint64(b)))
		} else {
			out = append(out, int64(int32(binary.LittleEndian.Uint32(b))))
		}
	})
	return out, err
}

func (f *File) find(name string, shape []int, types ...string) (tensor, error) {
	t, ok := f.tensors[name]
	if !ok {
		return t, &fault.Input{File: f.name, Problem: fmt.Sprintf("there is no tensor %q", name),
			Fix: "use an encoder of a supported architecture"}
	}
	if !slices.Contains(types, t.DType) {
		return t, &fault.Input{File: f.name,
			Problem: fmt.Sprintf("the tensor %q has values of type %s", name, t.DType),
			Fix:     "convert them to F32"}
	}
	if !slices.Equal(f.Shape(name), shape) {
		return t, &fault.Input{File: f.name, Problem: fmt.Sprintf(
			"the tensor %q has the shape %d, where %d is expected", name, t.Shape, shape),
			Fix: "take the configuration and the tensors of one model"}
	}
	count := float64(t.Offsets[1]-t.Offsets[0]) / float64(widths[t.DType])
	if in := memory.NewBudget().Check(8*count, fmt.Sprintf("the values of %q", name),
		"use a smaller model"); in != nil {
		return t, in.In(f.name)
	}
	return t, nil
}

// each calls do for the bytes of each value of a tensor.
func (f *File) each(t tensor, do func(value []byte)) error {
	width := int(widths[t.DType])
	buffer := make([]byte, min(chunk, t.Offsets[1]-t.Offsets[0]))
	for at := t.Offsets[0]; at < t.Offsets[1]; at += int64(len(buffer)) {
		buffer = buffer[:min(int64(len(buffer)), t.Offsets[1]-at)]
		if _, err := f.from.ReadAt(buffer, f.data+at); err != nil {
			return f.unread(err)
		}
		for i := 0; i < len(buffer); i += width {
			do(buffer[i : i+width])
		}
	}
	return nil
}

func floatOf(dtype string, b []byte) float32 {
	switch dtype {
	case "F32":
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	case "F64":
		return float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	case "BF16":
		return math.Float32frombits(uint32(binary.LittleEndian.Uint16(b)) << 16)
	case "I8":
		return float32(int8(b[0]))
	}
	return half(binary.LittleEndian.Uint16(b))
}

// half returns the value of a binary16 of IEEE 754.
func half(bits uint16) float32 {
	sign, e, m := uint32(bits>>15)<<31, uint32(bits>>10&31), uint32(bits&1023)
	switch e {
	case 0: // zero, or below the normal numbers
		v := float32(m) * 0x1p-24
		return math.Float32frombits(math.Float32bits(v) | sign)
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | m<<13)
	}
	return math.Float32frombits(sign | (e+127-15)<<23 | m<<13)
}
