package safetensors

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// file returns the bytes of a file with a header and values.
func file(header string, values ...byte) []byte {
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...),
		values...)
}

func read(data []byte) (*File, error) {
	return Read(bytes.NewReader(data), int64(len(data)), "m.safetensors")
}

func TestValuesOfAllTypes(t *testing.T) {
	var values []byte
	values = binary.LittleEndian.AppendUint32(values, math.Float32bits(1.5))
	values = binary.LittleEndian.AppendUint32(values, math.Float32bits(-2))
	for _, h := range []uint16{0x3c00, 0xc100, 0x0001, 0x8000} { // 1, -2.5, 2^-24, -0
		values = binary.LittleEndian.AppendUint16(values, h)
	}
	values = binary.LittleEndian.AppendUint16(values, 0x3fc0)              // 1.5 as bfloat16
	values = binary.LittleEndian.AppendUint64(values, uint64(1<<40))       // I64
	values = binary.LittleEndian.AppendUint32(values, math.MaxUint32-1)    // I32: -2
	values = append(values, 0x80)                                          // I8: -128
	values = binary.LittleEndian.AppendUint16(values, 0x7c00)              // F16: infinity
	values = binary.LittleEndian.AppendUint64(values, math.Float64bits(3)) // F64
	f, err := read(file(`{"__metadata__":{"format":"pt"},
		"a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},
		"h":{"dtype":"F16","shape":[4],"data_offsets":[8,16]},
		"b":{"dtype":"BF16","shape":[],"data_offsets":[16,18]},
		"i":{"dtype":"I64","shape":[1],"data_offsets":[18,26]},
		"j":{"dtype":"I32","shape":[1],"data_offsets":[26,30]},
		"k":{"dtype":"I8","shape":[1],"data_offsets":[30,31]},
		"inf":{"dtype":"F16","shape":[1],"data_offsets":[31,33]},
		"d":{"dtype":"F64","shape":[1],"data_offsets":[33,41]},
		"none":{"dtype":"F32","shape":[0,7],"data_offsets":[41,41]}}  `, values...))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		shape []int
		want  []float32
	}{{"a", []int{2, 1}, []float32{1.5, -2}}, {"b", nil, []float32{1.5}},
		{"h", []int{4}, []float32{1, -2.5, 0x1p-24, float32(math.Copysign(0, -1))}},
		{"k", []int{1}, []float32{-128}}, {"d", []int{1}, []float32{3}},
		{"none", []int{0, 7}, []float32{}}} {
		got, err := f.Floats(c.name, c.shape...)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
		if !f.Has(c.name) || !slices.Equal(f.Shape(c.name), c.shape) {
			t.Errorf("%s: shape %v", c.name, f.Shape(c.name))
		}
	}
	for name, want := range map[string]int64{"i": 1 << 40, "j": -2} {
		if got, err := f.Ints(name, 1); err != nil || got[0] != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for _, name := range []string{"inf", "i", "lost"} {
		if _, err := f.Floats(name, 1); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := f.Floats("a", 1, 2); !fault.IsInput(err) {
		t.Errorf("another shape: %v", err)
	}
}

func TestHalvesOfAllBits(t *testing.T) {
	for bits := range 1 << 16 {
		e, m := bits>>10&31, float64(bits&1023)
		want := math.Ldexp(1+m/1024, e-15)
		switch {
		case e == 0:
			want = math.Ldexp(m/1024, -14)
		case e == 31 && m == 0:
			want = math.Inf(1)
		case e == 31:
			want = math.NaN()
		}
		if bits>>15 == 1 {
			want = -want
		}
		got := float64(half(uint16(bits)))
		if got != want && got == got || math.Signbit(got) != (bits>>15 == 1) {
			t.Fatalf("%x is %v, want %v", bits, got, want)
		}
	}
}

func TestFilesThatAreNone(t *testing.T) {
	one := `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`
	for name, data := range map[string][]byte{
		"empty":           nil,
		"short":           {1, 2, 3},
		"long header":     append([]byte{255, 255, 255, 255, 255, 255, 255, 255}, one...),
		"cut header":      file(one)[:20],
		"no object":       file(`[]`),
		"no json":         file(`{"a"`),
		"more after":      file(one+"x", 0, 0, 0, 0),
		"cut values":      file(one, 0, 0, 0),
		"more values":     file(one, 0, 0, 0, 0, 0),
		"unknown type":    file(strings.Replace(one, "F32", "F3", 1), 0, 0, 0, 0),
		"unknown field":   file(strings.Replace(one, "shape", "shapes", 1), 0, 0, 0, 0),
		"negative":        file(strings.Replace(one, "[1]", "[-1]", 1), 0, 0, 0, 0),
		"other size":      file(strings.Replace(one, "[1]", "[2]", 1), 0, 0, 0, 0),
		"overflow":        file(strings.Replace(one, "[1]", "[4294967296,4294967296,16]", 1), 0, 0, 0, 0),
		"many dimensions": file(strings.Replace(one, "[1]", "[1,1,1,1,1,1,1,1,1]", 1), 0, 0, 0, 0),
		"gap":             file(strings.Replace(one, "[0,4]", "[1,5]", 1), 0, 0, 0, 0, 0),
		"twice": file(strings.Replace(one, `{"a"`, `{"a":{"dtype":"F32","shape":[0],`+
			`"data_offsets":[0,0]},"a"`, 1), 0, 0, 0, 0),
		"overlap": file(strings.Replace(one, `{"a"`, `{"b":{"dtype":"F32","shape":[1],`+
			`"data_offsets":[0,4]},"a"`, 1), 0, 0, 0, 0),
	} {
		if f, err := read(data); !fault.IsInput(err) {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
	path := filepath.Join(t.TempDir(), "m.safetensors")
	if err := os.WriteFile(path, file(one, 0, 0, 0, 0), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Dir(path)); !fault.IsInput(err) {
		t.Errorf("a folder: %v", err)
	}
}

func TestLimitsOfFiles(t *testing.T) {
	for ranks, ok := range map[int]bool{maxRank: true, maxRank + 1: false} {
		shape := "1" + strings.Repeat(",1", ranks-1)
		_, err := read(file(`{"a":{"dtype":"I8","shape":[`+shape+`],"data_offsets":[0,1]}}`, 0))
		if (err == nil) != ok {
			t.Errorf("%d dimensions: %v", ranks, err)
		}
	}
	for size, ok := range map[int]bool{maxHeader: true, maxHeader + 1: false} {
		if _, err := read(file(`{}` + strings.Repeat(" ", size-2))); (err == nil) != ok {
			t.Errorf("a header of %d bytes: %v", size, err)
		}
	}
}

// FuzzRead sees that no file makes the reader panic, or take more memory than the file has bytes.
func FuzzRead(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}}`, 0, 1, 2, 3))
	f.Add(file(`{"__metadata__":{"a":"b"},"a":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}} `, 0,
		1, 2, 3, 4, 5, 6, 7))
	f.Add(file(`{}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := read(data)
		if err != nil {
			return
		}
		for _, name := range s.Names() {
			values, err := s.Floats(name, s.Shape(name)...)
			if err == nil && len(values) > len(data) {
				t.Fatalf("%d values from %d bytes", len(values), len(data))
			}
			if _, err := s.Ints(name, s.Shape(name)...); err != nil && !fault.IsInput(err) {
				t.Fatal(err)
			}
		}
	})
}
