//go:build unix

package lines

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// TestANamedPipe: waiting for somebody to write to it can be ended, and what is written is read.
func TestANamedPipe(t *testing.T) {
	pipe := func(name string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip("no pipe can be made here: ", err)
		}
		return path
	}
	path := pipe("quiet")
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := s.WarmUp(ctx, WarmUp{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nobody writes: %v", err)
	}
	s.Close()
	if f, err := os.OpenFile(path, os.O_RDWR, 0); err == nil { // lets go of the one who waited
		f.Close()
	}
	path = pipe("busy")
	if s, err = Open(path); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Resume(plainLayout(dataset.FormatCSV), stream.Position{}, false); err != nil {
		t.Fatal(err)
	}
	go os.WriteFile(path, []byte("x,1,2,red,A\ny,1,2,red,A\n"), 0)
	if numbers, _, _ := drain(t, s); len(numbers) != 2 {
		t.Errorf("rows %v", numbers)
	}
}
