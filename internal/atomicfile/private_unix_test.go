//go:build unix

package atomicfile_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/kindred-go/kindred/internal/atomicfile"
)

// TestNewFilesArePrivate: others may read a new file once it is shared, as the umask says, and one
// that was there keeps its permissions.
func TestNewFilesArePrivate(t *testing.T) {
	defer unix.Umask(unix.Umask(0o027))
	dir := t.TempDir()
	has := func(path string, want fs.FileMode) {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has %v, want %v", filepath.Base(path), got, want)
		}
	}
	path := filepath.Join(dir, "out.csv")
	write(t, path, "one")
	has(path, 0o600)
	if err := atomicfile.Share(path); err != nil {
		t.Fatal(err)
	}
	has(path, 0o640)
	write(t, path, "two")
	has(path, 0o640)
	onlyFile(t, dir)

	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	write(t, path, "three")
	has(path, 0o604)

	other := filepath.Join(dir, "shared.csv")
	err := atomicfile.WriteShared(other, func(w io.Writer) error {
		_, err := io.WriteString(w, "four")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	has(other, 0o640)
	if err := atomicfile.Share(filepath.Join(dir, "none")); err == nil {
		t.Error("a file that is not there was shared")
	}
}
