package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// Repair checks a project, and if it is damaged puts a sound one in its place: the steps before the
// first that is damaged, and the settings and contents of rows that are sound. The file as it was,
// and its log, are kept first beside it as NAME.kindred.damaged, or .damaged-2 and so on; what is
// there already is never overwritten. Copy is "" for a file that was sound. It fails as [Check]
// does, and with a [*fault.Storage] where nothing can be kept.
func Repair(ctx context.Context, path string) (r *Report, copy string, err error) {
	r, err = Check(ctx, path)
	if err != nil || len(r.Damage) == 0 {
		return r, "", err
	}
	if r.found == nil || !r.found.some() {
		return r, "", &fault.Storage{Kind: fault.Damaged, File: path, Lost: "nothing in it can be read",
			Err: ErrNothing}
	}
	if copy, err = keepDamaged(path); err != nil {
		return r, "", fmt.Errorf("project: no copy of %s could be kept; it was left as it was: %w",
			path, fault.Writing(path, err))
	}
	if err := r.rebuild(ctx, path); err != nil {
		return r, copy, fault.Writing(path, err)
	}
	return r, copy, nil
}

// keepDamaged copies a file and its log to the first name that is free.
func keepDamaged(path string) (copy string, err error) {
	for n := 1; ; n++ {
		copy = path + ".damaged"
		if n > 1 {
			copy = fmt.Sprintf("%s-%d", copy, n)
		}
		if _, err := os.Lstat(copy + "-wal"); err == nil {
			continue
		}
		err = copyFile(path, copy)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = copyFile(path+"-wal", copy+"-wal")
		}
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return copy, atomicfile.SyncFolder(filepath.Dir(copy))
		}
		os.Remove(copy)
		return "", err
	}
}

// copyFile copies a file durably to a name that must be free, with its permissions.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Sync(), out.Close()); err != nil {
		os.Remove(to)
	}
	return err
}

// rebuild puts a file with what is sound in the place of the one at path.
func (r *Report) rebuild(ctx context.Context, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".kindred-repair-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	made := filepath.Join(folder, "made.kindred")
	if err := r.write(ctx, made); err != nil {
		return err
	}
	if err := os.Chmod(made, info.Mode().Perm()); err != nil {
		return err
	}
	f, err := os.OpenFile(made, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	// The log of the damaged file would be taken for that of the new one. A copy of it was kept.
	for _, beside := range []string{path + "-wal", path + "-shm"} {
		if err := os.Remove(beside); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return move(made, path)
}

// write makes a project with what is sound.
func (r *Report) write(ctx context.Context, path string) error {
	p, err := Open(ctx, path)
	if err != nil {
		return err
	}
	f := r.found
	events := NewHistory(f.events).All() // which has targets where format 1 has none
	err = p.do(ctx, func(ctx context.Context, b *batch) error {
		for name, value := range f.settings {
			if err := b.set(ctx, name, value); err != nil {
				return err
			}
		}
		if err := b.describe(ctx, f.rows); err != nil {
			return err
		}
		return b.insert(ctx, events)
	})
	return errors.Join(err, p.Close())
}
