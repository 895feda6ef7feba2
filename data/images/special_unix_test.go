//go:build unix

package images

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesDoNotBlock: a pipe nobody writes into, a socket, a device and a folder are refused
// without being opened, listed or not.
func TestPipesDoNotBlock(t *testing.T) {
	a, folder := album(t, Limits{})
	write(t, folder, "own.png", asPNG(t, corners(4, 4)))
	if err := syscall.Mkfifo(filepath.Join(folder, "pipe.png"), 0o666); err != nil {
		t.Skip("no pipes here: ", err)
	}
	if err := os.Mkdir(filepath.Join(folder, "folder.png"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, what := range map[string]string{"pipe.png": "a pipe", "folder.png": "a folder"} {
		_, _, err := a.Thumbnail(t.Context(), name, 64)
		refused(t, err, name, what)
	}
	// One that takes the place of a file after that was looked at does not block either.
	if f, err := a.root.OpenFile("pipe.png", openFlags, 0); err == nil {
		f.Close()
	}
	t.Chdir(folder) // the name of a socket must be short
	if l, err := net.Listen("unix", "socket.png"); err == nil {
		defer l.Close()
		_, _, err := a.Thumbnail(t.Context(), "socket.png", 64)
		refused(t, err, "socket.png", "special")
	}
	l, err := a.List(t.Context())
	if err != nil || len(l.Names) != 1 {
		t.Errorf("%v (%v)", l, err)
	}
}

// TestDevices are refused, whatever they would give.
func TestDevices(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("no devices here")
	}
	_, _, err := New(root(t, "/dev"), Limits{}).Thumbnail(t.Context(), "zero", 64)
	refused(t, err, "zero", "a device")
}

// TestNoLeaveToRead: a folder without read permission is an error.
func TestNoLeaveToRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	a, folder := album(t, Limits{})
	write(t, folder, "own.png", asPNG(t, corners(4, 4)))
	if err := os.Chmod(filepath.Join(folder, "own.png"), 0); err != nil {
		t.Fatal(err)
	}
	_, _, err := a.Thumbnail(t.Context(), "own.png", 64)
	refused(t, err, "own.png", "may not be read")
}
