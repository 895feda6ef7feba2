// Package memory knows how much memory can still be had, and refuses what needs more.
package memory

import (
	"cmp"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"sync/atomic"

	"github.com/kindred-go/kindred/fault"
)

// Available returns the bytes that can still be had: by the kernel, by the control groups of this
// process and by GOMEMLIMIT. It is 0 where none of them limits it.
func Available() int64 { return available("/") }

// available is [Available] with the files of the kernel below root.
func available(root string) int64 {
	have := int64(math.MaxInt64)
	if free := kernel(root); free > 0 {
		have = free
	}
	have = min(have, left(root), debug.SetMemoryLimit(-1))
	if have == math.MaxInt64 {
		return 0
	}
	return have
}

// Size writes bytes for people.
func Size(b float64) string {
	for _, u := range []struct {
		unit string
		is   float64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}} {
		if b >= u.is {
			return strconv.FormatFloat(b/u.is, 'f', 1, 64) + " " + u.unit
		}
	}
	return strconv.FormatFloat(b, 'f', 0, 64) + " bytes"
}

// Most bounds what is asked for, in bytes, where the memory at hand is not known: a header that
// lies must not ask for what no machine has.
const Most = 1 << 40

// Check returns an error if fewer bytes of memory are free than bytes. The error names what needs
// them and the fix.
func Check(bytes float64, what, fix string) error {
	if in := NewBudget().Check(bytes, what, fix); in != nil {
		return in
	}
	return nil
}

// Budget is the memory that was free when it was made, less what was taken of it since. It may be
// used by several goroutines.
type Budget struct {
	have int64
	left atomic.Int64
}

// NewBudget returns the memory that is free.
func NewBudget() *Budget {
	b := &Budget{have: cmp.Or(Available(), Most)}
	b.left.Store(b.have)
	return b
}

// Check returns an error if fewer bytes are left than bytes. The error names what needs them and
// the fix.
func (b *Budget) Check(bytes float64, what, fix string) *fault.Input {
	if bytes <= float64(b.left.Load()) {
		return nil
	}
	return &fault.Input{Problem: what + " take " + Size(bytes+float64(b.have-b.left.Load())) +
		", and " + Size(float64(b.have)) + " of memory are free", Fix: fix}
}

// Take takes bytes off what is left.
func (b *Budget) Take(bytes int64) { b.left.Add(-bytes) }

// A text of JSON of so many bytes and more is held against the memory that is free; each byte
// becomes at most so many, as that of an empty list does.
const (
	largeText = 64 << 20
	fromByte  = 12
)

// CheckText returns an error if a file of JSON takes more memory than is free once it is read
// whole. The error calls it path.
func CheckText(f *os.File, path string) error {
	info, err := f.Stat()
	if err != nil || info.Size() < largeText {
		return err
	}
	if in := NewBudget().Check(fromByte*float64(info.Size()), "its values",
		"use a machine with more memory"); in != nil {
		return in.In(path)
	}
	return nil
}
