package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
)

// TestLock: one at a time, and again once it was let go.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.csv")
	open := func() *os.File {
		t.Helper()
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if err := Lock(first); err != nil {
		t.Fatal(err)
	}
	if err := Lock(second); !errors.Is(err, ErrTaken) {
		t.Errorf("%v", err)
	}
	first.Close()
	if err := Lock(second); err != nil {
		t.Error(err)
	}
}

// TestBeside: of many at once only one ever has it, and nothing is left.
func TestBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.state")
	var has, had atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				release, err := Beside(path)
				if errors.Is(err, ErrTaken) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if has.Add(1) > 1 {
					t.Error("two have the lock")
				}
				had.Add(1)
				has.Add(-1)
				release()
			}
		})
	}
	all.Wait()
	if had.Load() == 0 {
		t.Error("none had it")
	}
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if _, err := Beside(filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil ||
		errors.Is(err, ErrTaken) {
		t.Errorf("%v", err)
	}
}
