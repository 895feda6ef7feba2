package memory_test

import (
	"syscall"
	"testing"

	"github.com/kindred-go/kindred/internal/memory"
)

// TestOutsideSeesWhatTheRuntimeDoesNot maps memory beside the heap and writes to it.
func TestOutsideSeesWhatTheRuntimeDoesNot(t *testing.T) {
	const size = 64 << 20
	before := memory.Outside()
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(b)
	for i := 0; i < size; i += 4096 {
		b[i] = 1
	}
	if more := memory.Outside() - before; more < size/2 || more > 2*size {
		t.Errorf("%d bytes more of %d", more, size)
	}
}
