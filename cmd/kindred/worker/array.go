package worker

import (
	"errors"
	"strconv"
	"unsafe"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// array is an array of a message. Its values are in rows, the last dimension first, the least byte
// first, as processors that kindred runs on have them.
type array struct {
	head
	bytes []byte // aligned
	unmap func() // gives the values of a file back; nil: there is none
}

// errMemory is that the values of an array cannot be read where they are.
var errMemory = errors.New("the memory of the client cannot be read")

// aligned returns bytes in which values of any type can lie.
func aligned(n int64) []byte {
	if n == 0 {
		return nil
	}
	words := make([]uint64, (n+7)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n]
}

// as returns the values of an array as numbers of a type, which has the width of its own.
func as[T float32 | float64 | int32 | int64](b []byte) []T {
	if len(b) == 0 {
		return []T{}
	}
	var v T
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/int(unsafe.Sizeof(v)))
}

// of returns an array of values, which are not copied.
func of[T float32 | float64 | int32 | int64 | uint8](name string, values []T, shape ...int) *array {
	var v T
	a := &array{head: head{Name: name, Shape: shape}}
	switch any(v).(type) {
	case float32:
		a.Type = "<f4"
	case float64:
		a.Type = "<f8"
	case int32:
		a.Type = "<i4"
	case int64:
		a.Type = "<i8"
	default:
		a.Type = "|u1"
	}
	if len(values) > 0 {
		a.bytes = unsafe.Slice((*byte)(unsafe.Pointer(&values[0])),
			len(values)*int(unsafe.Sizeof(v)))
	}
	a.Bytes = int64(len(a.bytes))
	return a
}

// matrix returns an array of two dimensions of float32 or float64 as a matrix, which shares its
// values.
func (a *array) matrix() (dataset.Matrix, error) {
	if len(a.Shape) != 2 {
		return dataset.Matrix{}, a.expected("2 dimensions, and has " + strconv.Itoa(len(a.Shape)))
	}
	m := dataset.Matrix{Rows: a.Shape[0], Cols: a.Shape[1]}
	switch a.Type {
	case "<f4":
		m.F32 = as[float32](a.bytes)
	case "<f8":
		m.F64 = as[float64](a.bytes)
	default:
		return dataset.Matrix{}, a.expected("numbers of type <f4 or <f8, and has " + a.Type)
	}
	return m, nil
}

// ints returns an array of integers.
func (a *array) ints() ([]int64, error) {
	switch a.Type {
	case "<i8":
		return as[int64](a.bytes), nil
	case "<i4":
		small := as[int32](a.bytes)
		out := make([]int64, len(small))
		for i, v := range small {
			out[i] = int64(v)
		}
		return out, nil
	}
	return nil, a.expected("integers of type <i4 or <i8, and has " + a.Type)
}

// raw returns an array of bytes.
func (a *array) raw() ([]byte, error) {
	if a.Type != "|u1" && a.Type != "u1" {
		return nil, a.expected("bytes, and has " + a.Type)
	}
	return a.bytes, nil
}

func (a *array) expected(what string) error {
	return &fault.Input{File: a.Name, Problem: "the array is to have " + what,
		Fix: "give it so"}
}
