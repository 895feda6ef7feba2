package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/sqlitefault"
)

// Copy writes the project as it is on disk to another file, whole or not at all, in place of a file
// that may be there. Answers wait meanwhile.
func (p *File) Copy(ctx context.Context, path string) error {
	here, err := os.Stat(p.path)
	if err != nil {
		return fmt.Errorf("project: %w", err)
	}
	if there, err := os.Stat(path); err == nil &&
		(os.SameFile(here, there) || !there.Mode().IsRegular()) {
		return fault.Inputf("name another file",
			"the project cannot be copied onto itself, or onto what is no regular file").In(path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".*.kindred.tmp")
	if err != nil {
		return p.uncopied(path, err)
	}
	f.Close()
	if err = p.copyTo(ctx, f.Name()); err == nil {
		err = move(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return p.uncopied(path, err)
	}
	return nil
}

// move renames a file within its folder, durably.
func move(from, to string) error {
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return atomicfile.SyncFolder(filepath.Dir(to))
}

// copyTo writes the project to a file that is empty or absent, and makes it durable.
func (p *File) copyTo(ctx context.Context, temporary string) error {
	info, err := os.Stat(p.path)
	if err != nil {
		return err
	}
	if _, err := p.db.ExecContext(ctx, "VACUUM INTO ?", temporary); err != nil {
		return err
	}
	if err := os.Chmod(temporary, info.Mode().Perm()); err != nil {
		return err
	}
	f, err := os.OpenFile(temporary, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// backup keeps the file beside itself before it is brought to a newer format, and returns the path
// of the copy.
func (p *File) backup(ctx context.Context) (path string, err error) {
	base := fmt.Sprintf("%s.v%d", p.path, p.version)
	temporary := base + ".bak.tmp"
	// of a kill before
	if err := os.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", p.uncopied(temporary, err)
	}
	err = p.copyTo(ctx, temporary)
	for n := 1; err == nil; n++ {
		path = base + ".bak"
		if n > 1 {
			path = fmt.Sprintf("%s-%d.bak", base, n)
		}
		if _, err = os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			// The project is locked, so nobody else makes a backup of it now.
			if err = move(temporary, path); err == nil {
				return path, nil
			}
		} else if equal(temporary, path) {
			return path, os.Remove(temporary) // a kill came between the backup and the migration
		}
	}
	os.Remove(temporary)
	return "", p.uncopied(temporary, err)
}

func (p *File) uncopied(path string, err error) error {
	if kind, ok := sqlitefault.Kind(err); ok && kind != fault.Damaged {
		err = &fault.Storage{Kind: kind, File: path, Err: err}
	}
	err = fault.Writing(path, p.explain(err))
	return fmt.Errorf("project: no copy of %s could be kept as %s; the project was left as it "+
		"was: %w", p.path, path, err)
}

// equal reports whether two files have the same bytes. What cannot be read equals nothing.
func equal(a, b string) bool {
	bytesA, errA := os.ReadFile(a)
	bytesB, errB := os.ReadFile(b)
	return errA == nil && errB == nil && bytes.Equal(bytesA, bytesB)
}
