package link

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
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
// .ndjson as by [ReadJSONL], either with .gz or .zst after it. A pipe, as a shell names it in
// /dev/fd, has the form of what comes first: JSON lines begin with a brace, and it may be packed.
// The end of ctx is seen while nobody writes to a pipe, too.
func ReadFile(ctx context.Context, path string, resolve func(id string) (row int, ok bool)) ([]Link,
	error) {
	if path == "-" {
		return nil, &fault.Input{File: path, Problem: "stdin has no such name for links",
			Fix: "name the file, or call what is piped in /dev/stdin"}
	}
	info, err := os.Stat(path)
	if err == nil && info.IsDir() { // whatever its name
		return nil, &fault.Input{File: path, Problem: "is a folder, not a file of links",
			Fix: "name a file in it"}
	}
	form, packing, unnamed := formOf(path)
	if piped := err == nil && !info.Mode().IsRegular(); unnamed != nil && !piped {
		return nil, unnamed
	}
	// To open a pipe and to read it both wait for somebody who writes to it.
	f, err := infile.OpenBy(ctx, os.Open, path, "a file of links")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readAs(ctx, f, path, form, packing, resolve)
}

// ReadFrom reads what [ReadFile] does from an open file of that name.
func ReadFrom(ctx context.Context, f io.Reader, path string,
	resolve func(id string) (row int, ok bool)) ([]Link, error) {
	form, packing, err := formOf(path)
	if err != nil {
		return nil, err
	}
	return readAs(ctx, f, path, form, packing, resolve)
}

// readAs reads links of a form and packing, or where the form is "" of those that they show.
func readAs(ctx context.Context, f io.Reader, path, form, packing string,
	resolve func(id string) (row int, ok bool)) ([]Link, error) {
	in, kind := bufio.NewReader(infile.Interruptible(ctx, f)), infile.NamedCompression(packing)
	if form == "" {
		kind = infile.Compressed(in)
	}
	r, done, err := unpack(in, kind)
	if err != nil {
		return nil, readFault(err, path)
	}
	defer done()
	if form == "" {
		in := bufio.NewReader(r)
		form, r = shownForm(in), in
	}
	if form == ".csv" {
		return Read(ctx, r, path, resolve)
	}
	return ReadJSONL(ctx, r, path, resolve)
}

// shownForm returns the form of links by the first character that is no blank.
func shownForm(in *bufio.Reader) string {
	for n := 1; ; n++ {
		head, err := in.Peek(n) // an error comes again when it is read
		text := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff")))
		switch {
		case bytes.HasPrefix(text, []byte("{")):
			return ".jsonl"
		case err != nil, n >= 3 && len(text) > 0: // a byte order mark has three bytes
			return ".csv"
		}
	}
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
func unpack(r *bufio.Reader, kind string) (io.Reader, func(), error) {
	return infile.Unpack(r, kind, func(err error) error {
		if in := infile.CutOff(kind, err); in != nil {
			return in
		}
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
