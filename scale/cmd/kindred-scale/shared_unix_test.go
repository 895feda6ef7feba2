//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// All that is written is for this user alone, unless it is shared: then the umask decides.
func TestFilesAreForTheirOwnerAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("runs whole fits")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	before := syscall.Umask(0o022)
	defer syscall.Umask(before)
	for _, c := range []struct {
		flag         string
		file, folder fs.FileMode
	}{{"--shared=false", 0o600, 0o700}, {"--shared", 0o644, 0o755}} {
		root := filepath.Join(t.TempDir(), "work")
		in := func(name string) string { return filepath.Join(root, name) }
		for _, args := range [][]string{
			{"generate", in("rows"), "--rows", "3000", "--dimensions", "3", "-k", "3", "--files", "2"},
			{"cluster", in("rows"), "--ignore", "class", "-k", "3", "--out", in("groups"), "--work",
				in("states"), "--model", in("groups.model"), "--threads", "1"},
			{"super", in("rows"), "--ignore", "class", "--super-instances", "10", "--out",
				in("super"), "--threads", "1"},
		} {
			cmd := exec.CommandContext(t.Context(), self, append(args, c.flag)...)
			cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "TMPDIR="+t.TempDir())
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", args[0], err, said)
			}
		}
		files := 0
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			want := c.file
			if d.IsDir() {
				want = c.folder
			} else {
				files++
			}
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s: %s has the permissions %o, want %o", c.flag,
					strings.TrimPrefix(path, root), got, want)
			}
			return nil
		})
		if err != nil || files < 12 {
			t.Errorf("%d files were written, %v", files, err)
		}
	}
}
