package pages

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages/pagestest"
)

// mostExtra is how much more than a page may be allocated while it inflates.
const mostExtra = 1 << 20

// TestInflateAllocatesNoMoreThanStated inflates pages that hold what their headers state, more, or
// damaged bytes.
func TestInflateAllocatesNoMoreThanStated(t *testing.T) {
	plain := []byte(strings.Repeat("rows of text, ", 1<<16))
	var i inflater
	for _, codec := range pagestest.Codecs() {
		packed, err := codec.Encode(nil, plain)
		if err != nil {
			t.Fatal(err)
		}
		id := codec.CompressionCodec()
		if got, err := i.inflate(nil, id, packed, len(plain)); err != nil ||
			!bytes.Equal(got, plain) {
			t.Errorf("%s: %d bytes of %d, %v", codec, len(got), len(plain), err)
		}
		for _, size := range []int{0, 1, 1000, len(plain) - 1} {
			got, err := i.inflate(nil, id, packed, size)
			if err == nil || cap(got) > size+mostExtra {
				t.Errorf("%s: a page that states %d bytes takes %d: %v", codec, size, cap(got), err)
			}
		}
		clear(packed[len(packed)/2:])
		got, err := i.inflate(nil, id, packed, len(plain))
		if err == nil || cap(got) > len(plain)+mostExtra {
			t.Errorf("%s: a damaged page takes %d bytes: %v", codec, cap(got), err)
		}
		if n := mostInflated(id, int64(len(packed))); n < int64(len(plain)) {
			t.Errorf("%s: %d bytes cannot hold the %d they hold", codec, len(packed), len(plain))
		}
	}
	_, err := i.inflate(nil, format.LZO, plain, len(plain))
	if err == nil || !strings.Contains(err.Error(), "LZO") {
		t.Errorf("a codec that is not read: %v", err)
	}
}

// TestInflateFramesOfZstd inflates a page of frames, of which the first alone states its length.
func TestInflateFramesOfZstd(t *testing.T) {
	var unsized bytes.Buffer // a stream does not know its size when it begins
	w, err := zstd.NewWriter(&unsized)
	if err != nil {
		t.Fatal(err)
	}
	for range 64 {
		if _, err := w.Write(make([]byte, 1<<16)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	first, err := parquet.Zstd.Encode(nil, []byte("short"))
	if err != nil {
		t.Fatal(err)
	}
	packed, size := slices.Concat(first, unsized.Bytes()), len("short")+1<<22
	var i inflater
	if got, err := i.inflate(nil, format.Zstd, packed, size); err != nil || len(got) != size {
		t.Errorf("%d bytes of %d, %v", len(got), size, err)
	}
	got, err := i.inflate(nil, format.Zstd, packed, 1<<20)
	if err == nil || cap(got) > 1<<20+mostExtra {
		t.Errorf("a page of 4 MiB that states 1 MiB takes %d bytes: %v", cap(got), err)
	}
}

// TestPagesThatDoNotInflate reads files of every codec with pages that are damaged, or inflate to
// many times what they state, by every way into this package.
func TestPagesThatDoNotInflate(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	ways := map[string]func([]byte) error{"pages": readPages, "rows": readAll, "values": readValues}
	for _, codec := range pagestest.Bad() {
		for _, column := range []string{"x", "s", "n", "t"} {
			file, err := pagestest.File(codec, column, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for way, read := range ways {
				if way != "values" && (column == "s" || column == "t") {
					continue
				}
				err := error(nil)
				took := allocated(func() { err = Fault("a.parquet", read(file)) })
				in, ok := err.(*fault.Input)
				if !ok || in.Column != column ||
					!strings.HasPrefix(in.Problem, "is damaged in row group 1: ") {
					t.Errorf("%s, column %s, %s: %v", codec, column, way, err)
				}
				if took > 12<<20 {
					t.Errorf("%s, column %s, %s: %d bytes are allocated", codec, column, way,
						took)
				}
			}
		}
	}
}

// allocated counts the bytes that do allocates.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func openAll(file []byte) (*parquet.File, io.ReaderAt, []Leaf, error) {
	in := bytes.NewReader(file)
	f, err := Open(in, in.Size())
	if err != nil {
		return nil, nil, nil, err
	}
	if err := Check(f, in, 1<<30); err != nil {
		return nil, nil, nil, err
	}
	leaves, err := Leaves(f)
	return f, in, leaves, err
}

// readPages reads the columns of numbers page by page.
func readPages(file []byte) error {
	f, in, leaves, err := openAll(file)
	if err != nil {
		return err
	}
	p := NewReader(f, in)
	for group := range f.RowGroups() {
		for _, l := range leaves {
			if l.Kind == parquet.ByteArray {
				continue
			}
			if err := p.Each(context.Background(), group, l, true, func(int, Page) {}); err != nil {
				return err
			}
		}
	}
	return nil
}

// readValues reads all columns value by value.
func readValues(file []byte) error {
	f, in, leaves, err := openAll(file)
	if err != nil {
		return err
	}
	p := NewReader(f, in)
	for group := range f.RowGroups() {
		for _, l := range leaves {
			v, err := p.Values(group, l, 0)
			for err == nil {
				_, _, err = v.Next()
			}
			if err != io.EOF {
				return err
			}
		}
	}
	return nil
}
