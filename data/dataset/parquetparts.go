package dataset

import (
	"context"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages"
)

// part is one of the files of a table.
type part struct {
	name string
	from io.ReaderAt
	size int64
}

// Part is one of the files of a table.
type Part struct {
	Name string // in messages
	Open func() (*os.File, error)
}

// ReadParts reads a table whose rows lie in several Parquet files, in the order given, as [Read]
// does from one. Messages call the table name, and a file by its own; all must have the columns of
// the first, in any order, and numbers where it has numbers. The fingerprint is that of all bytes,
// one file after the other. Files are opened when they are read, 64 at a time and one per thread
// beyond, and closed in the end.
func ReadParts(ctx context.Context, files []Part, name string, o ReadOptions) (*Table, error) {
	if o.Format != "" && o.Format != FormatParquet {
		return nil, &fault.Input{File: name,
			Problem: "is a folder of Parquet files, not " + string(o.Format),
			Fix:     "leave out --format"}
	}
	if len(files) == 0 {
		return nil, &fault.Input{File: name, Problem: "has no Parquet files",
			Fix: "give a folder with some"}
	}
	o.Format = FormatParquet
	var all joined
	var shelf openFiles
	defer shelf.close()
	for _, p := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := shelf.put(p)
		if err != nil {
			return nil, err
		}
		all.parts = append(all.parts, part{p.Name, f, f.info.Size()})
		all.ends = append(all.ends, all.size()+f.info.Size())
	}
	s := &source{name: name, file: &all, size: all.size(), parts: all.parts, hash: sha256.New(),
		progress: o.Progress}
	return readSource(ctx, s, o)
}

// joined reads files one after the other as if they were one.
type joined struct {
	parts []part
	ends  []int64 // of each part, from the start of the first
}

func (j *joined) size() int64 {
	if len(j.ends) == 0 {
		return 0
	}
	return j.ends[len(j.ends)-1]
}

func (j *joined) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		k := sort.Search(len(j.ends), func(k int) bool { return j.ends[k] > at })
		if k == len(j.ends) {
			return n, io.EOF
		}
		want := p[n:min(int64(len(p)), int64(n)+j.ends[k]-at)]
		got, err := j.parts[k].from.ReadAt(want, at-(j.ends[k]-j.parts[k].size))
		n += got
		at += int64(got)
		if got < len(want) {
			if err == nil || err == io.EOF { // it has become shorter
				err = io.ErrUnexpectedEOF
			}
			return n, err
		}
	}
	return n, nil
}

// follow finds the columns of a file, which must be those of the first one of the table.
func (r *parquetReader) follow(first *parquetReader) (err error) {
	defer pages.Recover(r.name, &err)
	leaves, err := pages.Leaves(r.file)
	if err != nil {
		return pages.Fault(r.name, err)
	}
	if r == first {
		r.leaves = leaves
		return nil
	}
	beside := ", but " + filepath.Base(first.name)
	for _, want := range first.leaves {
		k := slices.IndexFunc(leaves, func(l pages.Leaf) bool { return l.Name == want.Name })
		if k < 0 {
			return &fault.Input{File: r.name, Column: want.Name,
				Problem: "there is no such column" + beside + " has one",
				Fix:     "give files with the same columns"}
		}
		l := leaves[k]
		if holds, wanted := holding(l), holding(want); holds != wanted {
			return &fault.Input{File: r.name, Column: l.Name,
				Problem: holds + beside + " " + wanted,
				Fix:     "write the column in the same way in all files"}
		}
		r.leaves = append(r.leaves, l)
	}
	for _, l := range leaves {
		if !slices.ContainsFunc(first.leaves,
			func(want pages.Leaf) bool { return l.Name == want.Name }) {
			return &fault.Input{File: r.name, Column: l.Name,
				Problem: "is a column" + beside + " has none of that name",
				Fix:     "give files with the same columns"}
		}
	}
	return nil
}

// holding describes what a column holds, as far as it decides on how it is read.
func holding(l pages.Leaf) string {
	switch {
	case l.Vector:
		return listsOfNumbers
	case l.Never != "":
		return l.Never
	case l.Kind == parquet.Boolean:
		return "holds true and false"
	case l.Kind == parquet.ByteArray && !l.Declared:
		return "holds bytes or texts"
	case l.Kind == parquet.ByteArray:
		return "holds texts"
	}
	return "holds numbers"
}
