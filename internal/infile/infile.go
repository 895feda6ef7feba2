// Package infile opens files that a person names, and watches what is read from them.
package infile

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"

	"github.com/kindred-go/kindred/fault"
)

// Open opens a file for reading. One that is missing or may not be read, and a folder, are a
// [*fault.Input]; wanted is what the file should be, as in "a table". Of a named pipe it waits
// until somebody writes to it.
func Open(path, wanted string) (*os.File, error) {
	return OpenBy(context.Background(), os.Open, path, wanted)
}

// OpenBy is [Open] of a file that open opens, and waits no longer than ctx.
func OpenBy(ctx context.Context, open func(path string) (*os.File, error), path,
	wanted string) (*os.File, error) {
	f, err := await(ctx, func() (*os.File, error) { return open(path) })
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Reading(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	if info.IsDir() {
		f.Close()
		return nil, &fault.Input{File: path, Problem: "is a folder, not " + wanted,
			Fix: "name a file in it"}
	}
	return f, nil
}

// Reader hashes and counts what passes, and stops when its context is done, as [Interruptible].
type Reader struct {
	Hash hash.Hash // SHA-256 of the bytes read so far

	from        io.Reader
	done, total int64
	progress    func(done, total int64)
}

// NewReader watches from. progress, if not nil, is called with the bytes read so far and total,
// which is 0 where it is not known.
func NewReader(ctx context.Context, from io.Reader, total int64,
	progress func(done, total int64)) *Reader {
	return &Reader{Hash: sha256.New(), from: Interruptible(ctx, from), total: total,
		progress: progress}
}

// Read reads on, until the context is done.
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.Hash.Write(p[:n])
	r.done += int64(n)
	if r.progress != nil && n > 0 {
		r.progress(r.done, r.total)
	}
	return n, err
}

// await returns the result of do, or ctx's error when that ends first; do then goes on alone, and
// its result is dropped. What do shares with its caller must be safe to use from both.
func await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case got := <-done:
		return got.value, got.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

// Interruptible returns a reader of from whose Read returns ctx's error once that has ended, also
// while from blocks. The call of from.Read that is under way then goes on alone, and what it reads
// is lost.
func Interruptible(ctx context.Context, from io.Reader) io.Reader {
	return &interruptible{ctx: ctx, from: from}
}

type interruptible struct {
	ctx    context.Context
	from   io.Reader
	buffer []byte // that from reads into: p is the caller's again once Read returned
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.buffer) < len(p) {
		r.buffer = make([]byte, len(p))
	}
	// After the context ended the buffer belongs to the call left behind: no further one begins.
	into := r.buffer[:len(p)]
	n, err := await(r.ctx, func() (int, error) { return r.from.Read(into) })
	copy(p, into[:n])
	return n, err
}

// Failure names a file in an error of reading it. Input faults and errors of contexts pass.
func Failure(name string, err error) error {
	if fault.IsInput(err) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("reading %s: %w", name, err)
}
