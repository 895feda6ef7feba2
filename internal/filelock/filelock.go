// Package filelock keeps two processes off one file.
package filelock

import (
	"errors"
	"os"
)

// ErrTaken reports that another process holds the lock.
var ErrTaken = errors.New("in use by another process")

// Lock takes the lock of an open file, which ends with the file or the process. It does not wait:
// the error is [ErrTaken] where another has it, or another open file of this process does.
func Lock(f *os.File) error { return lock(f) }

// Beside takes the lock of a file that is written anew time and again, by a file beside it,
// PATH.lock, which release removes.
func Beside(path string) (release func(), err error) {
	name := path + ".lock"
	for {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lock(f); err != nil {
			f.Close()
			return nil, err
		}
		// Whoever had it may have removed the file in between, and another may have made one.
		if ours, err := f.Stat(); err == nil {
			if there, err := os.Stat(name); err == nil && os.SameFile(ours, there) {
				return func() {
					os.Remove(name)
					f.Close()
				}, nil
			}
		}
		f.Close()
	}
}
