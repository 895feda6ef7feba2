package link

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/infile"
)

// ReadFile reads links from a file, in the form of its extension: .csv as by [Read], .jsonl or
// .ndjson as by [ReadJSONL], either with .gz or .zst after it.
func ReadFile(ctx context.Context, path string, resolve func(id string) (row int, ok bool)) ([]Link,
	error) {
	if _, _, err := formOf(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		in := &fault.Input{File: path, Problem: "the file cannot be opened",
			Fix: "see that it may be read", Err: err}
		if errors.Is(err, fs.ErrNotExist) {
			in.Problem, in.Fix = "there is no such file", "check the spelling"
		}
		return nil, in
	}
	defer f.Close()
	return ReadFrom(ctx, f, path, resolve)
}

// ReadFrom reads what [ReadFile] does from an open file of that name.
func ReadFrom(ctx context.Context, f io.Reader, path string,
	resolve func(id string) (row int, ok bool)) ([]Link, error) {
	form, packing, err := formOf(path)
	if err != nil {
		return nil, err
	}
	r, done, err := unpack(f, packing)
	if err != nil {
		return nil, readFault(err, path)
	}
	defer done()
	if form == ".csv" {
		return Read(ctx, r, path, resolve)
	}
	return ReadJSONL(ctx, r, path, resolve)
}

// WriteFile writes links to a file in the form of its extension, as [ReadFile] reads it. name is
// as in [Write]. The file appears whole or not at all.
func WriteFile(path string, links []Link, name func(row int) string) error {
	form, packing, err := formOf(path)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(f io.Writer) error {
		w, err := pack(f, packing)
		if err != nil {
			return err
		}
		if form == ".csv" {
			err = Write(w, links, name)
		} else {
			err = WriteJSONL(w, links, name)
		}
		if err != nil {
			return err
		}
		return w.Close()
	})
}

// CheckPath reports whether [WriteFile] knows what to write to a file of that name.
func CheckPath(path string) error {
	_, _, err := formOf(path)
	return err
}

// formOf takes .csv, .jsonl (also for .ndjson) and .gz, .zst or "" from a file's name.
func formOf(path string) (form, packing string, err error) {
	name := strings.ToLower(path)
	switch packing = filepath.Ext(name); packing {
	case ".gz", ".zst":
		name = strings.TrimSuffix(name, packing)
	default:
		packing = ""
	}
	switch filepath.Ext(name) {
	case ".csv":
		return ".csv", packing, nil
	case ".jsonl", ".ndjson":
		return ".jsonl", packing, nil
	}
	return "", "", &fault.Input{File: path, Problem: "the name does not tell the form of the links",
		Fix: "end it with .csv or .jsonl, and .gz or .zst when packed"}
}

// unpack returns the text inside, and what to do at the end. Broken packing is an input fault.
func unpack(r io.Reader, packing string) (io.Reader, func(), error) {
	return infile.Unpack(bufio.NewReader(r), infile.NamedCompression(packing),
		func(err error) error {
			return &fault.Input{Problem: fmt.Sprintf("it cannot be unpacked (%v)", err),
				Fix: "pack it again, or give the file its right name", Err: err}
		})
}

func pack(w io.Writer, packing string) (io.WriteCloser, error) {
	switch packing {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return plain{w}, nil
}

type plain struct{ io.Writer }

func (plain) Close() error { return nil }
