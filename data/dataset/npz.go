package dataset

import (
	"archive/zip"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/words"
)

// readNPZ reads one of the arrays of an .npz file, as numpy.savez and numpy.savez_compressed
// write it.
func readNPZ(ctx context.Context, src *source, t *Table, o ReadOptions) error {
	in, size, err := src.bytesAt(ctx)
	if err != nil {
		return err
	}
	const what = ".npz file"
	archive, err := zip.NewReader(&endingReader{ctx, in}, size)
	if err != nil {
		return damaged(src.name, what, err)
	}
	var names []string
	var arrays []*zip.File
	for _, f := range archive.File {
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			names, arrays = append(names, name), append(arrays, f)
		}
	}
	t.Parts = &Parts{What: "array", Names: names}
	if o.Sheet == "" && len(arrays) > 1 {
		return &fault.Input{File: src.name,
			Problem: "holds " + itoa(len(arrays)) + " arrays: " + words.UpTo(names, 20),
			Fix:     "choose one with --sheet NAME"}
	}
	asked := o.Sheet
	if asked == "" {
		asked = "1"
	}
	at, err := choosePart(src.name, "array", names, asked)
	if err != nil {
		return err
	}
	t.Parts.Chosen = names[at]
	array := arrays[at]
	if array.UncompressedSize64 > uint64(o.inflateLimit()) {
		return &fault.Input{File: src.name,
			Problem: "the array " + names[at] + " inflates to more than " +
				itoa(int(o.inflateLimit())) + " bytes",
			Fix: "raise --inflate-limit if the file can be trusted"}
	}
	if most := zipInflated(array, size); array.UncompressedSize64 > uint64(most) {
		return damaged(src.name, what, errors.New("the array "+names[at]+
			" states more bytes than its own can hold"))
	}
	one := &source{name: src.name}
	if offset, err := array.DataOffset(); err == nil && array.Method == zip.Store &&
		array.CompressedSize64 == array.UncompressedSize64 &&
		offset >= 0 && array.CompressedSize64 <= uint64(size-offset) {
		one.size = int64(array.CompressedSize64)
		one.file = io.NewSectionReader(&endingReader{ctx, in}, offset, one.size)
	} else {
		from, err := array.Open()
		if err != nil {
			return damaged(src.name, what, err)
		}
		defer from.Close()
		one.stream = from
	}
	if len(arrays) > 1 {
		t.Notes = append(t.Notes, "array "+names[at])
	} else {
		t.Notes = append(t.Notes, "the array "+names[at]+" is the only one")
	}
	return damaged(src.name, what, readNPY(ctx, one, t, o))
}

// zipInflated bounds what a member of an archive of so many bytes can inflate to.
func zipInflated(f *zip.File, size int64) int64 {
	packed := size
	if f.CompressedSize64 < uint64(size) {
		packed = int64(f.CompressedSize64)
	}
	if f.Method == zip.Store {
		return packed
	}
	return infile.MostInflated(infile.Gzip, packed)
}
