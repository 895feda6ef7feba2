package input

import (
	"bufio"
	"fmt"
	"io"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
)

// Unpacked undoes the compression that the first bytes of r show, if any. The caller calls done at
// the end.
func Unpacked(r io.Reader, name string) (plain io.Reader, packed bool, done func(), err error) {
	b := bufio.NewReaderSize(r, 1<<16)
	kind := infile.Compressed(b)
	plain, done, err = infile.Unpack(b, kind, func(err error) error {
		return &fault.Input{File: name, Problem: fmt.Sprintf("cannot be unpacked (%v)", err),
			Fix: "pack it again", Err: err}
	})
	return plain, kind != "", done, err
}
