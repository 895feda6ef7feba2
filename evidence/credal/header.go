package credal

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
)

// headerLimit is how many bytes of text are searched for the names of the columns: enough for all
// focal sets there may be.
const headerLimit = 4 << 20

// header returns the names of the columns of a file.
func header(path string) ([]string, error) {
	unreadable := func(err error) error {
		var about *fs.PathError
		if errors.As(err, &about) {
			err = about.Err
		}
		return &fault.Input{File: path, Problem: "cannot be read: " + err.Error(),
			Fix: "check the name and the folder", Err: err}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(err)
	}
	defer f.Close()
	magic := make([]byte, 4)
	n, err := io.ReadFull(f, magic)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, unreadable(err)
	}
	if string(magic[:n]) == "PAR1" {
		return parquetHeader(path, f)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	names, err := textHeader(f, magic[:n])
	if err != nil {
		return nil, &fault.Input{File: path,
			Problem: "the names of the columns cannot be read: " + err.Error(),
			Fix:     "give a credal partition that kindred wrote", Err: err}
	}
	return names, nil
}

func parquetHeader(path string, f *os.File) (names []string, err error) {
	damaged := func(why any) error {
		return &fault.Input{File: path, Problem: fmt.Sprintf("is a damaged Parquet file: %v", why),
			Fix: "fetch or write the file again"}
	}
	defer func() {
		if p := recover(); p != nil { // the library panics over some damage
			err = damaged(p)
		}
	}()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	in, err := parquet.OpenFile(f, info.Size(), parquet.SkipPageIndex(true),
		parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, damaged(err)
	}
	for _, path := range in.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	return names, nil
}

// textHeader reads the first record of CSV, or the keys of the first object of JSON lines.
func textHeader(r io.Reader, magic []byte) ([]string, error) {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxMemory(1<<28))
		if err != nil {
			return nil, err
		}
		defer z.Close()
		r = z
	}
	b := bufio.NewReader(io.LimitReader(r, headerLimit))
	if mark, _ := b.Peek(3); string(mark) == "\ufeff" {
		b.Discard(3)
	}
	for first, _ := b.Peek(1); len(first) == 1 && bytes.ContainsAny(first, " \t\r\n"); first,
		_ = b.Peek(1) {
		b.Discard(1)
	}
	if first, _ := b.Peek(1); string(first) == "{" {
		return keys(json.NewDecoder(b))
	}
	return csv.NewReader(b).Read()
}

// keys returns the keys of an object.
func keys(d *json.Decoder) ([]string, error) {
	var names []string
	if _, err := d.Token(); err != nil { // the opening brace
		return nil, err
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		names = append(names, fmt.Sprint(key))
	}
	return names, nil
}
