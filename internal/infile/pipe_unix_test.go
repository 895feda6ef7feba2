//go:build unix

package infile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestAContextEndsTheOpeningOfAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("no pipes here")
	}
	ctx, cancel := context.WithCancel(t.Context())
	opening := make(chan struct{})
	go func() {
		<-opening
		cancel()
	}()
	open := func(path string) (*os.File, error) {
		close(opening)
		return os.Open(path) // waits, as nobody writes
	}
	if _, err := OpenBy(ctx, open, path, "a table"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	// What was left behind ends once somebody writes.
	to, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	to.Close()
}
