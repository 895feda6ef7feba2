// Package atomicfile writes files that are either whole or not there.
//
// What is written goes to a temporary file beside the target; Commit puts it in the target's place
// in one step, and before that nothing of the target changes.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// longestBase is how many bytes of the target's name go into the temporary one, so that the latter
// stays below the 255 that file systems allow.
const longestBase = 200

// File is a file being written. It is not for use by several goroutines at a time.
type File struct {
	target string
	f      *os.File
	closed bool
}

// Create begins to write the file at path. A path that is a symbolic link writes the file it leads
// to, whether that exists already or not. An existing file keeps its permissions; a new one is for
// this user alone, 0600 ([Share] lets others at it). A file that is read-only is left alone: the
// error is an fs.ErrPermission then.
func Create(path string) (*File, error) { return create(path, private) }

// CreateShared is Create for a file that others may read at once, as the umask says.
func CreateShared(path string) (*File, error) { return create(path, shared) }

// Permissions of a new file, less the umask.
const (
	private fs.FileMode = 0o600
	shared  fs.FileMode = 0o666
)

func create(path string, mode fs.FileMode) (*File, error) {
	target, err := follow(path)
	if err != nil {
		return nil, err
	}
	perm, exists, err := replaceable(target)
	if err != nil {
		return nil, err
	}
	if exists {
		mode = perm
	}
	f, err := createBeside(target, mode)
	if err != nil {
		return nil, err
	}
	if exists {
		if err := f.Chmod(mode); err != nil { // the umask does not hold for a file that was there
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
	}
	return &File{target: target, f: f}, nil
}

// readOnly reports a file that nobody may write. A rename would replace it all the same.
type readOnly struct{}

func (readOnly) Error() string { return "the file is read-only" }

// Is reports whether target is the fs.ErrPermission that a readOnly is.
func (readOnly) Is(target error) bool { return target == fs.ErrPermission }

// replaceable returns the permissions of the file at target and whether there is one, or why it may
// not be replaced. Windows has a file that is read-only as one that nobody may write, too.
func replaceable(target string) (perm fs.FileMode, exists bool, err error) {
	info, err := os.Stat(target)
	switch {
	case err != nil:
		return 0, false, nil
	case !info.Mode().IsRegular():
		err = errors.New("not a regular file")
	case info.Mode().Perm()&0o222 == 0:
		err = readOnly{}
	default:
		return info.Mode().Perm(), true, nil
	}
	return 0, true, &fs.PathError{Op: "replace", Path: target, Err: err}
}

// follow returns the file that path leads to by symbolic links.
func follow(path string) (string, error) {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved, nil
	}
	const most = 100
	target := path
	for range most { // EvalSymlinks fails where the last link leads to nothing yet
		next, err := os.Readlink(target)
		if err != nil {
			return target, nil // no link
		}
		if !filepath.IsAbs(next) {
			folder, err := filepath.EvalSymlinks(filepath.Dir(target))
			if err != nil {
				return "", err
			}
			next = filepath.Join(folder, next)
		}
		target = next
	}
	return "", &fs.PathError{Op: "create", Path: path,
		Err: errors.New("its symbolic links lead in a circle")}
}

// createBeside makes a new file with a free name in the folder of target, under the umask.
func createBeside(target string, mode fs.FileMode) (*os.File, error) {
	base := filepath.Base(target)
	if len(base) > longestBase {
		base = strings.ToValidUTF8(base[:longestBase], "")
	}
	// os.CreateTemp finds a free name but sets mode 0600; only the name is used.
	probe, err := os.CreateTemp(filepath.Dir(target), "."+base+".*.tmp")
	if err != nil {
		return nil, err
	}
	name := probe.Name()
	probe.Close()
	if err := os.Remove(name); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
}

// Try reports whether [Create] can begin to write the file at path, and leaves nothing behind. Its
// error is that of Create, as a [*fault.Storage] where the system will not have it.
func Try(path string) error {
	f, err := Create(path)
	if err != nil {
		err = fault.Writing(path, err)
		if _, known := fault.Of(err); !known {
			err = &fault.Storage{Kind: fault.Unwritable, File: path, Err: err}
		}
		return err
	}
	f.Abort()
	return nil
}

// Write appends p to the temporary file.
func (f *File) Write(p []byte) (int, error) { return f.f.Write(p) }

// Commit makes what was written durable and puts it in the target's place. After an error the
// target is as it was and the temporary file is gone. A second call does nothing.
func (f *File) Commit() error {
	if f.closed {
		return nil
	}
	f.closed = true
	temporary := f.f.Name()
	err := f.f.Sync()
	if closeErr := f.f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		_, _, err = replaceable(f.target) // it may have been made read-only in the meantime
	}
	if err == nil {
		err = os.Rename(temporary, f.target)
	}
	if err != nil {
		os.Remove(temporary)
		return err
	}
	return SyncFolder(filepath.Dir(f.target))
}

// Abort removes the temporary file and leaves the target as it was. After Commit, or a second time,
// it does nothing, so it may always be deferred.
func (f *File) Abort() {
	if f.closed {
		return
	}
	f.closed = true
	f.f.Close()
	os.Remove(f.f.Name())
}

// Share sets the permissions of the file at path to those that the umask leaves to a new file.
func Share(path string) error {
	target, err := follow(path)
	if err != nil {
		return named(err, path)
	}
	probe, err := createBeside(target, shared) // to ask for the umask would change it
	if err != nil {
		return named(err, path)
	}
	defer os.Remove(probe.Name())
	info, err := probe.Stat()
	probe.Close()
	if err == nil {
		err = os.Chmod(target, info.Mode().Perm())
	}
	return named(err, path)
}

// SyncFolder makes what was made or renamed in the folder durable.
func SyncFolder(path string) error {
	if runtime.GOOS == "windows" { // folders cannot be opened for that there
		return nil
	}
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}

// MakeFolder makes a folder, and those above it that are not there, durably: for this user alone
// unless it is shared, as the umask says. One that is there keeps its permissions.
func MakeFolder(path string, shared bool) error {
	path = filepath.Clean(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil
	} else if err == nil {
		return &fs.PathError{Op: "mkdir", Path: path, Err: errors.New("not a folder")}
	}
	above := filepath.Dir(path)
	if above != path {
		if err := MakeFolder(above, shared); err != nil {
			return err
		}
	}
	mode := fs.FileMode(0o700)
	if shared {
		mode = 0o777
	}
	if err := os.Mkdir(path, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return named(err, path)
	}
	return named(SyncFolder(above), path)
}

// WriteShared is Write for a file that others may read at once, as the umask says.
func WriteShared(path string, fill func(w io.Writer) error) error {
	return write(path, shared, fill)
}

// Write puts what fill writes into the file at path, whole or not at all. An error of the file
// system names path, not the temporary file, and is a [*fault.Storage] where [fault.Writing] knows
// it.
func Write(path string, fill func(w io.Writer) error) error {
	return write(path, private, fill)
}

func write(path string, mode fs.FileMode, fill func(w io.Writer) error) error {
	f, err := create(path, mode)
	if err != nil {
		return named(err, path)
	}
	defer f.Abort()
	if err := fill(f); err != nil {
		return named(err, path)
	}
	return named(f.Commit(), path)
}

// named puts the target's path into an error about its temporary neighbour.
func named(err error, path string) error {
	cause := err
	if about, ok := errors.AsType[*fs.PathError](err); ok {
		cause = about.Err
	} else if about, ok := errors.AsType[*os.LinkError](err); ok {
		cause = about.Err
	} else {
		return err
	}
	return fault.Writing(path, &fs.PathError{Op: "write", Path: path, Err: cause})
}
