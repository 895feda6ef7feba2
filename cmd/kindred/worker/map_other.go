//go:build !unix

package worker

import (
	"fmt"
	"io"
	"os"

	"github.com/kindred-go/kindred/internal/memory"
)

// open reads the file of an array, which its owner removes.
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
	if err := memory.Check(float64(size), "the array "+a.Name, "give fewer rows"); err != nil {
		return err
	}
	a.bytes = aligned(size)
	_, err = io.ReadFull(f, a.bytes)
	return err
}
