package images

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/fault"
)

const anew = "save it anew as PNG or JPEG"

// look finds a regular file of the folder, and nothing else: opening a device may do something, and
// a pipe may block.
func (a *Album) look(name string) (local string, info fs.FileInfo, err error) {
	clean, err := CleanName(name)
	if err != nil {
		return "", nil, err
	}
	local = filepath.FromSlash(clean)
	info, err = a.root.Stat(local)
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		return "", nil, opening(name, err)
	}
	return local, info, nil
}

// open opens a regular file of the folder.
func (a *Album) open(name string) (*os.File, fs.FileInfo, error) {
	local, _, err := a.look(name)
	if err != nil {
		return nil, nil, err
	}
	f, err := a.root.OpenFile(local, openFlags, 0)
	if err != nil {
		return nil, nil, opening(name, err)
	}
	// What lies there now may be another file than was looked at.
	info, err := f.Stat()
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		f.Close()
		return nil, nil, opening(name, err)
	}
	return f, info, nil
}

func regular(name string, info fs.FileInfo) error {
	what := ""
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = "a pipe"
	case mode&fs.ModeDevice != 0:
		what = "a device"
	default:
		what = "a special file"
	}
	return &fault.Input{File: name, Problem: "is " + what + ", not a picture",
		Fix: "name a picture"}
}

// opening explains why a file could not be opened.
func opening(name string, err error) error {
	var path *fs.PathError
	switch {
	case fault.IsInput(err):
		return err
	case errors.Is(err, fs.ErrNotExist):
		return &fault.Input{File: name, Problem: "does not exist",
			Fix: "check the name and the folder", Err: err}
	case errors.Is(err, fs.ErrPermission):
		return fault.Reading(name, err)
	case errors.As(err, &path):
		// Among these is a link that leads out of the folder, for which there is no error of a
		// name.
		return &fault.Input{
			File: name, Problem: fmt.Sprintf("cannot be opened within the folder (%v)", path.Err),
			Fix: "put the picture itself into the folder, as links out of it are not followed",
			Err: err,
		}
	}
	return err
}

// contextReader is bytes whose reading ends with a context.
type contextReader struct {
	ctx  context.Context
	from interface {
		io.Reader
		io.ReaderAt
	}
}

func (w contextReader) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.from.Read(p[:min(len(p), 1<<20)])
}

func (w contextReader) ReadAt(p []byte, at int64) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.from.ReadAt(p, at)
}

// read returns the content of a picture's file. Its bytes count as held until done is called.
func (w *workspace) read(ctx context.Context, name string) (data []byte, done func(), err error) {
	f, info, err := w.album.open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	size := info.Size()
	if size > w.album.limits.Bytes {
		return nil, nil, &fault.Input{
			File: name, Problem: fmt.Sprintf("has %d bytes, and %d are the most", size,
				w.album.limits.Bytes), Fix: "save it smaller",
		}
	}
	if err := w.album.bytes.Acquire(ctx, size); err != nil {
		return nil, nil, err
	}
	done = func() { w.album.bytes.Release(size) }
	w.file = sized(w.file, int(size)+1) // one more, to see whether the file has grown
	data = w.file
	n, err := io.ReadFull(contextReader{ctx, f}, data)
	if err == nil || err == io.EOF || err == io.ErrUnexpectedEOF {
		if int64(n) == size {
			return data[:n], done, nil
		}
		err = &fault.Input{File: name, Problem: "changed while it was read",
			Fix: "try again when it is whole"}
	}
	done()
	return nil, nil, err
}
