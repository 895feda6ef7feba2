package atomicfile

import (
	"errors"
	"io"
	"io/fs"
)

// Write puts what fill writes into the file at path, whole or not at all. An error of the file
// system names path, not the temporary file.
func Write(path string, fill func(w io.Writer) error) error {
	f, err := Create(path)
	if err != nil {
		return named(err, path)
	}
	defer f.Abort()
	if err := fill(f); err != nil {
		return named(err, path)
	}
	return named(f.Commit(), path)
}

// named puts the target's path into an error about its temporary neighbour.
func named(err error, path string) error {
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: "write", Path: path, Err: about.Err}
	}
	return err
}
