//go:build unix

package worker

import (
	"fmt"
	"os"
	"syscall"
)

// open maps the file of an array into memory. What is written to the memory does not reach the
// file.
func (a *array) open() error {
	size, err := a.size()
	if err != nil {
		return err
	}
	f, err := os.Open(a.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() != size {
		return fmt.Errorf("array %q takes %d bytes, and its file has %d", a.Name, size, info.Size())
	}
	if size == 0 {
		return nil
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE)
	if err != nil {
		return err
	}
	a.bytes, a.unmap = b, func() { syscall.Munmap(b) }
	return nil
}
