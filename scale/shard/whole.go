package shard

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
)

// ReadFile returns the bytes of a file, local or remote.
func ReadFile(ctx context.Context, path string) ([]byte, error) {
	in, err := openFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.NewSectionReader(in, 0, in.Size()))
}

// WriteFile writes a file whole or not at all, in place of one that is there, and makes its folder.
func WriteFile(ctx context.Context, path string, data []byte) error {
	return writeFile(ctx, path, data, nil)
}

// MarkWork writes the mark of a folder of states, by which they are known to be of a run, and
// shared or for this user alone.
func MarkWork(ctx context.Context, folder, run string, shared bool) error {
	return writeFile(ctx, WorkMark(folder), []byte(run+"\n"), &shared)
}

// WorkMark names the mark of a folder of states.
func WorkMark(folder string) string { return Join(folder, workName) }

// writeFile is WriteFile; on this machine a new file is shared or not, and as its folder is for nil.
func writeFile(ctx context.Context, path string, data []byte, shared *bool) error {
	system, at, err := filesOf(path)
	if err != nil {
		return err
	}
	var out File
	if _, local := system.(localFiles); local && shared != nil {
		out, err = createLocal(at, *shared)
	} else {
		out, err = system.create(ctx, at)
	}
	if err != nil {
		return err
	}
	defer out.Abort()
	if _, err := out.Write(data); err != nil {
		return err
	}
	return out.Close()
}

// List returns the files of a folder, sorted, by their whole paths: none where there is no such
// folder.
func List(ctx context.Context, folder string) ([]string, error) {
	system, at, err := filesOf(folder)
	if err != nil {
		return nil, err
	}
	found, err := system.list(ctx, at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range found {
		names = append(names, e.path)
	}
	slices.Sort(names)
	return names, nil
}

// Remove deletes a file; one that is not there is no error.
func Remove(ctx context.Context, path string) error {
	system, at, err := filesOf(path)
	if err != nil {
		return err
	}
	return system.remove(ctx, at)
}
