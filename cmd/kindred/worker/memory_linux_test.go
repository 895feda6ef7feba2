package worker

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
	"unsafe"
)

// Arrays are copied from the memory of a process, in pieces and past their ends; what cannot be
// read is an error by which the client knows that it must send the values.
func TestCopiesFromMemory(t *testing.T) {
	values := make([]byte, 2*piece+12345)
	for i := range values {
		values[i] = byte(i * i >> 7)
	}
	a := &array{head: head{Name: "X", Type: "|u1", Shape: []int{len(values)},
		Address: uint64(uintptr(unsafe.Pointer(&values[0])))}}
	if err := a.copy(t.Context(), os.Getpid()); err != nil {
		t.Skipf("the memory of processes cannot be read here: %v", err)
	}
	if !bytes.Equal(a.bytes, values) {
		t.Error("the copy has other values")
	}
	values[0]++
	if a.bytes[0] == values[0] {
		t.Error("the copy shares memory")
	}
	free([]*array{a})
	a.Address = 4096
	if err := a.copy(t.Context(), os.Getpid()); explain(err).Kind != "memory" {
		t.Errorf("memory that is not there: %v", err)
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if err := a.copy(done, os.Getpid()); !errors.Is(err, context.Canceled) {
		t.Errorf("a copy that is cancelled: %v", err)
	}
}
