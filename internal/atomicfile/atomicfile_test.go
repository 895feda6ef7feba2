package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func onlyFile(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) > 1 {
		t.Errorf("temporary files are left: %v", entries)
	}
}

func TestCommitReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "old" {
		t.Errorf("before Commit the target holds %q", got)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	if got := content(t, path); got != "new" {
		t.Errorf("after Commit the target holds %q", got)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("permissions became %v", info.Mode().Perm())
	}
	onlyFile(t, dir)
}

func TestAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.csv")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	f.Abort()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 0 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestFailedCommitKeepsTheTarget(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	f, err := atomicfile.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	// A folder that took the target's name in the meantime cannot be replaced by a file.
	if err := os.MkdirAll(filepath.Join(path, "inside"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err == nil {
		t.Error("Commit replaced a folder")
	}
	onlyFile(t, dir)
}

func TestLinkStaysALink(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here")
	}
	f, err := atomicfile.Create(link)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "new" {
		t.Errorf("the file behind the link holds %q", got)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v %v", info, err)
	}
}

func TestTryLeavesNothing(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "groups.csv")
	if err := atomicfile.Try(path); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v (%v)", entries, err)
	}
	write(t, path, "before")
	if err := atomicfile.Try(path); err != nil || content(t, path) != "before" {
		t.Errorf("%v, and the file is %q", err, content(t, path))
	}
	onlyFile(t, folder)
	within := filepath.Join(path, "more.csv") // a file is no folder
	if err := atomicfile.Try(within); !errors.Is(err, fault.Unwritable) ||
		!strings.HasPrefix(err.Error(), within+": it cannot be written (") {
		t.Errorf("%v", err)
	}
}

// TestReadOnlyFilesAreLeftAlone: a rename would replace them, even by one who may write anything.
func TestReadOnlyFilesAreLeftAlone(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "groups.csv")
	f, err := atomicfile.Create(path) // it becomes read-only while it is written
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	write(t, path, "before")
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Commit": f.Commit(),
		"Write":  atomicfile.Write(path, func(io.Writer) error { return nil }),
		"Try":    atomicfile.Try(path),
	} {
		if !errors.Is(err, fs.ErrPermission) || content(t, path) != "before" {
			t.Errorf("%s: %v, and the file is %q", name, err, content(t, path))
		}
		if said := path + ": it cannot be written (the file is read-only); see that it and its " +
			"folder may be written, or name another file"; name != "Commit" && err.Error() != said {
			t.Errorf("%s says %q", name, err)
		}
	}
	onlyFile(t, folder)
	if err := os.Chmod(path, 0o644); err != nil { // Windows removes no file that is read-only
		t.Fatal(err)
	}
	if err := atomicfile.Try(path); err != nil {
		t.Error(err)
	}
}

func TestNoFolder(t *testing.T) {
	if _, err := atomicfile.Create(filepath.Join(t.TempDir(), "no", "such", "file")); err == nil {
		t.Error("Create made a file in a folder that does not exist")
	}
}

func TestLinkToNothingYet(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	// first → sub/second → ../real, which is not there.
	first, second, real := filepath.Join(dir, "first"), filepath.Join(dir, "sub", "second"),
		filepath.Join(dir, "real")
	if err := os.Symlink(filepath.Join("sub", "second"), first); err != nil {
		t.Skip("no symbolic links here")
	}
	if err := os.Symlink(filepath.Join("..", "real"), second); err != nil {
		t.Fatal(err)
	}
	write(t, first, "new")
	if got := content(t, real); got != "new" {
		t.Errorf("the file behind the links holds %q", got)
	}
	for _, link := range []string{first, second} {
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link %s is gone: %v %v", link, info, err)
		}
	}
	circle := filepath.Join(dir, "circle")
	if err := os.Symlink("circle", circle); err != nil {
		t.Fatal(err)
	}
	if _, err := atomicfile.Create(circle); err == nil {
		t.Error("a link to itself was written")
	}
}

func TestLongNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("a", 249), strings.Repeat("a", 255),
		"a" + strings.Repeat("é", 127)} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		write(t, path, "new")
		if got := content(t, path); got != "new" {
			t.Errorf("a name of %d bytes: the file holds %q", len(name), got)
		}
		onlyFile(t, dir)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	err := atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFoldersAreMade(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a", "b", "c")
	for range 2 {
		if err := atomicfile.MakeFolder(path, true); err != nil {
			t.Fatal(err)
		}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		t.Errorf("%v, %v", info, err)
	}
	mine := filepath.Join(dir, "mine")
	if err := atomicfile.MakeFolder(mine, false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(mine); runtime.GOOS != "windows" && (err != nil ||
		info.Mode().Perm() != 0o700) {
		t.Errorf("%v, %v", info, err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.MakeFolder(filepath.Join(file, "x"), true); err == nil {
		t.Error("a folder is made in a file")
	}
	if err := atomicfile.MakeFolder(file, true); err == nil {
		t.Error("a file is taken for a folder")
	}
}
