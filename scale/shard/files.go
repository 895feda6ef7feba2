package shard

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// filesOf returns the file system that a path lies in, and the path as that system has it.
func filesOf(path string) (files, string, error) {
	local, ok := strings.CutPrefix(path, "file://")
	switch {
	case !ok && strings.Contains(path, "://"):
		f, err := remoteFiles(path)
		return f, path, err
	case local == "":
		return nil, "", fault.Inputf("name a file, a folder or a pattern", "a path is empty")
	}
	return localFiles{}, filepath.Clean(local), nil
}

// openFile opens a file of any file system.
func openFile(ctx context.Context, path string) (input, error) {
	f, path, err := filesOf(path)
	if err != nil {
		return nil, err
	}
	return f.open(ctx, path)
}

// Join names a file in a folder, local or remote.
func Join(folder, name string) string { return strings.TrimRight(folder, "/") + "/" + name }

// localFiles are the files of this machine, and what is mounted on it.
type localFiles struct{}

func (localFiles) list(ctx context.Context, path string) ([]entry, error) {
	found := []string{path}
	if _, err := os.Stat(path); err != nil {
		if !strings.ContainsAny(path, "*?[") {
			return nil, missingFile(path, err)
		}
		if found, err = filepath.Glob(path); err != nil {
			return nil, &fault.Input{File: path, Problem: "is no pattern of names",
				Fix: "write it with *, ? and [a-z]", Err: err}
		}
	}
	var entries []entry
	for _, root := range found {
		if info, err := os.Stat(root); err == nil && info.IsDir() {
			root += "/" // a link to a folder is walked into
		}
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil && (path == root || !errors.Is(err, fs.ErrNotExist)) {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			info, err := os.Stat(path) // follows links
			if errors.Is(err, fs.ErrNotExist) {
				return nil // a link to nothing, or a temporary file that is gone since
			}
			if err != nil || !info.Mode().IsRegular() {
				return err
			}
			entries = append(entries, entry{path, info.Size()})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// missingFile returns the error of a file that is not there, unless something else is wrong.
func missingFile(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return &fault.Input{File: path, Problem: "there is no such file or folder",
			Fix: "check its name; every worker must see it under the same one", Err: err}
	}
	return err
}

func (localFiles) stamp(_ context.Context, path string) (Stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}, missingFile(path, err)
	}
	return Stamp{Size: info.Size(), Changed: info.ModTime()}, nil
}

func (localFiles) open(_ context.Context, path string) (input, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, missingFile(path, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return &localInput{f, info.Size()}, nil
}

type localInput struct {
	*os.File
	size int64
}

func (f *localInput) Size() int64 { return f.size }

func (localFiles) create(_ context.Context, path string) (File, error) {
	return createLocal(path, sharedAt(filepath.Dir(path)))
}

// createLocal makes a file of this machine, and its folder, which are for this user alone unless
// they are shared, as the umask says.
func createLocal(path string, shared bool) (File, error) {
	if err := atomicfile.MakeFolder(filepath.Dir(path), shared); err != nil {
		return nil, err
	}
	create := atomicfile.Create
	if shared {
		create = atomicfile.CreateShared
	}
	f, err := create(path)
	if err != nil {
		return nil, err
	}
	return localOutput{f}, nil
}

// sharedAt reports whether the files of a folder are shared: whether others may read its mark, or
// that of the folder above. Workers, which have no flags, see it there.
func sharedAt(folder string) bool {
	for _, mark := range []string{filepath.Join(folder, runName), filepath.Join(folder, workName),
		filepath.Join(filepath.Dir(folder), workName)} {
		if info, err := os.Stat(mark); err == nil {
			return info.Mode().Perm()&0o077 != 0
		}
	}
	return false
}

type localOutput struct{ *atomicfile.File }

// Close puts the file in its place.
func (f localOutput) Close() error { return f.Commit() }

func (localFiles) remove(_ context.Context, path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
