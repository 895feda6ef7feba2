package input

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// isPart reports whether a file is one of a table's by its name. What begins with a point or an
// underscore is left over by who wrote the others.
func isPart(name string) bool {
	name = strings.ToLower(name)
	return !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "_") &&
		(strings.HasSuffix(name, ".parquet") || strings.HasSuffix(name, ".pq"))
}

// hasParts reports whether a folder holds Parquet files itself.
func (p Place) hasParts(name string) bool {
	root, err := p.folder(name)
	if err != nil {
		return false
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), ".")
	return err == nil &&
		slices.ContainsFunc(entries,
			func(e fs.DirEntry) bool { return !e.IsDir() && isPart(e.Name()) })
}

// readParts reads the Parquet files in a folder, and below it, as one table, in the order of their
// paths.
func (p Place) readParts(ctx context.Context, name string, o dataset.ReadOptions) (*dataset.Table,
	error) {
	root, err := p.folder(name)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var files []dataset.Part
	var names []string
	err = fs.WalkDir(root.FS(), ".", func(at string, d fs.DirEntry, err error) error {
		switch base := path.Base(at); {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case d.IsDir() && at != "." &&
			(strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
			return fs.SkipDir
		case !d.IsDir() && isPart(base):
			names = append(names, at)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, at := range names {
		within, file := filepath.FromSlash(at), filepath.Join(name, filepath.FromSlash(at))
		cannot := func(err error) error {
			return &fault.Input{File: file, Problem: "cannot be opened",
				Fix: "see that it may be read, and leads out of no folder", Err: err}
		}
		info, err := root.Stat(within)
		if err != nil {
			return nil, cannot(err)
		}
		if !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		files = append(files, dataset.Part{Name: file, Open: func() (*os.File, error) {
			f, err := root.Open(within)
			if err != nil {
				return nil, cannot(err)
			}
			return f, nil
		}})
	}
	return dataset.ReadParts(ctx, files, name, o)
}
