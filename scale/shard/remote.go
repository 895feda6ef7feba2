package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/fault"
)

// remoteDepth is how many folders below a remote one are looked into: object stores have none, and
// are asked once a depth.
const remoteDepth = 6

// remote is a file system of Beam's: gs://, s3:// and whatever else the program was linked with
// (package clouds has the first two). It can list, and read or write files from front to back; the
// rest is made up for by temporary files.
type remote struct{ scheme string }

// remoteFiles returns the file system that a path with a scheme lies in.
func remoteFiles(path string) (files, error) {
	scheme, rest, ok := strings.Cut(path, "://")
	if !ok || scheme == "" || rest == "" {
		return nil, &fault.Input{File: path, Problem: "is no path in a remote file system",
			Fix: "write it as gs://bucket/folder or s3://bucket/folder"}
	}
	return remote{scheme}, nil
}

// connect makes the client of a file system, whose constructors panic where they fail.
func connect(ctx context.Context, path string) (fs filesystem.Interface, err error) {
	defer func() {
		if p := recover(); p != nil {
			fs, err = nil, fmt.Errorf("connecting to %s: %v", path, p)
		}
	}()
	if fs, err = filesystem.New(ctx, path); err != nil {
		scheme, _, _ := strings.Cut(path, "://")
		return nil, &fault.Input{File: path,
			Problem: "lies in a file system that this program does not know: " + scheme + "://",
			Fix:     "use gs:// or s3://, or mount it", Err: err}
	}
	return fs, nil
}

func (r remote) list(ctx context.Context, at string) ([]entry, error) {
	fs, err := connect(ctx, at)
	if err != nil {
		return nil, err
	}
	defer fs.Close()
	at = strings.TrimRight(at, "/")
	found, err := match(ctx, fs, at)
	if err != nil {
		return nil, err
	}
	if !strings.ContainsAny(at, "*?[") && len(found) == 0 {
		for depth, pattern := 0, at; depth < remoteDepth; depth++ {
			pattern += "/*"
			below, err := match(ctx, fs, pattern)
			if err != nil {
				return nil, err
			}
			found = append(found, below...)
		}
	}
	// how some programs mark a folder
	found = slices.DeleteFunc(found, func(name string) bool { return strings.HasSuffix(name, "/") })
	out := make([]entry, len(found))
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(16)
	for i, name := range found {
		group.Go(func() error {
			size, err := sizeOf(within, fs, name)
			if errors.Is(err, os.ErrNotExist) {
				return nil // it is gone since
			}
			out[i] = entry{path: name, size: size}
			return err
		})
	}
	err = group.Wait()
	return slices.DeleteFunc(out, func(e entry) bool { return e.path == "" }), err
}

// match returns the files that fit a pattern. Not every file system knows ? and [a-z], so those are
// looked for as * and sorted out here; none lets * stand for a slash.
func match(ctx context.Context, fs filesystem.Interface, pattern string) ([]string, error) {
	wide := strings.Split(pattern, "/")
	for i, name := range wide {
		if k := strings.IndexAny(name, "*?["); k >= 0 {
			wide[i] = name[:k] + "*"
		}
	}
	found, err := ask(ctx, "listing", strings.Join(wide, "/"), fs.List)
	if err != nil {
		return nil, err
	}
	slices.Sort(found)
	var out []string
	for _, name := range slices.Compact(found) {
		fits, err := path.Match(pattern, name)
		if err != nil {
			return nil, &fault.Input{File: pattern, Problem: "is not a pattern of paths",
				Fix: "close every [, and use * and ? for what may differ"}
		}
		if fits || name == pattern {
			out = append(out, name)
		}
	}
	return out, nil
}

func (r remote) open(ctx context.Context, name string) (input, error) {
	return spools.open(ctx, name)
}

// stamp returns the size of a file and when it was changed, the zero time where that is not known.
func (r remote) stamp(ctx context.Context, name string) (s Stamp, err error) {
	fs, err := connect(ctx, name)
	if err != nil {
		return s, err
	}
	defer fs.Close()
	if s.Size, err = sizeOf(ctx, fs, name); err != nil {
		return s, err
	}
	if f, ok := fs.(filesystem.LastModifiedGetter); ok {
		s.Changed, err = ask(ctx, "reading the time of", name, f.LastModified)
	}
	return s, err
}

// sizeOf returns the size of a file, or os.ErrNotExist. Stores have errors of their own for a file
// that is not there, and listing it shows.
func sizeOf(ctx context.Context, fs filesystem.Interface, name string) (int64, error) {
	return ask(ctx, "reading the size of", name,
		func(ctx context.Context, name string) (int64, error) {
			size, err := fs.Size(ctx, name)
			if err == nil || errors.Is(err, os.ErrNotExist) || ctx.Err() != nil {
				return size, err
			}
			if found, listErr := fs.List(ctx, name); listErr == nil &&
				!slices.Contains(found, name) {
				err = fmt.Errorf("%w: %w", os.ErrNotExist, err)
			}
			return size, err
		})
}

func (r remote) remove(ctx context.Context, name string) error {
	fs, err := connect(ctx, name)
	if err != nil {
		return err
	}
	defer fs.Close()
	f, ok := fs.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("%s: files of %s:// cannot be removed", name, r.scheme)
	}
	remove := func(ctx context.Context, name string) (struct{}, error) {
		return struct{}{}, f.Remove(ctx, name)
	}
	if _, err := ask(ctx, "removing", name, remove); err != nil {
		// Not every file system takes it well when there is no such file, nor do their errors look
		// alike.
		if found, listErr := match(ctx, fs, name); listErr == nil && len(found) == 0 {
			return nil
		}
		return err
	}
	return nil
}

// create writes to a temporary file here, which is sent when it is complete: object stores show
// nothing of a file before its end.
func (r remote) create(ctx context.Context, name string) (File, error) {
	local, err := temporary()
	if err != nil {
		return nil, err
	}
	return &upload{ctx: ctx, name: name, local: local}, nil
}

// upload is a file to be sent.
type upload struct {
	ctx   context.Context
	name  string
	local *os.File
	over  bool
}

func (u *upload) Write(p []byte) (int, error) { return u.local.Write(p) }

func (u *upload) Abort() {
	if !u.over {
		u.over = true
		discard(u.local)
	}
}

func (u *upload) Close() error {
	if u.over {
		return os.ErrClosed
	}
	u.over = true
	defer discard(u.local)
	if _, err := u.local.Seek(0, io.SeekStart); err != nil {
		return err
	}
	fs, err := connect(u.ctx, u.name)
	if err != nil {
		return err
	}
	defer fs.Close()
	// To cancel is the one way to keep a file system from completing a file that was begun.
	ctx, cancel := context.WithCancel(u.ctx)
	defer cancel()
	to, err := fs.OpenWrite(ctx, u.name)
	if err != nil {
		return remoteFault(ctx, "writing", u.name, err)
	}
	if _, err := io.Copy(to, &inContext{ctx, u.local}); err != nil {
		cancel()
		// to close may complete a part of the file, where the file system does not look at ctx
		if u.ctx.Err() == nil {
			to.Close()
		}
		return remoteFault(u.ctx, "writing", u.name, err)
	}
	if err := to.Close(); err != nil {
		return remoteFault(u.ctx, "writing", u.name, err)
	}
	return nil
}

// patience is how long an answer is waited for: some clients ask a server that is down again and
// again without end.
const patience = 2 * time.Minute

// ask asks a file system something about a path, and puts path and question into errors.
func ask[T any](ctx context.Context, asking, path string,
	question func(context.Context, string) (T, error)) (T, error) {
	within, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	answer, err := question(within, path)
	if err == nil {
		return answer, nil
	}
	if ctx.Err() == nil && within.Err() != nil {
		err = fmt.Errorf("no answer in %v: %w", patience, err)
	}
	return answer, remoteFault(ctx, asking, path, err)
}

// inContext stops reading when ctx is done.
type inContext struct {
	ctx  context.Context
	from io.Reader
}

func (r *inContext) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// remoteFault names the file in an error of a file system.
func remoteFault(ctx context.Context, doing, name string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, os.ErrNotExist) {
		return &fault.Input{File: name, Problem: "is not there", Fix: "check the path", Err: err}
	}
	return fmt.Errorf("%s %s: %w", doing, name, err)
}
