package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/shard"
)

// remote reports whether a path lies in another file system than that of this machine, as gs:// and
// s3:// do.
func remote(name string) bool {
	return strings.Contains(name, "://") && !strings.HasPrefix(name, "file://")
}

// absolute returns a path as workers have it, whose working folder may be another. "" stays as it
// is, and so do remote paths.
func absolute(name string) (string, error) {
	local := strings.TrimPrefix(name, "file://")
	if local == "" || remote(name) {
		return name, nil
	}
	return filepath.Abs(local)
}

// absoluteSplits does that for the files of splits.
func absoluteSplits(splits []shard.Split) (err error) {
	for i := range splits {
		if splits[i].File, err = absolute(splits[i].File); err != nil {
			return err
		}
	}
	return nil
}

// apart refuses a file or a folder to be written that the paths of DATA take in: what is in it
// would be read as data the next time. What they leave out by its name, with a point or an
// underscore, may be written.
func apart(flag, name string, data []string) error {
	if name == "" {
		return nil
	}
	at, err := absolute(name)
	if err != nil {
		return err
	}
	for _, d := range data {
		if remote(d) != remote(at) {
			continue
		}
		if d, err = absolute(d); err != nil {
			return err
		}
		if takesIn(plainPath(d), plainPath(at)) {
			return fault.Settingf(
				"%s: %s lies within DATA, and would be read as rows the next time; name another "+
					"location, or begin its name with an underscore", flag, name)
		}
	}
	return nil
}

// plainPath returns a path without a scheme, by its folders.
func plainPath(name string) string { return filepath.Clean(strings.Replace(name, "://", "/", 1)) }

// takesIn reports whether data, a path or a pattern, take in what lies at a path.
func takesIn(data, at string) bool {
	for above, below := at, ""; ; {
		fits, err := filepath.Match(data, above)
		if above == data || err == nil && fits {
			return !shard.Hidden(below)
		}
		next := filepath.Dir(above)
		if next == above {
			return false
		}
		above, below = next, filepath.Join(filepath.Base(above), below)
	}
}

// free refuses a folder for parts that holds other files, which are not this program's to mix with.
func free(ctx context.Context, folder string) error {
	holds, marked := "", false
	see := func(name string) {
		switch {
		case name == "_RUN":
			marked = true
		case holds == "":
			holds = name
		}
	}
	if remote(folder) {
		names, err := shard.List(ctx, folder)
		if err != nil {
			return err
		}
		for _, name := range names {
			see(strings.TrimPrefix(name, strings.TrimRight(folder, "/")+"/"))
		}
	} else if info, err := os.Stat(folder); err == nil {
		if !info.IsDir() {
			return &fault.Input{File: folder,
				Problem: "is a file, and parts are written to a folder",
				Fix:     "name another folder with --out"}
		}
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			see(e.Name())
		}
	}
	if marked || holds == "" {
		return nil
	}
	return &fault.Input{File: folder,
		Problem: "holds files that no run of kindred-scale wrote, among them " + holds,
		Fix:     "name a new folder, or an empty one"}
}

// ready makes a folder of this machine, and finds out whether files can be written to it.
func ready(flag, folder string, shared bool) error {
	if remote(folder) {
		return nil
	}
	if err := atomicfile.MakeFolder(folder, shared); err != nil {
		return fault.Settingf("%s: the folder %s cannot be made (%s): name another", flag, folder,
			words.Cause(err))
	}
	return writable(flag, folder)
}

// writable finds out before any work is done whether a file can be written to a folder of this
// machine.
func writable(flag, folder string) error {
	f, err := os.CreateTemp(folder, ".kindred-*.tmp")
	if err != nil {
		return fault.Settingf("%s: nothing can be written to the folder %s (%s): name another",
			flag, folder, words.Cause(err))
	}
	f.Close()
	return os.Remove(f.Name())
}
